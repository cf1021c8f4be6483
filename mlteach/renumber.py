"""Numbers by machine: a section, figure, equation or task is inserted, moved or cut, and all that refers to it follows.

    python -m mlteach.renumber 05        count chapter 05 again; make notebooks does so before anything else

The order in the notebook decides. What is new has a name for a number until it has been counted,

    $$w=0\\\\tag{5.?rest}$$    *Figure 5.?bowl: ...*    **Your turn 5.?now**    ### Exercise 5.?walk · Title

and is referred to by that name: (5.?rest), Figure 5.?bowl, check("5.?now", ...). An explorer has it in its caption, a
task also in the module of exercises. References are rewritten in all chapters and in the files that belong to them:
algorithms, explorers, exercises, self-tests, curriculum, tests.

Nothing is guessed. Two labels with one number, a name that nothing has, a reference to what is gone: all are named with
file and line, and nothing is written. A bare number such as "the bound of 5.8" may be a section, an equation or a
decimal: in the chapter's own files those that may have moved are listed and stay as they are; in the files of other
chapters they are taken for decimals.
"""

import io
import json
import re
import string
import sys
import tokenize

from mlteach import chapter, course

TOOLS = {"__init__.py", "chapter.py", "course.py", "notebooks.py", "renumber.py"}  # their numbers are examples
WORDS = {"eq": "equation", "fig": "figure", "ex": "exercise", "turn": "task", "sec": "section"}
NO_PROSE = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", re.S)
AND = r"(?: \([^()\n]*\))?(?:,?[\s#]+(?:and|or|to)|,)[\s#]+"  # as in "sections 5.2 (descent), 5.3 and 5.4"


def forms(n):
    """Return how chapter ``n`` is referred to: pairs of a kind and a pattern whose last group holds the numbers."""
    one, deep = rf"{n}\.\d+", rf"{n}\.\d+(?:\.\d+)?"
    several, sections = (rf"({number}(?!\w|\.\d)(?:{AND}{number}(?!\w|\.\d))*)" for number in (one, deep))
    asked = r"(?:\b(?:check|hint|solution|verdict|exercise|task)\(\s*|REGISTRY\[)"
    table = [
        ("eq", rf"\\tag\{{({one})\}}"),
        ("eq", rf"(?<![\w)\]])\\?\(({one})\\?\)"),
        ("eq", rf"\b[Ee]quations?[\s#]+{several}"),
        ("fig", rf"\b[Ff]igures?[\s#]+{several}"),
        ("ex", rf"\b[Ee]xercises?[\s#]+{several}"),
        ("ex", rf"{asked}[\"']({one})(?=[\"'])"),
        ("ex", rf"(?<![\d.])({one})(?= (?:✓|not attempted|---))"),
        ("turn", rf"(?<![\w.])({n}\.[a-z])(?!\w|[-+]\d)"),
        ("sec", rf"\b[Ss]ections?[\s#]+{sections}"),
        ("sec", rf"(?m:^)#+ ({deep}) · "),
        ("sec", rf"(?<![\d.])({one}\.\d+)(?![\d.]*\d)"),
    ]
    return [(kind, re.compile(form)) for kind, form in table]


# --- Counting --------------------------------------------------------------------------------------------------------


def counted(mine):
    """Return the new number of every label of a chapter: dict from (kind, old number or name) to the new number.

    mine   the chapter as `chapter.read` returns it

    >>> cells = [{"cell_type": "markdown", "source": f"$$a\\\\tag{{{n}}}$$"} for n in ("5.1", "5.?new", "5.2")]
    >>> counted(chapter.Chapter(5, cells))
    {('eq', '5.1'): '5.1', ('eq', '5.?new'): '5.2', ('eq', '5.2'): '5.3'}
    """
    new = {}
    for kind in WORDS:
        old = mine.numbers(kind)
        names = string.ascii_lowercase if kind == "turn" else range(1, len(old) + 1)
        fresh = _sections(mine) if kind == "sec" else [f"{mine.number}.{name}" for name in names]
        new |= {(kind, number): after for number, after in zip(old, fresh)}
    return new


def _sections(mine):
    """Return the numbers that the numbered headings of a chapter should have, in their order."""
    found, part, below = [], 0, 0
    for hashes, name in mine.headings():
        if chapter.numbers(f"{hashes} {name}", "sec"):
            part, below = (part, below + 1) if len(hashes) > 2 else (part + 1, 0)
            found.append(f"{mine.number}.{part}.{below}" if below else f"{mine.number}.{part}")
    return found


def unclear(mine):
    """Yield a complaint for each label of a chapter whose number is another chapter's or stands twice."""
    places = {}
    for i, cell in enumerate(mine.cells):
        for kind, number, _ in chapter.cell_labels(cell):
            if number.split(".")[0] != str(mine.number):
                yield f"chapter {mine.number}, cell {i}: {WORDS[kind]} {number} has the number of another chapter"
            places.setdefault((kind if "?" not in number else "", number), []).append(str(i))
    for (_, number), cells in places.items():
        if len(cells) > 1:
            yield (
                f"chapter {mine.number}: {number} stands {len(cells)} times, in the cells {', '.join(cells)}; "
                f"write the new one as {mine.number}.?name"
            )


# --- Rewriting -------------------------------------------------------------------------------------------------------


class Rewriter:
    """Rewrites the references to one chapter's labels, and notes what it cannot rewrite.

    new          dict from (kind, old number or name) to the new number (`counted`)
    complaints   references to what is not there; bare: numbers that may be references
    """

    def __init__(self, number, new):
        self.number, self.new, self.complaints, self.bare = number, new, [], []
        self.names = {old: after for (_, old), after in new.items() if "?" in old}
        self.moved = {old for (_, old), after in new.items() if after != old}
        self.forms = forms(number)
        self.heading = re.compile(rf"(?<![\d.])({number}\.\d+(?:\.\d+)?) · ")
        self.quoted = re.compile(rf"^(?: {{4}})?\"({number}\.\d+)\"[,:]", re.M)
        self.name = re.compile(rf"(?<![\w.]){number}\.(?:\d+\.)?\?\w+")
        self.single = re.compile(rf"{number}\.(?:\d+(?:\.\d+)?|[a-z](?!\w))")
        self.loose = re.compile(rf"(?<![\w.,−-]){number}\.\d+(?!\w|\.\d| %| ·)")

    def __call__(self, text, where, form="", own=False):
        """Return a text with new numbers.

        where   a function that says where the character with a given number stands
        form    "py", "md", "csv" (headings only), "tasks" (Python with numbers of tasks in quotation marks) or ""
        own     whether the text belongs to the chapter itself
        """
        references = list(self._references(text, form)) if f"{self.number}." in text else []
        loose = [m for m in self.loose.finditer(text) if own and m[0] in self.moved and form != "csv"]
        spoken = _prose(text, form) if references or loose else []
        found = {}
        for kind, start, end in references:
            if start not in found and (form not in ("py", "tasks") or _inside(start, spoken)):
                found[start] = (end, self._after(kind, text[start:end], where(start), own))
        for match in self.name.finditer(text):
            found[match.start()] = (match.end(), self._named(match[0], where(match.start())))
        for match in loose:
            start, end = match.span()
            if start not in found and _inside(start, spoken):
                words = " ".join(text[max(0, start - 30) : end + 10].split())
                self.bare.append(f"{where(start)}: {match[0]} in '{words}'")
        for start, (end, after) in sorted(found.items(), reverse=True):
            text = text[:start] + after + text[end:]
        return text

    def _references(self, text, form):
        forms = self.forms + [("ex", self.quoted)] if form == "tasks" else self.forms
        for kind, pattern in [("sec", self.heading)] if form == "csv" else forms:
            for match in pattern.finditer(text):
                for number in self.single.finditer(text, match.start(1), match.end(1)):
                    yield kind, number.start(), number.end()

    def _after(self, kind, number, place, own):
        """Return the new number; one that no label has is a complaint, unless it may be a decimal elsewhere."""
        if (kind, number) not in self.new and (own or self._gone(kind, number)):
            self.complaints.append(f"{place}: there is no {WORDS[kind]} {number} (any more)")
        return self.new.get((kind, number), number)

    def _gone(self, kind, number):
        """Say whether a number without a label stands between others of its kind."""
        return any(k == kind and "?" not in n and _order(n) > _order(number) for k, n in self.new)

    def _named(self, name, place):
        if name not in self.names:
            self.complaints.append(f"{place}: nothing is called {name}")
        return self.names.get(name, name)


def _order(number):
    return [(len(part), part) for part in number.split(".")]


def _prose(text, form):
    """Return where a text speaks, as pairs of first and last character: comments and strings, or no formulas."""
    if form in ("py", "tasks"):
        lines = [0]
        for line in text.splitlines(keepends=True):
            lines.append(lines[-1] + len(line))
        speaks = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return [
            (lines[t.start[0] - 1] + t.start[1], lines[t.end[0] - 1] + t.end[1]) for t in tokens if t.type in speaks
        ]
    ends = [0, *(at for match in NO_PROSE.finditer(text) for at in match.span()), len(text)]
    return list(zip(ends[::2], ends[1::2])) if form == "md" else [(0, len(text))]


def _inside(at, spans):
    return any(start <= at < end for start, end in spans)


# --- Files -----------------------------------------------------------------------------------------------------------


def files():
    """Return the files that may refer to a chapter: pairs of a path and the slug of its own chapter, or None."""
    root, found = course.ROOT, []
    for one in course.chapters():
        slug = one.slug
        found += [(root / one.notebook, slug), (root / f"mlteach/{slug}.py", slug)]
        found += [(path, slug) for path in sorted((root / "mlteach" / slug).rglob("*.py"))]
        found += [(root / f"mlteach/{room}/{slug}.py", slug) for room in ("explore", "exercises")]
        found += [(root / "data/selftest" / f"{slug}.toml", slug), (root / "data/curriculum" / f"{slug}.csv", slug)]
        found += [(root / f"tests/test_{slug}.py", slug), (root / f"tests/wrong_answers/{slug}.py", slug)]
        found.append((root / f"benchmarks/cases/{slug}.py", slug))
    rooms = {path for path, _ in found}
    shared = [path for path in sorted((root / "mlteach").glob("*.py")) if path not in rooms and path.name not in TOOLS]
    return [(path, slug) for path, slug in found if path.exists()] + [(path, None) for path in shared]


def rewritten(path, own, rewrite):
    """Return the content of a file with new numbers."""
    text, name = path.read_text(encoding="utf-8"), path.relative_to(course.ROOT).as_posix()
    if path.suffix == ".ipynb":
        return _notebook(text, name, own, rewrite)
    tasks = path.parent.name in ("exercises", "wrong_answers")
    form = {".py": "tasks" if tasks else "py", ".csv": "csv"}.get(path.suffix, "")
    return rewrite(text, lambda at: f"{name}:{text.count(chr(10), 0, at) + 1}", form, own)


def _notebook(text, name, own, rewrite):
    from mlteach.notebooks import normalise, to_text

    notebook, changed = json.loads(text), False
    for i, cell in enumerate(notebook["cells"]):
        place = lambda at, i=i: f"{name}, cell {i}"  # noqa: E731
        before = chapter.source(cell)
        cell["source"] = rewrite(before, place, "md" if chapter.is_text(cell) else "py", own)
        changed |= cell["source"] != before
        for output in cell.get("outputs", []):
            changed |= _output(output, lambda said, place=place: rewrite(said, place))
    return to_text(normalise(notebook)) if changed else text


def _output(output, rewrite):
    """Rewrite what an output says of numbers: the words under a picture, and which task waits; say whether it did."""
    changed = False
    under = output.get("metadata", {}).get("image/png", {})
    printed = "".join(output.get("text", ""))
    if under.get("alt"):
        before, under["alt"] = under["alt"], rewrite(under["alt"])
        changed = under["alt"] != before
    if "not attempted yet" in printed:
        output["text"] = rewrite(printed)
        changed |= output["text"] != printed
    return changed


def renumber(one):
    """Count the labels of a chapter of the course again and rewrite all references.

    Return the bare numbers that may be references, a list; None where all numbers were right. Where anything is
    unclear nothing is written: SystemExit says what and where.
    """
    mine = chapter.read(one)
    new = counted(mine)
    wrong = list(unclear(mine))
    if not wrong and all(old == after for (_, old), after in new.items()):
        return None
    rewrite, texts = Rewriter(one.number, new), {}
    for path, slug in [] if wrong else files():
        texts[path] = rewritten(path, slug == one.slug, rewrite)
    wrong += rewrite.complaints
    if wrong:
        raise SystemExit("\n".join([f"The numbers of chapter {one.number} are unclear; nothing was changed.", *wrong]))
    for path, text in texts.items():
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(course.ROOT)}: numbers of chapter {one.number}")
    return rewrite.bare


def main(words):
    """Count the chapters whose notebook's name contains one of ``words``, all where there are none.

    Return whether any was counted anew.
    """
    mine = [one for one in course.chapters() if one.written and any(word in one.notebook for word in words or [""])]
    bare = [renumber(one) for one in mine]
    for line in [line for lines in bare for line in lines or []]:
        print(f"stays as it is, whatever it means: {line}")
    return any(lines is not None for lines in bare)


if __name__ == "__main__":
    main(sys.argv[1:])
