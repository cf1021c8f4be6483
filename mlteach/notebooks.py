"""Bring the notebooks into their committed form: numbered, executed where that is due, normal; twice changes nothing.

    python -m mlteach.notebooks            all notebooks
    python -m mlteach.notebooks 16_svm     those whose name contains the word
    python -m mlteach.notebooks --force    execute also where nothing has changed

First the numbers: `mlteach.renumber`. Then a notebook is executed if its code, or anything behind it, has changed since
its outputs were made (`is_due`); who mends a typo in the text waits for no kernel.

The normal form: a cell keeps its id when its text is corrected, so that `mlteach update` knows it again in students'
copies, and a new one gets an id made from its text; tasks and self-tests import what they take from the course; slide
marks set by the headings, unless the author has marked a cell as "notes" (`mlteach.publish.slides`); pictures in 128
colours, with the caption under them as alternative text; no widget state and no widget beside its picture, no execution
times, no machine's names.

What JupyterLab shows folded is decided by the text alone: a code cell whose first line says that it draws, confirms
or imports, and everything below a heading "N.k.j · Deeper: ..." (depth), which slides leave out (`mlteach.chapter`).
"""

import ast
import base64
import functools
import hashlib
import inspect
import io
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

from PIL import Image

from mlteach import chapter, closure, course, renumber
from mlteach.chapter import caption, folded, heading_level, in_depth, is_deeper
from mlteach.exercises import base as exercises
from mlteach.explore import REGISTRY
from mlteach.explore.gallery import listed
from mlteach.plots import few_colours
from mlteach.progress import progress
from mlteach.saving import keep_stills

FOLDER = course.ROOT / "notebooks"
HOMES = {"mlteach.exercises": ("check", "hint", "solution"), "mlteach.selftest": ("selftest",)}
CALLS = re.compile(r"^(check|hint|solution|selftest)\(", re.M)
ID = re.compile(r"[\w-]{1,64}", re.A)
RUNS = course.ROOT / "build" / "notebooks.json"  # what was behind each notebook when it was last executed here

# As JupyterLab writes it when it opens a notebook: any difference, and it calls the file changed. It also writes which
# Python it is; that is no matter of the file, and `mlteach.saving` says it to whoever opens one.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
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
    ids, count, cells = set(), 0, notebook["cells"]
    for cell, following, deep in zip(cells, [*cells[1:], None], in_depth(cells)):
        source = cell["source"] = standing_alone("".join(cell["source"]).strip("\n"), cell["cell_type"])
        cell["id"] = _id(cell, source, ids)
        ids.add(cell["id"])
        mark = cell["metadata"].get("slideshow", {}).get("slide_type")
        slide = "skip" if deep else mark if mark == "notes" else _slide(cell)
        cell["metadata"] = {"slideshow": {"slide_type": slide}, **_folding(cell)}
        cell.pop("attachments", None)
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = [_output(o, count, caption(following)) for o in merge_streams(cell["outputs"])]
    return notebook


def standing_alone(source, kind="code"):
    """Return the code of a task or a self-test with what it takes from the course: it runs alone in a fresh kernel.

    >>> print(standing_alone('check("5.a", 3)'))
    from mlteach.exercises import check
    <BLANKLINE>
    check("5.a", 3)
    """
    called = CALLS.findall(source) if kind == "code" else []
    lines = ["import numpy as np"] if called and "import numpy" not in source and _wants_numpy(source) else []
    for module, names in HOMES.items():
        missing = [n for n in names if n in called and not re.search(rf"^from .* import .*\b{n}\b", source, re.M)]
        if missing:
            lines.append(f"from {module} import {', '.join(missing)}")
    if not lines:
        return source
    gap = "\n" if source.startswith(("import ", "from ")) else "\n\n\n" if source.startswith("def ") else "\n\n"
    return "\n".join(lines) + gap + source


def _wants_numpy(source):
    """Say whether a task's function is likely to use numpy: ours does."""
    ids = chapter.TASK.findall(source) if "def " in source else []
    exercises.load(int(ids[0].split(".")[0]) if ids else -1)
    functions = [exercises.REGISTRY[id].solution for id in ids if id in exercises.REGISTRY]
    return any("np." in inspect.getsource(function) for function in functions if inspect.isfunction(function))


def _id(cell, source, taken):
    """Return the id that a cell has, or one made from its text if it has none of its own."""
    name = str(cell.get("id", ""))
    if ID.fullmatch(name) and name not in taken:
        return name
    name, k = hashlib.sha256(f"{cell['cell_type']}\n{source}".encode()).hexdigest()[:12], 2
    while name in taken:
        name, k = f"{name[:12]}-{k}", k + 1
    return name


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
    kept = {"image/png": {"alt": alt or output["metadata"].get("image/png", {}).get("alt")}}
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


# --- What is due -----------------------------------------------------------------------------------------------------


def behind(path, notebook):
    """Return the files on which a notebook's outputs depend: what its cells import, its explorers, tasks and data."""
    slug, code = path.stem[3:], [chapter.source(c) for c in notebook["cells"] if not chapter.is_text(c)]
    modules = {f"mlteach.exercises.{slug}"}.union(*map(closure.imported, code))
    for name in chapter.explorers("\n".join(code)):
        modules.add("mlteach.explore.gallery" if name == "gallery" else REGISTRY[name].__module__)
    more = [course.DATA / "selftest" / f"{slug}.toml", course.DATA / "chapters.toml", course.ROOT / "requirements.lock"]
    more += [course.DATA / "paths.toml"] * (slug == "start_here")  # the map of paths
    return [*closure.behind(modules), *closure.tables(), *(file for file in more if file.exists())]


def meaning(notebook):
    """Return what an execution decides: the code without its comments, and its outputs without their captions."""
    return [
        [ast.dump(ast.parse(chapter.source(c))), [{**o, "metadata": {}} for o in c["outputs"]]]
        for c in notebook["cells"]
        if not chapter.is_text(c)
    ]


def stamp(path, notebook):
    """Return a short text that changes when a notebook's code, its outputs or a file behind it does."""
    digest = hashlib.sha256(json.dumps(meaning(notebook), sort_keys=True).encode())
    for file in behind(path, notebook):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def is_due(path, notebook, runs):
    """Say whether a notebook, in normal form, has to be executed.

    Not if it is as its last execution left it here (``runs``, dict from name to stamp); nor if code, outputs and all
    behind them are as published: in the upstream branch, or, where there is none and nothing was executed here yet, in
    the last commit. The gallery must list the explorers that there are.
    """
    if not _gallery_is_true(notebook):
        return True
    if path.stem in runs and runs[path.stem] == stamp(path, notebook):
        return False
    published = _git("merge-base", "HEAD", "@{upstream}") or ("" if path.stem in runs else _git("rev-parse", "HEAD"))
    changed = _changed(published)
    if not published or changed & set(behind(path, notebook)):
        return True
    if path not in changed:
        return False
    before = _git("show", f"{published}:{path.relative_to(course.ROOT).as_posix()}")
    return not before or meaning(json.loads(before)) != meaning(notebook)


@functools.cache
def _changed(commit):
    """Return the files that differ from a commit, and those that git does not know."""
    names = _git("diff", "--name-only", commit).splitlines()
    names += _git("ls-files", "--others", "--exclude-standard").splitlines()
    return {course.ROOT / name for name in names}


def _gallery_is_true(notebook):
    shown = [c for c in notebook["cells"] if not chapter.is_text(c) and chapter.kind(c) == "gallery"]
    texts = ["".join(o["data"].get("text/html", "")) for c in shown for o in c["outputs"] if "data" in o]
    return len(texts) == len(shown) and all(text == listed() for text in texts)


@functools.cache
def _git(*words):
    """Return what git says of this clone, or "" where it cannot say it."""
    try:
        done = subprocess.run(["git", *words], cwd=course.ROOT, capture_output=True, text=True, encoding="utf-8")
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


# --- Building --------------------------------------------------------------------------------------------------------


def executed(path):
    """Execute one notebook file; return its text in normal form."""
    import nbformat

    return to_text(normalise(execute(nbformat.reads(path.read_text(encoding="utf-8"), as_version=4))))


def plain(path):
    """Return the text of one notebook file in normal form, with no kernel."""
    return to_text(normalise(json.loads(path.read_text(encoding="utf-8"))))


def main(words):
    """Build the notebooks whose names contain one of ``words`` (all where there are none), in parallel."""
    force, words = "--force" in words, [word for word in words if word != "--force"]
    every = sorted(FOLDER.glob("*.ipynb"))
    paths = [p for p in every if not words or any(w in p.stem for w in words)]
    if not paths:
        sys.exit(f"no notebook matches {' '.join(words)}")
    if renumber.main([path.stem for path in paths]):  # what has been imported is of yesterday
        sys.exit(subprocess.run([sys.executable, "-m", "mlteach.notebooks", *sys.argv[1:]]).returncode)
    runs = json.loads(RUNS.read_text(encoding="utf-8")) if RUNS.exists() else {}
    texts = {path: plain(path) for path in paths}
    due = [path for path in paths if force or is_due(path, json.loads(texts[path]), runs)]
    if due:
        with ProcessPoolExecutor(max_workers=min(len(due), os.cpu_count() or 1)) as pool:
            texts |= zip(due, progress(pool.map(executed, due), "notebooks", total=len(due)))
    for path, text in texts.items():
        changed = text != path.read_text(encoding="utf-8")
        if changed:
            path.write_text(text, encoding="utf-8")
        runs[path.stem] = stamp(path, json.loads(text))
        print(f"{path.name}: {'executed, ' if path in due else ''}{'written' if changed else 'unchanged'}")
    RUNS.parent.mkdir(exist_ok=True)
    RUNS.write_text(json.dumps(runs, indent=1, sort_keys=True), encoding="utf-8")
    course.write_index()
    others = {path: json.loads(path.read_text(encoding="utf-8")) for path in every if path not in texts}
    left = [path.stem[:2] for path, notebook in others.items() if is_due(path, notebook, runs)]
    if left:
        print(f'What stands behind other notebooks has changed too: make notebooks ONLY="{" ".join(left)}"')


if __name__ == "__main__":
    main(sys.argv[1:])
