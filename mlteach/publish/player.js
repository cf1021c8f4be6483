// Plays the film of an explorer on a page with no kernel:
//
//   <ml-explorer name="soft_margin" src="explorers/soft_margin.js"><img ...></ml-explorer>
//
// The film (frames.py) is a script that calls mlteach.add. It is loaded when the explorer comes near the screen; until
// then, and where it cannot be loaded, the page shows what stands inside the element. A frame is the picture at the
// start with the pixels painted over it that differ.
const mlteach = {
  films: {},
  waiting: {},
  add(film) {
    this.films[film.name] = film;
    (this.waiting[film.name] || []).forEach((ready) => ready(film));
    delete this.waiting[film.name];
  },
};

class Explorer extends HTMLElement {
  connectedCallback() {
    if (this.watcher || this.film) return;
    this.watcher = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && this.load(), {
      rootMargin: "800px",
    });
    this.watcher.observe(this);
  }

  load() {
    this.watcher.disconnect();
    const name = this.getAttribute("name");
    if (mlteach.films[name]) return this.build(mlteach.films[name]);
    const first = !mlteach.waiting[name];
    (mlteach.waiting[name] ||= []).push((film) => this.build(film));
    if (first && this.hasAttribute("src")) document.head.append(make("script", { src: this.getAttribute("src") }));
  }

  async build(film) {
    Object.assign(this, { film, start: film.controls.map((c) => c.start), bitmaps: new Map() });
    this.now = [...this.start];
    const still = await decode(film.still);
    const panel = make("div", { className: "ml-controls" });
    this.rows = film.controls.map((control, k) => this.row(control, k));
    panel.append(...this.rows.map((row) => row.element));
    panel.append(make("button", { type: "button", className: "ml-reset", textContent: "Reset", onclick: () => this.reset() }));
    this.canvas = make("canvas", { width: film.width, height: film.height });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", film.caption);
    this.paper = this.canvas.getContext("2d");
    this.words = make("p", { className: "ml-words" });
    this.words.setAttribute("role", "status");
    this.note = make("p", { className: "ml-note" });
    this.note.setAttribute("role", "status");
    this.still = still;
    this.replaceChildren(panel, this.canvas, this.words, this.note, make("p", { className: "ml-caption", textContent: film.caption }));
    new ResizeObserver(() => this.reserve()).observe(this);
    this.reserve();
    await this.show();
    this.setAttribute("ready", "");
  }

  // Keep the room that the longest words take at this width: nothing moves when they wrap.
  reserve() {
    const { clientWidth } = this.words;
    if (clientWidth === this.reserved) return;
    this.reserved = clientWidth;
    const probe = this.words.cloneNode();
    probe.removeAttribute("role"); // it is measured and says nothing
    this.append(probe);
    probe.style.cssText = `position: absolute; visibility: hidden; min-height: 0; width: ${clientWidth}px`;
    const longest = [...this.film.texts].sort((a, b) => b.length - a.length).slice(0, 8);
    const heights = longest.map((text) => { probe.innerHTML = text; return probe.offsetHeight; });
    probe.remove();
    this.words.style.minHeight = `${Math.max(...heights)}px`;
  }

  // One control: a native input, its label and its value. `set(i)` shows stop i, `call(text)` changes the label, and
  // `free(false)` says that beside the other choices it has one picture only.
  row(control, k) {
    const element = make(control.kind === "buttons" ? "fieldset" : "label", { className: `ml-control ml-${control.kind}` });
    const label = make(control.kind === "buttons" ? "legend" : "span", { textContent: control.label, className: "ml-label" });
    const call = (text) => { if (label.textContent !== text) label.textContent = text; };
    const free = (moves) => {
      element.classList.toggle("ml-held", !moves);
      element.title = moves ? "" : "Beside these choices it has one picture only. Reset frees it; with a kernel it always moves.";
    };
    if (control.kind === "buttons") {
      const id = `${this.film.name}-${control.name}-${(Explorer.made = (Explorer.made || 0) + 1)}`;
      const inputs = control.stops.map((stop, i) => {
        const input = make("input", { type: "radio", name: id, onchange: () => this.move(k, i) });
        const choice = make("label", {});
        choice.append(input, make("span", { textContent: stop }));
        element.append(choice);
        return input;
      });
      element.prepend(label);
      return { element, call, free, input: inputs[0], set: (i) => { inputs[i].checked = true; } };
    }
    if (control.kind === "switch") {
      const input = make("input", { type: "checkbox", onchange: () => this.move(k, +input.checked) });
      element.append(input, label);
      return { element, call, free, input, set: (i) => { input.checked = Boolean(i); } };
    }
    if (control.kind === "choice") {
      const input = make("select", { onchange: () => this.move(k, +input.value) });
      input.append(...control.stops.map((stop, i) => make("option", { value: i, textContent: stop })));
      element.append(label, input);
      return { element, call, free, input, set: (i) => { input.value = i; } };
    }
    const input = make("input", { type: "range", min: 0, max: control.stops.length - 1, step: 1, value: control.start });
    let key = false; // a key asks for the next stop, the pointer for the nearest one
    input.onkeydown = () => { key = true; };
    input.onpointerdown = input.onkeyup = () => { key = false; };
    input.oninput = () => { this.pause(); this.move(k, +input.value, key); };
    const value = make("output", {});
    element.append(label, input);
    if (control.readout) element.append(value);
    if (control.name === this.film.play) {
      this.player = make("button", { type: "button", className: "ml-play", onclick: (e) => { e.preventDefault(); this.timer ? this.pause() : this.play(k); } });
      element.append(this.player);
      this.pause();
    }
    const set = (i) => {
      input.value = i;
      value.textContent = control.stops[i];
      input.setAttribute("aria-valuetext", control.stops[i]);
    };
    return { element, call, free, input, set };
  }

  play(k) {
    const last = this.film.controls[k].stops.length - 1;
    if (this.now[k] === last) this.move(k, 0);
    this.player.textContent = "❚❚";
    this.player.setAttribute("aria-label", "Pause");
    this.timer = setInterval(() => {
      const before = this.now[k];
      if (before < last) this.move(k, before + 1, true);
      if (this.now[k] <= before) this.pause(); // the end, or the last picture that there is
    }, this.film.interval);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (!this.player) return;
    this.player.textContent = "▶";
    this.player.setAttribute("aria-label", "Play");
  }

  reset() {
    this.pause();
    this.now = [...this.start];
    this.note.textContent = "";
    return this.show();
  }

  // Move control k to stop i. Where that setting has no frame, the nearest one with a frame is shown: the moved slider
  // gives way before the others do, and a choice never changes. A step (a key, the player) goes on in its direction.
  move(k, i, step) {
    const before = [...this.now], wanted = before.map((v, q) => (q === k ? i : v));
    this.now = this.film.frames[wanted.join()] ? wanted : this.nearest(k, wanted, step ? Math.sign(i - before[k]) : 0);
    const moved = this.film.controls.filter((c, q) => q !== k && this.now[q] !== before[q]);
    if (this.now.join() === before.join()) {
      this.note.textContent = "Beside these choices there is one picture only. With a kernel, all sliders move freely.";
    } else if (moved.length) {
      const list = moved.map((c) => `${c.label} to ${c.stops[this.now[this.film.controls.indexOf(c)]]}`).join(", ");
      this.note.textContent = `The nearest picture there is: ${list}. With a kernel, all sliders move freely.`;
    } else if (this.moved !== k) this.note.textContent = "";
    this.moved = k;
    return this.show();
  }

  // Whether control k can leave its place while the others stay where they are.
  moves(k) {
    return this.film.controls[k].stops.some((_, i) => i !== this.now[k] && this.film.frames[this.now.with(k, i).join()]);
  }

  nearest(k, wanted, way) {
    this.settings ||= Object.keys(this.film.frames).map((key) => key.split(",").map(Number));
    const { controls } = this.film;
    const far = (setting) => controls.reduce((sum, c, q) => {
      if (setting[q] === wanted[q]) return sum;
      if (c.kind !== "range") return sum + (q === k ? 10000 : 100);
      const ahead = q === k && way && (setting[q] - wanted[q]) * way < 0 ? 20 : 0; // back where it was, or farther
      return sum + ahead + (Math.abs(setting[q] - wanted[q]) / c.stops.length) * (q === k ? 1 : 5);
    }, 0);
    return this.settings.reduce((best, s) => (far(s) < far(best) ? s : best));
  }

  async show() {
    const key = this.now.join(), [picture, text, labels] = this.film.frames[key];
    this.rows.forEach((row, k) => { row.set(this.now[k]); row.call((labels || this.film.controls.map((c) => c.label))[k]); });
    const [x, y] = this.film.pictures[picture], bitmap = await this.bitmap(picture);
    if (key !== this.now.join()) return; // a newer setting has come
    this.paper.drawImage(this.still, 0, 0);
    if (bitmap) this.paper.drawImage(bitmap, x, y);
    this.words.innerHTML = this.film.texts[text];
    const away = key !== this.start.join();
    this.rows.forEach((row, k) => row.free(!away || this.moves(k)));
    this.setAttribute("shows", key);
    this.ahead();
  }

  // Decode the frames next to the one that is shown, so that the next step finds them ready.
  ahead() {
    const near = this.now.flatMap((i, k) => [i - 1, i + 1].map((j) => this.now.map((v, q) => (q === k ? j : v)).join()));
    near.forEach((key) => this.film.frames[key] && this.bitmap(this.film.frames[key][0]));
  }

  bitmap(picture) {
    const data = this.film.pictures[picture][2];
    if (!this.bitmaps.has(picture)) this.bitmaps.set(picture, data ? decode(data) : Promise.resolve(null));
    return this.bitmaps.get(picture);
  }
}

function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}

function decode(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: "image/webp" }));
}

customElements.define("ml-explorer", Explorer);
