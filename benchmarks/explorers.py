"""Explorers: one step of a slider (algorithm + drawing + PNG) against rebuilding the same picture with pyplot."""

import io
import time

import ipywidgets as W
import numpy as np
from matplotlib import pyplot as plt

from mlteach import explore
from mlteach.progress import progress


def measure(steps=60):
    """Return one row per explorer: step times over random settings of all controls, in milliseconds."""
    rows = []
    for name in progress(sorted(explore.REGISTRY), "explorers"):
        start = time.perf_counter()
        explorer = explore.REGISTRY[name]()
        made = time.perf_counter() - start
        rng = np.random.default_rng(0)
        times = [_step(explorer, rng) for _ in range(steps)]
        rebuilt = np.median([_rebuild(explorer) for _ in range(5)])
        rows.append(
            {
                "explorer": name,
                "made in ms": 1e3 * made,
                "step median": 1e3 * float(np.median(times)),
                "step 95 %": 1e3 * float(np.percentile(times, 95)),
                "pyplot": 1e3 * float(rebuilt),
                "step / pyplot": float(np.median(times) / rebuilt),
            }
        )
    return rows


def _step(explorer, rng):
    """Move one control to a random position and return the seconds it takes."""
    name = rng.choice(list(explorer.controls))
    control = explorer.controls[name]
    value = _anywhere(control, rng)
    start = time.perf_counter()
    control.value = value
    return time.perf_counter() - start


def _anywhere(control, rng):
    if isinstance(control, W.Checkbox):
        return not control.value
    if isinstance(control, W.Dropdown):
        others = [v for _, v in control.options if v != control.value]
        return others[rng.integers(len(others))]
    place = rng.uniform(control.min, control.max)
    if isinstance(control, W.FloatLogSlider):
        return float(control.base**place)
    return int(round(place)) if isinstance(control, W.IntSlider) else float(place)


def _rebuild(explorer):
    """Lay the same figure out anew and save it as pyplot's inline backend does; return the seconds it takes."""
    figure = explorer.figure(**explorer.values())
    start = time.perf_counter()
    explorer.scene.compute(**explorer.values())
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight", dpi=figure.dpi)
    seconds = time.perf_counter() - start
    plt.close(figure)
    return seconds
