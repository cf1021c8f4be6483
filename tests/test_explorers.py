"""Every explorer: every control over its whole range, both ends and unusual combinations.

Packing a picture as PNG takes as long as making it. Tests that look at many take its pixels (`pixels`); that a packed
picture is unpacked to the same ones is tested once an explorer.
"""

import base64
import io
import itertools
import re
import textwrap

import ipywidgets as W
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from mlteach import explore
from mlteach.course import chapters
from mlteach.explore import base, latecomers
from mlteach.explore.base import ALIVE
from mlteach.explore.gallery import _way, questions
from mlteach.publish import frames

NAMES = sorted(explore.REGISTRY)


def positions(control, n=5):
    """Return values of a control from one end to the other."""
    if isinstance(control, W.Checkbox):
        return [False, True]
    if isinstance(control, W.Dropdown | W.ToggleButtons):
        return [value for _, value in control.options]
    places = np.linspace(control.min, control.max, n)
    if isinstance(control, W.FloatLogSlider):
        return [float(control.base**p) for p in places]
    return sorted({int(round(p)) for p in places}) if isinstance(control, W.IntSlider) else [float(p) for p in places]


def unpacked(explorer):
    return np.asarray(Image.open(io.BytesIO(explorer.image.value)))


@pytest.fixture
def pixels(monkeypatch):
    """Let explorers hand on their pixels (h, w, 3) unpacked; return a function that reads those of one."""
    monkeypatch.setattr(base, "_quick_png", lambda rgba: rgba[..., :3].tobytes())

    def read(explorer):
        height, width = np.asarray(explorer.fig.canvas.buffer_rgba()).shape[:2]
        return np.frombuffer(explorer.image.value, np.uint8).reshape(height, width, 3)

    return read


def assert_readable(explorer):
    words = re.sub("<.*?>", "", explorer.readout.value)
    assert len(words) > 20, words
    assert not re.search(r"\b(nan|inf|None)\b", words), words


@pytest.fixture(scope="module", params=NAMES)
def shown(request):
    return explore.REGISTRY[request.param]()


@pytest.fixture(scope="module")
def kept(shown):
    """What a notebook keeps of an explorer, made once: the picture, the still with words under it, the bundle."""
    shown.reset()
    pages, page = [], shown._page
    shown._page = lambda: pages.append(page()) or pages[-1]
    try:
        data, metadata = shown._repr_mimebundle_()
    finally:
        del shown._page
    return pages[-1], Image.open(io.BytesIO(base64.b64decode(data["image/png"]))), data, metadata


@pytest.mark.usefixtures("pixels")
def test_every_control_moves_the_picture(shown):
    for name, control in shown.controls.items():
        shown.reset()
        seen = set()
        for value in positions(control):
            control.value = value
            seen.add(hash(shown.image.value))
            assert_readable(shown)
        assert len(seen) > 1, f"{name} changes nothing"


def test_defaults_are_stops_of_their_sliders(shown):
    """A browser moves any other value to the nearest stop, and the live picture then differs from the saved one."""
    shown.reset()
    for name, control in shown.controls.items():
        if isinstance(control, W.Checkbox | W.Dropdown | W.ToggleButtons):
            continue
        place = np.log10(control.value) if isinstance(control, W.FloatLogSlider) else control.value
        steps = (place - control.min) / control.step
        assert abs(steps - round(steps)) < 1e-6, f"{name} = {control.value} lies between two stops"


def test_the_start_is_a_position_of_every_control(shown):
    """A page with no kernel shows the positions of `frames`."""
    for name, control in shown.controls.items():
        every = frames.positions(control)
        assert shown.defaults[name] in every
        assert len(set(map(str, every))) == len(every)


def test_the_still_picture_keeps_the_colours(kept):
    page, still = (np.asarray(picture.convert("RGB")).astype(np.int16) for picture in kept[:2])
    assert np.abs(still[: len(page)] - page).max() < 32


@pytest.mark.slow
def test_corners_of_the_control_box(shown, pixels):
    ends = [[p[0], p[-1]] for p in map(positions, shown.controls.values())]
    corners = list(itertools.product(*ends))
    for corner in corners[:: max(1, len(corners) // 32)]:
        shown.move(**dict(zip(shown.controls, corner)))
        assert_readable(shown)
        assert pixels(shown)[::2, ::2].std() > 1


def test_random_settings(shown):
    """They can be drawn, and the read-out keeps its lines: at 1280 px one holds some 105 letters, and none may jump."""
    rng = np.random.default_rng(1)
    for _ in range(12):
        settings = {name: rng.choice(np.array(positions(c, 9), object)) for name, c in shown.controls.items()}
        result = shown.compute(**settings)
        shown.draw(result)
        words = shown.describe(result).replace("**", "")
        assert len(textwrap.wrap(words, 105)) <= shown.scene.lines, words


def test_reset_restores_the_picture_in_one_drawing(shown):
    shown.reset()
    before = shown.image.value
    assert np.array_equal(unpacked(shown), shown.snapshot()[0])
    shown.move(**{name: positions(control)[-1] for name, control in shown.controls.items()})
    drawn = []
    original = shown.draw
    shown.draw = lambda result: (drawn.append(1), original(result))
    try:
        shown.reset()
    finally:
        shown.draw = original
    assert shown.values() == shown.defaults
    assert shown.image.value == before
    assert len(drawn) == 1


@pytest.mark.slow
def test_figure_without_widget_is_the_same_picture(shown):
    shown.reset()
    figure = shown.figure()
    assert isinstance(figure, Figure)
    figure.canvas.draw()
    still = np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(np.int16)
    live = unpacked(shown)
    assert still.shape == live.shape
    assert np.abs(still - live).mean() < 1.0


def test_unknown_parameter_is_named(shown):
    with pytest.raises(TypeError, match="'nonsense'"):
        shown.compute(nonsense=1)


def test_display_carries_widget_picture_and_words(shown, kept):
    _, _, data, metadata = kept
    assert {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"} <= set(data)
    assert re.search(r"\d", data["text/plain"])
    assert metadata["image/png"]["alt"] == shown.caption
    assert re.match(r"Figure \d+\.\d+: ", shown.caption)
    assert len(shown.caption) > 40


def test_controls_have_a_name_and_a_symbol(shown):
    for control in shown.controls.values():
        assert len(control.description.split()) >= 1
        assert len(control.description) <= 26, "does not fit beside the slider"


def test_no_panel_is_squeezed(shown):
    """A mark without a place, drawn beyond the axes, makes the layout give up, and panels shrink to a stamp."""
    width, height = shown.fig.get_size_inches()
    for ax in shown.fig.axes:
        box = ax.get_position()
        assert box.width * width > 1, ax.get_title()
        assert box.height * height > 0.8, ax.get_title()


# Panels that may open on a single mark: whatever stood beside it would answer the prediction above the explorer.
BEFORE_THE_FIRST_MOVE = {("unmix_signals", "Log-likelihood")}


def test_no_panel_opens_empty(shown, kept, request):
    """A page with no kernel shows the start: of a hundred fields of each panel more than one holds ink."""
    page = np.asarray(kept[0]).astype(int)
    height, width = page.shape[:2]
    for ax in filter(lambda ax: ax.get_visible(), shown.fig.axes):
        box = ax.get_position()
        left, right = (round(x * width) for x in (box.x0, box.x1))
        top, bottom = (round((1 - y) * height) for y in (box.y1, box.y0))
        panel = page[top + 4 : bottom - 4, left + 4 : right - 4]  # without the frame
        colours, n = np.unique(panel.reshape(-1, 3), axis=0, return_counts=True)
        ink = np.abs(panel - colours[n.argmax()]).sum(axis=2) > 60
        fields = [field.any() for row in np.array_split(ink, 10) for field in np.array_split(row, 10, axis=1)]
        title = ax.get_title(loc="left") or ax.get_title()
        if (request.node.callspec.params["shown"], title) not in BEFORE_THE_FIRST_MOVE:
            assert sum(fields) >= 2, f"{title or 'a panel'} opens empty: ink in {sum(fields)} of 100 fields"


def test_the_still_says_how_to_bring_it_to_life(kept):
    page, still, *_ = kept
    assert still.height > page.height + 60
    assert "Shift+Enter" in ALIVE


def test_gallery_offers_every_explorer():
    from mlteach.explore.gallery import shelves

    assert sorted(name for names in shelves().values() for name in names) == NAMES
    shown = explore.gallery()
    shown.chapter.value = "16 Support vector machines"
    shown.choice.value = "svr_tube"
    assert shown.explorer.name == "svr_tube"
    assert shown.children[-1] is shown.explorer
    assert "16_svm.ipynb" in shown.link.value
    data = shown._repr_mimebundle_()
    assert "explore.svr_tube()" in data["text/html"]
    assert "svr_tube" in data["text/plain"]


def test_the_gallery_asks_what_the_chapter_asks():
    asked = {name for chapter in chapters() for name in questions(chapter)}
    assert set(NAMES) - asked <= {"ask_neighbors", "tiger_game"}  # two to play with
    shown = explore.gallery()
    shown.chapter.value = "06 Regularisation"
    shown.choice.value = "soft_threshold_view"
    assert "<b>Predict.</b> Keep $\\lambda=1$ and move the wish $z$" in shown.link.value
    assert "<br>2. At $z=3$ which keeps more" in shown.link.value


@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.slug)
def test_questions_of_the_gallery_leave_no_mark_of_markdown(chapter):
    for name in questions(chapter):
        words = re.sub(r"\$[^$]+\$", "", _way(name))
        assert not re.search(r"\*|`|\]\(|\$|\n", words), name


def test_registry_holds_what_the_package_offers():
    assert NAMES
    for name in NAMES:
        assert getattr(explore, name) is explore.REGISTRY[name]


def late(control, value):
    """Let a value arrive as a browser sends it."""
    control.set_state({"value": value})


def press_reset(shown):
    """Press the button, and return how the browser answers what it is asked: once for each call."""
    asked, answers = shown._latecomers._asks, shown.readout
    button = next(child for child in shown.children[0].children if isinstance(child, W.Button))
    button.click()
    return lambda: answers.set_state({"placeholder": asked.placeholder})


def test_values_that_a_player_sent_before_it_heard_of_a_reset_are_put_back():
    shown = explore.first_fit()
    answer = press_reset(shown)
    late(shown.controls["n"], 46)
    answer()
    answer()
    late(shown._player, 47)  # the player's own is late as well, and moves the slider it is linked with
    late(shown.controls["n"], 47)
    shown._player.set_state({"playing": True})
    assert shown.values() == shown.defaults
    assert shown._player.value == 0
    assert not shown._player.playing
    for _ in range(3):
        answer()
    late(shown.controls["n"], 5)
    assert shown.values()["n"] == 5, "the reader's own value counts again"


def test_where_no_browser_answers_values_count_again_after_a_while(monkeypatch):
    shown = explore.first_fit()
    press_reset(shown)
    later = latecomers.time.monotonic() + latecomers.PATIENCE + 1
    monkeypatch.setattr(latecomers.time, "monotonic", lambda: later)
    late(shown.controls["n"], 5)
    assert shown.values()["n"] == 5


def test_a_reset_from_code_waits_for_nobody():
    shown = explore.first_fit()
    shown.reset()
    shown.controls["n"].value = 7
    assert shown.values()["n"] == 7


def test_the_gallery_gives_back_what_is_left():
    def alive():
        return len(W.widgets.widget._instances)

    shown = explore.gallery()
    some = [name for name in NAMES if name != shown.explorer.name][:: len(NAMES) // 6]
    counts = []
    for name in some:
        shown.chapter.value = next(shelf for shelf, names in shown.shelves.items() if name in names)
        shown.choice.value = name
        counts.append(alive() - len(list(base._within(shown))))
    assert max(counts) - min(counts) < 8, counts
