"""A deck of slides for each chapter, made from its core: one file that needs no network and no kernel.

    python -m mlteach.publish.slides build/slides           all chapters
    python -m mlteach.publish.slides build/slides 05 16     some

The rule, also in CONTRIBUTING.md. A slide states the point of its section and shows the evidence; the kind of a cell
decides what that is. Depth, exercises and self-test are left out:

    opening                  the title with its promise; the contents; what you will be able to do
    numbered formula         the formula with its sentence and those that lead to it, three on a slide at most
    figure                   the picture with its caption
    blackboard code          the code
    prediction               the question with its choices; its explorer; the point, with the answer to uncover
    prediction without one   the question and what is printed, under the point where nothing else is evidence
    Your turn                the question, with its answer to uncover, if the room can take it in: at most 60 words
    Watch out                the misconception, as a question where it is a quotation
    only subsections         its point over theirs
    a section with nothing   its point over its first sentences, or over what its first experiment prints
    In one minute            the card, and where to go from here
    all other text           speaker notes of the slide before it

A part without a point states that of its section, the first section its question. A question shows the formula or the
figure that it cites. A cell whose slide type (JupyterLab: *Property Inspector*) is "notes" is never a slide.
"""

import functools
import html
import inspect
import itertools
import json
import re
import sys
import textwrap
import tomllib
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from mlteach import chapter
from mlteach.course import DATA, ROOT, chapters
from mlteach.exercises import base
from mlteach.explore import REGISTRY
from mlteach.publish import figures, frames
from mlteach.publish.book import HERE, colours, mathjax

MOST_WORDS = 40  # of a lead, a caption or an answer; a single sentence may be longer
QUESTION_WORDS, ANSWER_WORDS, ASKED_WORDS = 60, 75, 90
FORMULAS, HIGHEST = 3, 960  # on one slide, and the height of all that is on it; there is room for 700
MOST_SLIDES, PACE = 60, 2.5  # or one for every so many minutes of a reader, where that is more
# These become notes where a deck is too long, in this order; then formulas that nothing else needs (see `marked`)
MAY_GO = ("divider", "code answer", "shown", "watch", "turn", "text", "shown point")
ASKED = "What do you predict?"
SETTING = 45  # words before the first question of a section, of which the room must see some
CODE_LINES = 16
LECTURE = 90  # minutes
OUTSIDE = ("Exercises", "Self-test", "In one minute", "Where it comes from", "Notation", "Only the sliders")
BOLD_LEAD = re.compile(r"\*\*([^*]{3,60}?)[.:]\*\*\s+")
POINT = re.compile(r"\*\*(?!Predict)((?:(?!\*\*).)+[.?])\*\*\s*(?:\n|$)")
GOES_ON = re.compile(
    r"[*(]*((So|Hence|Then|Thus|Therefore|It|Its|They|Their|This|That|These|Those|But|And|Both|Now|Here)\b"
    r"|[A-Z][a-z]+ (it|them|this|these)\b|We may therefore)"  # "Set them equal"
)
DEFINES = re.compile(r"\b(?:[Ll]et|[Cc]all|[Ww]rite) \$|\b(?:is|with|has|the|its) [^.$]*\$[^$]+=")
LET = re.compile(r"(In [^.$]* )?[Ll]et ")
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.S)
UNANSWERED = "not attempted yet|then run this cell again"  # what a cell prints while a task is open


class Section(NamedTuple):
    """A heading with its number, its point or "", and the cells under it with their places in the notebook."""

    number: str
    title: str
    point: str
    cells: list


class Slide(NamedTuple):
    """One slide: its kind, headline and content (HTML), the notes under it (Markdown), its place and its section."""

    kind: str
    headline: str
    content: str
    notes: tuple
    cell: int
    section: str = ""


def deck(notebook):
    """Return the slides of a chapter."""
    cells = notebook["cells"]
    first, *rest = sections(cells)
    cited = citations(cells)
    found = [*opening(first, rest, cells)]
    for k, section in enumerate(rest):
        inside = [other for other in rest if other.number.startswith(f"{section.number}.")]
        found += joined(section_slides(section, cited, inside, headline(rest, k)))
    end = list(closing(cells))
    most = max(MOST_SLIDES, int(sum(minutes for _, minutes in chapter.minutes(cells)) / PACE))
    kept = map(spoken, fewer(found, most - len(end), marked(cells)))
    return [*timed(kept, lecture(cells)), *end]


def marked(cells):
    """Return the numbers of the formulas that a deck must show: the first one of each section of the core, and those
    that the chapter's card, a point or another section cites.
    """
    core = sections(cells)[1:]
    texts = {s.number: "\n".join(c["source"] for _, c in s.cells if chapter.is_text(c)) for s in core}
    own = {
        n: chapter.numbers(re.sub(r"<details.*?</details>|^>.*$", "", t, flags=re.S | re.M), "eq")
        for n, t in texts.items()
    }
    found = {numbers[0] for numbers in own.values() if numbers}
    card = next((chapter.source(c) for c in cells if re.match(r"## [\d.]* · In one minute", chapter.source(c))), "")
    quoted = card + " ".join(section.point for section in core)
    for number, formulas_ in own.items():
        others = " ".join(text for other, text in texts.items() if _top(other) != _top(number)) + quoted
        found |= {formula for formula in formulas_ if f"({formula})" in others}
    return found


def _top(number):
    return ".".join(number.split(".")[:2])


def sections(cells):
    """Return the core as sections; a cell may hold several headings, and each begins one."""
    found, skip = [], False
    for number, (cell, deep) in enumerate(zip(cells, chapter.in_depth(cells))):
        parts = chapter.parts(cell)
        if chapter.heading_level(cell) in (1, 2):
            skip = _title(parts[0][0]).startswith(OUTSIDE)
        if deep or skip:
            continue
        for heading, part in parts:
            text = part.strip()
            if heading is not None:
                point = POINT.match(text)
                text = text[point.end() :].strip() if point else text
                found.append(Section(_number(heading), _title(heading), point[1] if point else "", []))
            found[-1].cells.append((number, {**cell, "source": text}))
    return [section for section in found if section.point or any(cell["source"] for _, cell in section.cells)]


def headline(core, k):
    """Return what the slides of section ``k`` state: its point or its question, else that of the section around it."""
    section = core[k]
    text = " ".join(cell["source"] for _, cell in section.cells if chapter.is_text(cell))
    asked = re.search(r"\*\*([^*]+\?)\*\*", text) if re.fullmatch(r"\d+\.1", section.number) else None
    if section.point or asked:
        return section.point or asked[1]
    part = not section.number or section.number != _top(section.number)
    around = [j for j in range(k) if core[j].number and (not section.number or core[j].number == _top(section.number))]
    return headline(core, around[-1]) if part and around else section.title


def _number(heading):
    match = re.match(r"([\d.]+) · ", heading)
    return match[1] if match else ""


def _title(heading):
    return re.sub(r"^[\d.]+ · ", "", heading)


def citations(cells):
    """Return what a question may cite: the numbered formulas as TeX, and the figures as pictures."""
    found = {}
    for cell, following in zip(cells, [*cells[1:], None]):
        if chapter.is_text(cell):
            for tex in DISPLAY.findall(chapter.source(cell)):
                found |= {f"({number})": tex for number in chapter.numbers(tex, "eq")}
        elif picture := _pictured(cell):
            caption = chapter.caption(following) or ""
            names = chapter.numbers(caption, "fig") or [label.number for label in chapter.cell_labels(cell)]
            found |= {f"Figure {name}": picture for name in names}
    return found


# --- The beginning and the end ---------------------------------------------------------------------------------------


def opening(first, rest, cells):
    """Return the title with the promise, the contents, and what a reader will be able to do."""
    number, cell = first.cells[0]
    text = cell["source"]
    text = re.sub(r"[^.\n]*Run All Cells.*", "", text).strip()  # how to bring the notebook to life
    promise = re.search(r"\*\*Promise\.\*\* (.+?)\s*(?:\*\*You will|\n|$)", text)[1]
    yield Slide("title", first.title, f'<p class="promise">{inline(promise)}</p>', (text,), number)
    listed = [
        (heading, minutes) for heading, minutes in chapter.minutes(cells) if not _title(heading).startswith(OUTSIDE)
    ]
    if len(listed) > 2:
        items = "".join(f"<li>{inline(_title(heading))}</li>" for heading, _ in listed)
        plan = lecture(cells)
        notes = "\n".join(
            f"- {heading}: {_minutes(plan[heading.split(' ')[0]])} ({minutes:.0f} for a reader)"
            for heading, minutes in listed
        )
        told = f"In a lecture of {LECTURE} minutes:\n\n{notes}\n\n{_advice(cells[0])}"
        yield Slide("contents", "What we shall do", f"<ol>{items}</ol>", (told,), number)
    able = re.search(r"\*\*You will be able to\*\*\s*\n\n((?:- .+\n?)+)", text)
    if able:
        items = "".join(f"<li>{inline(item)}</li>" for item in re.findall(r"- (.+)", able[1]))
        told = "The chapter has a task for each of these:\n\n" + able[1]
        yield Slide("contents", "You will be able to", f"<ul>{items}</ul>", (told,), number)


@functools.cache
def for_lecturers():
    """Return what `data/teaching.toml` says: dict from slug to what is "hard" and what to "skip" first."""
    return {row["slug"]: row for row in tomllib.loads((DATA / "teaching.toml").read_text(encoding="utf-8"))["chapter"]}


def _advice(cell):
    """Return what to leave out first, and what is hard; the first cell of a chapter says which one it is."""
    number = re.match(r"# (\d+) · ", chapter.source(cell))
    known = for_lecturers()[chapters()[int(number[1])].slug]
    skip = f"To leave out first, in this order: {', '.join(known['skip'])}.\n\n" if known["skip"] else ""
    return f"{skip}**What is hard.** {' '.join(known['hard'].split())}"


def lecture(cells):
    """Return the minutes of a lecture that each section has: dict from its number, as a reader's minutes share them."""
    found = [
        (heading, minutes) for heading, minutes in chapter.minutes(cells) if not _title(heading).startswith(OUTSIDE)
    ]
    whole = sum(minutes for _, minutes in found) or 1
    return {_number(heading): LECTURE * minutes / whole for heading, minutes in found}


def timed(slides, plan):
    """Return the slides with the minutes of a section in the notes of its first slide."""
    found, begun = [], set()
    for slide in slides:
        number = _top(slide.section.partition(" ")[0])
        if number in plan and number not in begun:
            begun.add(number)
            slide = slide._replace(notes=(f"*{number}: {_minutes(plan[number])} of {LECTURE}.*", *slide.notes))
        found.append(slide)
    return found


def _minutes(minutes):
    return f"{minutes:.0f} minutes" if minutes >= 1.5 else "a minute"


def closing(cells):
    """Return the card of the chapter, and where to go from here."""
    texts = [(k, chapter.source(cell)) for k, cell in enumerate(cells) if chapter.is_text(cell)]
    at, card = next(((k, text) for k, text in texts if re.match(r"## [\d.]* · In one minute", text)), (None, ""))
    rows = re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", card, re.M)
    if not rows:
        return
    last = [row for row in rows if row[0] in ("The same in scikit-learn", "Where next")]
    rows = [row for row in rows if row not in last]
    halves = (
        [rows]
        if n_words(" ".join(map(" ".join, rows))) <= 110
        else [rows[: -(len(rows) // 2)], rows[-(len(rows) // 2) :]]
    )
    for half in halves:
        told = "\n".join(f"- **{name}**: {words}" for name, words in half)
        yield Slide("card", "In one minute", _table(half), (told,), at, "In one minute")
    origin = [re.sub(r"^## .+\n+", "", text) for _, text in texts if re.match(r"## [\d.]* · Where it comes from", text)]
    told = "\n\n".join([*(f"**{name}**: {words}" for name, words in last), *origin])
    yield Slide("card", "Where next", _table(last), (told,), at, "In one minute")


def _table(rows):
    lines = (f"<tr><th>{inline(name)}</th><td>{inline(words)}</td></tr>" for name, words in rows)
    return f"<table>{''.join(lines)}</table>"


def _unlinked(text):
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)


def joined(slides):
    """Return the slides of a section, with formulas that follow each other on one slide where there is room."""
    found = []
    for slide in slides:
        before = found[-1] if found else slide
        step = re.match(r'<div class="display">.*?</div>', slide.content, re.S)
        again = step and step[0] in re.sub(r"\\tag\{.*?\}", "", before.content)  # it stands there already
        both = before.content + (slide.content[step.end() :] if again else slide.content)
        if found and before.kind == slide.kind == "formula" and before.headline == slide.headline:
            few = both.count('class="display"') <= FORMULAS and seen_words(both) <= QUESTION_WORDS
            if few and height(both, slide.headline) <= HIGHEST:
                found[-1] = before._replace(content=both, notes=before.notes + slide.notes)
                continue
            if "<p>" not in slide.content:  # it ends a sentence that the slide before begins
                last = re.findall(r'<div class="display">.*?</div>', before.content, re.S)[-1]
                slide = slide._replace(content=re.sub(r",?\s*\\tag\{.*?\}", ",", last) + slide.content)
        found.append(slide)
    return found


def height(content, headline=""):
    """Return about how high a slide is in pixels, before it is shrunk: words, formulas, what is printed.

    >>> height("<p>A short line</p>")
    87
    """
    found = 63 * (len(headline) // 68)
    for tag, question, text in re.findall(r'<(p|li|pre)( class="question")?[^>]*>(.*?)</\1>', content, re.S):
        line, letters = (73, 58) if question else {"p": (63, 75), "li": (69, 65), "pre": (42, 10**6)}[tag]
        found += 24 + line * (1 + len(_letters(re.sub(r"<[^>]+>", "", text))) // letters + text.count("\n"))
    return found + sum(map(_height, re.findall(r"\\\[(.+?)\\\]", content, re.S)))


def _height(tex):
    """Return about how high a displayed formula is; one that is too wide is broken at its spaces, else its relations
    (`deck.js`).
    """
    tex = html.unescape(re.sub(r"\\tag\{.*?\}", "", tex))
    wide, bare = len(_letters(tex)) > (85 if "quad" in tex else 110) and r"\begin" not in tex, tex
    while (inner := re.sub(r"\{[^{}]*\}", "", bare)) != bare:
        bare = inner
    chain = len(re.findall(r"=|\\(?:ge|le|approx)(?![a-z])", bare)) if wide and "quad" not in tex else 0
    lines = [*filter(None, re.split(r"\\\\|\\q?quad" if wide else r"\\\\", tex))]
    lines *= max(1, chain)
    return 60 + sum(150 if re.search(r"\\(d?frac|sum|prod|int|binom|under|max_|min_)", line) else 75 for line in lines)


def _letters(text):
    """Return a text with one letter for each command of TeX."""
    return re.sub(
        r"\\(?:left|right|[Bb]igg?[lr]?|text|math\w+|mathop|[,;:!])|[{}_^$]", "", re.sub(r"\\[a-zA-Z]{3,}", "x", text)
    )


def fewer(slides, most, needed=()):
    """Return a deck of at most ``most`` slides: definitions, results, figures and explorers stay, questions give way.

    Of each kind in MAY_GO the last ones go first, and what they say goes into the notes of the slide before; what a
    divider says goes to the slide that follows. Last go formulas that are not ``needed``.
    """

    def free(slide):
        return slide.kind == "formula" and not set(chapter.numbers(html.unescape(slide.content), "eq")) & set(needed)

    order = [k for kind in MAY_GO for k in reversed(range(len(slides))) if slides[k].kind == kind]
    order += [k for k in reversed(range(len(slides))) if needed and free(slides[k])]
    alone = {k for k, slide in enumerate(slides) if slide.kind == "divider" and slide.content.count("<li>") < 2}
    gone, found, waiting = set(order[: max(0, len(slides) - most)]) | alone, [], ()
    for k, slide in enumerate(slides):
        told = slide.notes
        if slide.kind in ("divider", "text") or (slide.kind == "shown point" and slide.headline != ASKED):
            told = (f"**{slide.headline}**", *told)
        if slide.kind == "code answer":
            told = (
                "**Answer.**",
                *told,
                f"```python\n{html.unescape(re.sub('<[^>]+>', '', slide.content)).strip()}\n```",
            )
        after = next((s for j, s in enumerate(slides[k + 1 :], k + 1) if j not in gone), slide)
        begins = found and found[-1].section != slide.section == after.section
        if k in gone and (waiting or begins or slide.kind == "divider"):
            waiting += told
        elif k in gone:
            found[-1] = found[-1]._replace(notes=found[-1].notes + told)
        else:
            found.append(slide._replace(notes=waiting + slide.notes))
            waiting = ()
    if waiting:
        found[-1] = found[-1]._replace(notes=found[-1].notes + waiting)
    return found


def spoken(slide):
    """Return a slide with something to say: if nothing else, the comments of its code, or what it shows."""
    if any(note.strip() for note in slide.notes):
        return slide
    comments = re.findall(r"# +(.+)$", html.unescape(re.sub(r"<[^>]+>", "", slide.content)), re.M)
    if slide.kind == "code" and comments:
        return slide._replace(notes=("\n".join([f"{comments[0]}:\n", *(f"- {words}" for words in comments[1:])]),))
    seen = _plain(re.sub(r"<pre.*?</pre>", " ", slide.content, flags=re.S)).strip()
    return slide._replace(notes=(f"{html.unescape(slide.headline)} {html.unescape(seen)}".strip(),))


# --- One section -----------------------------------------------------------------------------------------------------


class Writer:
    """The slides of one section, in the order of its cells."""

    def __init__(self, section, cited, headline=""):
        self.section, self.cited, self.slides, self.waiting = section, cited, [], []
        self.headline = headline or section.point or section.title
        self.asked, self.asking, self.printed, self.displayed, self.before = False, "", "", "", ()

    def add(self, kind, content, number, *notes, headline=None):
        """Add a slide; what was said before the first one is said there."""
        where = " · ".join(filter(None, [self.section.number, self.section.title]))
        headline = self.headline if headline is None else headline
        self.before = self.before if self.slides else tuple(self.waiting)
        self.slides.append(Slide(kind, headline, content, (*self.waiting, *notes), number, where))
        self.waiting.clear()

    def note(self, text):
        """Say a text after the last slide."""
        if not text.strip():
            return
        if self.slides:
            self.slides[-1] = self.slides[-1]._replace(notes=(*self.slides[-1].notes, text))
        else:
            self.waiting.append(text)

    def code(self, number, cell):
        """Add the slide of a code cell, if it is one."""
        source, kind = cell["source"], chapter.kind(cell)
        if kind == "explorer":
            name, still = chapter.explorer(source), _picture(cell)
            if self.slides and self.slides[-1].kind == "predict":  # it comes next, and large
                asked = self.slides[-1].content.replace(_cited_picture(f"still:{name}"), "")
                self.slides[-1] = self.slides[-1]._replace(content=asked)
            still = f'<div class="picture still"><img src="{still}" alt=""></div>' if still else ""
            told = "\n\n".join(filter(None, [REGISTRY[name].caption, self.asking]))
            shown = f'<ml-explorer name="{name}"></ml-explorer>{still}'
            self.add("explorer", shown, number, told, headline=self.section.title)
        elif kind == "figure" and _picture(cell):
            self.add("figure", f'<div class="picture"><img src="{_picture(cell)}" alt=""></div>', number)
        elif kind == "blackboard":
            self.add("code", code(source), number, *self.steps(), _told(cell))
        elif self.asked and not self.printed:
            self.printed = _printed([(number, cell)])
            self.note(_told(cell))
        elif self.slides and self.slides[-1].kind == "watch" and "<pre" not in self.slides[-1].content:
            uncovered = _uncovered(_printed([(number, cell)]))
            self.slides[-1] = self.slides[-1]._replace(content=self.slides[-1].content + uncovered)
        else:
            self.note(_told(cell))

    def steps(self):
        """Take the numbered steps that were said last: they are said with the code."""
        notes = self.slides[-1].notes if self.slides else ()
        if len(notes) < 2 or not re.search(r"^1\. |\*\*1\.\*\*", notes[-1], re.M) or r"\tag" in notes[-1]:
            return ()
        self.slides[-1] = self.slides[-1]._replace(notes=notes[:-1])
        return notes[-1:]

    def text(self, number, text):
        """Add the slides of a text cell, block by block."""
        for block in chapter.blocks(text):
            getattr(self, f"_{block.kind}", self._other)(number, block)
            self.displayed = (DISPLAY.findall(block.text) or [self.displayed])[-1]

    def _other(self, number, block):
        if any(_shown(block.text)):
            self._formula(number, block)
        else:
            self.note(block.text)

    def _predict(self, number, block):
        self.asked, self.printed = True, ""
        self.asking = "To set, and to answer: " + re.sub(r"\*\*Predict\.?\*\*\s*", "", block.text)
        self.add(
            "predict",
            _question(block.text) + self.shown(block.text),
            number,
            block.text,
            headline=ASKED,
        )

    def _answer(self, number, block):
        text = re.sub(r"</?(details|summary|b)>", "", block.text).replace("What you should have seen", "", 1).strip()
        shown = _fragment(text, MOST_WORDS)
        if self.asked and self.slides and self.slides[-1].kind not in ("predict", "shown"):
            self.add("answer", _fragment(text, ANSWER_WORDS), number, text)
        elif self.asked and self.slides[-1].kind == "predict":  # nothing to explore: the question uncovers its answer
            asked, answer = self.slides[-1], _uncovered(self.printed) + shown
            if height(asked.content + answer) > HIGHEST:
                self.add("answer", answer, number, text)
            else:
                self.slides[-1] = asked._replace(
                    kind="shown", content=asked.content + answer, notes=(*asked.notes, text)
                )
        else:
            self.note(text)
        self.asked, self.asking, self.printed = False, "", ""

    def _turn(self, number, block):
        task = re.match(r"\*\*Your turn ([\d.a-z]+)", block.text)[1]
        answer, source = _answers(task)
        told = "\n\n".join(filter(None, [block.text, answer and f"**Answer.** {answer}"]))
        if n_words(block.body) > QUESTION_WORDS:
            return self.note(told)
        shown = f'<div class="question">{_markdown().render(block.body)}</div>{self.shown(block.text)}'
        shown += f'<p class="fragment">{inline(_up_to(answer))}</p>' if answer and not source else ""
        self.add("turn", shown, number, told, headline="Your turn")
        if source and len(source.splitlines()) <= CODE_LINES:
            self.add("code answer", code(source), number, answer, headline="One answer")
        return None

    def _watch(self, number, block):
        quote = re.match(r'"[^"]+"(?=\s+[^a-z\s])', block.body)  # not where the sentence goes on
        words = quote[0] if quote else _up_to(block.body)
        answer = f'<p class="fragment">{inline(_up_to(block.body[quote.end() :].strip()))}</p>' if quote else ""
        shown = f'<p class="warning">{inline(words)}</p>{answer}{self.shown(block.text)}'
        self.add("watch", shown, number, block.text, headline="True?" if quote else "Watch out")

    def _caption(self, number, block):
        before = self.slides[-1] if self.slides else None
        if before is not None and before.kind == "figure":
            shown = f'<p class="caption">{inline(_up_to(block.head))}</p>'
            content = before.content.replace('alt=""', f'alt="{_plain(shown)}"') + shown
            self.slides[-1] = before._replace(content=content, notes=(*before.notes, block.head))
        if r"\tag" in block.body:
            self._formula(number, block)
        else:
            self.note(block.body)

    def _formula(self, number, block):
        for shown, told in formulas(block.body or block.text, self.displayed):
            self.add("formula", shown, number, told)

    def shown(self, text):
        """Return the formulas and the figure that a question cites, to stand beside it."""
        names = list(dict.fromkeys(re.findall(r"\(\d+\.\d+\)|Figure \d+\.\d+", text)))
        tex = [self.cited[name] for name in names if name.startswith("(") and name in self.cited]
        pictures = [self.cited[name] for name in names if name.startswith("F") and name in self.cited]
        found = "".join(f'<div class="display cited">\\[{html.escape(t)}\\]</div>' for t in tex[:2])
        return found + "".join(map(_cited_picture, pictures[:1]))


def _cited_picture(address):
    return f'<div class="picture cited"><img src="{address}" alt=""></div>'


def section_slides(section, cited, inside=(), headline=""):
    """Return the slides of one section, in the order of its cells; ``inside`` are its subsections."""
    writer = Writer(section, cited, headline)
    for number, cell in section.cells:
        if cell["metadata"].get("slideshow", {}).get("slide_type") == "notes":
            writer.note(cell["source"])
        elif chapter.is_text(cell):
            writer.text(number, cell["source"])
        else:
            writer.code(number, cell)
    if not any(slide.headline == writer.headline for slide in writer.slides):
        if inside and not any(cell["source"].strip() for _, cell in section.cells):
            points = "".join(f"<li>{inline(other.point or other.title)}</li>" for other in inside)
            where = f"{section.number} · {section.title}"
            told = "\n".join(f"- {other.title}" for other in inside)
            return [Slide("divider", writer.headline, f"<ul>{points}</ul>", (told,), section.cells[0][0], where)]
        plain = _plain_slide(writer)
        if not writer.slides:
            return [plain]
        first, *others = writer.slides  # a question that uncovers its answer is evidence
        asked = first.content.partition('"printed fragment"')[0].partition('class="fragment"')[0]
        if first.kind == "shown" and seen_words(plain.content + asked) <= QUESTION_WORDS:
            content = plain.content + first.content
            return [first._replace(kind="shown point", headline=writer.headline, content=content), *others]
        if re.sub(r"<[^>]+>", "", plain.content).strip():
            return [plain, first._replace(notes=first.notes[len(writer.before) :]), *others]
        return [first._replace(notes=(f"**{writer.headline}**", *first.notes)), *others]
    _set_up(writer)
    return writer.slides


def _set_up(writer):
    """Let a question that begins a section follow what it is about: a task, a slide; a prediction, some sentences."""
    first = writer.slides[0] if writer.slides else None
    if not first or first.kind not in ("predict", "turn") or n_words(" ".join(writer.before)) < SETTING:
        return
    plain = _plain_slide(writer, ASKED_WORDS - seen_words(first.content))
    if first.kind == "turn":
        writer.slides[:1] = [plain, first._replace(notes=first.notes[len(writer.before) :])]
        return
    said = re.match(r"<p>.*?</p>(?!\s*<[uo]l)", plain.content, re.S)
    content = f"{said[0]}{first.content}" if said else ""
    if said and seen_words(content) <= ASKED_WORDS and height(content) <= HIGHEST:
        writer.slides[0] = first._replace(content=content)


def _plain_slide(writer, most=MOST_WORDS):
    """Return the slide of a section without evidence of its own: a list, or its first sentences, and what it prints."""
    cells = writer.section.cells
    text = next((cell["source"] for _, cell in cells if chapter.is_text(cell) and cell["source"]), "")
    text = re.sub(
        BOLD_LEAD,
        "",
        re.split(r"\n\n(?=\*\*(?:Predict|Your turn)|> |<details)|^(?=\*\*(?:Predict|Your turn)|> |<details)", text)[0],
    )
    lists = re.findall(r"(?:^(?:\d+\.|-) .+(?:\n|$))+", text, re.M)
    items = re.findall(r"^(?:\d+\.|-) \*\*(.+?)\*\*", text, re.M)
    if lists and n_words(lists[0]) <= QUESTION_WORDS:
        before = (split(text[: text.index(lists[0])].strip().split("\n\n")[-1]) or [""])[-1]
        room = n_words(before + lists[0]) <= QUESTION_WORDS
        content = (f"<p>{inline(before)}</p>" if before and room else "") + _markdown().render(lists[0])
    elif items:
        content = f"<ul>{''.join(f'<li>{inline(item)}</li>' for item in items)}</ul>"
    else:
        words = _up_to(re.split(r"\n\n(?=[|<$])", text)[0], most)
        early = itertools.takewhile(lambda cell: not re.search(r"\*\*(Predict|Watch)", cell[1]["source"]), cells)
        content = f"<p>{inline(words)}</p>{_printed(early)}" if words else _printed(early)
    where = " · ".join(filter(None, [writer.section.number, writer.section.title]))
    notes = (writer.before if writer.slides else writer.waiting) or [text]
    return Slide("text", writer.headline, content, tuple(notes), cells[0][0], where)


def _answers(task):
    """Return the answer of a task in words, and the code of a function that was asked for, or ""."""
    base.load(int(task.split(".")[0]))
    found = base.REGISTRY[task]
    functions = [part for part in _several(found.solution) if inspect.isfunction(part)]
    if functions:
        return found.explanation, "\n\n".join(textwrap.dedent(inspect.getsource(f)).rstrip() for f in functions)
    values = [_rounded(value) for value in _several(found.solution)]
    if len(found.asked) == len(values):
        values = [f"{_called(asked)}: {value}" for asked, value in zip(found.asked, values)]
    return f"{'; '.join(values)}. {found.explanation}".strip(), ""


def _called(asked):
    """Return what a value is, as the room would say it: "Your list of votes" is "List of votes"."""
    words = asked.removeprefix("Your ")
    return words if words == asked or "(" in words else words[0].upper() + words[1:]


def _several(answers):
    return answers if isinstance(answers, tuple) else (answers,)


def _rounded(value):
    """Return a value for the room: four digits of a number, and no zero behind a point."""
    text = re.sub(r"(?<=\d)\.0(?!\d|e)", "", base.typed(value))
    return re.sub(r"-?\d+\.\d{4,}(?:e-?\d+)?", lambda m: f"{float(m[0]):.4g}", text).replace("'", "")


def formulas(text, before=""):
    """Yield a slide for each numbered formula of a text: (what is shown, what is told).

    before   the formula that was displayed last, on which the first sentence may lean
    """
    displays, wanted = list(DISPLAY.finditer(text)), _shown(text)
    last = max(k for k, shown in enumerate(wanted) if shown)
    told = 0
    for k, found in enumerate(displays[: last + 1]):
        if not wanted[k]:
            continue
        leading = _between(text, displays, k)
        words = lead(leading, found[1])
        shown = (f"<p>{inline(words)}</p>" if words else "") + _readable(text, found, words, bool(leading or before))
        earlier = displays[k - 1][1] if k else before
        goes_on = GOES_ON.match(words) or re.match(r"(?!k-)[a-z]", words)  # "which is positive where"
        if earlier and (goes_on or k and not leading and r"\tag" not in earlier):  # it leans on the step before
            first = lead(_between(text, displays, k - 1), earlier) if k else ""
            few = first and not GOES_ON.match(first) and n_words(first) + seen_words(shown) <= QUESTION_WORDS
            shown = (f"<p>{inline(first)}</p>" if few else "") + _display(re.sub(r"\\tag\{.*?\}", "", earlier)) + shown
        end = len(text) if k == last else found.end()
        yield shown, text[told:end].strip()
        told = end


def _shown(text):
    """Return for each displayed formula whether it has a slide: it has a number, or none has and it defines a term."""
    displays = list(DISPLAY.finditer(text))
    numbered = [r"\tag" in found[1] for found in displays]
    if any(numbered):
        return numbered
    before = [_between(text, displays, k).split("\n\n")[-1] for k in range(len(displays))]
    return ["**" in " ".join(split(re.sub(BOLD_LEAD, "", words))[-2:]) for words in before]


def _between(text, displays, k):
    """Return what stands between a displayed formula and the one before it."""
    return text[displays[k - 1].end() if k else 0 : displays[k].start()].strip()


def _readable(text, found, words, led):
    """Return a displayed formula with the rest of its sentence ("where ..."), or with what follows if nothing leads."""
    following = text[found.end() :].strip().split("\n\n")[0]
    first = (split(following) or [""])[0]
    ends = re.search(r",\s*(\\tag|$)", found[1])
    rest = (ends or re.match(r"\**[a-z]", first)) and not following.startswith("$$")
    if not led and n_words(following) > 3:
        rest, first = True, _up_to(following)
    if rest and n_words(f"{words} {first}") <= QUESTION_WORDS and not re.search(r":$", first):
        return _display(found[1]) + f"<p>{inline(first)}</p>"
    return _display(re.sub(r",(?=\s*(\\tag|$))", "", found[1]) if rest else found[1])


def lead(text, tex=""):
    """Return the sentences that make a formula readable: the last one, those that it leans on, and those that say what
    its letters are.

    >>> lead("Ask twice. A chord lies below. So the mean is")
    'A chord lies below. So the mean is'
    >>> lead("Ask. Let $V$ be the value. A pull of one of the arms is worth", "m + V")
    'Let $V$ be the value. A pull of one of the arms is worth'
    """
    paragraphs = [
        re.sub(BOLD_LEAD, "", part.strip()) for part in re.sub(r"\$\$.*?\$\$", "", text, flags=re.S).split("\n\n")
    ]
    paragraphs = [part for part in paragraphs if part and not part.startswith("|")]
    paragraph = re.split(r"^(?:\d+\.|-|>) ", paragraphs[-1], flags=re.M)[-1].strip() if paragraphs else ""
    sentences = split(paragraph)
    sentences = [s for s in sentences if not re.fullmatch(r"\(.*\)", s)] or sentences
    if paragraphs and BOLD_LEAD.search(text) and sentences[:1] and not re.match("k-", sentences[0]):
        sentences[0] = sentences[0][0].upper() + sentences[0][1:]
    begin = _back(sentences, max(0, len(sentences) - 1))
    if r"\tag" not in tex and "**" in " ".join(sentences[begin - 1 : begin]):  # the term that it defines
        begin -= 1
    letters = _named(tex)
    used = _quoted(sentences[begin:]) | letters
    for k in reversed(range(begin)):
        if LET.match(sentences[k]) and (k == begin - 1 or _quoted(sentences[k : k + 1]) & used) and _few(sentences[k:]):
            begin = k
    for k in reversed(range(begin)):
        new = _quoted(sentences[k : k + 1]) & letters - _quoted(sentences[begin:])
        if new and DEFINES.search(sentences[k]) and n_words(" ".join(sentences[k:])) <= MOST_WORDS:
            begin = k
    words = " ".join(sentences[_back(sentences, begin) :])
    words = re.sub(
        r"^(?:So|Hence|Thus|Therefore|And|But) ([a-z])(?=\w+ (?:the|it|a|its|same) )", lambda m: m[1].upper(), words
    )
    return words if n_words(words) <= QUESTION_WORDS else ""


def _back(sentences, begin):
    """Return with which sentence a lead begins that shall not go on from one before, nor say too little."""
    while begin > 0 and ((on := GOES_ON.match(sentences[begin])) or n_words(" ".join(sentences[begin:])) < 8):
        if n_words(" ".join(sentences[begin - 1 :])) > (QUESTION_WORDS if on else MOST_WORDS):
            break
        begin -= 1
    return begin


def _few(sentences):
    return n_words(" ".join(sentences)) <= MOST_WORDS + 5


def _quoted(sentences):
    """Return the letters of the formulas in sentences."""
    return _named(" ".join(re.findall(r"\$([^$]+)\$", " ".join(sentences))))


def _named(tex):
    """Return the letters of a formula."""
    tex = re.sub(r"\\(?:text|tag|operatorname|mathrm)\{.*?\}", " ", tex)
    greek = {
        "\\" + name
        for name in "alpha beta gamma delta epsilon varepsilon eta theta lambda mu nu pi rho sigma tau phi".split()
    }
    return {sign for sign in re.findall(r"\\[a-zA-Z]+|[A-Za-z]", tex) if sign in greek or len(sign) == 1}


def _display(tex):
    return f'<div class="display">\\[{html.escape(tex)}\\]</div>'


def n_words(text):
    """Count the words of running text; formulas and code are not words.

    >>> n_words("On the bowl $w^2$ the `step` is **long**.")
    6
    """
    text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|<[^>]+>", " ", text, flags=re.S)
    return len(re.findall(r"[^\W\d_][\w'’-]*", text))


def seen_words(content):
    """Count what stands on a slide as running text: no formula, no code, nothing printed."""
    content = re.sub(r"<pre.*?</pre>|<code>.*?</code>", " ", content, flags=re.S)
    return n_words(re.sub(r"\\\[.*?\\\]|\\\(.*?\\\)", " ", html.unescape(content), flags=re.S))


def split(text):
    """Return the sentences of a text; a full stop inside a formula ends none.

    >>> split("Is it so? It is: $a. B$ holds. (Yes.)")
    ['Is it so?', 'It is: $a. B$ holds.', '(Yes.)']
    """
    kept = []
    text = re.sub(r"\$[^$]*\$|`[^`]*`", lambda m: kept.append(m[0]) or f"\0{len(kept) - 1}\0", " ".join(text.split()))
    parts = re.split(r"(?:(?<=[.!?])|(?<=[.!?][\"”*)]))(?<!\b[A-Z]\.)\s+(?=[A-Z0-9\"“(*\0])", text)
    return [re.sub("\0(\\d+)\0", lambda m: kept[int(m[1])], part) for part in parts if part]


def _up_to(text, most=MOST_WORDS):
    """Return as many sentences of a text as have at most ``most`` words, at least one."""
    sentences = split(text.split("\n\n")[0])
    sentences = [s for s in sentences if not re.match(r"The (?:next )?cell\b", s)] or sentences  # a deck has none
    n = 2 if len(sentences) > 1 and n_words(sentences[0]) < 3 else 1  # "(c)." says too little
    while n < len(sentences) and n_words(" ".join(sentences[: n + 1])) <= most:
        n += 1
    while n > 1 and _open(" ".join(sentences[:n])):
        n -= 1
    return re.sub(r":$", ".", " ".join(sentences[:n]))


def _open(text):
    """Return whether a text ends inside brackets."""
    depth = 0
    for sign in re.findall(r"[()]", re.sub(r"\$[^$]*\$|`[^`]*`", "", text)):
        depth = depth + 1 if sign == "(" else max(0, depth - 1)
    return depth > 0


def _fragment(text, most):
    """Return an answer as something to uncover: its first sentences, or each item of a list as far as there is room."""
    items = re.findall(r"^\d\. (.+)$", text.split("\n\n")[0], re.M)
    if not items:
        return f'<p class="fragment">{inline(_up_to(text, most))}</p>'
    shown = "".join(f"<li>{inline(_up_to(item, most // len(items)))}</li>" for item in items)
    return f'<div class="fragment"><ol>{shown}</ol></div>'


def _question(block):
    """Return a prediction for the room: its first question with the choices, and what leads to it if there is room."""
    sentences = split(re.sub(r"\*\*Predict\.?\*\*\s*", "", block).split("\n\n")[0])
    several = re.findall(r"^\d\. (.+)$", block, re.M)
    if several and n_words(" ".join(several)) <= ASKED_WORDS - 10:
        items = "".join(f"<li>{inline(item)}</li>" for item in several)
        lead = _up_to(" ".join(sentences), ASKED_WORDS - n_words(" ".join(several)))
        return f'<p class="question">{inline(lead)}</p><ol>{items}</ol>'
    at = next((k for k, s in enumerate(sentences) if "(a)" in s), None)
    if at is None:
        at = next((k for k, s in enumerate(sentences) if "?" in s), 0)
    while re.match(r"\([b-e]\)", " ".join(sentences[at + 1 :])):  # each choice is a sentence of its own
        sentences[at : at + 2] = [" ".join(sentences[at : at + 2])]
    begin, room = at, max(QUESTION_WORDS, ASKED_WORDS - n_words(" ".join(s for s in sentences[at + 1 :] if "?" in s)))
    while begin > 0 and n_words(" ".join(sentences[begin - 1 : at + 1])) <= room:
        begin -= 1
    lead, asked = " ".join(sentences[begin:at]), re.sub(r"^\(1\) ", "", sentences[at])
    stem, *choices = re.split(r"\s*\(([a-e])\)\s*", asked)
    if len(set(choices[::2])) < len(choices[::2]):  # several questions in one sentence: it stays one
        stem, choices = asked, []
    items = [f"<li>{inline(text.strip(' ,.;?').removesuffix(' or').strip(' ,'))}</li>" for text in choices[1::2]]
    shown = f'<p class="question">{inline((lead + " " + stem).strip())}</p>'
    shown += f'<ol type="a">{"".join(items)}</ol>' if items else ""
    paragraphs = re.sub(r"\*\*Predict\.?\*\*\s*", "", block).strip().split("\n\n")
    rest = sentences[at + 1 :] + [s for part in paragraphs[1:] for s in split(part)]
    asked = [k for k, s in enumerate(rest) if "?" in s or "(a)" in s]
    if asked:  # with what stands between two questions, if there is room
        for more in (rest[: asked[-1] + 1], [rest[k] for k in asked]):
            if n_words(" ".join(more)) + seen_words(shown) <= ASKED_WORDS:
                return shown + f'<p class="also">{inline(" ".join(more))}</p>'
    return shown


def _picture(cell):
    data = [o["data"] for o in cell["outputs"] if "image/png" in o.get("data", {})]
    return f"data:image/png;base64,{''.join(data[0]['image/png']).strip()}" if data else None


def _pictured(cell):
    """Return the address of a cell's picture; that of an explorer, "still:name", is drawn when the deck is written."""
    name = chapter.explorer(chapter.source(cell))
    return f"still:{name}" if name else _picture(cell)


def _plain(content):
    return html.escape(re.sub(r"<[^>]+>", "", content))


def _printed(cells):
    """Return what the first experiment of a section prints, if it is short enough for a slide."""
    for _, cell in cells:
        if lines := _lines(cell):
            size = 1690 / (0.605 * 40 * max(map(len, lines)))  # long lines are smaller, and nothing else with them
            small = f' style="font-size:{size:.3f}em"' if size < 0.75 else ""
            return f'<pre class="printed"{small}>{html.escape(chr(10).join(lines))}</pre>'
    return ""


def _told(cell):
    """Return what an experiment prints as a note, or ""."""
    lines = _lines(cell, 24, 200)
    return "\n".join(["```text", *lines, "```"]) if lines else ""


def _lines(cell, most=14, width=108):
    """Return the lines that an experiment prints, folded or not, without its confirmations; [] where they are many."""
    for output in cell.get("outputs", []):
        folded = re.search(r"```text\n(.*?)\n```", "".join(output.get("data", {}).get("text/markdown", "")), re.S)
        lines = (folded[1] if folded else "".join(output.get("text", ""))).rstrip().splitlines()
        if lines and not lines[0].startswith(("✓", "\x1b")) and not re.search(UNANSWERED, "\n".join(lines)):
            lines = [line for line in lines if not line.startswith("✓")]
            if len(lines) <= most and max(map(len, lines)) <= width:
                return lines
    return []


def _uncovered(printed):
    """Return what a cell prints as something to uncover."""
    return printed.replace('"printed"', '"printed fragment"')


# --- Writing ---------------------------------------------------------------------------------------------------------


def inline(text):
    """Return one paragraph of Markdown as HTML; a deck has no other chapters to link to."""
    return _markdown().renderInline(_unlinked(" ".join(text.split())))


def _markdown():
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    def formula(tex, options):
        left, right = (r"\[", r"\]") if options.get("display_mode") else (r"\(", r"\)")
        return f"{left}{html.escape(tex)}{right}"

    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    return parser.use(dollarmath_plugin, renderer=formula, allow_space=True, double_inline=True)


def code(source):
    """Return Python as a highlighted block whose letters are as large as its longest line allows."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    lines = source.splitlines()
    size = min(36, 1690 / (0.605 * max(map(len, lines))), 800 / (1.4 * len(lines)))
    inside = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True, noclasses=True, style="xcode"))
    return f'<pre class="board" style="font-size:{size / 40:.3f}em">{inside}</pre>'


def slide_html(slide):
    """Return one slide as the element that reveal.js shows."""
    notes = _markdown().render("\n\n".join(note for note in slide.notes if note))
    heading = "h1" if slide.kind == "title" else "h2"
    where = f'<p class="where">{inline(slide.section)}</p>' if slide.section else ""
    return (
        f'<section class="{slide.kind}">{where}<{heading}>{inline(slide.headline)}</{heading}>'
        f'<div class="content">{_held(slide.content)}</div><aside class="notes">{notes}</aside></section>'
    )


def _held(content):
    """Return HTML in which no line begins with the full stop after a formula."""
    form = r'(<span class="math inline">[^<]*</span>[.,:;?!)]+)'
    return re.sub(form, r'<span class="held">\1</span>', content)


def page(notebook, films, pictures=None):
    """Return the whole deck of a notebook as one HTML file.

    films, pictures   the folders that keep the explorers' films and the figures; without the second one, figures are
                      those of the notebook
    """
    slides = deck(figures.redrawn(notebook, pictures) if pictures else notebook)
    slides = [_standing(slide) if slide.kind == "explorer" else slide for slide in slides]
    slides = [slide._replace(content=re.sub(r'(?<=src=")still:(\w+)', _still, slide.content)) for slide in slides]
    names = re.findall(r'<ml-explorer name="(\w+)"', "".join(s.content for s in slides))
    parts = {
        "title": html.escape(slides[0].headline),
        "slides": "\n".join(map(slide_html, slides)),
        "styles": "\n".join([_reveal("reveal.css"), colours(), _read("player.css"), _read("deck.css")]),
        "mathjax": _inside((mathjax() / "tex-svg-full.js").read_text(encoding="utf-8")),
        "scripts": _inside("\n".join([_reveal("reveal.js"), _reveal("notes.js"), _read("player.js")])),
        "films": "\n".join((Path(films) / f"{name}.js").read_text(encoding="utf-8") for name in names),
        "start": _read("deck.js"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda m: parts[m[1]], _read("deck.html"))


def _standing(slide):
    """Return the slide of an explorer with a still for the printer: its picture, settings and read-out."""
    name = re.search(r'name="(\w+)"', slide.content)[1]
    picture, words = figures.still(name)
    shown = f'<div class="picture still"><img src="{picture}" alt=""></div><p class="caption still">{words}</p>'
    return slide._replace(content=f'<ml-explorer name="{name}"></ml-explorer>{shown}')


def _still(match):
    return figures.still(match[1])[0]


def _inside(script):
    """Return a script that can stand inside a page."""
    return script.replace("</script", "<\\/script")


def _read(name):
    return (HERE / name).read_text(encoding="utf-8")


def _reveal(name):
    """Return a file of reveal.js, which a package of the registry has brought."""
    files = metadata.files("sphinx-revealjs")
    return Path(next(f for f in files if f.name == name).locate()).read_text(encoding="utf-8")


def main(target, *words):
    """Build the decks of all chapters, or of those whose notebook's name contains one of ``words``."""
    target = Path(target)
    films = target.parent / "explorers"
    target.mkdir(parents=True, exist_ok=True)
    for one in chapters():
        path = Path(one.notebook)
        if not one.written or (words and not any(word in path.stem for word in words)):
            continue
        notebook = json.loads((ROOT / path).read_text(encoding="utf-8"))
        shown = [chapter.explorer(chapter.source(c)) for c in notebook["cells"] if not chapter.is_text(c)]
        frames.write_all(films, filter(None, shown))
        file = target / f"{path.stem}.html"
        file.write_text(page(notebook, films, target.parent / "figures"), encoding="utf-8")
        print(f"{file}: {len(deck(notebook))} slides, {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
