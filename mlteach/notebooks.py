"""Execute the notebooks and write them back in one normal form; running it twice changes nothing.

    python -m mlteach.notebooks            all notebooks
    python -m mlteach.notebooks 16_svm     those whose name contains the word

The normal form: cell ids made from the cell's text, so that an edit changes one id and an insertion none; slide
marks set by the headings, unless the author has marked a cell as "notes" or "fragment" (`mlteach.publish.slides`);
pictures in 128 colours, with the caption under them as alternative text; no widget state and no widget beside its
picture, no execution times, no machine's names.

What JupyterLab shows folded is decided by the text alone: a code cell whose first line says that it draws, confirms
or imports, and everything below a heading "N.k.j · Deeper: ..." (depth), which slides leave out (`mlteach.chapter`).
"""

import base64
import hashlib
import io
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from PIL import Image

from mlteach import course
from mlteach.chapter import caption, folded, heading_level, in_depth, is_deeper
from mlteach.plots import few_colours
from mlteach.progress import progress
from mlteach.saving import keep_stills

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"

# As JupyterLab writes it when it opens a notebook: any difference, also in the version, and it calls the file changed.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.11.7",
    },
}


def execute(notebook, timeout=300):
    """Run every cell in a fresh kernel, in the folder of the notebooks; an error in a cell is raised."""
    from nbclient import NotebookClient

    os.environ["MLTEACH_PROGRESS"] = "0"

    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    client = NotebookClient(notebook, timeout=timeout, kernel_name="python3", store_widget_state=False)
    client.execute(cwd=str(FOLDER))
    return notebook


def normalise(notebook):
    """Bring a notebook (a dict in nbformat 4) into the normal form, in place, and return it."""
    notebook["metadata"], notebook["nbformat"], notebook["nbformat_minor"] = METADATA, 4, 5
    keep_stills({"type": "notebook", "content": notebook})
    seen, count, cells = {}, 0, notebook["cells"]
    for cell, following, deep in zip(cells, [*cells[1:], None], in_depth(cells)):
        source = cell["source"] = "".join(cell["source"]).strip("\n")
        digest = hashlib.sha256(f"{cell['cell_type']}\n{source}".encode()).hexdigest()[:12]
        seen[digest] = seen.get(digest, 0) + 1
        cell["id"] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
        mark = cell["metadata"].get("slideshow", {}).get("slide_type")
        slide = "skip" if deep else mark if mark in ("notes", "fragment") else _slide(cell)
        cell["metadata"] = {"slideshow": {"slide_type": slide}, **_folding(cell)}
        cell.pop("attachments", None)
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = [_output(o, count, caption(following)) for o in merge_streams(cell["outputs"])]
    return notebook


def merge_streams(outputs):
    """Join neighbouring pieces of the same stream: how they were cut depends on the machine's speed."""
    merged = []
    for output in outputs:
        if output["output_type"] == "stream":
            output = {**output, "text": "".join(output["text"])}
            if merged and merged[-1]["output_type"] == "stream" and merged[-1]["name"] == output["name"]:
                merged[-1]["text"] += output["text"]
                continue
        merged.append(dict(output))
    return merged


def _slide(cell):
    level = heading_level(cell)
    if level is None:
        return "-"
    return "slide" if level <= 2 else "subslide"


def _folding(cell):
    if cell["cell_type"] == "code":
        return {"jupyter": {"source_hidden": True}} if folded(cell["source"]) else {}
    return {"jp-MarkdownHeadingCollapsed": True} if is_deeper(cell["source"]) else {}


def _output(output, count, alt):
    if "execution_count" in output:
        output["execution_count"] = count
    data = output.get("data")
    if data is None:
        return output
    kept = {"image/png": {"alt": output["metadata"].get("image/png", {}).get("alt") or alt}}
    output["metadata"] = kept if "image/png" in data and kept["image/png"]["alt"] else {}
    if "image/png" in data:
        data["image/png"] = _smaller("".join(data["image/png"])).replace("\n", "") + "\n"
    for kind, text in data.items():
        data[kind] = "".join(text) if isinstance(text, list) else text
    return output


def _smaller(png):
    """Reduce a picture (base64) to 128 colours, a quarter of its size; one that has a palette stays as it is."""
    picture = Image.open(io.BytesIO(base64.b64decode(png)))
    if picture.mode == "P":
        return png
    file = io.BytesIO()
    few_colours(picture.convert("RGB")).save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def to_text(notebook):
    """Return the notebook's file content: sorted keys, sources as lists of lines."""
    notebook = json.loads(json.dumps(notebook))
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
        for output in cell.get("outputs", []):
            if "text" in output:
                output["text"] = output["text"].splitlines(keepends=True)
            for kind, text in output.get("data", {}).items():
                if isinstance(text, str) and kind != "image/png":
                    output["data"][kind] = text.splitlines(keepends=True)
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def build(path):
    """Execute and normalise one notebook file; return its name and whether it changed."""
    import nbformat

    before = path.read_text(encoding="utf-8")
    after = to_text(normalise(execute(nbformat.reads(before, as_version=4))))
    if after != before:
        path.write_text(after, encoding="utf-8")
    return path.name, after != before


def main(words):
    """Build the notebooks whose names contain one of ``words`` (all where there are none), in parallel."""
    paths = [p for p in sorted(FOLDER.glob("*.ipynb")) if not words or any(w in p.stem for w in words)]
    if not paths:
        sys.exit(f"no notebook matches {' '.join(words)}")
    with ProcessPoolExecutor(max_workers=min(len(paths), os.cpu_count() or 1)) as pool:
        done = list(progress(pool.map(build, paths), "notebooks", total=len(paths)))
    for name, changed in done:
        print(f"{name}: {'written' if changed else 'unchanged'}")
    course.write_index()


if __name__ == "__main__":
    main(sys.argv[1:])
