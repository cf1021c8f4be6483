"""The frames of an explorer: what it shows at chosen settings, for pages with no kernel.

    python -m mlteach.publish.frames build/explorers            all explorers
    python -m mlteach.publish.frames build/explorers soft_margin

A film holds the picture at the start and, for every other setting, only the pixels that differ from it. Its frames
come from the explorer's own ``compute``, ``draw`` and ``describe``. Which settings get one:

1. Sweep every control alone and measure how much the picture changes from stop to stop.
2. Some controls move together: the first ones, as many as leave each slider ``LEAST`` stops. Each of the others moves
   while the rest stand at their start.
3. The stops of a slider divide its range into parts in which the eye sees about equally much happen.

`player.js` plays a film. Films are kept: one is made again only when the code or the data behind it has changed.
"""

import base64
import hashlib
import io
import itertools
import json
import math
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import ipywidgets as W
import matplotlib
import numpy as np
from PIL import Image

from mlteach import closure
from mlteach.explore import REGISTRY
from mlteach.explore.base import bold, plain, written
from mlteach.plots import few_colours
from mlteach.progress import progress

ROOM = 1_350_000  # bytes for the pictures of a film; as text they take a third more
LEAST = 9  # stops that a slider keeps when it moves together with others
ALONE = 17  # stops of a slider that moves alone
SWEEP = 41  # places of a slider at which its effect on the picture is measured
COLOURS = 128  # of a difference; its large areas keep their exact tone


def film(name):
    """Return all that a page needs to show the explorer ``name``, as plain lists, texts and numbers."""
    shown = REGISTRY[name]()
    every = {key: positions(control) for key, control in shown.controls.items()}
    start = {key: every[key].index(shown.defaults[key]) for key in every}
    still, words, labels = shown.snapshot()
    changes = _sweep(shown, every, start)
    together, counts = share(every, shown.controls, ROOM / _size(shown, every, still), shown.scene.together)
    stops = {key: choose(changes[key], start[key], counts[key]) for key in every}  # numbers of positions

    pictures, texts, frames = [], [], {}
    for setting in settings(stops, start, together):
        picture, said, called = shown.snapshot(**{key: every[key][i] for key, i in setting.items()})
        frame = [_kept(pictures, list(difference(picture, still))), _kept(texts, bold(said))]
        if called != labels:
            frame.append(called)
        frames[",".join(str(stops[key].index(i)) for key, i in setting.items())] = frame
    controls = [
        {
            "name": key,
            "label": label,
            "kind": _kind(control),
            "stops": [readout(control, every[key][i]) for i in stops[key]],
            "start": stops[key].index(start[key]),
            "readout": getattr(control, "readout", True),
        }
        for (key, control), label in zip(shown.controls.items(), labels)
    ]
    film = {"name": name, "caption": shown.caption, "lines": shown.scene.lines, "controls": controls}
    film |= {"play": shown.scene.play, "interval": _interval(shown.scene, every, stops), "together": together}
    film |= {"width": still.shape[1], "height": still.shape[0], "still": _text(_webp(Image.fromarray(still)))}
    return film | {"pictures": pictures, "texts": texts, "frames": frames, "positions": stops}


def positions(control):
    """Return every value that a control can take, in order.

    >>> positions(W.IntSlider(value=2, min=0, max=6, step=2))
    [0, 2, 4, 6]
    """
    if isinstance(control, W.Checkbox):
        return [False, True]
    if isinstance(control, W.Dropdown | W.ToggleButtons):
        return [value for _, value in control.options]
    n = math.floor((control.max - control.min) / control.step + 1e-6) + 1
    values = [control.min + k * control.step for k in range(n)]
    if isinstance(control, W.FloatLogSlider):
        values = [control.base**v for v in values]
    values = [type(control.value)(round(v, 12)) for v in values]
    nearest = min(range(n), key=lambda k: abs(values[k] - control.value))
    values[nearest] = control.value
    return values


def readout(control, value):
    """Write a value as the live control does beside its slider.

    >>> readout(W.FloatLogSlider(readout_format=".3g"), 0.012589), readout(W.FloatSlider(readout_format=".2f"), -0.5)
    ('0.0126', '−0.50')
    """
    if _kind(control) != "range":
        return written(control, value)
    form = control.readout_format
    if form.endswith("r"):  # that many digits, and never a power of ten
        return f"{float(f'{value:{form[-3:-1]}g}'):,.10g}"
    return plain(value, form)


def share(every, controls, room, first=()):
    """Return which controls move together, and how many stops each control gets.

    every, controls   dicts from the name of a control to its positions, and to the widget
    room              how many frames there may be
    first             names of controls that come before the others
    """
    sliding = {key for key, control in controls.items() if _kind(control) == "range"}
    least = {key: min(len(v), LEAST) if key in sliding else len(v) for key, v in every.items()}
    together, product = [], 1
    for key in sorted(every, key=lambda k: k not in first):
        if product * least[key] <= 0.9 * room or not together:
            together.append(key)
            product *= least[key]
    counts = {key: len(v) if key not in sliding else min(len(v), ALONE) for key, v in every.items()}
    left = max(1, room - sum(counts[key] - 1 for key in every if key not in together))
    left /= math.prod(counts[key] for key in together if key not in sliding)
    moving = sorted((key for key in together if key in sliding), key=lambda key: len(every[key]))
    for k, key in enumerate(moving):  # the short ones take what they need, the others share the rest
        counts[key] = max(least[key], min(len(every[key]), int(left ** (1 / (len(moving) - k)))))
        left = max(1, left / counts[key])
    return [key for key in every if key in together], counts


def choose(changes, start, n):
    """Return ``n`` stops (or one more), numbers of positions: both ends, the start, and equal parts between.

    changes   how much the picture changes from each position to the next; half of the measure is the way itself

    >>> choose([1, 1, 1, 1, 1, 1, 1, 1], 0, 3)
    [0, 4, 8]
    >>> choose([0, 0, 0, 0, 0, 0, 9, 9], 0, 3)
    [0, 6, 8]
    """
    changes = np.asarray(changes, float)
    if n > len(changes):
        return list(range(len(changes) + 1))
    seen = changes / changes.sum() if changes.sum() else 0
    way = np.concatenate([[0], np.cumsum(0.5 / len(changes) + 0.5 * seen)])
    wanted = np.linspace(0, way[-1], n)
    return sorted({start, *(int(np.argmin(abs(way - w))) for w in wanted)})


def settings(stops, start, together):
    """Yield the settings that get a frame, each a dict from the name of a control to the number of its position."""
    given = set()
    groups = [together, *([key] for key in stops if key not in together)]
    for group in groups:
        for picked in itertools.product(*(stops[key] for key in group)):
            setting = {**start, **dict(zip(group, picked))}
            if tuple(setting.values()) not in given:
                given.add(tuple(setting.values()))
                yield setting


def difference(picture, still):
    """Return where ``picture`` differs from ``still``: left and upper edge, and the differing pixels as text.

    The picture's text is empty where nothing differs.
    """
    changed = (picture != still).any(axis=2)
    if not changed.any():
        return 0, 0, ""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    pixels = np.zeros((*changed.shape, 4), np.uint8)
    pixels[changed, :3] = few_colours(Image.fromarray(picture[changed][None]), COLOURS).convert("RGB")
    pixels[changed, 3] = 255
    box = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return int(columns[0]), int(rows[0]), _text(_webp(Image.fromarray(box)))


def _sweep(shown, every, start):
    """Move every control alone and return how much the picture changes from each of its positions to the next."""
    changes = {}
    for key, values in every.items():
        picked = sorted({start[key], *np.linspace(0, len(values) - 1, min(SWEEP, len(values))).round().astype(int)})
        small = [shown.snapshot(**{key: values[i]})[0][::3, ::3].astype(float) for i in picked]
        steps = [abs(after - before).mean() for before, after in itertools.pairwise(small)]
        way = np.interp(range(len(values)), picked, np.concatenate([[0], np.cumsum(steps)]))
        changes[key] = np.diff(way)
    return changes


def _size(shown, every, still, n=12):
    """Return how many bytes a frame takes, the mean of ``n`` settings."""
    rng = np.random.default_rng(0)
    picked = [{key: values[rng.integers(len(values))] for key, values in every.items()} for _ in range(n)]
    return max(1500, np.mean([len(difference(shown.snapshot(**one)[0], still)[2]) * 3 / 4 for one in picked]))


def _kept(shelf, thing):
    """Return the place of ``thing`` on the shelf; what is already there is not kept twice."""
    if thing not in shelf:
        shelf.append(thing)
    return shelf.index(thing)


def _kind(control):
    kinds = {W.Checkbox: "switch", W.Dropdown: "choice", W.ToggleButtons: "buttons"}
    return kinds.get(type(control), "range")


def _interval(scene, every, stops):
    """Return the milliseconds between two stops: with fewer of them than the live slider has, more."""
    return round(scene.interval * min(3, len(every[scene.play]) / len(stops[scene.play]))) if scene.play else 0


def _webp(picture):
    file = io.BytesIO()
    picture.save(file, "webp", lossless=True, method=2, quality=50)
    return file.getvalue()


def _text(data):
    return base64.b64encode(data).decode()


# --- Keeping films ---------------------------------------------------------------------------------------------------


def behind(name):
    """Return the files on which the film of an explorer depends: its module, all that it imports, and the data."""
    return [*closure.behind({REGISTRY[name].__module__, "mlteach.publish.frames"}), *closure.tables()]


def key(name):
    """Return a short text that changes when the film of this explorer may have to be made again."""
    digest = hashlib.sha256(f"{np.__version__} {matplotlib.__version__} {Image.__version__}".encode())
    for path in behind(name):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def write(name, folder):
    """Write the film of one explorer as a script, unless it is there already; return whether it had to be made."""
    path, head = Path(folder) / f"{name}.js", f"// {key(name)}\n"
    if path.exists():
        with path.open(encoding="utf-8") as file:
            if file.readline() == head:
                return False
    text = json.dumps(film(name), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head}mlteach.add({text});\n", encoding="utf-8")
    return True


def read(path):
    """Return the film that a script holds."""
    text = Path(path).read_text(encoding="utf-8")
    return json.loads(text[text.index("(") + 1 : text.rindex(")")])


def write_all(folder, names=()):
    """Write the films of all explorers (or of ``names``) in parallel; return those that had to be made."""
    names = list(names) or sorted(REGISTRY)
    with ProcessPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        made = list(progress(pool.map(write, names, itertools.repeat(folder)), "explorers", total=len(names)))
    return [name for name, new in zip(names, made) if new]


if __name__ == "__main__":
    made = write_all(sys.argv[1], sys.argv[2:])
    sizes = [path.stat().st_size for path in Path(sys.argv[1]).glob("*.js")]
    print(f"{len(made)} films made; {len(sizes)} in all, {np.mean(sizes) / 1e6:.2f} MB on average")
