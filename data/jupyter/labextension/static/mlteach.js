/* What JupyterLab leaves out, put in as the page is drawn; nothing here is needed to run a cell.

   JupyterLab drops the alternative text that a notebook keeps beside a picture, and its sliders, players and live
   pictures have no name. The words are all there: in the output's metadata, in the caption below a figure, in the label
   beside a slider. This file hands them on. It is the whole extension, as JupyterLab loads it, with no build step. */
"use strict";
(() => {
  const LOOK = `
    .jp-RenderedMarkdown > :is(p, ul, ol, blockquote, details) { max-width: 72ch; }
    .jp-RenderedMarkdown { overflow-wrap: break-word; }
    .mlteach-together { white-space: nowrap; }
    .jp-OutputArea-output pre { word-break: normal; overflow-wrap: anywhere; }  /* JupyterLab breaks within words */
    @media (max-width: 1100px) { .jp-RenderedMarkdown mjx-container[display="true"] {
      max-width: 100%; min-width: 0 !important; overflow: auto hidden; } }  /* it scrolls alone, its cell does not */
    .jp-RenderedHTMLCommon thead[hidden] { display: none; }`;

  /* One way from the picture in the page to its cell, and to what stands under it. */
  function cellOf(app, node) {
    for (const panel of app.shell.widgets("main")) {
      const cells = panel.content && panel.content.widgets;
      if (!cells || !panel.node.contains(node)) continue;
      const place = cells.findIndex(cell => cell.node.contains(node));
      if (place >= 0) return [cells[place], cells[place + 1]];
    }
    return [null, null];
  }

  function captionIn(cell) {
    const source = cell && cell.model && cell.model.type === "markdown" ? cell.model.sharedModel.getSource() : "";
    const found = /^\*(Figure \d+\.\d+: [^]+?)\*\s*(?:\n\n|$)/.exec(source);
    return found && found[1];
  }

  /* The words of a saved picture: its caption, and for an explorer the settings and the read-out, which lie beside it. */
  function describe(app, image) {
    const [cell, next] = cellOf(app, image);
    if (!cell || !cell.outputArea) return;
    const areas = cell.outputArea.widgets;
    const place = areas.findIndex(area => area.node.contains(image));
    const output = place >= 0 && place < cell.outputArea.model.length ? cell.outputArea.model.get(place) : null;
    const kept = output && output.metadata["image/png"];
    const text = String((output && output.data["text/plain"]) || "");
    const words = [(kept && kept.alt) || captionIn(next), /^<Figure/.test(text) ? "" : text];
    image.alt = words.filter(Boolean).join("\n") || "A picture drawn by the cell above it";
  }

  const label = node => (node ? node.textContent.trim() : "");

  function nameSlider(handle) {
    const box = handle.closest(".jupyter-widgets.widget-inline-hbox, .widget-slider");
    if (!box) return;
    put(handle, "aria-label", label(box.querySelector(".widget-label")));
    const shown = label(box.querySelector(".widget-readout"));
    if (shown) put(handle, "aria-valuetext", shown);
  }

  const BUTTONS = [["fa-play", "Play"], ["fa-pause", "Pause"], ["fa-stop", "Stop"], ["fa-retweet", "Repeat"]];

  function nameButton(icon) {
    const found = BUTTONS.find(([kind]) => icon.classList.contains(kind));
    if (!found) return;
    put(icon.parentElement, "aria-label", found[1]);
    put(icon.parentElement, "title", found[1]);
  }

  function put(node, name, value) {
    if (value && node.getAttribute(name) !== value) node.setAttribute(name, value);
  }

  /* A screen reader announces what changes inside a region that stays; the words themselves are drawn anew. */
  function announce(words) {
    const region = words.closest(".widget-html-content");
    if (!region) return;
    put(region, "role", "status");
    put(region, "aria-atomic", "true");
    words.removeAttribute("role");
  }

  function groupButtons(group) {
    const box = group.closest(".widget-toggle-buttons");
    put(group, "role", "group");
    put(group, "aria-label", label(box && box.querySelector(".widget-label")));
    for (const button of group.children) put(button, "aria-pressed", String(button.classList.contains("mod-active")));
  }

  /* A line may end beside a formula, but a comma or a bracket of it stays with it. */
  function keepTogether(formula) {
    const { previousSibling: left, nextSibling: right } = formula;
    const edge = (node, pattern) => (node && node.nodeType === Node.TEXT_NODE ? (pattern.exec(node.data) || [""])[0] : "");
    const opens = edge(left, /[(["]+$/), closes = edge(right, /^[-,.;:!?)\]"']+/);
    if (!opens && !closes) return;
    if (opens) left.data = left.data.slice(0, -opens.length);
    if (closes) right.data = right.data.slice(closes.length);
    const whole = document.createElement("span");
    whole.className = "mlteach-together";
    formula.before(whole);
    whole.append(opens, formula, closes);
  }

  function tidy(app) {
    const all = (selector, act) => document.querySelectorAll(selector).forEach(act);
    all(".jp-RenderedImage img:not([alt])", image => describe(app, image));
    all(".jp-OutputArea .noUi-handle", nameSlider);
    all(".widget-play button > i", nameButton);
    all(".widget-toggle-buttons > div:not(.widget-label)", groupButtons);
    all(".mlteach-words[role]", announce);
    all(".widget-label[title=null]", node => node.removeAttribute("title"));
    all(".mlteach-explorer img", image => {
      const caption = label(image.closest(".mlteach-explorer").querySelector(".mlteach-caption"));
      put(image, "alt", caption || "The explorer's picture");
    });
    if (window.innerWidth <= 1100) {  // what scrolls is reached by the keyboard
      all('.jp-RenderedMarkdown mjx-container[display="true"]:not([tabindex])', formula => { formula.tabIndex = 0; });
    }
    all(".jp-RenderedMarkdown :not(.mlteach-together) > mjx-container:not([display])", keepTogether);
    all(".jp-RenderedHTMLCommon thead:not([hidden])", head => {
      if (!head.textContent.trim()) head.hidden = true;
    });
  }

  const plugin = {
    id: "mlteach:words",
    description: "Gives pictures, sliders and players of the course the names that a screen reader speaks.",
    autoStart: true,
    activate: app => {
      const style = document.createElement("style");
      style.textContent = LOOK;
      document.head.append(style);
      let waiting = 0;
      const soon = () => {
        waiting = waiting || setTimeout(() => { waiting = 0; tidy(app); }, 150);
      };
      const watch = records => {
        document.querySelectorAll(".mlteach-words[role]").forEach(announce);  // before anybody reads them twice
        for (const { target } of records) {  // a slider says its value while it moves
          if (target.classList && target.classList.contains("noUi-handle")) nameSlider(target);
        }
        soon();
      };
      new MutationObserver(watch).observe(document.body, {
        subtree: true, childList: true, attributes: true, attributeFilter: ["class", "aria-valuetext"],
      });
      window.addEventListener("resize", soon);
      soon();
    },
  };

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB.mlteach = {
    init: () => {},
    get: () => Promise.resolve(() => ({ __esModule: true, default: plugin })),
  };
})();
