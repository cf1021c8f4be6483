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

// What is wider than the page can be scrolled with the keys too, and shows that it goes on. Boxes are measured without
// that mark, which has a size of its own, and all of them before any is changed: a page has hundreds, and each change
// would make the next measure lay the page out again.
const sized = new ResizeObserver((seen) => {
  const boxes = seen.map(({ target }) => target);
  boxes.forEach((box) => box.classList.remove("wide"));
  const wide = boxes.map((box) => box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1);
  boxes.forEach((box, k) => {
    box.classList.toggle("wide", wide[k]);
    if (wide[k]) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
});

// A formula is set when it comes near the screen (`ui/lazy` of MathJax); until then a screen reader finds its source.
function nameFormulas() {
  for (const { lazyMarker, math } of MathJax.startup.document.lazyList.items.values()) {
    lazyMarker.parentNode?.setAttribute("role", "math");
    lazyMarker.parentNode?.setAttribute("aria-label", math.trim());
  }
}

// A line may end beside a formula, but a comma or a bracket of it stays with it.
function keepTogether(formula) {
  const { previousSibling: left, nextSibling: right } = formula;
  const edge = (node, pattern) => (node?.nodeType === Node.TEXT_NODE && pattern.exec(node.data)?.[0]) || "";
  const opens = edge(left, /[(["\u201c]+$/), closes = edge(right, /^[-,.;:!?)\]"'\u2019\u201d]+/);
  if (!opens && !closes) return;
  if (opens) left.data = left.data.slice(0, -opens.length);
  if (closes) right.data = right.data.slice(closes.length);
  const whole = document.createElement("span");
  whole.className = "together";
  formula.before(whole);
  whole.append(opens, formula, closes);
}

// The list of chapters shows where the reader is.
function showPlace() {
  const here = document.querySelector(".sidebar-tree .current-page"), list = here?.closest(".sidebar-scroll");
  if (list) list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}

for (const kind of ["wheel", "touchmove", "keydown", "mousedown"]) {
  window.addEventListener(kind, () => staying?.disconnect(), { passive: true });
}
window.addEventListener("hashchange", unfold);
window.addEventListener("DOMContentLoaded", () => {
  unfold();
  showPlace();
  document.querySelectorAll("div.math, #index-and-glossary span.math, article pre, .table-wrapper, .output, .map").forEach((box) => sized.observe(box));
});
window.addEventListener("load", () => window.MathJax?.startup?.promise.then(() => {
  nameFormulas();
  document.querySelectorAll("article span.math").forEach(keepTogether);
}));
