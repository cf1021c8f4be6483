"""Real JupyterLab in real Chromium: each notebook runs without an error and its first slider moves its picture."""

import json
import os
import re
import shutil

import lab
import pytest

from mlteach.course import ROOT, chapters
from mlteach.explore import REGISTRY
from mlteach.notebooks import METADATA

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.find_chromium() is None and os.environ.get("CI") != "true", reason="NO CHROMIUM FOUND"),
]
WRITTEN = [c for c in chapters() if c.written]
PICTURE = "() => document.querySelector('.jp-OutputArea img.jupyter-widgets').src"
SLOW = """
import time
from mlteach import plots
from mlteach.explore.base import Explorer, explorer, whole
calls = []
@explorer
def slow():
    figure, ax = plots.canvas(size=(3, 2))
    dot, = ax.plot([0], [0], "o")
    def compute(k):
        calls.append(k)
        time.sleep(0.15)
        return k
    def describe(k):
        return f"value {k} after {len(calls)} computations in all"
    return Explorer(figure=figure, moving=[dot], controls={"k": whole("value k", 0, 0, 100)}, compute=compute,
                    draw=lambda k: dot.set_ydata([k / 100]), describe=describe, caption="A slow explorer")
slow()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        shutil.copy(path, folder)
    cell = {"cell_type": "code", "id": "slow", "metadata": {}, "source": SLOW, "outputs": [], "execution_count": None}
    slow = {"cells": [cell], "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    (folder / "slow.ipynb").write_text(json.dumps(slow))
    return folder


@pytest.fixture(scope="module")
def address(folder):
    with lab.serve(folder) as address:
        yield address


@pytest.fixture
def page():
    with lab.browser() as page:
        yield page


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_notebook_in_the_browser(chapter, address, page, capsys):
    lab.open_notebook(page, address, os.path.basename(chapter.notebook))
    # Before anything has run, the explorers' still pictures are there.
    page.wait_for_selector(".jp-RenderedImage img", timeout=20_000)
    lab.run_all(page)
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    pictures = page.locator(".jp-OutputArea img.jupyter-widgets")
    pictures.first.wait_for(timeout=20_000)
    assert pictures.count() == len(_explorers(chapter))
    handle = page.locator(".jp-OutputArea .noUi-handle").first
    there_and_back = ["ArrowRight", "ArrowLeft"] * 3 + ["ArrowRight"]  # a short slider would come to its end
    times = sorted(lab.press_and_wait(page, handle, PICTURE, key) for key in there_and_back)
    with capsys.disabled():
        print(f"\n{chapter.slug}: key press to changed picture, median {times[3]:.0f} ms")


def test_newest_value_wins(address, page):
    lab.open_notebook(page, address, "slow.ipynb")
    lab.run_all(page)
    handle = page.locator(".jp-OutputArea .noUi-handle").first
    handle.focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    words = page.locator(".jp-OutputArea [role=status]")
    page.wait_for_function(
        "() => /value 40 /.test(document.querySelector('[role=status]').textContent)", timeout=20_000
    )
    computed = int(words.inner_text().split("after ")[1].split()[0])
    assert computed < 20, "stale values were worked off one by one"


def _explorers(chapter):
    cells = json.loads((ROOT / chapter.notebook).read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    return [name for name in re.findall(r"explore\.(\w+)\(\)", code) if name in REGISTRY]
