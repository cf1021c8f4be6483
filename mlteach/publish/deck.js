// Start the deck: set the mathematics, let every slide fit, then let reveal.js show it.
const WIDTH = 1920, HEIGHT = 1080;

// Shrink a formula that is wider than its slide, then all of a slide that is higher than it.
function fit(slide) {
  slide.querySelectorAll(".display").forEach((formula) => {
    const inside = formula.firstElementChild;
    if (!inside) return;
    for (let size = 56; size > 24 && inside.scrollWidth > formula.clientWidth; size -= 2) formula.style.fontSize = `${size}px`;
  });
  const content = slide.querySelector(".content");
  for (let share = 95; share > 55 && content.scrollHeight > content.clientHeight; share -= 5) content.style.fontSize = `${share}%`;
}

// A presenter's key must always turn the page, also when a slider has the focus.
document.addEventListener("keydown", (event) => {
  if (!event.target.closest?.("ml-explorer") || !["PageDown", "PageUp", "Escape"].includes(event.key)) return;
  event.target.blur();
  if (event.key === "PageDown") Reveal.next();
  if (event.key === "PageUp") Reveal.prev();
  event.preventDefault();
  event.stopPropagation();
}, true);

document.querySelectorAll("section").forEach((slide) => slide.style.setProperty("display", "flex"));
MathJax.startup.promise
  .then(() => MathJax.typesetPromise([...document.querySelectorAll(".slides h1, .slides h2, .content")]))
  .then(() => {
    document.querySelectorAll("section").forEach(fit);
    return Reveal.initialize({
      width: WIDTH, height: HEIGHT, margin: 0, center: false, controls: false, slideNumber: "c/t", hash: true,
      transition: "none", display: "flex", plugins: [RevealNotes],
    });
  })
  .then(() => {
    document.body.classList.add("ready");
    const notes = [...document.querySelectorAll("aside.notes")]; // the speaker's formulas can wait
    notes.reduce((before, note) => before.then(() => MathJax.typesetPromise([note])), Promise.resolve());
  });
