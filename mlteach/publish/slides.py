"""A deck of slides for each chapter, made from its core: one file that needs no network and no kernel.

    python -m mlteach.publish.slides build/slides           all chapters
    python -m mlteach.publish.slides build/slides 05 16     some

The rule, also in CONTRIBUTING.md. The kind of a cell decides; depth, exercises and self-test are left out:

    opening                  the title with its promise
    figure                   the picture with its caption
    prediction, explorer     the question with its choices; then the explorer alone (a prediction of something printed
                             is notes)
    blackboard code          the code
    Your turn                the question, if the room can take it in: at most 40 words
    Watch out                the misconception, as a question where it is a quotation
    numbered formula         the formula with the sentence that leads to it; in a deck of more than 45 slides only the
                             formulas that the chapter comes back to most often
    a section with nothing   its first sentences, with what its first experiment prints
    all other text           speaker notes of the slide before it

A cell whose slide type (JupyterLab: *Property Inspector*) is "notes" is never a slide; one with "fragment" always is.
"""

import html
import json
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from mlteach import chapter
from mlteach.course import ROOT, chapters
from mlteach.publish import frames
from mlteach.publish.book import HERE, colours, mathjax

MOST_WORDS = 40
MOST_SLIDES = 45
OUTSIDE = ("Exercises", "Self-test", "In one minute", "Notation", "Only the sliders")
BOLD_LEAD = re.compile(r"\*\*([^*]{3,60}?)[.:]\*\*\s+")


class Slide(NamedTuple):
    """One slide: its kind, headline and content (HTML), the notes under it (Markdown), and what it was made from."""

    kind: str
    headline: str
    content: str
    notes: tuple
    cell: int


def deck(notebook):
    """Return the slides of a chapter."""
    slides = []
    for number, (section, cells) in enumerate(sections(notebook["cells"])):
        slides += opening(section, cells) if number == 0 else section_slides(section, cells)
    return fewer(slides, notebook["cells"])


def sections(cells):
    """Return the core as pairs: a headline, and its cells with their numbers; a cell may hold several headings."""
    found, skip = [], False
    for number, (cell, deep) in enumerate(zip(cells, chapter.in_depth(cells))):
        parts = chapter.parts(cell)
        if chapter.heading_level(cell) in (1, 2):
            skip = parts[0][0].startswith(OUTSIDE)
        if deep or skip:
            continue
        for title, part in parts:
            if title is not None:
                found.append((title, []))
            found[-1][1].append((number, {**cell, "source": part.strip()}))
    return [section for section in found if any(cell["source"] for _, cell in section[1])]


def opening(title, cells):
    """Return the title slide: the promise of the chapter, with all else of its first cell in the notes."""
    number, cell = cells[0]
    promise = re.search(r"\*\*Promise\.\*\* (.+)", cell["source"])[1]
    return [Slide("title", title, f'<p class="promise">{inline(promise)}</p>', (cell["source"],), number)]


def section_slides(headline, cells):
    """Return the slides of one section, in the order of its cells."""
    slides, waiting = [], []

    def add(kind, content, number, notes=()):
        slides.append(Slide(kind, headline, content, (*waiting, *notes), number))
        waiting.clear()

    def note(text):
        if slides:
            slides[-1] = slides[-1]._replace(notes=(*slides[-1].notes, text))
        else:
            waiting.append(text)

    asked = _before_explorers(cells)
    for number, cell in cells:
        source = cell["source"]
        if cell["metadata"].get("slideshow", {}).get("slide_type") == "notes":
            note(source)
        elif not chapter.is_text(cell):
            kind = chapter.kind(cell)
            if kind == "explorer":
                add("explorer", f'<ml-explorer name="{chapter.explorer(source)}"></ml-explorer>', number)
            elif kind == "figure" and _picture(cell):
                add("figure", f'<div class="picture"><img src="{_picture(cell)}" alt=""></div>', number)
            elif kind == "blackboard":
                add("code", code(source), number)
        else:
            for kind, content, rest in pieces(source, slides[-1] if slides else None):
                if kind == "caption":
                    picture = slides[-1].content.replace('alt=""', f'alt="{_plain(content)}"')
                    slides[-1] = slides[-1]._replace(content=picture + content)
                elif kind and (kind != "predict" or number in asked):
                    add(kind, content, number, (rest,) if rest else ())
                elif rest:
                    note(rest)
    return slides or [_plain_slide(headline, cells, [note for note in waiting if note])]


def _plain_slide(headline, cells, notes):
    """Return the slide of a section that has only words: a prediction, a list, or its first sentences."""
    text = re.sub(BOLD_LEAD, "", notes[0])
    if text.startswith("**Predict"):
        return Slide("predict", headline, _question(text), tuple(notes), cells[0][0])
    items = re.findall(r"^(?:\d+\.|-) \*\*(.+?)\*\*", text, re.M)
    content = "".join(f"<li>{inline(item)}</li>" for item in items)
    if not items:
        content = inline(_up_to(" ".join(re.split(r"\n\n(?=[|<$]|\d+\. |- )", text)[0].split())))
    content = f"<ul>{content}</ul>" if items else f"<p>{content}</p>{_printed(cells)}"
    return Slide("text", headline, content, tuple(notes), cells[0][0])


def _before_explorers(cells):
    """Return the numbers of the text cells that are followed by an explorer, with nothing but text between."""
    found, last = set(), set()
    for number, cell in cells:
        if chapter.is_text(cell):
            last.add(number)
        else:
            found |= last if chapter.explorer(cell["source"]) else set()
            last = set()
    return found


def pieces(text, before):
    """Split a text cell into (kind, content, notes); a piece without a kind is notes only."""
    found = []
    for kind, block, head, body in chapter.blocks(text):
        if kind == "predict":
            found.append(("predict", _question(block), block))
        elif kind == "turn":
            asked = body.partition("\n\n")[0]
            small = n_words(asked) <= MOST_WORDS
            found.append(("turn", f'<p class="question">{inline(asked)}</p>', block) if small else (None, "", block))
        elif kind == "watch":
            quote = re.match(r'"[^"]+"', body)
            kind, shown = ("watch quoted", quote[0]) if quote else ("watch", _up_to(body))
            found.append((kind, f'<p class="warning">{inline(shown)}</p>', block))
        elif kind == "caption":
            if before is not None and before.kind == "figure":
                found.append(("caption", f'<p class="caption">{inline(_up_to(head))}</p>', ""))
            found.append(formulas(body) if r"\tag" in body else (None, "", body))
        elif kind == "answer":
            found.append((None, "", re.sub(r"</?(details|summary|b)>", "", block).strip()))
        else:
            found.append(formulas(block) if kind == "formula" else (None, "", block))
    return found


def formulas(text):
    """Return the piece of a text cell with numbered formulas: each with the sentence that leads to it."""
    parts = re.split(r"\$\$(.+?)\$\$", text, flags=re.S)
    shown, left = [], MOST_WORDS
    lead = BOLD_LEAD.match(text)
    for before, tex in zip(parts[::2], parts[1::2]):
        if r"\tag" not in tex:
            continue
        sentence = _last(re.sub(BOLD_LEAD, "", before.strip()))
        if not 2 < n_words(sentence) <= left:
            sentence = ""
        left -= n_words(sentence)
        lead_in = f"<p>{inline(sentence)}</p>" if sentence else ""
        shown.append(f'{lead_in}<div class="display">\\[{html.escape(tex)}\\]</div>')
    name = f'<p class="name">{inline(lead[1])}</p>' if lead else ""
    return "formula", name + "".join(shown[:2]), text


def fewer(slides, cells):
    """Leave out the formulas that the chapter mentions least, until the deck is short enough; they become notes."""
    everything = "\n".join(map(chapter.source, cells))

    def mentions(slide):
        tags = chapter.numbers(html.unescape(slide.content), "eq")
        return max(everything.count(f"({tag})") for tag in tags)

    kept = [s.cell for s in slides if cells[s.cell]["metadata"].get("slideshow", {}).get("slide_type") == "fragment"]
    may_go = sorted((s for s in slides if s.kind == "formula" and s.cell not in kept), key=mentions)
    gone = may_go[: max(0, len(slides) - MOST_SLIDES)]
    left = []
    for slide in slides:
        if slide not in gone:
            left.append(slide)
        else:
            left[-1] = left[-1]._replace(notes=(*left[-1].notes, *slide.notes))
    return left


def n_words(text):
    """Count the words of running text; formulas and code are not words.

    >>> n_words("On the bowl $w^2$ the `step` is **long**.")
    6
    """
    text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|<[^>]+>", " ", text, flags=re.S)
    return len(re.findall(r"[^\W\d_][\w'’-]*", text))


def split(text):
    """Return the sentences of a text; a full stop inside a formula ends none.

    >>> split("Is it so? It is: $a. B$ holds. (Yes.)")
    ['Is it so?', 'It is: $a. B$ holds.', '(Yes.)']
    """
    kept = []
    text = re.sub(r"\$[^$]*\$|`[^`]*`", lambda m: kept.append(m[0]) or f"\0{len(kept) - 1}\0", " ".join(text.split()))
    parts = re.split(r"(?:(?<=[.!?])|(?<=[.!?][\"”*)]))(?<!\b[A-Z]\.)\s+(?=[A-Z0-9\"“(*\0])", text)
    return [re.sub("\0(\\d+)\0", lambda m: kept[int(m[1])], part) for part in parts if part]


def _last(text):
    paragraph = text.strip().split("\n\n")[-1]
    if re.match(r"(\d+\.|-|\||>) ", paragraph):  # a list or a table leads to nothing that can be said in one sentence
        return ""
    return (split(paragraph) or [""])[-1]


def _up_to(text, most=MOST_WORDS):
    """Return as many sentences of a text as have at most ``most`` words, at least one."""
    sentences = split(text.split("\n\n")[0])
    n = 1
    while n < len(sentences) and n_words(" ".join(sentences[: n + 1])) <= most:
        n += 1
    return " ".join(sentences[:n])


def _question(block):
    """Return a prediction for the room: its first question with the choices, and what leads to it if there is room."""
    sentences = split(re.sub(r"\*\*Predict\.?\*\*\s*", "", block).split("\n\n")[0])
    at = next((k for k, s in enumerate(sentences) if "(a)" in s), None)
    if at is None:
        at = next((k for k, s in enumerate(sentences) if "?" in s), 0)
    begin = at
    while begin > 0 and n_words(" ".join(sentences[begin - 1 : at + 1])) <= MOST_WORDS:
        begin -= 1
    lead, asked = " ".join(sentences[begin:at]), re.sub(r"^\(1\) ", "", sentences[at])
    stem, *choices = re.split(r"\s*\(([a-e])\)\s*", asked)
    items = [f"<li>{inline(text.strip(' ,.;?').removesuffix(' or').strip(' ,'))}</li>" for text in choices[1::2]]
    shown = f'<p class="question">{inline((lead + " " + stem).strip())}</p>'
    return shown + (f'<ol type="a">{"".join(items)}</ol>' if items else "")


def _picture(cell):
    data = [o["data"] for o in cell["outputs"] if "image/png" in o.get("data", {})]
    return f"data:image/png;base64,{''.join(data[0]['image/png']).strip()}" if data else None


def _plain(content):
    return html.escape(re.sub(r"<[^>]+>", "", content))


def _printed(cells):
    """Return what the first experiment of a section prints, if it is short enough for a slide."""
    for _, cell in cells:
        for output in cell.get("outputs", []):
            lines = "".join(output.get("text", "")).rstrip().splitlines()
            if lines and not lines[0].startswith(("✓", "\x1b")) and len(lines) <= 14 and max(map(len, lines)) <= 90:
                text = "\n".join(lines)
                return "" if "not attempted yet" in text else f'<pre class="printed">{html.escape(text)}</pre>'
    return ""


# --- Writing ---------------------------------------------------------------------------------------------------------


def inline(text):
    """Return one paragraph of Markdown as HTML."""
    return _markdown().renderInline(" ".join(text.split()))


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
    return f'<pre class="board" style="font-size:{size:.1f}px">{inside}</pre>'


def slide_html(slide):
    """Return one slide as the element that reveal.js shows."""
    notes = _markdown().render("\n\n".join(note for note in slide.notes if note))
    heading = "h1" if slide.kind == "title" else "h2"
    return (
        f'<section class="{slide.kind}"><{heading}>{inline(slide.headline)}</{heading}>'
        f'<div class="content">{slide.content}</div><aside class="notes">{notes}</aside></section>'
    )


def page(notebook, films):
    """Return the whole deck of a notebook as one HTML file; ``films`` is the folder of the explorers' films."""
    slides = deck(notebook)
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
        file.write_text(page(notebook, films), encoding="utf-8")
        print(f"{file}: {len(deck(notebook))} slides, {file.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(*sys.argv[1:])
