// The search of the book: sections, best first. What defines the very term comes first, then headings and points weigh
// most, then terms that a section defines, then how often the words stand in it. `sections.js` holds the sections.
const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[-–—_]/g, " ");
const stem = (word) => (word.length > 3 ? word.replace(/(ies|y)$/, "i").replace(/([^s])s$/, "$1").replace(/([bdgmnprt])\1(ing|ed)$/, "$1").replace(/(ing|ed)$/, "") : word);
const words = (text) => (plain(text).match(/[\p{L}\p{N}]+\+*/gu) || []).map(stem);
const bare = (text) => text.replace(/^[\d.]+ · (Deeper: )?/, "").replace(/\b(the|an?|of|in|to|is|are|and)\b/gi, " ");
const WEIGHTS = { heading: 12, point: 8, terms: 9 };
const DEFINED = { first: 45, term: 35, end: 15, words: 30 }; // the term itself, the end of one, a term for each word

function prepared(section) {
  if (!section.ready) {
    const known = { ...section, heading: bare(section.heading) };
    section.ready = Object.fromEntries(["heading", "point", "terms", "text"].map((k) => [k, ` ${words(bare(known[k])).join(" ")} `]));
    section.names = section.terms.split(". ").map((term) => words(bare(term)).join(" "));
  }
  return section.ready;
}

function defined(section, asked) {
  const phrase = asked.join(" "), { names } = section;
  if (names.includes(phrase)) return section === SECTIONS.find((one) => prepared(one) && one.names.includes(phrase)) ? DEFINED.first : DEFINED.term;
  if (names.some((name) => name.endsWith(` ${phrase}`))) return DEFINED.end;
  return asked.every((word) => names.includes(word)) ? DEFINED.words : 0;
}

function score(section, asked) {
  const has = prepared(section), phrase = ` ${asked.join(" ")} `, everywhere = Object.values(has).join(" ");
  if (!asked.every((word) => everywhere.includes(` ${word}`))) return 0;
  let sum = 0;
  for (const [place, weight] of Object.entries(WEIGHTS)) {
    const share = asked.filter((word) => has[place].includes(` ${word}`)).length / asked.length;
    sum += weight * share ** 2 + (has[place].includes(phrase) ? 2 * weight : 0);
  }
  const length = has.heading.trim().split(" ").length;
  sum += has.heading.includes(phrase) ? 15 * asked.length * Math.sqrt(asked.length / length) : 0;
  sum += has.heading.includes(" defin") ? 10 : 0;
  const often = has.text.split(phrase.trimEnd()).length - 1;
  return (sum + 2 * Math.log2(1 + often) + 0.5) * (section.deep ? 0.6 : 1) + defined(section, asked);
}

// A line around the first place where the words stand; the point where they stand nowhere else.
function context(section, asked) {
  const sentences = `${section.point} ${section.text}`.split(/(?<=[.?!])\s+/);
  const hits = (sentence) => asked.filter((word) => ` ${words(sentence).join(" ")} `.includes(` ${word}`)).length;
  const best = sentences.reduce((a, b) => (hits(b) > hits(a) ? b : a), sentences[0]);
  return best.length > 180 ? `${best.slice(0, 177)}...` : best;
}

function find(query) {
  const asked = words(bare(query)).length ? words(bare(query)) : words(query);
  if (!asked.length) return [];
  const found = SECTIONS.map((section, k) => ({ section, k, score: score(section, asked) })).filter((hit) => hit.score);
  return found.sort((a, b) => b.score - a.score || a.k - b.k).slice(0, 40).map((hit) => ({ ...hit, line: context(hit.section, asked) }));
}

function search(query) {
  const out = document.getElementById("search-results"), found = find(query);
  const put = (parent, tag, text, more) => parent.appendChild(Object.assign(document.createElement(tag), { textContent: text, ...more }));
  document.getElementById("search-progress")?.replaceChildren();
  out.replaceChildren();
  put(out, "p", found.length ? `${found.length} sections, the best first` : "No section has all these words.", { role: "status" });
  const list = put(out, "ul", "", { className: "search" });
  for (const { section, line } of found) {
    const item = put(list, "li", "");
    put(item, "a", section.heading, { href: section.page });
    put(item, "small", ` ${section.chapter}`);
    put(item, "p", line, { className: "context" });
  }
}

// Sphinx's own search would begin when the page is there: ours takes its place.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  Search.performSearch = (query) => {
    const script = Object.assign(document.createElement("script"), { src: "_static/sections.js", onload: () => search(query) });
    document.head.append(script);
  };
});
