"""Browser: key press on a slider to changed screen, in JupyterLab and Chromium (medians of 15, ms)."""

import json
import statistics
import tempfile
from pathlib import Path

from mlteach.notebooks import METADATA
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
    "slider that only changes a label": (LABEL, "() => document.querySelector('.target').textContent"),
    "explorer": (EXPLORER, "() => document.querySelector('.jp-OutputArea img.jupyter-widgets').src"),
    "interact and pyplot": (INTERACT, "() => (document.querySelector('.jp-RenderedImage img') || window).src"),
}


def measure(presses=15):
    """Return one row per kind of slider."""
    if lab.find_chromium() is None:
        return []
    rows = []
    with tempfile.TemporaryDirectory() as folder, lab.serve(folder) as address, lab.browser() as page:
        for k, (name, (source, changed)) in enumerate(CASES.items()):
            _write(Path(folder) / f"{k}.ipynb", source)
            lab.open_notebook(page, address, f"{k}.ipynb")
            lab.run_all(page)
            handle = page.locator(".jp-OutputArea .noUi-handle").first
            handle.wait_for(timeout=30_000)
            times = [lab.press_and_wait(page, handle, changed) for _ in range(presses)]
            rows.append({"slider": name, "median": statistics.median(times), "slowest": max(times)})
    for row in rows:
        row["of label"] = row["median"] / rows[0]["median"]
    return rows


def _write(path, source):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
    path.write_text(json.dumps({"cells": [cell], "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}))
