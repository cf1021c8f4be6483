"""The terms of the course, read from the text of its notebooks: ``glossary("entropy")``.

A term is bold where it is defined, and italic in a sentence that is bold already (the point of a section). All other
bold ends in a mark inside (a lead: ``**Why.**``) or stands where nothing is defined: openings, tasks, predictions,
answers, exercises and what follows them. CONTRIBUTING.md ("Terms") has the rule in words.
"""

import difflib
import functools
import json
import re
import unicodedata
from typing import NamedTuple

from mlteach import chapter
from mlteach.course import chapters

BOLD = re.compile(r"\*\*((?:(?!\*\*).)+?)\*\*", re.S)
SLANTED = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
LEAD = re.compile(r"[.?!:,;]$")
NOT_HERE = ("predict", "turn", "answer", "exercise")  # blocks in which nothing is defined
END = re.compile(r"## .*Exercises")
APART = re.compile(r"<details.*?</details>", re.S)
# Where one sentence ends: not after an initial, in a formula, or before a small letter.
SENTENCE = re.compile(r"(?<=[.?!])(?<![ (.-][A-Z]\.)(?<!e\.g\.)(?<!i\.i\.d\.)[*\")]*\s+(?=[A-Z0-9(*\"'$λνεΔ≥])")
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]+\$|`[^`]*`", re.S)
BREAK = re.compile(r"\n(?:[> ]*\n)+[> ]*(?:- |\| |\d\. )?|\n[> ]*(?:- |\| |\d\. )")
SHORT, LONG = 6, 70  # a sentence of fewer words says nothing without the next one; and of more, nothing with its list
ITEMS = re.compile(r"\s*\n((?:(?:\d\.|-) .+(?:\n|$))+)")
POINTS_BACK = re.compile(  # to the sentence before it
    r"[>*(\s]*(?:This|That|It|Its|They|Their|Such|These|The method|The second|Setting it|Both)\b"
)
ALIKE = {"ε": "epsilon ", "λ": "lambda ", "ν": "nu ", "–": "-", "’": "'", "_": "", " squared ": "2 "}
ALIKE |= {"ization": "isation", "neighbor ": "neighbour ", "neighbors": "neighbours", "distribution": "law"}


class Term(NamedTuple):
    """One definition: the term, the sentence that holds its mark, the chapter's number, its section and its page."""

    name: str
    sentence: str
    chapter: int
    section: str
    title: str
    stem: str


class Found(list):
    """What ``glossary`` returns: the definitions of a term, or none and the names that are near."""

    def __init__(self, asked, found, near):
        super().__init__(found)
        self.asked, self.near = asked, near

    def _lines(self, form):
        near = ", ".join(self.near)
        if not self:
            return [f"No term is called {self.asked!r}." + (f" Near it: {near}." if near else "")]
        return [form(term) for term in self] + ([f"See also: {near}."] if near else [])

    def __repr__(self):
        return "\n".join(self._lines(lambda t: f"{t.name}: {t.sentence} ({t.section} · {t.title})"))

    def _repr_markdown_(self):
        form = "**{0.name}**: {0.sentence} ([{0.section} · {0.title}]({0.stem}.ipynb))".format
        return "\n\n".join(self._lines(form))


def glossary(word):
    """Return what the course says of a term where it defines it, ready to be displayed; names near it if it has none.

    >>> glossary("version spaces")[0].section
    '1.4'
    >>> glossary("cross-entropie")
    No term is called 'cross-entropie'. Near it: cross-entropy.
    """
    if not isinstance(word, str):
        raise TypeError(f"glossary needs a word in quotation marks; got {type(word).__name__}.")
    known = {}
    for term in terms():
        known.setdefault(key(term.name), []).append(term)
    asked = key(word)
    asked = asked if asked in known else next((k for k in known if k.replace(" ", "") == asked.replace(" ", "")), asked)
    near = [k for k in known if asked and k != asked and re.search(rf"\b{re.escape(asked)}\b", k)]
    if asked not in known and not any(k.startswith(asked) for k in near):
        asked = next((k for k in known if _short(word, k)), asked)
    if asked not in known and not near:
        near = _inside(asked, known) + difflib.get_close_matches(asked, known, n=5, cutoff=0.73)
        near = list(dict.fromkeys(near)) or _related(asked, known)
    return Found(word, known.get(asked, []), [known[k][0].name for k in near[:8]])


def _short(word, name):
    """Say whether a word of capitals, or the first one of two, has the first letters of a name: SVD, AUC, TD error."""
    first = word.split(" ")[0]
    letters = "".join(part[0] for part in name.split() if part not in ("the", "of"))
    return len(first) > 1 and first.isupper() and letters.startswith(first.lower())


def _inside(asked, known):
    """Return the names that are a part of what was asked, its head first: of "discount factor", discount and factor."""
    words = asked.split()
    parts = [" ".join(words[i:j]) for i in range(len(words)) for j in range(len(words), i, -1)]
    return [part for part in parts if part in known]


def _related(asked, known):
    """Return the names that share a word of five letters with what was asked."""
    words = {word for word in asked.split() if len(word) >= 5}
    return sorted((k for k in known if words & set(k.split())), key=len)


def plain(text):
    """Return a text as it is sorted and compared: small letters without accents, marks and dollars."""
    text = unicodedata.normalize("NFKD", re.sub(r"[$\\*]", "", text).lower().replace("ł", "l"))
    return "".join(c for c in text if not unicodedata.combining(c)).strip(". ")


def key(name):
    """Return what two forms of one term have in common.

    >>> key("overfitting") == key("overfits"), key("Margins") == key("margin")
    (True, True)
    >>> key("Bellman's equation") == key("Bellman equation"), key("ε-greedy") == key("epsilon-greedy")
    (True, True)
    """
    text = functools.reduce(lambda text, pair: text.replace(*pair), ALIKE.items(), f"{plain(name)} ")
    words = (re.sub(r"'s?$", "", word) for word in re.split(r"[ -]+", text.strip()))
    return " ".join(re.sub(r"ies$", "y", re.sub(r"(?:(?<=t)ting|(?<=[^se])s|(?<=[^i]e)s)$", "", w)) for w in words)


def terms():
    """Return all definitions of the course, in the order of the text."""
    return list(_collected(tuple((c.number, c.path) for c in chapters() if c.written and c.number)))


@functools.cache
def _collected(paths):
    notebooks = {path: json.loads(path.read_text(encoding="utf-8")) for _, path in paths}
    names = proper_names(notebooks.values())
    return [term for number, path in paths for term in collect(notebooks[path], number, path.stem, names)]


def proper_names(notebooks):
    """Return the words that have a capital in the middle of a sentence of these notebooks, and never a small letter."""
    text = "\n".join(text for notebook in notebooks for text in texts(notebook))
    small = set(re.findall(r"\b[a-zé]+\b", text))
    words = re.findall(r"[a-z,;]\)?\** \(?\**([A-Z][a-zé]+)\b", text)
    return {word for word in words if word.lower() not in small}


def texts(notebook):
    """Return the texts of a notebook that may define terms: those between its opening and its exercises."""
    texts = [chapter.source(cell) for cell in notebook["cells"] if chapter.is_text(cell)][1:]
    end = next((k for k, text in enumerate(texts) if END.match(text)), len(texts))
    return texts[:end]


def collect(notebook, number, stem, proper=()):
    """Return the terms that one chapter defines, each with the section in which its mark stands.

    proper   words that keep their capital: other terms lose the one of a sentence's head
    """
    section, title, found = "", "", []
    for text in texts(notebook):
        for heading, part in chapter.parts({"cell_type": "markdown", "source": text}):
            numbered = re.match(r"([\d.]+) · (.+)", heading or "")
            section, title = numbered.groups() if numbered else (section, title)
            for block in chapter.blocks(part.strip("\n")):
                if block.kind not in NOT_HERE:
                    for name, sentence in marked(block.text):
                        found.append(Term(_small(name, sentence, proper), sentence, number, section, title, stem))
    return found


def marked(text):
    """Return what a text marks as terms: pairs of the term and the sentence that holds the mark.

    >>> marked("**A *seed* starts a plant.**\\n\\nA first leaf is a **cotyledon**, seen soon. **Why.** *So.*")
    [('seed', 'A seed starts a plant.'), ('cotyledon', 'A first leaf is a cotyledon, seen soon.')]
    """
    text = APART.sub(lambda match: " " * len(match[0]), text)
    found = []
    for match in BOLD.finditer(FORMULA.sub(lambda m: m[0].replace("*", "·"), text)):
        inside, at = text[match.start(1) : match.end(1)], match.start(1)
        if not LEAD.search(inside):
            found.append((" ".join(inside.split()), _sentence(text, match.start(), match.end())))
        elif inside[-1] in ".?":
            hidden = FORMULA.sub(lambda m: "$" * len(m[0]), inside)
            for slanted in SLANTED.finditer(hidden):
                found.append((slanted[1], _sentence(text, at + slanted.start(), at + slanted.end())))
    return found


def _sentence(text, start, end):
    """Return the sentence around a mark, with a displayed formula that belongs to it, and without its marks."""
    hidden = FORMULA.sub(lambda m: "$" * len(m[0]), text)
    left, right = _paragraph(text, start, end)
    cuts = [left, *(left + m.end() for m in SENTENCE.finditer(hidden[left:right])), right]
    k = max(i for i, cut in enumerate(cuts[:-1]) if cut <= start)
    last = next(i for i, cut in enumerate(cuts) if cut >= end)
    if k and POINTS_BACK.match(text[cuts[k] : cuts[last]]) and len(text[cuts[k - 1] : cuts[k]].split()) >= SHORT:
        k -= 1
    if last < len(cuts) - 1 and len(_bare(text[cuts[k] : cuts[last]]).split()) < SHORT:
        last += 1
    said, items = _bare(text[cuts[k] : cuts[last]]), ITEMS.match(text, cuts[last])
    if items and re.search(r":$|\bare$", said):
        whole = f"{said} {' '.join(re.sub(r'^- ', '', item) for item in items[1].splitlines())}"
        said = re.sub(r"[:;]$", ".", _bare(whole)) if len(whole.split()) <= LONG else said
    return said


def _paragraph(text, start, end):
    """Return where the paragraph, list item or row of a table around a mark begins and ends.

    A displayed formula belongs to it with what comes before it and after, as far as no full stop lies between; so does
    the paragraph before one that begins by pointing back.
    """
    hidden = FORMULA.sub(lambda m: "$" * len(m[0]), text)
    breaks = list(BREAK.finditer(hidden))
    before = [(0, 0), *(m.span() for m in breaks if m.end() <= start)]
    after = [*(m.span() for m in breaks if m.start() >= end), (len(text), len(text))]
    _join(text, before)
    if len(before) > 1 and POINTS_BACK.match(text[before[-1][1] :]) and ". " not in hidden[before[-1][1] : start]:
        before.pop()
        _join(text, before)
    while len(after) > 1 and _joined(text[before[-1][1] : after[0][0]], text[after[0][1] :]):
        after.pop(0)
    return before[-1][1], after[0][0]


def _join(text, before):
    """Drop the breaks from the last one on that a sentence goes over."""
    while len(before) > 1 and _joined(text[before[-2][1] : before[-1][0]], text[before[-1][1] :]):
        before.pop()


def _joined(one, two):
    """Say whether a sentence goes on over the empty line between two pieces of text, a formula on one of its sides."""
    if two.startswith("$$"):
        return not re.search(r"[.?!]\**$", one)
    closed = re.search(r"\.\s*(?:\\tag\{[^}]*\})?\s*\$\$$", one)
    return one.endswith("$$") and not closed and bool(re.match(r"[a-z,(]|\*\*[a-z]|\$[^$]", two))


def _bare(text):
    """Return a sentence on one line: displayed formulas among its words, no numbers of formulas, no marks or links."""
    text = re.sub(r"\$\$(.*?)\$\$", lambda m: f" {_in_line(m[1])} ", text, flags=re.S)
    text = re.sub(r"^[> ]*(?:\d\. |- |\| )?", "", text)
    parts = re.split(r"(\$[^$]+\$|`[^`]*`)", text)
    for k in range(0, len(parts), 2):
        parts[k] = re.sub(r"\*+|<[^>]+>|(?<=\n)[> ]+", "", parts[k])
        parts[k] = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", parts[k]).replace("|", "·")
    for k in range(1, len(parts), 2):
        parts[k] = re.sub(r"\s*[.,]?\s*\\tag\{[^}]*\}", "", parts[k])
    return " ".join("".join(parts).split()).rstrip(" ·")


def _in_line(formula):
    r"""Return a displayed formula among words: where it has wide gaps, one formula for each part.

    >>> _in_line(r"a=b,\qquad c=\frac{1\quad2}3.\tag{5.1}")
    '$a=b$, $c=\\frac{1\\quad2}3$'
    """
    formula = re.sub(r"\s*[.,]?\s*\\tag\{[^}]*\}", "", formula).strip()
    pieces, depth = [""], 0
    for part in re.split(r"(\\q?quad(?![a-z])|\\begin|\\end|\\left|\\right|[{}])", formula):
        depth += {"{": 1, "}": -1, "\\begin": 1, "\\end": -1, "\\left": 1, "\\right": -1}.get(part, 0)
        if part in (r"\quad", r"\qquad") and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += part
    pieces = [piece.strip() for piece in pieces if piece.strip()]
    return " ".join(re.sub(r"^(.*?)([,;:]?)$", r"$\1$\2", piece, flags=re.S) for piece in pieces)


def _small(name, sentence, proper):
    """Return a term with a small first letter if it has its capital from the head of a sentence only."""
    first = re.match(r"[A-Z][a-zé]+", name)
    own = first and (first[0] in proper or re.search(r".[A-Z]|'s$", name.split()[0]))
    at_head = sentence.lstrip("(").startswith(name)
    return name[0].lower() + name[1:] if first and at_head and not own else name
