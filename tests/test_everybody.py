"""Chapters and explorers in JupyterLab for whoever reads them: large letters, small windows, a screen reader, a hurry.

One page shows a few explorers, and each test asks it something else. Zoom is a window of fewer pixels: 1920 x 1080 at
200 % is 960 x 540. What JupyterLab itself does not name (its editors, its list of cells) is not ours to judge.
"""

import os
import shutil

import lab
import pytest
from test_browser import EXPLORER, _notebook, _places

from mlteach.chapter import read, source
from mlteach.course import ROOT, chapters

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("everybody"),
    pytest.mark.skipif(lab.find_chromium() is None and os.environ.get("CI") != "true", reason="NO CHROMIUM FOUND"),
]
SOME = ["first_fit", "attribute_choice", "pruning_steps", "optimizer_race"]  # play, buttons, much below, a logarithm
LOGARITHM = "optimizer_race"
JUDGED = ["start_here", "decision_trees", "autoencoders", "hidden_markov"]
LETTER = 12 / 72 * 125  # of a picture, in its own pixels

# What of an explorer is cut off or smaller than it should be.
LOOK = """() => [...document.querySelectorAll('.mlteach-explorer')].map(e => {
    const picture = e.querySelector('img'), look = getComputedStyle(e);
    const size = node => parseFloat(getComputedStyle(node).fontSize);
    const wide = Math.min(picture.clientWidth, picture.clientHeight * picture.naturalWidth / picture.naturalHeight);
    const hidden = look.overflowY == 'hidden' || look.overflowX == 'hidden';
    return {cut: hidden && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1),
            below: e.scrollHeight - e.clientHeight, beside: e.scrollWidth - e.clientWidth, height: e.clientHeight,
            scale: wide / picture.naturalWidth, words: size(e.querySelector('.mlteach-words')),
            label: size(e.querySelector('.widget-label')), caption: size(e.querySelector('.mlteach-caption'))}; })"""
LIST = "() => document.querySelector('#jp-left-stack').offsetWidth > 0"
COMMAND = "([name, options]) => jupyterapp.commands.execute(name, options)"
VALUES = (
    "() => [...document.querySelector('.mlteach-explorer').querySelectorAll('.noUi-handle')].map(h => h.ariaValueNow)"
)
AXE = """async () => (await axe.run({include: [['.jp-Notebook']], exclude: [['.cm-editor']]},
         {rules: {'aria-required-children': {enabled: false}}})).violations
         .filter(v => ['critical', 'serious'].includes(v.impact))
         .map(v => [v.id, v.nodes.slice(0, 3).map(n => n.html)])"""
SIDEWAYS = """() => [...document.querySelectorAll('.jp-RenderedMarkdown, .jp-OutputArea-output')]
              .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.slice(0, 60))"""
LETTERS = """() => [...document.querySelectorAll('.jp-RenderedMarkdown > p')]
             .filter(p => p.clientHeight && p.textContent.length > 300 && !p.querySelector('mjx-container'))
             .map(p => p.textContent.length / (p.clientHeight / parseFloat(getComputedStyle(p).lineHeight)))"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("everybody")
    for chapter in chapters():
        if chapter.slug in JUDGED:
            shutil.copy(ROOT / chapter.notebook, folder)
    (folder / "some.ipynb").write_text(_notebook([f"from mlteach import explore\nexplore.{name}()" for name in SOME]))
    with lab.serve(folder) as address:
        yield address


@pytest.fixture(scope="module")
def reader():
    with lab.chromium() as program:
        yield program.new_context()


@pytest.fixture(scope="module")
def page(reader, address):
    """A page with the few explorers, alive; the tests share it."""
    with lab.tab(reader) as page:
        lab.open_notebook(page, address, "some.ipynb")
        lab.run_all(page)
        page.wait_for_function(f"() => document.querySelectorAll('.mlteach-explorer img[src]').length == {len(SOME)}")
        page.wait_for_timeout(1000)
        yield page


def look(page, width, height, *, files):
    """Return how the explorers look in a window, with the list of files or without it."""
    page.set_viewport_size({"width": width, "height": height})
    if page.evaluate(LIST) != files:
        page.keyboard.press("Control+b")
    page.wait_for_function(f"() => ({LIST})() === {str(files).lower()}")
    page.wait_for_timeout(600)
    return dict(zip(SOME, page.evaluate(LOOK)))


@pytest.mark.parametrize("wait", [200, 500, 1000, 1500])
def test_reset_while_play_runs_puts_every_control_back(page, wait):
    page.set_viewport_size({"width": 1280, "height": 800})
    start, first = page.evaluate(VALUES), page.locator(".mlteach-explorer").first
    play, reset = first.locator(".widget-play button").first, first.locator("button:text-is('Reset')")
    play.click()
    page.wait_for_function(f"was => String(({VALUES})()) != was", arg=",".join(start))
    page.wait_for_timeout(wait)
    reset.click()
    page.wait_for_timeout(2000)
    assert page.evaluate(VALUES) == start


@pytest.mark.parametrize(
    ("width", "height", "files"),
    [
        (1024, 768, True),
        (1024, 768, False),
        (820, 1180, True),
        (820, 1180, False),
        (640, 400, False),
        (960, 540, False),
    ],
)
def test_nothing_is_cut_off(page, width, height, files):
    shown = look(page, width, height, files=files)
    assert not [name for name, seen in shown.items() if seen["cut"]]
    if height > 600:  # a small screen, and no zoom: the letters of the picture stay legible
        assert not {name: seen["scale"] for name, seen in shown.items() if seen["scale"] * LETTER < 11}
    if not files and width != 640:
        assert not {name: seen["beside"] for name, seen in shown.items() if seen["beside"] > 1}


def test_on_a_projector_at_200_per_cent_most_explorers_are_one_screen(page):
    """Chapter 00 says so; those with many controls scroll."""
    shown = look(page, 960, 540, files=False)
    assert max(seen["height"] for seen in shown.values()) <= 540 - 121
    assert {name for name, seen in shown.items() if seen["below"] > 1} <= {"optimizer_race"}


def test_the_words_have_the_readers_size(page):
    small = look(page, 1920, 1080, files=True)
    page.evaluate(COMMAND, ["application:toggle-presentation-mode", {}])
    large = look(page, 1920, 1080, files=True)
    page.evaluate(COMMAND, ["application:toggle-presentation-mode", {}])
    assert page.evaluate(LIST), "Presentation Mode hides nothing; chapter 00 says so"
    for name in SOME:
        assert all(large[name][part] > 1.1 * small[name][part] for part in ("words", "label", "caption")), name


def test_everything_that_moves_has_a_name(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    names = page.locator(".mlteach-explorer .noUi-handle").evaluate_all("all => all.map(h => h.ariaLabel)")
    assert len(names) > 4
    assert all(names)
    played = page.locator(".mlteach-explorer .widget-play").first.locator("button")
    assert played.evaluate_all("all => all.map(b => b.ariaLabel)") == ["Play", "Stop", "Repeat"]
    assert page.locator(".mlteach-explorer [title=null]").count() == 0
    alts = page.locator(".mlteach-explorer > img").evaluate_all("all => all.map(i => i.alt)")
    assert all(alt.startswith("Figure ") for alt in alts)
    assert page.locator(".mlteach-explorer [role=status]").count() == len(SOME)


def test_a_logarithmic_slider_speaks_its_value_and_the_words_are_announced(page):
    shown = page.locator(".mlteach-explorer").nth(SOME.index(LOGARITHM))
    region = shown.locator("[role=status]").element_handle()
    before = region.inner_text()
    handle = shown.locator(".noUi-handle").first
    handle.focus()
    for key in ("ArrowRight", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_function("([region, was]) => region.innerText != was", arg=[region, before])
    assert region.evaluate("node => node.isConnected"), "the region that is announced stays, its words change"
    spoken, read = handle.get_attribute("aria-valuetext"), shown.locator(".widget-readout").first.inner_text()
    assert spoken == read.strip()


@pytest.mark.parametrize("chapter", [pytest.param(c, id=c.slug) for c in chapters() if c.slug in JUDGED])
def test_a_chapter_is_for_everybody(chapter, address, reader):
    if lab.axe() is None:
        pytest.skip("NO NPM FOUND: axe-core cannot judge the chapters")
    with lab.tab(reader) as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        lab.open_notebook(page, address, os.path.basename(chapter.notebook))
        page.wait_for_selector(".jp-RenderedImage img", timeout=60_000)
        page.wait_for_function("() => !document.querySelector('.jp-RenderedImage img:not([alt])')", timeout=60_000)
        for alt in page.locator(".jp-RenderedImage img").evaluate_all("all => all.map(i => i.alt)"):
            assert alt.startswith(("Figure ", "Your data: ")), alt
        stills = [place for place in _places(chapter) if EXPLORER.search(source(read(chapter).cells[place]))]
        assert page.evaluate(SIDEWAYS) == []
        lab.run_cells(page, stills[:3])
        page.wait_for_selector(".mlteach-explorer img[src]")
        page.wait_for_timeout(1500)
        page.evaluate(lab.axe())
        assert page.evaluate(AXE) == []
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.wait_for_timeout(1000)
        letters = page.evaluate(LETTERS)
        assert letters
        assert max(letters) < 96
        assert sorted(letters)[len(letters) // 2] <= 90
