// A link may lead to something folded: open all that it lies in, then go there, and stay there while pictures and
// formulas above it find their size, until the reader moves.
const SETTLED = 8000; // ms
let staying = null;

function unfold() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  staying?.disconnect();
  if (!target) return;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  const go = () => target.scrollIntoView({ behavior: "instant" });
  staying = new ResizeObserver(go);
  staying.observe(document.querySelector("article") || document.body);
  setTimeout((one) => one.disconnect(), SETTLED, staying);
  go();
}

// What is wider than the page can be scrolled with the keys too, and shows that it goes on.
function widen() {
  document.querySelectorAll("div.math, article pre, .table-wrapper, .output").forEach((box) => {
    const wide = box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0;
    box.classList.toggle("wide", wide);
    if (wide) box.tabIndex = 0;
    else if (box.hasAttribute("tabindex")) box.removeAttribute("tabindex");
  });
}

let later = null;
function settle() {
  clearTimeout(later);
  later = setTimeout(widen, 200);
}
for (const kind of ["wheel", "touchmove", "keydown", "mousedown"]) {
  window.addEventListener(kind, () => staying?.disconnect(), { passive: true });
}
window.addEventListener("hashchange", unfold);
window.addEventListener("DOMContentLoaded", () => {
  unfold();
  const watch = new ResizeObserver(settle); // a formula grows when it is set
  document.querySelectorAll("article, div.math").forEach((box) => watch.observe(box));
});
window.addEventListener("toggle", settle, true);
window.addEventListener("scrollend", settle);
