"""The command ``mlteach``: a copy of the course, its corrections, what is solved, and a lecturer's table."""

import argparse
import contextlib
import os
import subprocess
import sys
from pathlib import Path

from mlteach import record
from mlteach.course import DATA

COURSE = "mlteach-course"


def main(arguments=None):
    """Do what the command line says; return 0, or 1 and one line on what is wrong."""
    from mlteach.classroom.copies import Trouble

    options = _parser().parse_args(arguments)
    try:
        options.do(options)
    except (Trouble, OSError) as trouble:
        print(f"mlteach: {trouble}", file=sys.stderr)
        return 1
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="mlteach", description="An interactive machine-learning course.")
    parts = parser.add_subparsers(required=True, metavar="lab | update | progress | grade")

    def part(name, do, words):
        made = parts.add_parser(name, help=words, description=words)
        made.set_defaults(do=do)
        return made

    made = part("lab", lab, "open your copy of the course in JupyterLab; make it if there is none")
    made.add_argument("folder", nargs="?", default=COURSE, type=Path, help=f"where it is (default: {COURSE})")
    made.add_argument("--only-copy", action="store_true", help="make the copy, and open nothing")
    made = part("update", update, "bring the installed version's corrections into your copy; your answers stay")
    made.add_argument("folder", nargs="?", default=None, type=Path, help=f"your copy (default: this one, or {COURSE})")
    made.add_argument("--undo", action="store_true", help="take the last update back")
    made = part("progress", progress, "show which tasks you have solved")
    made.add_argument("folder", nargs="?", default=None, type=Path, help=f"your copy (default: this one, or {COURSE})")
    made.add_argument("--export", type=Path, metavar="FILE", help="write it to a file that you can hand in")
    made.add_argument("--off", action="store_true", help="checks remember nothing from now on")
    made.add_argument("--on", action="store_true", help="checks remember again")
    made = part("grade", grade, "run notebooks that were handed in, and write a table of the tasks that they solve")
    made.add_argument("folder", type=Path, help="a folder of notebooks, or of students' folders")
    made.add_argument("--out", type=Path, default=Path("grades.csv"), help="the table (default: grades.csv)")
    made.add_argument("--limit", type=float, default=300, help="seconds for each notebook (default: 300)")
    return parser


def lab(options):
    """Open a copy in JupyterLab, which then runs until it is ended."""
    from mlteach.classroom import copies

    if not copies.is_copy(options.folder):
        copies.make(options.folder)
        print(f"Your copy of the course is in {options.folder.resolve()}.")
    if options.only_copy:
        return
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={options.folder.resolve()}"]
    command += ["--LabApp.default_url=/lab/tree/00_start_here.ipynb"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command += ["--allow-root", "--no-browser"]
    with subprocess.Popen(command, env=_environment()) as server:
        while server.poll() is None:
            with contextlib.suppress(KeyboardInterrupt):  # Ctrl+C is JupyterLab's: it asks, and ends its kernels
                server.wait()


def _environment():
    """Return the environment of JupyterLab: without its news, and with as many threads as explorers can use."""
    paths = [str(DATA / "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    return {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **os.environ,
        "JUPYTER_CONFIG_PATH": os.pathsep.join(filter(None, paths)),
    }


def update(options):
    """Bring corrections into a copy, or take the last ones back, and say what happened."""
    from mlteach.classroom import copies

    folder = _copy(options.folder)
    lines = copies.undo(folder) if options.undo else copies.update(folder)
    for line in lines:
        print(f"{line.notebook}: {line.words}")
    if not lines:
        print("Your copy is up to date.")
    elif not options.undo:
        print(f"What was there before is kept: mlteach update {folder} --undo takes this back.")


def progress(options):
    """Show, export, or switch what the checks remember."""
    from mlteach.classroom import progress as solved

    folder = _copy(options.folder)
    home = folder / record.FOLDER
    if options.off or options.on:
        (home / record.OFF).touch() if options.off else (home / record.OFF).unlink(missing_ok=True)
        print(f"Checks remember {'nothing from now on' if options.off else 'what you solve'}.")
        return
    done = record.read(home / record.FILE)
    if options.export:
        options.export.write_text(solved.export(done), encoding="utf-8")
        print(f"{options.export} holds the tasks that you have tried, with attempts and dates, and nothing else.")
        return
    print(solved.table(done))


def grade(options):
    """Write the table of what was handed in, and say each row."""
    from mlteach.classroom import grade as graded
    from mlteach.classroom.copies import Trouble

    if not options.folder.is_dir():
        raise Trouble(f"{options.folder} is no folder.")
    number = 0
    for row in graded.write(graded.grade(options.folder, options.limit), options.out):
        number += 1
        remark = f"  ({row.remark})" if row.remark else ""
        print(f"{row.folder}/{row.notebook}: {row.solved} of {row.tasks} solved{remark}")
    print(f"{number} notebooks; the table is in {options.out}.")


def _copy(folder):
    """Return the copy that is meant: the one named, the one we stand in, or the one of the usual name."""
    from mlteach.classroom.copies import Trouble, is_copy

    if folder is not None:
        if not is_copy(folder):
            raise Trouble(f"{folder} holds no copy of the course. mlteach lab makes one, in a folder of its own.")
        return folder
    here = Path.cwd()
    for place in (here, *here.parents, here / COURSE):
        if is_copy(place):
            return place
    raise Trouble(f"there is no copy of the course here. Name its folder, or make one with mlteach lab {COURSE}.")
