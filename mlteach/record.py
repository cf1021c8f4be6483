"""What the checks remember: which task was tried when, and whether it was solved. It never leaves the machine.

A copy of the course has a folder ``.mlteach``; in it stands one small file, a line for each attempt. Each is added in
one go, so that two kernels do not disturb one another, and behind a line break, so that one that was cut off costs no
other. ``mlteach progress --off`` ends it, and so does ``MLTEACH_RECORD=0`` in the environment; a path there names
another file.
"""

import json
import os
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

FOLDER = ".mlteach"
FILE = "record.jsonl"
OFF = "record-off"


class Task(NamedTuple):
    """What is known of one task: whether it is solved, after how many attempts, and when it was last tried."""

    solved: bool
    attempts: int
    when: str


def note(id, ok):
    """Remember one attempt, where there is a place for it; a disk that is full or read-only is no matter of a check."""
    line = "\n" + json.dumps({"task": id, "ok": bool(ok), "when": datetime.now().isoformat(timespec="seconds")})
    try:
        path = place()  # fails where the folder that we stand in has been deleted
        if path is None:
            return
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)
    except OSError:
        pass


def place():
    """Return the file of the record, or None where nothing is to be remembered."""
    named = os.environ.get("MLTEACH_RECORD")
    if named is not None:
        return Path(named) if named not in ("", "0") else None
    here = Path.cwd()
    home = next((folder / FOLDER for folder in (here, *here.parents) if (folder / FOLDER).is_dir()), None)
    return home / FILE if home and not (home / OFF).exists() else None


def read(path):
    """Return {number of the task: Task} of a record; a line that cannot be read is left out.

    Attempts are counted up to the first that solves the task: running a notebook again is no new attempt.
    """
    found = {}
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return found
    for line in lines:
        try:
            entry = json.loads(line)
            id, ok, when = str(entry["task"]), entry["ok"], str(entry["when"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        before = found.get(id, Task(False, 0, when))
        found[id] = Task(before.solved or bool(ok), before.attempts + (not before.solved), when)
    return found


def solved():
    """Return the numbers of the tasks that are solved, as far as this folder's record knows."""
    path = place()
    return {id for id, task in read(path).items() if task.solved} if path else set()
