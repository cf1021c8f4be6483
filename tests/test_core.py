"""The tools around the algorithms: show, self-test cards, the notebooks' normal form, the map, progress."""

import base64
import copy
import inspect
import io
import json
import platform
import re
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import mlteach
from mlteach import chapter, course, notebooks, plots, saving
from mlteach.base import Estimator, Model
from mlteach.course import chapters
from mlteach.explore.base import choice, log_slider
from mlteach.progress import progress
from mlteach.saving import WIDGET, keep_stills
from mlteach.selftest import Card, Deck, selftest
from mlteach.show import Printed, guess_first, show


def test_show_folds_the_source_of_functions_methods_and_classes():
    one = show(Model.get_params)
    assert one[0].text.startswith("def get_params(self")
    assert repr(one).startswith("the shipped Model.get_params: mlteach/base.py, ")
    page = one._repr_markdown_()
    assert page.startswith("<details><summary>the shipped <code>Model.get_params</code> (mlteach/base.py)</summary>")
    assert page.endswith("\n```\n\n</details>")
    assert f"\n\n```python\n{one[0].text}\n```\n\n" in page
    assert one[0].text in inspect.getsource(Model).replace("\n    ", "\n")


def test_show_takes_several_things_and_modules():
    two = show(Estimator, course)
    assert [(s.name, s.file) for s in two] == [
        ("Estimator", "mlteach/base.py"),
        ("mlteach.course", "mlteach/course.py"),
    ]
    assert two._repr_markdown_().count("<details>") == repr(two).count("the shipped") == 2
    assert show(notebooks.course)[0].text == inspect.getsource(course).rstrip()


def test_show_says_what_it_cannot_show():
    for wrong, error, words in (
        (3, TypeError, "got int"),
        (len, TypeError, "show needs a function"),
        (eval("lambda: 1"), ValueError, "kept in a file"),
    ):
        with pytest.raises(error, match=words):
            show(wrong)
    with pytest.raises(TypeError, match="at least one"):
        show()


def test_show_is_for_the_package_not_for_the_notebook(monkeypatch):
    monkeypatch.setattr(cell, "__module__", "__main__")
    with pytest.raises(ValueError, match="cell is defined in this notebook"):
        show(cell)


def test_what_follows_a_prediction_is_printed_folded(capsys):
    with guess_first():
        print("heads:", 3)
        print("tails:", 4)
    assert capsys.readouterr().out == "heads: 3\ntails: 4\n"
    page = Printed("heads: 3\ntails: 4")._repr_markdown_()
    assert page.startswith("<details><summary>Guess first, then open")
    assert page.endswith("\n\n```text\nheads: 3\ntails: 4\n```\n\n</details>")


def test_an_error_is_not_folded():
    with pytest.raises(ValueError, match="no heads"), guess_first():
        raise ValueError("no heads")


def test_cards_escape_html_but_not_mathematics():
    deck = Deck([Card("Is $a<b$ & `x<y`?", "Yes, *because* $\\alpha_i y_i$.", "ours")])
    page = deck._repr_html_()
    assert "<summary><b>1.</b> Is $a&lt;b$ &amp; <code>x&lt;y</code>?</summary>" in page
    assert "<em>because</em> $\\alpha_i y_i$" in page
    assert repr(deck) == "1. Is $a<b$ & `x<y`?\n   Yes, *because* $\\alpha_i y_i$."


def test_unknown_self_test_is_named():
    with pytest.raises(ValueError, match="no self-test 'nonsense'; there are .*start_here"):
        selftest("nonsense")


def cell(kind, source, **more):
    extra = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {"tags": ["x"]}, "id": "random", "source": source, **extra, **more}


def png(color):
    file = io.BytesIO()
    Image.new("RGBA", (3, 2), color).save(file, "png")
    return base64.b64encode(file.getvalue()).decode()


@pytest.fixture
def raw():
    picture = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"image/png": png("red") + "\n", "text/plain": ["<Figure>"]},
    }
    widget = {
        "output_type": "execute_result",
        "execution_count": 7,
        "metadata": {"image/png": {"alt": "Figure 1.2: an explorer"}},
        "data": {
            WIDGET: {"model_id": "f00", "version_major": 2, "version_minor": 0},
            "image/png": png("blue"),
        },
    }
    streams = [{"output_type": "stream", "name": "stdout", "text": t} for t in ("one ", "two\n")]
    cells = [
        cell("markdown", "# 01 · Title"),
        cell("code", "plot()", outputs=[picture]),
        cell("markdown", "*Figure 1.1: what to\nsee.*\n\nMore."),
        cell("code", "print()", outputs=streams),
        cell("code", "print()", outputs=[widget]),
        cell("markdown", ["### 1.1.1 · ", "Sub"]),
    ]
    return {"cells": cells, "metadata": {"widgets": {"state": {}}}, "nbformat": 4, "nbformat_minor": 4}


def test_normal_form(raw):
    cells = notebooks.normalise(raw)["cells"]
    assert raw["metadata"] == notebooks.METADATA
    assert [c["metadata"]["slideshow"]["slide_type"] for c in cells] == ["slide", "-", "-", "-", "-", "subslide"]
    assert cells[1]["outputs"][0]["metadata"]["image/png"]["alt"] == "Figure 1.1: what to see."
    assert cells[3]["outputs"] == [{"output_type": "stream", "name": "stdout", "text": "one two\n"}]
    assert cells[4]["outputs"][0]["metadata"]["image/png"]["alt"] == "Figure 1.2: an explorer"
    assert list(cells[4]["outputs"][0]["data"]) == ["image/png"]
    assert [c["execution_count"] for c in cells if c["cell_type"] == "code"] == [1, 2, 3]
    assert len({c["id"] for c in cells}) == len(cells)


def test_normal_form_is_idempotent_and_survives_its_own_file(raw):
    once = notebooks.to_text(notebooks.normalise(raw))
    assert notebooks.to_text(notebooks.normalise(json.loads(once))) == once


def test_folding_follows_the_first_line(raw):
    sources = [
        "# Confirm (1.1)\nx",
        "# Draw it",
        "# Figure 1.1: a",
        "# Tools of the chapter",
        "x  # Confirm",
        "# Drawer",
        "#",
    ]
    raw["cells"] = [cell("code", source) for source in sources]
    cells = notebooks.normalise(raw)["cells"]
    assert [c["metadata"].get("jupyter") for c in cells] == [{"source_hidden": True}] * 4 + [None] * 3


def test_depth_is_collapsed_and_left_out_of_slides(raw):
    raw["cells"] = [
        cell("markdown", "## 5.2 · Core"),
        cell("markdown", "### 5.2.1 · Deeper: why\n\nRead it if you like proofs."),
        cell("code", "1 + 1"),
        cell("markdown", "#### A step"),
        cell("markdown", "### 5.2.2 · Deeper: more\n\nFor the curious."),
        cell("markdown", "## 5.3 · Next"),
        cell("markdown", "### Deeper: not numbered"),
    ]
    cells = notebooks.normalise(raw)["cells"]
    assert chapter.in_depth(cells) == [False, True, True, True, True, False, False]
    marks = ["slide", "skip", "skip", "skip", "skip", "slide", "subslide"]
    assert [c["metadata"]["slideshow"]["slide_type"] for c in cells] == marks
    assert [i for i, c in enumerate(cells) if c["metadata"].get("jp-MarkdownHeadingCollapsed")] == [1, 4]
    assert notebooks.to_text(notebooks.normalise(json.loads(notebooks.to_text(raw)))) == notebooks.to_text(raw)


def test_only_widgets_with_a_picture_lose_their_view(raw):
    lone = {
        "output_type": "display_data",
        "metadata": {},
        "data": {WIDGET: {"model_id": "a"}, "text/plain": "Slider()"},
    }
    raw["cells"][3]["outputs"] = [lone, {"output_type": "stream", "name": "stdout", "text": "words"}]
    before = copy.deepcopy(raw)
    keep_stills({"type": "notebook", "content": raw}, path="x.ipynb", contents_manager=None)
    del before["cells"][4]["outputs"][0]["data"][WIDGET]
    assert raw == before
    for model in ({"type": "file", "content": "text"}, {"type": "directory", "content": []}, {"type": "notebook"}):
        assert keep_stills(model) is None


def test_a_server_with_the_hook_saves_stills(raw, tmp_path):
    from jupyter_server.services.contents.largefilemanager import LargeFileManager

    manager = LargeFileManager(root_dir=str(tmp_path), pre_save_hook="mlteach.saving.keep_stills")
    raw["nbformat_minor"] = 5
    raw["cells"] = raw["cells"][4:5]
    manager.save({"type": "notebook", "format": "json", "content": raw}, "a.ipynb")
    saved = json.loads((tmp_path / "a.ipynb").read_text())
    assert list(saved["cells"][0]["outputs"][0]["data"]) == ["image/png"]


@pytest.mark.parametrize("manager", ["LargeFileManager", "AsyncLargeFileManager"])
def test_server_extension_opens_with_this_python_and_saves_without_widgets(manager, raw, tmp_path):
    from jupyter_core.utils import ensure_async, run_sync
    from jupyter_server.services.contents import largefilemanager

    raw["metadata"] = {**notebooks.METADATA, "language_info": {"name": "python"}}
    (tmp_path / "a.ipynb").write_text(
        json.dumps(notebooks.normalise(copy.deepcopy(raw)) | {"metadata": raw["metadata"]})
    )
    contents = getattr(largefilemanager, manager)(root_dir=str(tmp_path))
    saving._load_jupyter_server_extension(SimpleNamespace(contents_manager=contents))

    async def reopened():
        model = await ensure_async(contents.get("a.ipynb"))
        version = model["content"]["metadata"]["language_info"]["version"]
        model["content"]["cells"][4]["outputs"][0]["data"][WIDGET] = {"model_id": "x"}
        await ensure_async(contents.save(model, "a.ipynb"))
        return version

    assert run_sync(reopened)() == platform.python_version()
    assert WIDGET not in (tmp_path / "a.ipynb").read_text()


def test_a_corrected_cell_keeps_its_id(raw):
    raw["cells"][2]["id"] = "0123-abc"
    notebooks.normalise(raw)
    before = [c["id"] for c in raw["cells"]]
    assert before[:3:2] == ["random", "0123-abc"]
    raw["cells"][1]["source"], raw["cells"][2]["source"] = "plot(1)", "*Figure 1.1: other words.*"
    raw["cells"].insert(2, {**copy.deepcopy(raw["cells"][2]), "source": "A copy."})
    after = [c["id"] for c in notebooks.normalise(raw)["cells"]]
    assert after[:3] + after[4:] == before  # of two with one id the first keeps it
    assert after[3] not in before


def test_tasks_import_what_they_take_from_the_course():
    task = 'def step(w): ...\n\n\ncheck("5.b", step)'
    whole = notebooks.standing_alone(task)
    assert whole.endswith(task)
    assert whole.startswith(
        "import numpy as np\nfrom mlteach.exercises import check\n"
    )  # our own step is one of numpy's
    assert notebooks.standing_alone(whole) == whole
    assert notebooks.standing_alone("import math\ncheck('0.a', 3)").splitlines()[:2] == [
        "from mlteach.exercises import check",
        "import math",
    ]
    assert notebooks.standing_alone("check(", "markdown") == "check("
    assert notebooks.standing_alone("plot(check)") == "plot(check)"


def test_an_inserted_cell_changes_no_other_id(raw):
    longer = copy.deepcopy(raw)
    longer["cells"].insert(1, cell("markdown", "New."))
    before = [c["id"] for c in notebooks.normalise(raw)["cells"]]
    after = [c["id"] for c in notebooks.normalise(longer)["cells"]]
    assert after[:1] + after[2:] == before


def test_chapters_are_in_order_and_need_only_known_ones():
    chapters = course.chapters()
    assert [c.number for c in chapters] == list(range(33))
    earlier = set()
    for one in chapters:
        assert set(one.needs) <= earlier
        earlier.add(one.slug)


@pytest.mark.parametrize(("w", "b"), [((1, 1), 0), ((1, 0), 0.5), ((0, 1), -0.3), ((-2, 0.5), 0.1)])
def test_line_ends_lie_on_the_line_and_on_the_border(w, b):
    _, ax = plots.canvas()
    ax.set(xlim=(-1, 1), ylim=(-2, 2))
    x, y = plots.line_ends(w, b, ax)
    assert np.allclose(w[0] * x + w[1] * y + b, 0)
    assert np.all((np.isclose(abs(x), 1)) | (np.isclose(abs(y), 2)))
    assert plots.line_ends((1, 0), 9, ax)[0].size == 0
    assert plots.line_ends((0, 0), 1, ax)[0].size == 0


def test_progress_yields_what_it_is_given(monkeypatch, capsys):
    monkeypatch.setenv("MLTEACH_PROGRESS", "0")
    assert list(progress(iter("abc"), "letters", total=3)) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""


def test_controls_keep_their_values():
    assert log_slider("price of slack C", 1.0, 0.01, 1000).value == 1.0
    assert choice("kernel", {"linear": None, "RBF": 1}).value is None
    assert choice("batch", [1, 5], 5).value == 5


# --- docstrings -----------------------------------------------------------------------------------------------


def usual_names():
    """Return the names that the package's own docstring explains once for all."""
    table = [re.split(r"  +", line.strip()) for line in mlteach.__doc__.splitlines() if line.startswith("    ")]
    return {name for row in table for words in row[::2] for name in re.findall(r"\w+", words)}


def shown_in_notebooks():
    """Return what a notebook shows with its source: there the text around it says what goes in."""
    texts = (one.path.read_text(encoding="utf-8") for one in chapters())
    return {name for text in texts for name in re.findall(r"the shipped ([\w.]+): ", text)}


def functions():
    """Yield the module and every public function of every chapter."""
    for one in chapters():
        module = getattr(mlteach, one.slug, None)
        for name, thing in vars(module).items() if module else ():
            if inspect.isfunction(thing) and name[0] != "_" and thing.__module__.startswith(module.__name__):
                yield module, name, inspect.unwrap(thing)


def explained(module, function, seen=()):
    """Return the words of a docstring, and of those that it refers to: `other`."""
    text = inspect.getdoc(function) or ""
    others = [getattr(module, name, None) for name in re.findall(r"`(\w+)`", text)]
    others = [thing for thing in others if callable(thing) and thing not in seen and thing is not function]
    return set(re.findall(r"\w+", text)).union(*(explained(module, f, (*seen, function, *others)) for f in others))


def test_docstrings_name_every_parameter():
    usual, shown, silent = usual_names(), shown_in_notebooks(), []
    assert {"X", "rng", "gamma"} <= usual
    assert "samples" not in usual
    for module, name, function in functions():
        if not {name, function.__module__} & shown:
            missing = set(inspect.signature(function).parameters) - usual - explained(module, function)
            silent += [f"{function.__module__}.{name}: {', '.join(sorted(missing))}"] if missing else []
    assert silent == []
