"""The frames of an explorer: what it shows at chosen settings, for pages with no kernel.

    python -m mlteach.publish.frames build/explorers            all explorers
    python -m mlteach.publish.frames build/explorers soft_margin

A film holds the picture at the start and, for every other setting, only the pixels that differ from it. Its frames
come from the explorer's own ``compute``, ``draw`` and ``describe``. Which settings get one:

1. Sweep every control alone and measure how much the picture changes from stop to stop.
2. Every control alone, at many stops, while the rest stand at their start.
3. All controls together, at fewer stops, as many as there is room for. Where even a few stops each are too many, those
   that come last in the order of the controls (after those of the scene's ``together``) stay at their start.
4. What predictions, answers and tasks name (`settings`), whatever the room.

The stops of a slider divide its range into parts in which the eye sees about equally much happen. `player.js` plays a
film; a moved slider stops at the nearest place that has a frame, and the others stay where they are. Films are kept:
one is made again only when the code, the data or the text behind it has changed.
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
from mlteach.publish import settings

ROOM = 1_600_000  # bytes for the pictures of a film; as text they take a third more
MORE = 1.4  # times that room, where it does not let all controls move together
LEAST, FEWEST = 5, 3  # stops that a slider keeps when it moves together with others: if there is room, and at least
PLAYED = 9  # stops of the control that stands for time
ALONE = 17  # stops of a slider that moves alone
SWEEP = 41  # places of a slider at which its effect on the picture is measured
COLOURS = 128  # of a difference; its large areas keep their exact tone


def ready(name):
    """Return an explorer, every position of its controls, and the numbers of the positions at which they begin."""
    shown = REGISTRY[name]()
    every = {key: positions(control) for key, control in shown.controls.items()}
    return shown, every, {key: every[key].index(shown.defaults[key]) for key in every}


def film(name):
    """Return all that a page needs to show the explorer ``name``, as plain lists, texts and numbers."""
    shown, every, start = ready(name)
    still, words, labels = shown.snapshot()
    changes = _sweep(shown, every, start)
    asked = settings.named(name, every, shown.controls, start)
    alone, together, counts = roomy(shown, every, _size(shown, every, still), len(asked))
    alone = {key: choose(changes[key], start[key], alone[key]) for key in every}
    grid = {key: choose(changes[key], start[key], counts[key]) for key in together}
    wanted = list(planned(alone, grid, start, asked))
    stops = {key: sorted({setting[key] for setting in wanted}) for key in every}  # numbers of positions

    pictures, texts, frames = [], [], {}
    for setting in wanted:
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


def roomy(shown, every, size, asked):
    """Return how many stops each control gets alone, which move together, and how many stops these get together.

    size, asked   the bytes of a frame, and how many settings a text names

    Where there is no room for all controls together, there is more room, and sliders have fewer stops alone.
    """
    for more, most in ((1, ALONE), (MORE, PLAYED)):
        alone = {k: min(len(v), most) if sliding(shown.controls[k]) else len(v) for k, v in every.items()}
        room = more * ROOM / size - sum(alone.values()) - asked
        together, counts = share(every, shown.controls, room, shown.scene.together, shown.scene.play)
        if len(together) == len(every):
            break
    return alone, together, counts


def sliding(control):
    """Say whether a control is a slider, which may have fewer stops than positions."""
    return _kind(control) == "range"


def share(every, controls, room, first=(), play=None):
    """Return which controls move together, and how many stops each of them gets.

    every, controls   dicts from the name of a control to its positions, and to the widget
    room              how many frames there may be
    first             names of controls that come before the others
    play              the name of the control that stands for time, if there is one
    """
    order = sorted(every, key=lambda k: (k not in first, k != play))
    for many in range(len(order), 0, -1):
        for least in range(LEAST, FEWEST - 1, -1):
            floor = {key: PLAYED if key == play else least for key in order[:many]}
            counts = {k: min(len(every[k]), n) if sliding(controls[k]) else len(every[k]) for k, n in floor.items()}
            if math.prod(counts.values()) <= room or many == 1:
                break
        else:
            continue
        break
    weight = {key: 1.5 if key in first or key == play else 1 for key in counts}
    moving = [key for key in counts if sliding(controls[key])]
    while growing := [key for key in moving if counts[key] < len(every[key])]:
        key = min(growing, key=lambda k: counts[k] / weight[k])
        if math.prod(counts.values()) / counts[key] * (counts[key] + 1) > room:
            moving.remove(key)
        else:
            counts[key] += 1
    return [key for key in every if key in counts], counts


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


def planned(alone, grid, start, asked):
    """Yield the settings that get a frame, each a dict from the name of a control to the number of its position.

    alone, grid   dicts from the name of a control to its stops: when it moves alone, and together with others
    asked         settings that a text names
    """
    given = set()
    lines = ({**start, key: place} for key, places in alone.items() for place in places)
    joint = ({**start, **dict(zip(grid, picked))} for picked in itertools.product(*grid.values()))
    for setting in itertools.chain([start], lines, joint, asked):
        if (place := tuple(setting[key] for key in start)) not in given:
            given.add(place)
            yield {key: setting[key] for key in start}


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
    digest.update("\n".join(settings.around(name)).encode())  # a text that names other settings asks for other frames
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
