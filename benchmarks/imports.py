"""Importing the package and all algorithm modules, against importing numpy alone (medians of 15 fresh processes)."""

import importlib.util
import os
import statistics
import subprocess
import sys
import time

from mlteach.course import chapters


def measure():
    """Return one row per import."""
    modules = [f"mlteach.{c.slug}" for c in chapters() if importlib.util.find_spec(f"mlteach.{c.slug}")]
    cases = {"numpy": "numpy", "mlteach": "mlteach", f"all {len(modules)} algorithm modules": ", ".join(modules)}
    times = {name: [] for name in cases}
    start = []
    for _ in range(15):  # interleaved, so that a slow moment of the machine hits all alike
        start.append(_run("pass"))
        for name, what in cases.items():
            times[name].append(_run(f"import {what}"))
    floor = statistics.median(start)
    base = statistics.median(times["numpy"]) - floor
    return [
        {"import": n, "ms": 1e3 * (statistics.median(t) - floor), "of numpy": (statistics.median(t) - floor) / base}
        for n, t in times.items()
    ]


def _run(code):
    start = time.perf_counter()
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # as users have it: compiled once
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
    return time.perf_counter() - start
