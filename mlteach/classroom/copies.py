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
import io
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


class Step(NamedTuple):
    """What an update does with one notebook: what it says, and what it writes in place of what it has read."""

    words: str | None = None
    content: bytes | None = None
    before: bytes | None = None
    left: bool = False  # left alone, though the course has news for it: the next update tries again


def is_copy(folder):
    """Say whether a folder holds a copy of the course."""
    return (Path(folder) / FOLDER / "state.json").is_file()


def make(folder, course=NOTEBOOKS):
    """Make a copy of the course in a folder that does not exist or is empty."""
    folder = Path(folder).resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Trouble(
            f"{folder} is there already, and is no copy of the course. Name a folder that does not exist yet."
        )
    files = read_course(course)
    part = folder if folder.exists() else folder.with_name(f"{folder.name}.part-{os.getpid()}")
    try:
        (part / FOLDER).mkdir(parents=True)
        for name, content in files.items():
            (part / name).write_bytes(content)
        _write_state(part, _base(files))
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


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
        if state["base"] == _digest({name: _sha(content) for name, content in new.items()}):
            return []
        renamed, coming, steps = _renamed(folder, base, new), _base(new), {}
        for name in sorted(new.keys() | base.keys()):
            here = renamed.get(name, name)
            steps[name, here] = _merged(folder / here, base.get(name), new.get(name))
        writing = {here: step for (_, here), step in steps.items() if step.content is not None}
        backup = _back_up(folder, state, writing) if writing else None
        for (name, here), step in steps.items():
            try:
                if here in writing:
                    _replace(folder / here, step.content, step.before)
            except OSError as error:
                steps[name, here] = _left(f"it cannot be written ({error.strerror})")
        if backup and not any(step.content for step in steps.values()):
            backup.unlink()  # nothing could be written: the update before stays the last one
        for name, _ in (key for key, step in steps.items() if step.left):
            coming[name] = base.get(name)
        _write_state(folder, {name: entry for name, entry in coming.items() if entry})
        _tidy(folder, writing)
        said = {(name, here): step.words for (name, here), step in steps.items() if step.words}
        return sorted(Line(h, words if h == name else f"{words} (of {name})") for (name, h), words in said.items())


def undo(folder):
    """Take back the last update; what was written since then is kept beside it under another name."""
    folder = Path(folder)
    with _alone(folder):
        backups = sorted((folder / FOLDER).glob("backup-*.zip"))
        if not backups:
            raise Trouble(f"there is no update of {folder} that could be taken back.")
        try:
            with zipfile.ZipFile(backups[-1]) as archive:
                note = json.loads(archive.read("note.json"))
                replaced = {name: archive.read(name) for name in note["replaced"]}
        except (zipfile.BadZipFile, KeyError, ValueError):
            raise Trouble(f"{backups[-1]} is damaged; remove it to take back what was before it.") from None
        lines = [_restored(folder, name, replaced.get(name), sha) for name, sha in note["written"].items()]
        _write(folder / FOLDER / "state.json", json.dumps(note["state"]).encode())
        backups[-1].rename(backups[-1].with_suffix(".undone"))
        return [line for line in lines if line]


def _restored(folder, name, before, written):
    """Put one notebook back, or take it away where there was none before; what is there by now is kept."""
    path = folder / name
    now, words = path.read_bytes() if path.is_file() else None, "as it was before"
    if now == before:
        return Line(name, words) if before is not None else None
    try:
        if now is not None and _sha(now) != written:
            kept = path.with_name(f"{path.stem} (kept {_stamp()}).ipynb")
            _write(kept, now)
            words += f"; what you wrote since then is in {kept.name}"
        if before is not None:
            _replace(path, before, now)
        else:
            path.unlink()
            words = words.replace("as it was before", "taken away again")
    except OSError as error:
        return Line(name, f"left alone: it cannot be written ({error.strerror})")
    return Line(name, words)


def _renamed(folder, base, new):
    """Return the names that the student gave to notebooks of the course, {name in the course: name in the folder}.

    A notebook that is not there any more is looked for among the files beside it: the only one that holds most of its
    cells, known by their ids or their text, and those of no other missing one, is it. Where there are several, none is.
    """
    missing = {name: entry["cells"] for name, entry in base.items() if not os.path.lexists(folder / name)}
    found = []
    for path in folder.glob("*.ipynb") if missing else ():
        with contextlib.suppress(OSError, UnicodeEncodeError):
            path.name.encode()
            document, _ = _read(path.read_bytes()) if _is_plain(path) else (None, "")
            if document and path.name not in base.keys() | new.keys():
                here = {mark for cell in document["cells"] for mark in (cell.get("id"), merge.text(cell))}
                for name, cells in missing.items():
                    if sum(c["id"] in here or c["source"] in here for c in cells) > len(cells) / 2:
                        found.append((name, path.name))
    names, files = [name for name, _ in found], [file for _, file in found]
    return {name: file for name, file in found if names.count(name) == files.count(file) == 1}


def _merged(path, base, new):
    """Return the `Step` for one notebook: the entry of the base that it was made from, and its new content."""
    if new is None:
        return Step("no longer part of the course; yours stays as it is" if path.exists() else None)
    if not os.path.lexists(path):
        return Step("new" if base is None else "was not there any more: written again", new)
    if base and base["sha"] == _sha(new):
        return Step()
    if not _is_plain(path):
        return _left("it is no file of its own")
    try:
        mine = path.read_bytes()
    except OSError as error:
        return _left(f"it cannot be read ({error.strerror})")
    if mine == new:
        return Step()
    if base is None:
        return _left("the course has a new notebook of this name, and you have a file that is called so")
    if _sha(mine) == base["sha"]:
        return Step("corrected", new, mine)
    document, why = _read(mine)
    if document is None:
        return _left(why)
    if not os.access(path, os.W_OK):
        return _left("it may not be written")
    try:
        return _brought(base, document, json.loads(new), mine)
    except RecursionError:
        return _left("something in it nests too deeply")


def _brought(base, document, course, mine):
    """Return the `Step` that brings the course's changes into a student's document."""
    outcome = merge.merge(base["cells"], document["cells"], course["cells"])
    document["cells"] = outcome.cells
    document["nbformat_minor"] = max(document.get("nbformat_minor", 0), course.get("nbformat_minor", 0))
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    content = text.encode("utf-8", "backslashreplace")  # half of a character, as JSON writes it
    return Step(_in_words(outcome.counts) or "nothing that you would see", content, mine)


def _left(why):
    return Step(f"left alone: {why}", left=True)


def _is_plain(path):
    """Say whether this is a file: no link, whose other end may be another's, no folder, no pipe."""
    return path.is_file() and not path.is_symlink()


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
    except (ValueError, RecursionError):
        return None, "it is no notebook that can be read"
    whole = isinstance(document, dict) and document.get("nbformat") == 4 and isinstance(document.get("cells"), list)
    whole = whole and isinstance(document.get("nbformat_minor", 0), int) and all(map(_is_cell, document["cells"]))
    return (document, "") if whole else (None, "it is no notebook of the present form (nbformat 4)")


def _is_cell(cell):
    if not isinstance(cell, dict) or not isinstance(cell.get("id", ""), str):
        return False
    source, kind = cell.get("source"), cell.get("cell_type")
    joined = isinstance(source, str) or (isinstance(source, list) and all(isinstance(s, str) for s in source))
    return joined and (kind in ("markdown", "raw") or (kind == "code" and isinstance(cell.get("outputs"), list)))


def _read_state(folder):
    """Return the state of a copy and the base that belongs to it."""
    path = folder / FOLDER / "state.json"
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        path = folder / FOLDER / f"base-{state['base']}.json"
        return state, json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        words = "is missing or damaged. Make a new copy with mlteach lab NEW_FOLDER, and take your answers there."
        raise Trouble(f"{path} {words}") from None


def _base(files):
    """Return what is kept of a course, {name: its hash and its cells}."""
    base = {}
    for name, content in files.items():
        cells = json.loads(content)["cells"]
        kept = [
            {"cell_type": c["cell_type"], "id": c.get("id"), "source": merge.text(c), "seen": merge.seen(c)}
            for c in cells
        ]
        base[name] = {"sha": _sha(content), "cells": kept}
    return base


def _write_state(folder, base):
    """Note which version of the course the notebooks come from now: first its cells, then its name."""
    digest = _digest({name: entry["sha"] for name, entry in base.items()})
    _write(folder / FOLDER / f"base-{digest}.json", json.dumps(base, ensure_ascii=False).encode())
    _write(folder / FOLDER / "state.json", json.dumps({"version": mlteach.__version__, "base": digest}).encode())


def _back_up(folder, state, writing):
    """Keep what is about to be replaced, with what will stand there; return the file."""
    replaced = {name: step.before for name, step in writing.items() if step.before is not None}
    written = {name: _sha(step.content) for name, step in writing.items()}
    note = {"state": state, "written": written, "replaced": list(replaced)}
    home, packed = folder / FOLDER, io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in {"note.json": json.dumps(note), **replaced}.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 1)  # with no date: zip has few years
    name, last = f"backup-{_stamp()}", max((path.stem for path in home.glob("backup-*.*")), default="")
    _write(home / "backup.zip", packed.getvalue())
    path = home / f"{name if name > last else last + 'x'}.zip"  # clocks are put back, too
    os.replace(home / "backup.zip", path)
    return path


def _tidy(folder, written):
    """Keep the last backups, and the bases that the state or a backup speaks of; nothing of updates cut off."""
    home = folder / FOLDER
    for name in written:
        (folder / f"{name}.part").unlink(missing_ok=True)
    backups = sorted(home.glob("backup-*.zip"))
    for path in backups[:-BACKUPS]:
        path.unlink()
    wanted = {json.loads((home / "state.json").read_text(encoding="utf-8"))["base"]}
    for path in backups[-BACKUPS:]:
        with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
            wanted.add(json.loads(archive.read("note.json"))["state"]["base"])
    for path in home.glob("base-*.json"):
        if path.stem.removeprefix("base-") not in wanted:
            path.unlink()


def _write(path, content, mode=None):
    """Write a file under another name, and rename it when it is on the disk."""
    part = path.with_name(f"{path.name}.part")
    try:
        with open(part, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(part, mode)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _replace(path, content, before):
    """Write a notebook as `_write` does, with the rights that it has, if it is still as it was read."""
    mode = path.stat().st_mode if path.exists() else None
    if mode is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "it may not be written")
    if before != (path.read_bytes() if mode is not None else None):
        raise BlockingIOError(11, "somebody has just written it")
    _write(path, content, mode)


@contextlib.contextmanager
def _alone(folder):
    """Hold a copy for one update: nobody else writes, and no server has its notebooks open."""
    if not is_copy(folder):
        raise Trouble(f"{folder} holds no copy of the course. mlteach lab makes one, in a folder of its own.")
    busy = serving(folder)
    if busy:
        raise Trouble(f"JupyterLab is running in {busy}. Save, end it (Ctrl+C in its terminal), and try again.")
    lock = folder / FOLDER / "lock"
    with contextlib.suppress(FileNotFoundError):
        if abs(time.time() - lock.stat().st_mtime) > STALE:
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


def _digest(hashes):
    return _sha("".join(f"{name} {sha}\n" for name, sha in sorted(hashes.items())).encode())[:16]
