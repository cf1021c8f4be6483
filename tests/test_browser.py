"""Real JupyterLab in real Chromium: notebooks run, sliders move pictures, explorers fit, and are there the next day.

Three chapters run as a whole, two of them on a user's machine. The explorers of all chapters run and move in two
notebooks of nothing else: that is what only a browser can show. That all cells of all chapters run, with the outputs
that are committed, and that an explorer's cell needs no other, is tested without one.
"""

import json
import os
import shutil

import lab
import pytest
from playwright.sync_api import TimeoutError as NothingChanged

from mlteach.chapter import EXPLORER, explorers, is_text, read, shows_yours, source
from mlteach.course import DATA, ROOT, chapters
from mlteach.explore import REGISTRY
from mlteach.notebooks import METADATA
from mlteach.saving import WIDGET

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.find_chromium() is None and os.environ.get("CI") != "true", reason="NO CHROMIUM FOUND"),
]
EXPLORERS = [sorted(REGISTRY)[half::2] for half in (0, 1)]  # in two notebooks, for two processes
WHOLE = {"start_here": [], "optimization": [], "svm": [pytest.mark.slow]}  # the chapters that run as a whole
# The picture of the first explorer that has a slider; one with buttons only may stand before it.
PICTURE = "() => document.querySelector('.mlteach-explorer:has(.noUi-handle) img').src"
LISTS_FIT = """() => { const edge = node => node.getBoundingClientRect().right;
    const lists = [...document.querySelectorAll('.jp-OutputArea-output .widget-dropdown select')].slice(0, 2);
    return lists.length == 2 && lists.every(s => edge(s) <= edge(s.closest('.jp-OutputArea-output'))); }"""
SLOW = """
import time
from mlteach import plots
from mlteach.explore.base import Scene, explorer, whole
calls = []
class Slow(Scene):
    caption = "A slow explorer"
    def __init__(self):
        self.figure, ax = plots.canvas(size=(3, 2))
        self.dot, = ax.plot([0], [0], "o")
        self.moving, self.controls = [self.dot], {"k": whole("value k", 0, 0, 100)}
    def compute(self, k):
        calls.append(k)
        time.sleep(0.15)
        return k
    def draw(self, k):
        self.dot.set_ydata([k / 100])
    def describe(self, k):
        return f"value {k} after {len(calls)} computations in all"
explorer(Slow)()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        shutil.copy(path, folder)
    (folder / "slow.ipynb").write_text(_notebook([SLOW]))
    (folder / "gallery.ipynb").write_text(_notebook(["from mlteach import explore\nexplore.gallery()"]))
    for half, names in enumerate(EXPLORERS):
        cells = [f"from mlteach import explore\nexplore.{name}()" for name in names]
        (folder / f"explorers_{half}.ipynb").write_text(_notebook(cells))
    return folder


@pytest.fixture(scope="module")
def address(folder):
    with lab.serve(folder) as address:
        yield address


@pytest.fixture(scope="module")
def reader():
    with lab.chromium() as program:
        yield program.new_context()


@pytest.fixture
def page(reader):
    with lab.tab(reader) as page:
        yield page


# The longest tests stand first: two processes share them all, and none should be alone with one at the end.

# Height and picture's width of each explorer, and whether something of it is cut off.
SIZES = """() => [...document.querySelectorAll('.mlteach-explorer')].map(e => {
    const picture = e.querySelector('img'), shape = picture.naturalWidth / picture.naturalHeight;
    return {height: e.clientHeight, wide: Math.min(picture.clientWidth, picture.clientHeight * shape),
            cut: e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1}; })"""


# The first thing of an explorer that one can move: a slider; where there is none, a button or a box.
FIRST = [".noUi-handle", ".widget-toggle-buttons button:not(.mod-active)", "input[type=checkbox]"]


@pytest.mark.slow
@pytest.mark.parametrize("half", [0, 1])
def test_every_explorer_fits_uses_the_window_and_moves(half, address, page):
    names = EXPLORERS[half]
    page.set_viewport_size({"width": 1280, "height": 800})
    lab.open_notebook(page, address, f"explorers_{half}.ipynb")
    lab.run_all(page, timeout=3 * lab.PATIENCE)
    page.wait_for_function(
        f"() => document.querySelectorAll('.mlteach-explorer img[src]').length == {len(names)}", timeout=60_000
    )
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    small = dict(zip(names, page.evaluate(SIZES)))
    assert not {name: size["height"] for name, size in small.items() if size["height"] > 679 or size["cut"]}
    assert not {name: size["wide"] for name, size in small.items() if size["wide"] < 600}
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_timeout(1000)
    large = dict(zip(names, page.evaluate(SIZES)))
    assert not {name: size["height"] for name, size in large.items() if size["height"] > 959 or size["cut"]}
    assert not {name for name, size in large.items() if size["wide"] < 1.25 * small[name]["wide"]}
    assert [name for place, name in enumerate(names) if not _moves(page, place)] == []


def _moves(page, place):
    """Move the first control of an explorer to its other end, and return whether the picture becomes another one."""
    explorer = page.locator(".mlteach-explorer").nth(place)
    control = next(found.first for found in map(explorer.locator, FIRST) if found.count())
    before = explorer.locator("img").get_attribute("src")
    if control.get_attribute("role") == "slider":
        control.focus()
        highest = control.get_attribute("aria-valuenow") == control.get_attribute("aria-valuemax")
        page.keyboard.press("Home" if highest else "End")
    else:
        control.click()
    changed = "([place, was]) => document.querySelectorAll('.mlteach-explorer')[place].querySelector('img').src != was"
    try:
        page.wait_for_function(changed, arg=[place, before], timeout=20_000)
    except NothingChanged:
        return False
    return True


@pytest.mark.slow
def test_pictures_are_there_the_next_day(folder, address, page):
    some = [chapter for chapter in chapters() if chapter.slug in WHOLE]
    for chapter in some:
        kept = folder / f"kept_{chapter.slug}.ipynb"
        shutil.copy(ROOT / chapter.notebook, kept)
        before = kept.stat().st_mtime_ns
        lab.open_notebook(page, address, kept.name)
        lab.run_cells(page, _places(chapter))
        page.keyboard.press("Control+s")
        lab._wait(lambda kept=kept, before=before: kept.stat().st_mtime_ns != before, 20)
        assert WIDGET not in kept.read_text(encoding="utf-8")
    with lab.serve(folder) as tomorrow:
        for chapter in some:
            lab.open_notebook(page, tomorrow, f"kept_{chapter.slug}.ipynb")
            page.wait_for_selector(".jp-RenderedImage img", timeout=60_000)
            page.wait_for_timeout(2000)  # a widget that is not found takes a moment to say so
            assert page.locator(".jp-RenderedImage img").count() >= 2
            assert page.locator("text=/Error displaying widget|model not found/").count() == 0


@pytest.mark.parametrize(
    "chapter", [pytest.param(c, id=c.slug, marks=WHOLE[c.slug]) for c in chapters() if c.slug in WHOLE]
)
def test_notebook_in_the_browser(chapter, address, page):
    lab.open_notebook(page, address, os.path.basename(chapter.notebook))
    # Before anything has run, the explorers' still pictures are there.
    page.wait_for_selector(".jp-RenderedImage img", timeout=60_000)
    lab.run_all(page)
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.locator("[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    pictures = page.locator(".jp-OutputArea img.jupyter-widgets")
    pictures.first.wait_for(timeout=60_000)
    assert pictures.count() == len(_places(chapter))
    handle = page.locator(".jp-OutputArea .noUi-handle").first
    for key in ["ArrowRight", "ArrowLeft"] * 3 + ["ArrowRight"]:  # a short slider would come to its end
        lab.press_and_wait(page, handle, PICTURE, key)


def test_the_gallery_shows_a_file_of_the_readers(address, page):
    lab.open_notebook(page, address, "gallery.ipynb")
    lab.run_all(page)
    page.locator("select").filter(has_text="16 Support").last.select_option("16 Support vector machines")
    page.wait_for_selector("text=/Figure 16.2: /")
    page.locator("select").filter(has_text="soft_margin").last.select_option(index=1)
    page.wait_for_selector("text=/Figure 16.6: /")
    page.click("text=Your own data: a CSV file")
    with page.expect_file_chooser() as chooser:
        page.click("button:has-text('CSV file')")
    chooser.value.set_files(DATA / "breast_cancer.csv")
    page.wait_for_selector("text=/breast_cancer.csv: 569 rows/")
    page.locator("select[multiple]").select_option(["mean radius", "mean texture"])
    page.click("button:has-text('Show these columns')")
    page.wait_for_selector("text=/Your data: the street.*Of your 569 rows/")
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    handle = page.locator(".jp-OutputArea .noUi-handle").first
    lab.press_and_wait(page, handle, PICTURE)
    for width in (1024, 1280, 1920):  # at 1280 the arrow of the longer list was cut off
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(LISTS_FIT, timeout=20_000)


@pytest.mark.slow
def test_newest_value_wins(address, page):
    lab.open_notebook(page, address, "slow.ipynb")
    lab.run_all(page)
    handle = page.locator(".jp-OutputArea .noUi-handle").first
    handle.focus()
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    words = page.locator(".jp-OutputArea .mlteach-words")
    page.wait_for_function(
        "() => /value 40 /.test(document.querySelector('.mlteach-words').textContent)", timeout=60_000
    )
    computed = int(words.inner_text().split("after ")[1].split()[0])
    assert computed < 20, "stale values were worked off one by one"


@pytest.mark.slow
def test_an_explorers_cell_works_alone(address, page):
    """By click and key, as a student runs it; the chapters above run theirs without their imports too."""
    lab.open_notebook(page, address, "16_svm.ipynb")
    cell = page.locator(".jp-CodeCell").filter(has_text=EXPLORER).first
    cell.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".mlteach-explorer img", timeout=60_000)
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0


def _notebook(sources):
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**cell, "id": f"cell-{k}", "source": source} for k, source in enumerate(sources)]
    return json.dumps({"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5})


def _places(chapter):
    """Return where the cells of a chapter stand that show an explorer, of the course or the reader's data, or all."""
    code = {place: source(cell) for place, cell in enumerate(read(chapter).cells) if not is_text(cell)}
    assert all(len(explorers(text)) <= 1 for text in code.values())
    return [place for place, text in code.items() if explorers(text) or shows_yours(text)]
