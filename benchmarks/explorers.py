"""Explorers: one step of a slider (algorithm + drawing + PNG), in ms; first visits are settings never seen before."""

import io
import time

import ipywidgets as W
import numpy as np
from matplotlib import pyplot as plt

from mlteach import explore
from mlteach.progress import progress


def measure(steps=60):
    """Return one row per explorer; a random walk over all controls is made once, then back over the same settings."""
    return [row(name, steps) for name in progress(sorted(explore.REGISTRY), "explorers")]


def row(name, steps, data=()):
    """Return the times of one explorer, with the processor (cpu) and on the clock (wall)."""
    start = time.perf_counter()
    explorer = explore.REGISTRY[name](*data)
    made = time.perf_counter() - start
    first, again = walk(explorer, steps)
    rebuilt = float(np.median([_rebuild(explorer) for _ in range(5)]))
    return {
        "explorer": name,
        "made": 1e3 * made,
        "first visits": len(first),
        "cpu median": 1e3 * float(np.median(first[:, 0])),
        "cpu 95 %": 1e3 * float(np.percentile(first[:, 0], 95)),
        "wall 95 %": 1e3 * float(np.percentile(first[:, 1], 95)),
        "again cpu 95 %": 1e3 * float(np.percentile(again[:, 0], 95)),
        "pyplot": 1e3 * rebuilt,
        "cpu / pyplot": float(np.median(first[:, 0])) / rebuilt,
    }


def walk(explorer, steps):
    """Return (cpu, wall) seconds of the steps that came to a new setting, and of those that came to a known one."""
    rng, seen = np.random.default_rng(0), {_setting(explorer)}
    first, again, way = [], [], []
    for _ in range(steps):
        name = rng.choice(list(explorer.controls))
        way.append((name, explorer.controls[name].value))
        taken = _step(explorer, name, _anywhere(explorer.controls[name], rng))
        (again if _setting(explorer) in seen else first).append(taken)
        seen.add(_setting(explorer))
    again += [_step(explorer, name, value) for name, value in reversed(way)]
    return np.array(first), np.array(again)


def _setting(explorer):
    return tuple(explorer.values().values())


def _step(explorer, name, value):
    """Move one control and return the processor's and the clock's seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    explorer.controls[name].value = value
    return time.process_time() - cpu, time.perf_counter() - wall


def _anywhere(control, rng):
    if isinstance(control, W.Checkbox):
        return not control.value
    if isinstance(control, W.Dropdown | W.ToggleButtons):
        others = [v for _, v in control.options if v != control.value]
        return others[rng.integers(len(others))]
    stops = round((control.max - control.min) / control.step)
    place = min(control.max, control.min + int(rng.integers(stops + 1)) * control.step)
    return float(control.base**place) if isinstance(control, W.FloatLogSlider) else place


def _rebuild(explorer):
    """Lay the same figure out anew and save it as pyplot's inline backend does; return the processor's seconds."""
    figure = explorer.figure(**explorer.values())
    start = time.process_time()
    explorer.scene.compute(**explorer.values())
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight", dpi=figure.dpi)
    seconds = time.process_time() - start
    plt.close(figure)
    return seconds
