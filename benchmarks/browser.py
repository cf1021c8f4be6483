"""Browser: key press on a slider to changed screen, in JupyterLab and on a page with no kernel (medians of 15, ms)."""

import json
import statistics
import tempfile
from pathlib import Path

from mlteach.notebooks import METADATA
from mlteach.publish import book, frames
from tests import lab

LABEL = """
import ipywidgets as W
slider, label = W.IntSlider(description="label only"), W.Label("0")
label.add_class("target")
slider.observe(lambda change: setattr(label, "value", str(change.new)), "value")
W.VBox([slider, label])
"""
EXPLORER = """
from mlteach import explore
explore.soft_margin()
"""
INTERACT = """
%matplotlib inline
import ipywidgets as W
from IPython.display import display
from mlteach import explore
e = explore.soft_margin()
for artist in e._moving:
    artist.set_animated(False)
def redraw(C):
    e.draw(e.compute(C=C))
    display(e.fig)
W.interact(redraw, C=W.FloatLogSlider(value=1, base=10, min=-2, max=3, step=0.1));
"""
CASES = {
    "slider that only changes a label": (LABEL, "() => document.querySelector('.target').textContent", "ArrowRight"),
    "explorer": (EXPLORER, "() => document.querySelector('.jp-OutputArea img.jupyter-widgets').src", "ArrowLeft"),
    "interact and pyplot": (
        INTERACT,
        "() => (document.querySelector('.jp-RenderedImage img') || window).src",
        "ArrowLeft",
    ),
}


def measure(presses=15):
    """Return one row per kind of slider."""
    if lab.find_chromium() is None:
        return []
    rows = []
    with tempfile.TemporaryDirectory() as folder, lab.serve(folder) as address, lab.browser() as page:
        for k, (name, (source, changed, key)) in enumerate(CASES.items()):
            _write(Path(folder) / f"{k}.ipynb", source)
            lab.open_notebook(page, address, f"{k}.ipynb")
            lab.run_all(page)
            handle = page.locator(".jp-OutputArea .noUi-handle").first
            handle.wait_for(timeout=30_000)
            times = [lab.press_and_wait(page, handle, changed, key) for _ in range(presses)]
            rows.append({"slider": name, "median": statistics.median(times), "slowest": max(times)})
        rows.append(_film(page, Path(folder), presses))
    for row in rows:
        row["of label"] = row["median"] / rows[0]["median"]
    return rows


def _film(page, folder, presses):
    """Measure the explorer's film on a page opened from disk; the screen has changed when the picture is painted."""
    frames.write("soft_margin", folder)
    script = (book.HERE / "player.js").read_text(encoding="utf-8")
    text = f"<!doctype html><meta charset='utf-8'><script>{script}</script>{book.explorer_html('soft_margin', '')}"
    (folder / "film.html").write_text(text, encoding="utf-8")
    page.goto(f"file://{folder}/film.html")
    page.wait_for_selector("ml-explorer[ready]")
    changed = "() => document.querySelector('ml-explorer').getAttribute('shows')"
    slider = page.locator("input[type=range]")
    times = [lab.press_and_wait(page, slider, changed, "ArrowLeft") for _ in range(presses)]
    return {"slider": "film with no kernel", "median": statistics.median(times), "slowest": max(times)}


def _write(path, source):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    path.write_text(json.dumps({"cells": [cell], "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}))
