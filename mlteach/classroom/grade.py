"""A lecturer's side: run notebooks that were handed in, and write which tasks they solve.

Each notebook runs in a fresh kernel with a time limit; what its checks say is recorded by the number of the task, and
no mark in the notebook is needed. Solutions ship with the package, so this shows progress and is no exam. A notebook
is somebody else's program: run it as a user, or in a container, that may lose what it can reach.
"""

import csv
import json
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from mlteach import record
from mlteach.chapter import TASK, source

COLUMNS = ("folder", "notebook", "solved", "tried", "tasks", "solved_tasks", "tried_tasks", "remark")


class Row(NamedTuple):
    """What one notebook has come to; the fields of `COLUMNS`."""

    folder: str
    notebook: str
    solved: int
    tried: int
    tasks: int
    solved_tasks: str
    tried_tasks: str
    remark: str


def grade(folder, limit=300):
    """Yield a `Row` for each notebook below ``folder``, in the order of their paths; ``limit`` is seconds for each."""
    folder = Path(folder)
    for path in sorted(folder.rglob("*.ipynb")):
        inside = path.relative_to(folder)
        if not any(part.startswith(".") for part in inside.parts):
            yield _row(inside, path, limit)


def write(rows, path):
    """Write rows as CSV, one at a time: what was found stays if the rest is interrupted."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for row in rows:
            table.writerow(
                [f"'{v}" if isinstance(v, str) and v[:1] in "=+-@\t" and v else v for v in row]
            )  # no formula
            file.flush()
            yield row


def _row(inside, path, limit):
    where = (inside.parent.as_posix(), inside.name)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        ids = list(dict.fromkeys(id for cell in document["cells"] for id in TASK.findall(source(cell))))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        return Row(*where, 0, 0, 0, "", "", f"cannot be read: {type(error).__name__}")
    with tempfile.TemporaryDirectory() as room:
        remark = _run(path, Path(room), limit)
        done = record.read(Path(room) / record.FILE)
    solved = [id for id in ids if id in done and done[id].solved]
    tried = [id for id in ids if id in done and not done[id].solved]
    return Row(*where, len(solved), len(tried), len(ids), " ".join(solved), " ".join(tried), remark)


def _run(path, room, limit):
    """Run all cells in a fresh kernel that starts in an empty folder; return what went wrong, in words."""
    import nbformat
    from nbclient import NotebookClient

    class Client(NotebookClient):
        def output(self, outs, msg, *where):  # of what is printed, which may have no end, nothing is kept but errors
            return super().output(outs, msg, *where) if msg["msg_type"] == "error" else None

    environment = {**os.environ, "MLTEACH_RECORD": str(room / record.FILE), "MLTEACH_PROGRESS": "0"}
    try:
        notebook = nbformat.from_dict(nbformat.read(path, as_version=4))
        for cell in notebook.cells:
            cell.metadata.pop("tags", None)  # "raises-exception" and its kin are the student's, and mean nothing here
        client = _Limited(notebook, limit, Client)
        failed = client.run(cwd=str(room), env=environment)
    except Exception as error:  # whatever a file does to a kernel is a row that says why
        return f"{type(error).__name__}: {str(error).strip().splitlines()[0][:200] if str(error).strip() else ''}"
    return failed


class _Limited:
    """A notebook with one limit of time for all its cells; those after an error still run."""

    def __init__(self, notebook, limit, client):
        self.notebook, self.limit, self.client = notebook, limit, client

    def run(self, **where):
        import time

        end, faults = time.monotonic() + self.limit, []
        client = self.client(self.notebook, kernel_name="python3", allow_errors=True, store_widget_state=False)
        with client.setup_kernel(**where):
            for k, cell in enumerate(self.notebook.cells):
                left = end - time.monotonic()
                if left <= 0:
                    return f"stopped after {self.limit:g} seconds, before cell {k + 1}"
                client.timeout = max(1, int(left))
                client.on_cell_start = None
                try:
                    client.execute_cell(cell, k)
                except Exception as error:
                    if "Timeout" in type(error).__name__:
                        return f"stopped after {self.limit:g} seconds, in cell {k + 1}"
                    raise
                faults += [
                    f"cell {k + 1}: {o['ename']}" for o in cell.get("outputs", []) if o.get("output_type") == "error"
                ]
        return "; ".join(faults[:3]) + (f"; {len(faults) - 3} more" if len(faults) > 3 else "")
