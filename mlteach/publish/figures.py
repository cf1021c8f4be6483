"""The pictures of a deck, drawn for its screen: sharp where those of a notebook, half as wide, would be enlarged.

The figures of a chapter are drawn again by its own code in a fresh kernel; what only a reader moves is left out. An
explorer stands still with its settings and its read-out under it. Pictures are kept, as films are, until the code or
the data behind them change.
"""

import base64
import copy
import hashlib
import html
import io
import json
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image

from mlteach import chapter, closure
from mlteach.explore import REGISTRY
from mlteach.explore.base import bold
from mlteach.plots import few_colours

DPI = 250  # of a figure 7.2 inches wide: 1,800 pixels
FIRST = f"%config InlineBackend.print_figure_kwargs = {{'bbox_inches': 'tight', 'dpi': {DPI}}}"


def redrawn(notebook, folder):
    """Return a notebook whose figures are as wide as a screen; ``folder`` keeps them between two builds."""
    places = [k for k, cell in enumerate(notebook["cells"]) if _draws(cell)]
    if not places:
        return notebook
    path = Path(folder) / f"{key(notebook)}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        drawn = draw(notebook, places)
        path.write_text(json.dumps(drawn), encoding="utf-8")
    drawn = json.loads(path.read_text(encoding="utf-8"))
    cells = list(notebook["cells"])
    for place in places:
        if str(place) in drawn:
            output = {"output_type": "display_data", "metadata": {}, "data": {"image/png": drawn[str(place)]}}
            others = [o for o in cells[place]["outputs"] if "image/png" not in o.get("data", {})]
            cells[place] = {**cells[place], "outputs": [*others, output]}
    return {**notebook, "cells": cells}


def _draws(cell):
    pictures = [o for o in cell.get("outputs", []) if "image/png" in o.get("data", {})]
    return bool(pictures) and chapter.kind(cell) != "explorer"


def key(notebook):
    """Return a short text that changes when the figures of a notebook may have to be drawn again."""
    code = "\n".join(chapter.source(cell) for cell in notebook["cells"] if not chapter.is_text(cell))
    digest = hashlib.sha256(f"{np.__version__} {matplotlib.__version__} {DPI}\n{code}".encode())
    for path in [*closure.behind(closure.imported(_python(code)) | {"mlteach.publish.figures"}), *closure.tables()]:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _python(code):
    return "\n".join(line for line in code.splitlines() if not line.startswith(("%", "!")))


def draw(notebook, places):
    """Run the code of a notebook and return the pictures of the cells at ``places``: dict from place to PNG as text."""
    import nbformat

    from mlteach.notebooks import execute

    cells = [nbformat.v4.new_code_cell(FIRST)]
    for cell in notebook["cells"][: places[-1] + 1]:
        idle = chapter.is_text(cell) or chapter.kind(cell) in ("explorer", "gallery")
        cells.append(nbformat.v4.new_code_cell("" if idle else chapter.source(cell)))
    ran = execute(nbformat.v4.new_notebook(cells=copy.deepcopy(cells)))
    found = {}
    for place in places:
        pictures = [o["data"]["image/png"] for o in ran.cells[place + 1].outputs if "image/png" in o.get("data", {})]
        if pictures:
            found[str(place)] = _small(pictures[0])
    return found


def _small(text):
    """Return a PNG with few colours, which takes a third of the room."""
    picture, file = Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB"), io.BytesIO()
    few_colours(picture).save(file, "png", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def still(name, **values):
    """Return an explorer at ``values``, else at its start: its picture as an address of data, its words as HTML."""
    shown = REGISTRY[name]()
    if values:
        shown.move(**values)
    figure = shown.figure(**values)
    figure.set_dpi(1.5 * figure.dpi)
    figure.canvas.draw()
    file = io.BytesIO()
    few_colours(Image.fromarray(np.asarray(figure.canvas.buffer_rgba())[..., :3].copy())).save(
        file, "png", optimize=True
    )
    picture = f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
    return picture, f"{html.escape(shown._settings())}. {bold(shown._words)}"
