// Start the deck: set the mathematics, let every slide fit, then let reveal.js show it.
const WIDTH = 1920, HEIGHT = 1080;

// Let the letters of a slide with few words grow as long as they leave a sixth of it free and no line gets too wide.
const GROWS = ".turn, .predict, .watch, .answer, .text, .formula, .shown, .divider, .card, .contents";
function grow(content, cut) {
  const used = () => content.lastElementChild.getBoundingClientRect().bottom - content.getBoundingClientRect().top;
  for (let share = 105; share <= 130; share += 5) {
    content.style.fontSize = `${share}%`;
    if (cut() || used() > (5 / 6) * content.clientHeight) {
      content.style.fontSize = `${share - 5}%`;
      return;
    }
  }
}

// Shrink a formula that is wider than its slide, then all of a slide that is higher or wider than it.
function fit(slide) {
  const content = slide.querySelector(".content"), size = (element) => parseFloat(getComputedStyle(element).fontSize);
  slide.querySelectorAll(".display").forEach((formula) => {
    const share = formula.clientWidth / (formula.firstElementChild?.scrollWidth || 1);
    if (share < 1) formula.style.fontSize = `${Math.max(0.45, (0.97 * share * size(formula)) / size(content))}em`;
  });
  const cut = () => content.scrollHeight > content.clientHeight || content.scrollWidth > content.clientWidth;
  const formulas = [...slide.querySelectorAll(".display")], wide = (f) => f.scrollWidth > f.clientWidth + 1;
  for (let share = 95; share >= 60 && cut(); share -= 5) content.style.fontSize = `${share}%`;
  if (slide.matches(GROWS) && !cut() && !content.style.fontSize && !content.querySelector(".picture")) {
    grow(content, () => cut() || formulas.some(wide));
  }
  for (let round = 0; round < 12 && (cut() || formulas.some(wide)); round++) {
    formulas.filter((f) => cut() || wide(f)).forEach((f) => { f.style.fontSize = `${0.94 * size(f)}px`; });
  }
}

// A presenter's key must always turn the page, also when a slider has the focus; Space on a button presses it.
document.addEventListener("keydown", (event) => {
  if (!event.target.closest?.("ml-explorer")) return;
  if (event.target.matches("select") || (event.key === " " && event.target.matches("button"))) event.stopPropagation();
  if (!["PageDown", "PageUp", "Escape"].includes(event.key)) return;
  event.target.blur();
  if (event.key === "PageDown") Reveal.next();
  if (event.key === "PageUp") Reveal.prev();
  event.preventDefault();
  event.stopPropagation();
}, true);

document.querySelectorAll("section").forEach((slide) => slide.style.setProperty("display", "flex"));
// A chain of relations that would have to shrink gets a line for each of them; what stands in braces stays whole.
const RELATIONS = ["=", "\\ge", "\\le", "\\approx"];
function chained(inside) {
  const lines = [""];
  let depth = 0;
  for (const sign of inside.match(/\\[a-zA-Z]+|\\.|[^\\]/g)) {
    if (depth === 0 && RELATIONS.includes(sign)) lines.push("&");
    depth += ["{", "\\left"].includes(sign) - ["}", "\\right"].includes(sign);
    lines[lines.length - 1] += sign;
  }
  return lines.length > 2 ? `\\begin{aligned}${lines[0]}${lines.slice(1).join("\\\\")}\\end{aligned}` : inside;
}

// Several equations side by side that would have to shrink go under each other; an arrow begins its line.
const ARROW = /\\(?:Longrightarrow|implies|Longleftrightarrow|iff|Rightarrow|Leftrightarrow)$/;
function stacked(inside) {
  const lines = [];
  for (const part of inside.split(/\\qquad|\\quad/).map((piece) => piece.trim()).filter(Boolean)) {
    if (ARROW.test(lines.at(-1) || "")) lines[lines.length - 1] += `\\quad ${part}`;
    else lines.push(part);
  }
  return lines.join("\\\\");
}

function broken() {
  const wide = displays.filter(([formula, tex]) => {
    const whole = formula.firstElementChild;
    const most = /\\q?quad/.test(tex) ? 1.25 : 1.6; // times the width of the slide
    return !/\\begin|\\\\/.test(tex) && most * formula.clientWidth < (whole?.scrollWidth || 0);
  });
  for (const [formula, tex] of wide) {
    const [, inside, tag = ""] = tex.match(/^\\\[([^]*?)(\\tag\{.*?\})?\s*\\\]$/);
    const lines = /\\q?quad/.test(tex) ? `\\begin{gathered}${stacked(inside)}\\end{gathered}` : chained(inside);
    formula.textContent = `\\[${lines}${tag}\\]`;
  }
  return MathJax.typesetPromise(wide.map(([formula]) => formula));
}

const displays = [...document.querySelectorAll(".display")].map((formula) => [formula, formula.textContent.trim()]);
MathJax.startup.promise
  .then(() => MathJax.typesetPromise([...document.querySelectorAll(".where, .slides h1, .slides h2, .content")]))
  .then(broken)
  .then(() => {
    document.querySelectorAll("section").forEach(fit);
    return Reveal.initialize({
      width: WIDTH, height: HEIGHT, margin: 0, center: false, controls: false, slideNumber: "c/t", hash: true,
      transition: "none", display: "flex", pdfSeparateFragments: false, plugins: [RevealNotes],
    });
  })
  .then(() => {
    document.body.classList.add("ready");
    const notes = [...document.querySelectorAll("aside.notes")]; // the speaker's formulas can wait
    notes.reduce((before, note) => before.then(() => MathJax.typesetPromise([note])), Promise.resolve());
  });
