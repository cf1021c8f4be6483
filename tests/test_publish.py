"""What book and slides are made of: frames, links, and the rule by which cells become slides."""

import html
import itertools
import json
import re

import ipywidgets as W
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from mlteach.chapter import kind, minutes, numbers
from mlteach.course import ROOT, chapters
from mlteach.exercises import base
from mlteach.explore import REGISTRY
from mlteach.explore.base import buttons, choice, log_slider, slider, switch, whole
from mlteach.notebooks import normalise
from mlteach.plots import COLOURS, few_colours
from mlteach.publish import book, frames, settings, slides

WRITTEN = [c for c in chapters() if c.written]
NOTEBOOKS = book.read_notebooks()


# --- Frames ----------------------------------------------------------------------------------------------------------


def test_a_digits_greys_stay_grey_beside_coloured_letters():
    greys = np.repeat(np.linspace(3, 250, 60).round(), 300)
    letters = np.random.default_rng(0).integers(0, 256, (2000, 3))
    picture = np.vstack([np.column_stack([greys] * 3), letters]).astype(np.uint8)
    kept = np.asarray(few_colours(Image.fromarray(picture[None])).convert("RGB"))[0]
    assert np.array_equal(kept[: len(greys)], picture[: len(greys)])
    assert len(np.unique(kept, axis=0)) <= 128


def test_positions_reach_both_ends():
    assert frames.positions(whole("k", 3, 1, 9, step=2)) == [1, 3, 5, 7, 9]
    assert frames.positions(slider("w", 0.3, -1, 1, 0.1))[::10] == [-1, 0, 1]
    assert np.allclose(frames.positions(log_slider("C", 1, 0.01, 100, per_decade=1)), [0.01, 0.1, 1, 10, 100])
    assert frames.positions(switch("on")) == [False, True]
    assert frames.positions(buttons("way", {"left": -1, "right": 1})) == [-1, 1]


@given(
    changes=st.lists(st.floats(0, 100), min_size=1, max_size=80),
    start=st.integers(0, 80),
    n=st.integers(2, 40),
)
def test_stops_hold_both_ends_and_the_start(changes, start, n):
    start = min(start, len(changes))
    stops = frames.choose(changes, start, n)
    assert stops == sorted(set(stops))
    assert {0, start, len(changes)} <= set(stops)
    assert len(stops) <= n + 1


@given(sizes=st.lists(st.integers(2, 200), min_size=1, max_size=6), room=st.integers(60, 600))
@example(sizes=[2, 4, 14, 17, 17, 17], room=60)
def test_frames_keep_to_their_room(sizes, room):
    controls = {f"c{k}": whole("c", 0, 0, n - 1) for k, n in enumerate(sizes)}
    every = {key: frames.positions(control) for key, control in controls.items()}
    together, counts = frames.share(every, controls, room)
    assert together[0] == "c0"
    assert list(counts) == together
    assert np.prod(list(counts.values())) <= room
    start = dict.fromkeys(every, 0)
    grid = {key: list(range(counts[key])) for key in together}
    planned = list(frames.planned({key: [0, 1] for key in every}, grid, start, []))
    assert planned[0] == start
    assert len(planned) <= room + len(sizes)
    assert len({tuple(setting.values()) for setting in planned}) == len(planned)


def test_controls_move_together_as_far_as_there_is_room():
    controls = {name: whole(name, 0, 0, 50) for name in "abc"}
    every = {key: frames.positions(control) for key, control in controls.items()}
    assert frames.share(every, controls, 150) == (["a", "b", "c"], {"a": 6, "b": 5, "c": 5})
    assert frames.share(every, controls, 20)[0] == ["a", "b"]
    assert frames.share(every, controls, 20, ("c",))[0] == ["a", "c"]
    assert frames.share(every, controls, 40, play="c") == (["a", "c"], {"c": 10, "a": 4})
    with_choice = {**controls, "d": choice("d", list("xyz"))}
    counts = frames.share({**every, "d": [0, 1, 2]}, with_choice, 400)[1]
    assert counts["d"] == 3  # a choice has all its options


def test_settings_that_a_text_names():
    controls = {
        "rate": log_slider("learning rate η", 0.1, 0.001, 1),
        "k": whole("step k", 3, 0, 60),
        "data": choice("data", ["two moons", "rings"]),
        "share": slider("share π", 0.5, 0, 1, 0.05),
    }
    every = {key: frames.positions(control) for key, control in controls.items()}

    def read(text):
        found = {}
        for sentence in settings.sentences(text):
            for key in every:
                found |= {key: [every[key][k] for k in settings.read(sentence, key, every[key], controls)]}
                found = {key: values for key, values in found.items() if values}
        return found

    assert read(r"At $\eta=0.01$ and after 40 steps") == {"rate": [0.01], "k": [40]}
    assert read(r"raise $\pi$ from 0.05 to 0.9, on the rings") == {"share": [0.05, 0.9], "data": ["rings"]}
    assert read("The loss is 0.3 there, and 7 points are wrong.") == {}
    assert read("with π at 20 %, five steps") == {"share": [0.2], "k": [5]}


@pytest.mark.slow
@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_a_film_has_the_settings_that_its_chapter_names(chapter):
    """With fewer frames than any explorer has room for, what the text asks a reader to set is there."""
    for name in (n for n, make in REGISTRY.items() if make.__module__.endswith(f".{chapter.slug}")):
        shown, every, start = frames.ready(name)
        asked = settings.named(name, every, shown.controls, start)
        ends = {key: sorted({0, start[key], len(values) - 1}) for key, values in every.items()}
        planned = list(frames.planned(ends, {}, start, asked))
        assert [setting for setting in asked if setting not in planned] == []
        for setting in asked:
            assert all(0 <= place < len(every[key]) for key, place in setting.items())


def test_chapters_name_settings_of_their_explorers():
    shown, every, start = frames.ready("decision_band")
    asked = settings.named("decision_band", every, shown.controls, start)
    values = [{key: frames.readout(shown.controls[key], every[key][k]) for key, k in s.items()} for s in asked]
    assert {"scale": "0.1", "turn": "0"} in values
    assert {"scale": "10", "turn": "0"} in values
    assert {"scale": "1", "turn": "60"} in values


def test_a_difference_painted_over_the_still_gives_the_picture():
    shown = REGISTRY["soft_margin"]()
    still = shown.snapshot()[0]
    picture = shown.snapshot(C=0.1)[0]
    x, y, text = frames.difference(picture, still)
    again = _painted(still, x, y, text)
    assert abs(again.astype(int) - picture).mean() < 0.3
    same = (picture == still).all(axis=2)
    assert (again[same] == still[same]).all()
    assert frames.difference(still, still) == (0, 0, "")


def _painted(still, x, y, text):
    import base64
    import io

    from PIL import Image

    patch = np.asarray(Image.open(io.BytesIO(base64.b64decode(text))))
    again = still.copy()
    part = again[y : y + patch.shape[0], x : x + patch.shape[1]]
    part[patch[..., 3] > 0] = patch[patch[..., 3] > 0][:, :3]
    return again


def test_a_snapshot_moves_no_control_and_shows_what_the_live_explorer_shows():
    shown, other = REGISTRY["soft_margin"](), REGISTRY["soft_margin"]()
    before = shown.values()
    pixels, words, labels = shown.snapshot(C=0.1)
    assert shown.values() == before
    other.controls["C"].value = 0.1
    assert words in html.unescape(re.sub(r"</?b>", "**", other.readout.value))
    assert labels == [control.description for control in other.controls.values()]
    assert pixels.shape[2] == 3


def test_a_film_is_kept_until_what_is_behind_it_changes(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(frames, "film", lambda name: made.append(name) or {"name": name})
    assert frames.write("soft_margin", tmp_path)
    assert not frames.write("soft_margin", tmp_path)
    monkeypatch.setattr(frames, "key", lambda name: "another")
    assert frames.write("soft_margin", tmp_path)
    assert made == ["soft_margin"] * 2
    assert frames.read(tmp_path / "soft_margin.js") == {"name": "soft_margin"}


def test_what_is_behind_a_film():
    files = {path.relative_to(ROOT).as_posix() for path in frames.behind("soft_margin")}
    assert {"mlteach/explore/svm.py", "mlteach/svm/smo.py", "mlteach/plots.py", "mlteach/publish/frames.py"} <= files
    assert "mlteach/explore/decision_trees.py" not in files


# --- The book --------------------------------------------------------------------------------------------------------

PLACES = book.targets(NOTEBOOKS)


def test_references_become_links():
    mine, other = "05_optimization", "04_linear_regression"
    places = {("eq", "5.3"): mine, ("fig", "4.1"): other, ("sec", "5.6.1"): mine}
    text = "By (5.3), Figure 4.1 and 5.6.1; not (9.9), not `(5.3)`, not $(5.3)$, not 1.5.6.1.2."
    linked = book.linked(text, "05_optimization", places)
    assert linked == (
        'By <a href="#eq-5-3">(5.3)</a>, <a href="04_linear_regression.html#fig-4-1">Figure 4.1</a> and '
        '<a href="#sec-5-6-1">5.6.1</a>; not (9.9), not `(5.3)`, not $(5.3)$, not 1.5.6.1.2.'
    )


def test_formulas_keep_their_number_and_their_signs():
    page = book.text_cell("Then\n\n$$a<b\\tag{5.3}$$\n\nand so on.", "05_optimization", {})
    assert '<div class="math notranslate nohighlight" id="eq-5-3">\\[a&lt;b\\tag{5.3}\\]</div>' in page
    quoted = book.text_cell("> **Watch out.** So\n>\n> $$a\\tag{5.4}$$\n>\n> it is.", "05_optimization", {})
    assert all(line.startswith(">") for line in quoted.splitlines() if line)


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_every_reference_to_an_equation_has_its_equation(chapter):
    """A number in brackets that looks like an equation of a written chapter is one."""
    stem = chapter.notebook[10:-6]
    known = {number for kind, number in PLACES if kind == "eq"}
    mine = {int(number.split(".")[0]) for number in known}
    for cell in NOTEBOOKS[stem]["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        text = "".join(part for k, part in enumerate(book.LEAVE.split("".join(cell["source"]))) if k % 2 == 0)
        for number in re.findall(r"(?:by|from|of|in|and|to|into) \((\d+\.\d+)\)", text):
            assert number in known or int(number.split(".")[0]) not in mine, text


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_the_page_of_a_chapter_has_its_explorers_tasks_and_formulas(chapter):
    stem = chapter.notebook[10:-6]
    page = book.page(NOTEBOOKS[stem], stem, PLACES)
    text = "\n".join("".join(c["source"]) for c in page["cells"])
    outputs = [output for cell in page["cells"] for output in cell.get("outputs", [])]
    shown = "\n".join("".join(output.get("data", {}).get("text/html", "")) for output in outputs)
    mine = {name for name, make in REGISTRY.items() if make.__module__.endswith(f".{chapter.slug}")}
    assert set(re.findall(r'<ml-explorer[^>]* name="(\w+)"', shown)) == mine
    equations = {number for (label, number), where in PLACES.items() if label == "eq" and where == stem}
    assert set(re.findall(r'id="eq-([\d-]+)"', text)) == {n.replace(".", "-") for n in equations}
    assert "$$" not in text
    assert "Run All Cells" not in page["cells"][0]["source"]
    checks = [c for c in NOTEBOOKS[stem]["cells"] if kind(c) == "task"]
    assert not checks or "<summary>Solution</summary>" in shown


def test_a_page_opens_with_the_points_of_its_chapter():
    page = book.page(NOTEBOOKS["12_decision_trees"], "12_decision_trees", PLACES)
    told = page["cells"][1]["source"]
    points = [s.point for s in slides.sections(NOTEBOOKS["12_decision_trees"]["cells"]) if s.point]
    assert re.findall(r"^- (.+) <a href=\"#sec-[\d-]+\">[\d.]+</a>$", told, re.M) == points
    assert f"The chapter in {len(points)} sentences" in told
    assert (
        book.story({"cells": [{"cell_type": "markdown", "metadata": {}, "source": "## 0.1 · Start\n\nNo point."}]})
        == ""
    )


def test_a_page_is_polished():
    head = "<head><title>A</title></head>"
    fold = '<summary aria-label="Toggle hidden content"><h3>5.2 <a class="headerlink" href="#a">¶</a></h3>'
    page = f'{head}{fold}<p>By <a href="#eq">(5.1)</a></p></summary><p class="caption" role="heading">x</p>'
    page += (
        '<thead><tr class="r"><th class="head"></th>\n<th class="head"></th></tr></thead><tr><th></th><th>b</th></tr>'
    )
    page += '<aside class="toc-drawer"></aside><div id="search-results"></div>'
    page += '<pre><span class="n">a</span><span class="o">=</span><span class="p">(</span></pre>'
    text = book.polished(page, 'A "b"')
    assert '<aside class="toc-drawer" aria-label="On this page">' in text
    assert '<h1>Search</h1><div id="search-results">' in text
    assert '<pre>a<span class="o">=</span>(</pre>' in text
    assert "<summary><h3>5.2 </h3><p>By (5.1)</p></summary>" in text
    assert 'role="heading" aria-level="2"' in text
    assert "<thead>" not in text
    assert "<td></td><th>b</th>" in text
    assert '<meta name="description" content="A &quot;b&quot;"></head>' in text
    assert 'rel="icon"' in text


def test_what_the_search_knows():
    known = {section["page"]: section for section in book.sections(NOTEBOOKS)}
    means = known["21_clustering.html#sec-21-2"]
    assert means["heading"] == "21.2 · k-means"
    assert means["point"].startswith("k-means takes turns")
    assert means["chapter"] == "21 · Clustering"
    assert any("entropy" in s["terms"].lower() for s in known.values() if s["page"].startswith("12_"))
    numbered = {f"{stem}.html#{book.anchor('sec', n)}" for (kind, n), stem in PLACES.items() if kind == "sec"}
    assert numbered <= set(known)
    assert not [s for s in known.values() if "$$" in s["text"] or "<details" in s["text"]]


# --- Slides ----------------------------------------------------------------------------------------------------------


WORDS = {
    "card": 115,
    "contents": 85,
    "divider": 100,
    "predict": 100,
    "turn": 90,  # with an answer that says what its values are
    "answer": 85,
    "shown": 130,
    "shown point": 130,
}


def deck_of(chapter):
    return slides.deck(NOTEBOOKS[chapter.notebook[10:-6]])


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_a_deck_is_neither_short_nor_wordy(chapter):
    deck = deck_of(chapter)
    length = sum(m for _, m in minutes(NOTEBOOKS[chapter.notebook[10:-6]]["cells"]))
    assert len(deck) <= max(60, length / 2.5)  # three hours of chapter 03 are two lectures
    assert len(deck) >= 40 or chapter.number == 0
    assert not [(s.headline, n) for s in deck if (n := slides.seen_words(s.content)) > WORDS.get(s.kind, 60)]
    kinds = {s.kind.split()[0] for s in deck}
    assert chapter.number == 0 or kinds >= set(
        "title contents figure predict explorer answer code turn formula card".split()
    )


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_every_definition_and_result_and_every_point_of_the_core_is_on_a_slide(chapter):
    """A slide has each formula that opens a section, or that the card, a point or another section cites."""
    notebook = NOTEBOOKS[chapter.notebook[10:-6]]
    deck, wanted = slides.deck(notebook), slides.marked(notebook["cells"])
    shown = {number for s in deck for number in numbers(html.unescape(s.content), "eq")}
    assert wanted <= shown
    assert chapter.number == 0 or len(wanted) >= 8
    headlines, told = {s.headline for s in deck}, "\n".join(note for s in deck for note in s.notes)
    everything = set()
    for section in slides.sections(notebook["cells"])[1:]:
        text = "\n".join(cell["source"] for _, cell in section.cells if cell["cell_type"] == "markdown")
        everything |= set(numbers(re.sub(r"<details.*?</details>|^>.*$", "", text, flags=re.S | re.M), "eq"))
        assert not section.point or section.point in headlines or section.point in told
    assert len(everything - shown) <= 1  # of those that nothing cites, at most one is left to the notes


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_no_formula_is_bare_and_no_notes_are_empty(chapter):
    points = {section.point for section in slides.sections(NOTEBOOKS[chapter.notebook[10:-6]]["cells"])}
    for slide in deck_of(chapter):
        assert any(note.strip() for note in slide.notes), slide
        if slide.kind == "formula":
            assert "<p>" in slide.content or slide.headline in points, slide
            opening = re.sub(r"<[^>]+>", "", slide.content)
            assert slide.headline in points or not slides.GOES_ON.match(opening), slide


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_questions_have_their_answers(chapter):
    """A prediction is followed by its explorer and that by the answer; a task for the room uncovers its answer."""
    deck = deck_of(chapter)
    for slide, following in itertools.pairwise(deck):
        if slide.kind == "predict" and following.section == slide.section:
            assert following.kind in ("explorer", "predict", "figure", "formula", "code", "answer"), slide
        if slide.kind == "turn":
            assert (
                'class="fragment"' in slide.content
                or any("**Answer.**" in note for note in slide.notes)
                or following.kind == "code answer"
            )
        if slide.kind in ("answer", "shown"):
            assert 'class="fragment"' in slide.content, slide
    assert sum(s.kind == "answer" for s in deck) >= sum(s.kind == "explorer" for s in deck) / 2


def test_answers_say_what_their_values_are():
    assert slides._answers("2.e")[0].startswith("Recall: 0.75; Precision: 0.6; Specificity: 0.875")
    assert slides._answers("16.h")[0].startswith("List of votes: [2, 1, 2, 1]; The one class")
    base.load()
    tasks = [task for task in base.REGISTRY if re.fullmatch(r"\d+\.[a-z]", task)]
    answers = [words for words, source in map(slides._answers, tasks) if not source]
    bare = [words for words in answers if re.match(r"[-\d]", words)]  # parts of one tuple have no names
    assert len(bare) <= len(answers) / 15


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_all_prose_of_the_core_is_in_the_notes(chapter):
    notebook = NOTEBOOKS[chapter.notebook[10:-6]]
    told = " ".join(" ".join(" ".join(s.notes).split()) for s in slides.deck(notebook))
    for section in slides.sections(notebook["cells"])[1:]:
        for _, cell in section.cells:
            text = cell["source"]
            if cell["cell_type"] == "markdown" and text and not text.startswith(("*Figure", "<details")):
                assert " ".join(text.split())[-60:] in told


def test_sentences_and_questions():
    text = 'One. "Two. Three." Is $a. B$ four? (Five.)'
    assert slides.split(text) == ["One.", '"Two.', 'Three."', "Is $a. B$ four?", "(Five.)"]
    content = slides._question("**Predict.** Set it. It (a) grows, (b) falls, or (c) stays.")
    assert "<li>grows</li><li>falls</li><li>stays</li>" in content
    apart = "**Predict.** Nobody knows the data. Where does it end? (a) At 3. (b) At 12. (c) Nowhere. And why?"
    assert "<li>At 3</li><li>At 12</li><li>Nowhere</li></ol>" in slides._question(apart)
    assert '<p class="also">And why?</p>' in slides._question(apart)
    assert "<li>" not in slides._question(
        "**Predict.** As $C$ falls, it (a) grows (b) falls, and the rest (a) falls (b) grows."
    )


CELLS = [
    "# 05 · Title\n\n**Promise.** Much.\n\n**You will be able to**\n\n- walk;\n- stop.",
    "## 5.1 · Start\n\n**It is so.**\n\nA bowl has one lowest place. So it holds that\n\n$$a\\tag{5.1}$$\n\nand more.",
    "**Your turn 5.a** (two minutes). Where does (5.1) lead?",
    '> **Watch out.** "All is well." It is not: nothing holds here.',
    "## 5.2 · In one minute\n\n| | |\n| --- | --- |\n| **Model** | a bowl |\n| **Where next** | [06](06.ipynb) |",
]


def test_a_slide_states_the_point_over_its_evidence():
    deck = slides.deck({"cells": [_text(cell) for cell in CELLS]})
    assert [s.kind for s in deck] == ["title", "contents", "formula", "turn", "watch", "card", "card"]
    assert [s.headline for s in deck[1:5]] == ["You will be able to", "It is so.", "Your turn", "True?"]
    assert "A bowl has one lowest place. So it holds that" in deck[2].content  # never "So" without what came before
    assert r"\tag{5.1}" in deck[3].content  # a question shows what it cites
    assert '<p class="fragment">It is not' in deck[4].content
    assert deck[-1].content == "<table><tr><th>Where next</th><td>06</td></tr></table>"
    assert deck[2].section == "5.1 · Start"


FOLDED = "<details><summary>Guess first</summary>\n\n```text\nlong steps: 2 of 9\n✓ short: 9\n```\n\n</details>"
EXPERIMENTS = [
    "# 05 · Title\n\n**Promise.** Much. **You will be able to**\n\n- walk.",
    "## 5.1 · Start\n\n**It goes down.**\n\nA bowl, and\n\n$$a\\tag{5.1}$$",
    "On the board: **1.** look, **2.** step.",
    ("# Blackboard: one step\nstep(1)  # 2.", {"text": "now at 3\n"}),
    "## 5.2 · How far\n\n**Long steps fail.**\n\nTen bowls (deep ones).",
    "**Predict.** How many: (a) none, (b) two, (c) nine?",
    ("with guess_first():\n    run()", {"data": {"text/markdown": FOLDED}}),
    "<details><summary><b>What you should have seen</b></summary>\n\n(b). Two (or ten. Or so). It is.\n\n</details>",
    '> **Watch out.** "Steps are long" is half true.',
]


def test_a_question_shows_the_explorer_that_it_cites_unless_it_comes_next():
    begin = [_text(CELLS[0]), _text("## 5.1 · Start\n\n**It is so.**\n\nA bowl.")]
    shown = _code("from mlteach import explore\nexplore.first_fit()", {"data": {"image/png": "x"}})
    number = book.figure_number("first_fit")
    asked, turn = f"**Predict.** Figure {number}: up or down?", f"**Your turn 0.a** (a minute). Read Figure {number}."
    deck = slides.deck({"cells": [*begin, _text(asked), shown, _text(turn)]})
    assert "still:first_fit" not in next(s.content for s in deck if s.kind == "predict")
    assert 'src="still:first_fit"' in next(s.content for s in deck if s.kind == "turn")


def test_an_experiment_is_evidence_and_is_told():
    """What is printed, folded or not, is uncovered under the question or stands in the notes, without confirmations."""
    deck = slides.deck({"cells": [_text(c) if isinstance(c, str) else _code(*c) for c in EXPERIMENTS]})
    assert [s.kind for s in deck] == ["title", "contents", "formula", "code", "shown point", "watch"]
    assert deck[0].content == '<p class="promise">Much.</p>'
    assert deck[3].notes == (EXPERIMENTS[2], "```text\nnow at 3\n```")  # the steps are said with the code
    assert deck[2].notes[-1].endswith("$$")
    assert deck[4].headline == "Long steps fail."
    assert deck[4].content.startswith("<p>Ten bowls (deep ones).</p>")
    assert '<pre class="printed fragment">long steps: 2 of 9</pre>' in deck[4].content
    assert deck[4].content.endswith('<p class="fragment">(b). Two (or ten. Or so). It is.</p>')
    assert deck[5].headline == "Watch out"
    assert "is half true" in deck[5].content


def test_long_lines_that_are_printed_are_smaller_and_still_legible():
    for n, size in ((80, None), (108, 25.8)):
        shown = slides._printed([(0, _code("run()", {"text": "x" * n}))])
        found = re.search(r"font-size:([\d.]+)em", shown)
        assert (40 * float(found[1]) if found else None) == (size and pytest.approx(size, abs=0.1))


def test_code_of_which_nothing_is_said_says_its_comments():
    slide = slides.Slide("code", "It ends.", slides.code("# Blackboard: one step\nstep(1)  # 2. down"), ("",), 3)
    assert slides.spoken(slide).notes == ("Blackboard: one step:\n\n- 2. down",)


def test_a_sentence_that_goes_on_brings_the_step_before():
    ((shown, _),) = slides.formulas("$$a$$\n\nwhich is positive wherever it is defined:\n\n$$b\\tag{5.1}$$")
    assert re.findall(r"\\\[(.)", shown) == ["a", "b"]
    ((shown, _),) = slides.formulas(
        "Each step of it then shrinks the gap:\n\n$$a$$\n\nSet it to zero:\n\n$$b\\tag{5.1}$$"
    )
    assert re.findall(r"<p>(.)|\\\[(.)", shown) == [("E", ""), ("", "a"), ("S", ""), ("", "b")]
    ((shown, _),) = slides.formulas("$$a$$\n\nk-means finds this in a few rounds:\n\n$$b\\tag{5.1}$$")
    assert re.findall(r"\\\[(.)", shown) == ["b"]


def test_a_formula_brings_what_says_what_its_letters_are():
    told = "Look. Let $V$ be the best value, and $m$ the mean. Nobody minds. A pull of one of the two arms is worth"
    assert slides.lead(told, "m + V").startswith("Let $V$")
    assert slides.lead(told, "q + r") == "A pull of one of the two arms is worth"
    loop = "Let it stay with probability $p$. He goes left. (Nobody else plays.) An episode has $p^k$ and so"
    assert slides.lead(loop, "p").startswith("Let it stay")
    assert "Nobody" not in slides.lead(loop, "p")
    assert slides.lead("The rule writes one number in two ways. Set them equal and divide by it all:") == (
        "The rule writes one number in two ways. Set them equal and divide by it all:"
    )


def test_a_formula_ends_its_sentence():
    ((shown, _),) = slides.formulas("The mean is\n\n$$a,\\tag{5.1}$$\n\nwhere $a$ counts the pulls. More.")
    assert re.search(r"\\\[a,\\tag\{5.1\}\\\]</div><p>where .+ counts the pulls\.</p>$", shown)
    ((shown, _),) = slides.formulas("The mean is\n\n$$a,\\tag{5.1}$$\n\nfor six points:")
    assert shown.endswith("\\[a\\tag{5.1}\\]</div>")
    ((shown, _),) = slides.formulas("The mean is\n\n$$a.\\tag{5.1}$$\n\nMore.")
    assert "More" not in shown


def test_a_formula_without_a_number_that_defines_a_term_has_a_slide():
    cells = [CELLS[0], "## 5.2 · Stretch\n\n**It grows.**\n\nIts **condition number** is\n\n$$c.$$\n\nMore.\n\n$$d.$$"]
    (first,) = slides.deck({"cells": [_text(cell) for cell in cells]})[2:]
    assert (first.kind, first.headline) == ("formula", "It grows.")
    assert re.findall(r"\\\[(.)", first.content) == ["c"]
    cells[1] = cells[1].replace("$$d.$$", "$$d.\\tag{5.1}$$")
    (first,) = slides.deck({"cells": [_text(cell) for cell in cells]})[2:]
    assert re.findall(r"\\\[(.)", first.content) == ["d"]


def test_a_part_states_the_point_of_its_section():
    """And the first section, which has none, its question."""
    cells = [
        "# 05 · Title\n\n**Promise.** Much.",
        "## 5.1 · A problem\n\n**Which line is best?**",
        "## 5.2 · Descent\n\n**It falls.**\n\n### 5.2.1 · How far\n\nHere.",
        "### 5.2.2 · Why\n\n**So it is.**\n\nHere.\n\n### No number\n\nHere.",
    ]
    core = slides.sections([_text(cell) for cell in cells])[1:]
    headlines = [slides.headline(core, k) for k in range(len(core))]
    assert headlines == ["Which line is best?", "It falls.", "It falls.", "So it is.", "So it is."]


def test_a_question_that_begins_a_section_says_what_it_is_about():
    about = " ".join(["A box holds cards of two colours, and you draw from it with your eyes closed."] * 4)
    cells = ["## 5.2 · Draw\n\n**It is even.**\n\n" + about, "**Predict.** Which colour? (a) Red. (b) Blue."]
    cells += ["Each card has a chance of\n\n$$a\\tag{5.1}$$"]
    first, *_ = slides.deck({"cells": [_text(cell) for cell in [CELLS[0], *cells]]})[2:]
    assert first.kind == "predict"
    assert first.content.startswith("<p>A box holds")
    assert "It is even" not in first.content
    cells[1] = "**Your turn 5.a** (two minutes). Which colour?"
    found = slides.deck({"cells": [_text(cell) for cell in [CELLS[0], *cells]]})[2:]
    assert [(s.kind, s.headline) for s in found[:2]] == [("text", "It is even."), ("turn", "Your turn")]


@pytest.mark.parametrize("chapter", WRITTEN[1:], ids=lambda c: c.slug)
def test_headlines_over_evidence_are_statements_or_questions(chapter):
    for slide in deck_of(chapter):
        if slide.kind in ("formula", "figure", "code", "text", "answer", "shown point"):
            assert re.search(r"[.?)]$", slide.headline), slide.headline


def test_formulas_share_a_slide_as_far_as_they_stay_large():
    low, high = (
        "$$a\\tag{5.1}$$",
        r"$$\sum_k\frac{a}{b}\\\\\sum_k\frac{a}{b}\\\\\sum_k\frac{a}{b}\\\\\sum_k c\tag{5.2}$$",
    )
    for second, n in ((low.replace("5.1", "5.2"), 1), (high, 2)):
        text = f"One sees here that it is so:\n\n{low}\n\nAnd all of us add that up:\n\n{second}"
        cells = [_text(CELLS[0]), _text(f"## 5.1 · Start\n\n**It is so.**\n\n{text}")]
        assert sum(s.kind == "formula" for s in slides.deck({"cells": cells})) == n
    assert slides.height("<p>A line</p>", "Short") < slides.height("<p>A line</p>", "A long headline " * 9)


def test_what_stands_between_two_questions_is_asked_too():
    asked = slides._question("**Predict.** Raise $c$: is it better? Then let every value drift. Which is ahead now?")
    assert asked.endswith('<p class="also">Then let every value drift. Which is ahead now?</p>')


def test_several_questions_and_their_answers_are_lists():
    asked = slides._question("**Predict.** Set it.\n\n1. It (a) grows, (b) falls.\n2. Is it (a) red, (b) blue?")
    assert asked.endswith("<ol><li>It (a) grows, (b) falls.</li><li>Is it (a) red, (b) blue?</li></ol>")
    answer = slides._fragment("1. (b). It falls. And so on.\n2. (a).\n\nMore.", 6)
    assert answer == '<div class="fragment"><ol><li>(b). It falls.</li><li>(a).</li></ol></div>'
    assert slides._up_to("One is here. Two (three. Four) is there.", 5) == "One is here."


def test_what_a_section_loses_is_said_in_that_section():
    deck = [
        slides.Slide(kind, "", "", (kind,), 0, name) for kind, name in (("figure", "a"), ("turn", "b"), ("card", "b"))
    ]
    assert [s.notes for s in slides.fewer(deck, 2)] == [("figure",), ("turn", "card")]


def test_a_mark_makes_a_slide_a_note():
    cells = [*map(_text, CELLS[:2]), _text("And this is so:\n\n$$b\\tag{5.2}$$", "notes")]
    deck = slides.deck({"cells": cells})
    assert [s.kind for s in deck] == ["title", "contents", "formula"]
    assert "tag{5.2}" in deck[-1].notes[-1]


def test_a_deck_that_is_too_long_gives_up_questions_first():
    kinds = ["formula", "watch", "turn", "figure", "watch", "explorer"]
    deck = [slides.Slide(kind, str(k), "", (f"note {k}",), k) for k, kind in enumerate(kinds)]
    left = slides.fewer(deck, 4)
    assert [s.kind for s in left] == ["formula", "turn", "figure", "explorer"]
    assert left[0].notes == ("note 0", "note 1")
    assert slides.fewer(deck, 1)[-1].kind == "explorer"


def test_the_mark_survives_the_normal_form():
    cells = [_text("Some text", mark) for mark in ("notes", "slide")]
    again = normalise({"cells": cells, "metadata": {}})["cells"]
    assert [c["metadata"]["slideshow"]["slide_type"] for c in again] == ["notes", "-"]


def _text(source, mark="-"):
    return {"cell_type": "markdown", "source": source, "metadata": {"slideshow": {"slide_type": mark}}}


def _code(source, output):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [output]}


def test_read_out_of_a_choice():
    assert frames.readout(choice("kernel", ["linear", "RBF"]), "RBF") == "RBF"
    assert frames.readout(W.FloatLogSlider(readout_format=",.3r"), 2511.886) == "2,510"


def test_films_are_json():
    film = frames.film("pruning_steps")
    assert json.loads(json.dumps(film)) == film
    assert len(film["frames"]) == len(film["controls"][0]["stops"])


# --- Colours ---------------------------------------------------------------------------------------------------------

HEX = re.compile(r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3})\b", re.IGNORECASE)
STYLES = [path for path in book.HERE.rglob("*") if path.suffix in (".css", ".js", ".html")]
SOURCES = [path for path in (ROOT / "mlteach").rglob("*.py") if path != ROOT / "mlteach" / "plots.py"]


def test_colours_stand_in_plots_alone():
    found = {path.name: HEX.findall(path.read_text(encoding="utf-8")) for path in STYLES + SOURCES}
    assert {name: colours for name, colours in found.items() if colours} == {}, "name them in mlteach/plots.py"
    assert len(STYLES) >= 6
    assert len(SOURCES) > 100


def test_notebooks_take_their_colours_from_plots():
    cells = [(name, cell) for name, notebook in NOTEBOOKS.items() for cell in notebook["cells"]]
    code = [(name, "".join(cell["source"])) for name, cell in cells if cell["cell_type"] == "code"]
    assert {name: HEX.findall(source) for name, source in code if HEX.search(source)} == {}, "name them in plots.py"


def test_every_colour_has_one_name_and_pages_know_those_they_use():
    assert len(set(COLOURS.values())) == len(COLOURS)
    known = dict(re.findall(r"--([a-z-]+): (#\w+);", book.colours()))
    assert known["light-blue"] == COLOURS["LIGHT_BLUE"]
    assert len(known) == len(COLOURS)
    used = {name for path in STYLES for name in re.findall(r"var\(--([\w-]+)", path.read_text(encoding="utf-8"))}
    assert {name for name in used if not name.startswith(("color-", "content-", "font-"))} <= set(known)
    assert {"blue", "orange", "orange-words"} <= used
