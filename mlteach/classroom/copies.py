"""A student's own copy of the course: made once, corrected by updates that can be taken back.

Beside its notebooks a copy has a folder ``.mlteach``:

    state.json       the version of the course, and which base belongs to it
    base-*.json      the cells from which the notebooks were made, without their outputs
    backup-*.zip     what an update replaced, newest last
    record.jsonl     what the checks remember (`mlteach.record`)

A notebook is written to a new file that is then renamed, and the state comes last: an update that was cut off is done
again from where it stood, and nothing is ever half written.
"""

import contextlib
import hashlib
import json
import os
import shutil
import time
import zipfile
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import mlteach
from mlteach.classroom import merge
from mlteach.course import NOTEBOOKS
from mlteach.record import FOLDER

BACKUPS = 5  # how many are kept
STALE = 600  # seconds after which the lock of an update that was cut off counts no more


class Trouble(Exception):
    """Why nothing was done, in words for whoever asked for it."""


class Line(NamedTuple):
    """What an update did with one notebook."""

    notebook: str
    words: str


def is_copy(folder):
    """Say whether a folder holds a copy of the course."""
    return (Path(folder) / FOLDER / "state.json").is_file()


def make(folder, course=NOTEBOOKS):
    """Make a copy of the course in a folder that does not exist or is empty."""
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Trouble(
            f"{folder} is there already, and is no copy of the course. Name a folder that does not exist yet."
        )
    files = read_course(course)
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f"{folder.name}.part-{os.getpid()}")
    (part / FOLDER).mkdir(parents=True)
    try:
        for name, content in files.items():
            (part / name).write_bytes(content)
        _write_state(part, files)
        if folder.exists():
            folder.rmdir()
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def read_course(folder):
    """Return the notebooks of a course as {name: bytes}."""
    files = {path.name: path.read_bytes() for path in sorted(Path(folder).glob("[0-9][0-9]_*.ipynb"))}
    if not files:
        raise Trouble(f"there are no notebooks of the course in {folder}.")
    return files


def update(folder, course=NOTEBOOKS):
    """Bring the installed version into a copy; return a `Line` for each notebook that has something to say."""
    folder = Path(folder)
    with _alone(folder):
        new, (state, base) = read_course(course), _read_state(folder)
        if state["base"] == _digest(new):
            return []
        lines, writing, renamed = [], {}, _renamed(folder, base, new)
        for name in sorted(new.keys() | base.keys()):
            here = renamed.get(name, name)
            words, content = _merged(folder / here, base.get(name), new.get(name))
            if words:
                lines.append(Line(here, words if here == name else f"{words} (of {name})"))
            if content is not None:
                writing[here] = content
        _back_up(folder, state, writing)
        for name, content in writing.items():
            try:
                _replace(folder / name, content)
            except OSError as error:
                lines = [line for line in lines if line.notebook != name]
                lines.append(Line(name, f"left alone: it cannot be written ({error.strerror})"))
        _write_state(folder, new)
        _tidy(folder)
        return sorted(lines)


def undo(folder):
    """Take back the last update; what was written since then is kept beside it under another name."""
    folder = Path(folder)
    with _alone(folder):
        backups = sorted((folder / FOLDER).glob("backup-*.zip"))
        if not backups:
            raise Trouble(f"there is no update of {folder} that could be taken back.")
        lines = []
        with zipfile.ZipFile(backups[-1]) as archive:
            note = json.loads(archive.read("note.json"))
            for name, written in note["written"].items():
                lines.append(_restored(folder, name, archive.read(name) if name in note["replaced"] else None, written))
        _write(folder / FOLDER / "state.json", json.dumps(note["state"]).encode())
        backups[-1].rename(backups[-1].with_suffix(".undone"))
        return [line for line in lines if line]


def _restored(folder, name, before, written):
    path = folder / name
    now = path.read_bytes() if path.is_file() else None
    words = "as it was before"
    if now is not None and _sha(now) != written and now != before:
        kept = path.with_name(f"{path.stem} (kept {_stamp()}).ipynb")
        _replace(kept, now)
        words += f"; what you wrote since then is in {kept.name}"
    if before is not None:
        _replace(path, before)
    elif now is not None:
        path.unlink()
        words = words.replace("as it was before", "taken away again")
    return Line(name, words) if before is not None or now is not None else None


def _renamed(folder, base, new):
    """Return the names that the student gave to notebooks of the course, {name in the course: name in the folder}.

    A notebook that is not there any more is looked for among the files beside it: the only one that holds most of its
    cells, known by their ids, and those of no other missing one, is it. Where there are several, none is.
    """
    missing = {name: {c["id"] for c in notebook["cells"]} for name, notebook in base.items()}
    missing = {name: ids for name, ids in missing.items() if not (folder / name).exists()}
    found = []
    for path in folder.glob("*.ipynb") if missing else ():
        with contextlib.suppress(OSError):
            document, _ = _read(path.read_bytes())
            here = {cell.get("id") for cell in document["cells"]} if document else set()
            if path.name not in base.keys() | new.keys():
                found += [(name, path.name) for name, ids in missing.items() if len(ids & here) > len(ids) / 2]
    names, files = [name for name, _ in found], [file for _, file in found]
    return {name: file for name, file in found if names.count(name) == files.count(file) == 1}


def _merged(path, base, new):
    """Return what happens to one notebook, in words, and its new content; None for words or content: nothing."""
    if new is None:
        return ("no longer part of the course; yours stays as it is", None) if path.exists() else (None, None)
    if not path.exists():
        return ("new" if base is None else "was not there any more: written again"), new
    try:
        mine = path.read_bytes()
    except OSError as error:
        return f"left alone: it cannot be read ({error.strerror})", None
    if mine == new or (base and base["sha"] == _sha(new)):
        return None, None
    if base is None:
        return "left alone: the course has a new notebook of this name, and you have a file that is called so", None
    if _sha(mine) == base["sha"]:
        return "corrected", new
    document, why = _read(mine)
    if document is None:
        return f"left alone: {why}", None
    if not os.access(path, os.W_OK):
        return "left alone: it may not be written", None
    course = json.loads(new)
    outcome = merge.merge(base["cells"], document["cells"], course["cells"])
    document["cells"] = outcome.cells
    minor = max(document.get("nbformat_minor", 0), course.get("nbformat_minor", 0))
    document["nbformat_minor"] = minor
    content = json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n"
    return _in_words(outcome.counts) or "nothing that you would see", content


def _in_words(counts):
    """Return what came in, such as "3 cells corrected, 1 new".

    >>> _in_words({"corrected": 3, "added": 1, "beside": 1})
    '3 cells corrected, 1 new, 1 that you have changed too: the new one stands below yours, as text'
    """
    kinds = {
        "corrected": "corrected",
        "added": "new",
        "removed": "gone",
        "beside": "that you have changed too: the new one stands below yours, as text",
        "left out": "corrected, but you had removed it",
    }
    said = [f"{counts[kind]} {words}" for kind, words in kinds.items() if counts.get(kind)]
    if said:
        number, _, rest = said[0].partition(" ")
        said[0] = f"{number} {'cell' if number == '1' else 'cells'} {rest}"
    return ", ".join(said)


def _read(content):
    """Return a notebook as a dict, or None and why it is none."""
    try:
        document = json.loads(content)
    except ValueError:
        return None, "it is no notebook that can be read"
    kinds = {"code": ("outputs",), "markdown": (), "raw": ()}
    whole = isinstance(document, dict) and document.get("nbformat") == 4 and isinstance(document.get("cells"), list)
    for cell in document["cells"] if whole else ():
        source = cell.get("source") if isinstance(cell, dict) else None
        joined = isinstance(source, str) or (isinstance(source, list) and all(isinstance(s, str) for s in source))
        whole &= joined and cell.get("cell_type") in kinds and all(key in cell for key in kinds[cell["cell_type"]])
    return (document, "") if whole else (None, "it is no notebook of the present form (nbformat 4)")


def _read_state(folder):
    """Return the state of a copy and the base that belongs to it."""
    state = json.loads((folder / FOLDER / "state.json").read_text(encoding="utf-8"))
    base = folder / FOLDER / f"base-{state['base']}.json"
    if not base.is_file():
        raise Trouble(f"{base} is missing. Make a new copy with mlteach lab NEW_FOLDER, and take your answers there.")
    return state, json.loads(base.read_text(encoding="utf-8"))


def _write_state(folder, files):
    """Note which version of the course the notebooks come from now: first its cells, then its name."""
    base = {}
    for name, content in files.items():
        cells = json.loads(content)["cells"]
        kept = [
            {"cell_type": c["cell_type"], "id": c.get("id"), "source": merge.text(c), "seen": merge.seen(c)}
            for c in cells
        ]
        base[name] = {"sha": _sha(content), "cells": kept}
    digest = _digest(files)
    _write(folder / FOLDER / f"base-{digest}.json", json.dumps(base, ensure_ascii=False).encode())
    _write(folder / FOLDER / "state.json", json.dumps({"version": mlteach.__version__, "base": digest}).encode())


def _back_up(folder, state, writing):
    """Keep what is about to be replaced, with what will stand there."""
    replaced = [name for name in writing if (folder / name).is_file()]
    note = {"state": state, "written": {name: _sha(c) for name, c in writing.items()}, "replaced": replaced}
    part = folder / FOLDER / "backup.part"
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("note.json", json.dumps(note))
        for name in replaced:
            archive.write(folder / name, name)
    os.replace(part, folder / FOLDER / f"backup-{_stamp()}.zip")


def _tidy(folder):
    """Keep the last backups, and the bases that the state or a backup speaks of."""
    home = folder / FOLDER
    backups = sorted(home.glob("backup-*.zip"))
    for path in backups[:-BACKUPS]:
        path.unlink()
    wanted = {json.loads((home / "state.json").read_text(encoding="utf-8"))["base"]}
    for path in backups[-BACKUPS:]:
        with zipfile.ZipFile(path) as archive:
            wanted.add(json.loads(archive.read("note.json"))["state"]["base"])
    for path in home.glob("base-*.json"):
        if path.stem.removeprefix("base-") not in wanted:
            path.unlink()


def _write(path, content):
    """Write a file under another name, and rename it when it is on the disk."""
    part = path.with_name(f"{path.name}.part")
    with open(part, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def _replace(path, content):
    """Write a notebook as `_write` does, with the rights that it has; one that may not be written is left alone."""
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, "it may not be written")
    mode = path.stat().st_mode if path.exists() else None
    _write(path, content)
    if mode is not None:
        os.chmod(path, mode)


@contextlib.contextmanager
def _alone(folder):
    """Hold a copy for one update: nobody else writes, and no server has its notebooks open."""
    if not is_copy(folder):
        raise Trouble(f"{folder} holds no copy of the course. mlteach lab {folder} makes one.")
    busy = serving(folder)
    if busy:
        raise Trouble(f"JupyterLab is running in {busy}. Save, end it (Ctrl+C in its terminal), and try again.")
    lock = folder / FOLDER / "lock"
    with contextlib.suppress(FileNotFoundError):
        if time.time() - lock.stat().st_mtime > STALE:
            lock.unlink()
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        raise Trouble(f"another update of {folder} is at work. If it was cut off, remove {lock}.") from None
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def serving(folder):
    """Return the folder of a running Jupyter server of this user that shows ``folder``, or None."""
    from jupyter_server.serverapp import list_running_servers

    here = Path(folder).resolve()
    for server in list_running_servers():
        root = server.get("root_dir") or server.get("notebook_dir")
        process = Path(f"/proc/{server.get('pid')}")
        if process.exists() and process.stat().st_uid != os.getuid():
            continue  # the server crashed, and its number is another user's by now
        if root and (here.is_relative_to(Path(root).resolve()) or Path(root).resolve().is_relative_to(here)):
            return root
    return None


def _stamp():
    return datetime.now().strftime("%Y-%m-%d-%H%M%S-%f")


def _sha(content):
    return hashlib.sha256(content).hexdigest()


def _digest(files):
    return _sha("".join(f"{name} {_sha(content)}\n" for name, content in sorted(files.items())).encode())[:16]
