// A link may lead to something folded: open all that it lies in, then go there.
function unfold() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
window.addEventListener("DOMContentLoaded", unfold);
