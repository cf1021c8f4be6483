"""Which tasks of the course are solved, by chapter, from what the checks have remembered."""

import json
from datetime import date

import mlteach
from mlteach.chapter import tasks


def table(done):
    """Return a line for each chapter: how many of its tasks are solved, and which are still open."""
    lines, total, all_tasks = [], 0, 0
    for chapter, ids in tasks().items():
        solved = [id for id in ids if id in done and done[id].solved]
        tried = [id for id in ids if id in done and not done[id].solved]
        total, all_tasks = total + len(solved), all_tasks + len(ids)
        bar = "█" * len(solved) + "░" * (len(ids) - len(solved))
        still = f"  tried: {', '.join(tried)}" if tried else ""
        name = f"{chapter.number:02d} {chapter.title:26}"
        lines.append(f"{name} {len(solved):2d} of {len(ids):2d}  {bar:13}{still}".rstrip())
    return "\n".join([*lines, f"{'':29} {total} of {all_tasks} tasks are solved."])


def export(done):
    """Return what a student hands to a lecturer, as text: the tasks with attempts and dates, and no more."""
    rows = {id: {"solved": t.solved, "attempts": t.attempts, "when": t.when} for id, t in sorted(done.items())}
    return json.dumps({"course": mlteach.__version__, "made": date.today().isoformat(), "tasks": rows}, indent=1) + "\n"
