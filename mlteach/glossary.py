"""The terms of the course, read from the text of its notebooks: ``glossary("entropy")``.

A term is bold where it is defined, and italic in a sentence that is bold already (the point of a section). All other
bold ends in a mark inside (a lead: ``**Why.**``) or stands where nothing is defined: openings, tasks, predictions,
answers, exercises and what follows them. CONTRIBUTING.md ("Terms") has the rule in words.
"""

import difflib
import functools
import json
import re
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
SHORT = 5  # a sentence of fewer words says nothing without the next one


class Term(NamedTuple):
    """One definition: the term, the sentence that holds its mark, the chapter's number, its section and its page."""

    name: str
    sentence: str
    chapter: int
    section: str
    title: str
    stem: str


def terms():
    """Return all definitions of the course, in the order of the text."""
    return list(_collected(tuple((c.number, c.path) for c in chapters() if c.written and c.number)))


@functools.cache
def _collected(paths):
    notebooks = {path: json.loads(path.read_text(encoding="utf-8")) for _, path in paths}
    said = " ".join(text for notebook in notebooks.values() for text in _texts(notebook)).replace("*", "")
    return [term for number, path in paths for term in collect(notebooks[path], number, path.stem, said)]


def _texts(notebook):
    """Return the texts of a notebook in which terms may be defined: neither its opening nor what begins its exercises."""
    texts = [chapter.source(cell) for cell in notebook["cells"] if chapter.is_text(cell)][1:]
    end = next((k for k, text in enumerate(texts) if END.match(text)), len(texts))
    return texts[:end]


def collect(notebook, number, stem, said=""):
    """Return the terms that one chapter defines, each with the section in which its mark stands.

    said   the text of all chapters: it shows which terms have a capital only at the head of a sentence
    """
    section, title, found = "", "", []
    for text in _texts(notebook):
        for heading, part in chapter.parts({"cell_type": "markdown", "source": text}):
            numbered = re.match(r"([\d.]+) · (.+)", heading or "")
            section, title = numbered.groups() if numbered else (section, title)
            for block in chapter.blocks(part.strip("\n")):
                if block.kind not in NOT_HERE:
                    for name, sentence in marked(block.text):
                        found.append(Term(_small(name, sentence, said), sentence, number, section, title, stem))
    return found


def marked(text):
    """Return what a text marks as terms: pairs of the term and the sentence that holds the mark.

    >>> marked("**A *seed* starts a plant.**\\n\\nIts first leaf is a **cotyledon**, seen soon. **Why.** It is *there*.")
    [('seed', 'A seed starts a plant.'), ('cotyledon', 'Its first leaf is a cotyledon, seen soon.')]
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
    if last < len(cuts) - 1 and len(_bare(text[cuts[k] : cuts[last]]).split()) < SHORT:
        last += 1
    return _bare(text[cuts[k] : cuts[last]])


def _paragraph(text, start, end):
    """Return where the paragraph, list item or row of a table around a mark begins and ends.

    A displayed formula belongs to it with what comes before it and after, as far as no full stop lies between.
    """
    hidden = FORMULA.sub(lambda m: "$" * len(m[0]), text)
    breaks = list(BREAK.finditer(hidden))
    before = [(0, 0), *(m.span() for m in breaks if m.end() <= start)]
    after = [*(m.span() for m in breaks if m.start() >= end), (len(text), len(text))]
    while len(before) > 1 and _joined(text[before[-2][1] : before[-1][0]], text[before[-1][1] :]):
        before.pop()
    while len(after) > 1 and _joined(text[before[-1][1] : after[0][0]], text[after[0][1] :]):
        after.pop(0)
    return before[-1][1], after[0][0]


def _joined(one, two):
    """Say whether a sentence goes on over the empty line between two pieces of text, a formula on one of its sides."""
    if two.startswith("$$"):
        return not re.search(r"[.?!]\**$", one)
    closed = re.search(r"\.\s*(?:\\tag\{[^}]*\})?\s*\$\$$", one)
    return one.endswith("$$") and not closed and bool(re.match(r"[a-z,(]|\*\*[a-z]|\$[^$]", two))


def _bare(text):
    """Return a sentence on one line: displayed formulas among its words, no numbers of formulas, no marks or links."""
    text = re.sub(r"\$\$(.*?)\$\$", lambda m: f" ${m[1].strip()}$ ", text, flags=re.S)
    text = re.sub(r"^[> ]*(?:\d\. |- |\| )?", "", text)
    parts = re.split(r"(\$[^$]+\$|`[^`]*`)", text)
    for k in range(0, len(parts), 2):
        parts[k] = re.sub(r"\*+|<[^>]+>|(?<=\n)[> ]+", "", parts[k])
        parts[k] = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", parts[k]).replace("|", "·")
    for k in range(1, len(parts), 2):
        parts[k] = re.sub(r"\s*[.,]?\s*\\tag\{[^}]*\}", "", parts[k])
    return " ".join("".join(parts).split()).rstrip(" ·")


def _small(name, sentence, said):
    """Return a term with a small first letter if it has its capital from the head of a sentence only."""
    first = re.match(r"[A-Z][a-zé]+", name)
    own = first and (re.search(r".[A-Z]|^\w+'s ", name) or re.search(rf"[a-z,;]\)? \(?{first[0]}\b", said))
    at_head = sentence.lstrip("(").startswith(name)
    return name[0].lower() + name[1:] if first and at_head and not own else name
