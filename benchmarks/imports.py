"""Importing the package and all algorithm modules, against importing numpy alone (medians of 15 fresh processes)."""

import pkgutil
import statistics
import subprocess
import sys
import time

import mlteach

SURFACE = {"explore", "exercises", "plots", "notebooks"}


def measure():
    """Return one row per import."""
    modules = [f"mlteach.{m.name}" for m in pkgutil.iter_modules(mlteach.__path__) if m.name not in SURFACE]
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
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start
