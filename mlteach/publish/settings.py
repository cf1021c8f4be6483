"""The settings of an explorer that its chapter names: what a page with no kernel must be able to show.

    python -m mlteach.publish.settings soft_margin

Predictions, answers and tasks say where to put the sliders: "at $\\eta=0.1$ raise $\\beta$ from 0 to 0.99", "choose
*ridge*", "after 60 games". A value is named where it stands beside the symbol or the words of a control and is one of
its stops; where a sentence is silent about a control, the value that an earlier sentence gave it still holds.
"""

import functools
import itertools
import json
import re
import sys
import unicodedata

import ipywidgets as W

from mlteach import chapter
from mlteach.course import ROOT, chapters

MOST = 60  # settings of one sentence that are taken; more are no instruction
FAR = 45  # characters between a control's name and its value
GREEK = {
    f"\\{name}": unicodedata.lookup(f"GREEK SMALL LETTER {name.upper()}")
    for name in "alpha beta gamma delta epsilon eta theta kappa mu nu pi rho sigma tau phi chi psi omega zeta".split()
} | {"\\lambda": "λ", "\\varepsilon": "ε", "\\varphi": "φ", "\\ln": "ln ", "\\ell": "ℓ", "\\lVert": "‖", "\\rVert": "‖"}
SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
NUMBER = re.compile(r"(?<![\w.₀-₉])[−-]?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w₀-₉]|\.\d)")
WORDS = {word: str(n) for n, word in enumerate("zero one two three four five six seven eight nine ten".split())}
DULL = {"of", "the", "a", "to", "at", "in", "with", "by", "is", "on", "and", "new", "number", "shown", "kind", "share"}


def named(name, every, controls, start):
    """Return the settings that the chapter of explorer ``name`` names: dicts from control to number of position.

    every, controls   dicts from the name of a control to its positions, and to the widget
    start             dict from the name of a control to the number of the position at which it begins
    """
    found, texts = [], around(name)
    for text in texts:
        now = dict(start)
        for sentence in sentences(text):
            said = {key: read(sentence, key, every[key], controls) for key in every}
            said = {key: places for key, places in said.items() if places}
            if said and _product(said) <= MOST:
                for rest in (start, now):
                    for picked in itertools.product(*said.values()):
                        setting = {**rest, **dict(zip(said, picked))}
                        if setting not in found and setting != start:
                            found.append(setting)
            now |= {key: places[-1] for key, places in said.items()}
    return found


def _product(said):
    n = 1
    for places in said.values():
        n *= len(places)
    return n


@functools.cache
def _cells():
    """Return where each explorer stands: dict from its name to the cells of its chapter and its place among them."""
    found = {}
    for one in (c for c in chapters() if c.written):
        cells = json.loads((ROOT / one.notebook).read_text(encoding="utf-8"))["cells"]
        for place, cell in enumerate(cells):
            name = None if chapter.is_text(cell) else chapter.explorer(chapter.source(cell))
            if name:
                found.setdefault(name, (cells, place))
    return found


def around(name):
    """Return the texts that send a reader to an explorer: its prediction, its answer, and tasks that name it."""
    if name not in _cells():
        return []
    cells, place = _cells()[name]
    before = next((c for c in reversed(cells[max(0, place - 3) : place]) if chapter.is_text(c)), None)
    asked = [b.text for b in chapter.blocks(chapter.source(before))] if before else []
    asked = [text for text in asked if "**Predict" in text] or asked[-1:]
    told = []
    for cell in cells[place + 1 : place + 5]:
        if not chapter.is_text(cell):
            if chapter.explorer(chapter.source(cell)):
                break
            continue
        for block in chapter.blocks(chapter.source(cell)):
            if block.kind == "answer" or (block.kind == "turn" and re.search("explorer|slider|Reset", block.text)):
                told.append(block.text)
    return [*asked, *told]


def sentences(text):
    """Return the sentences of a text with its formulas as they would be said.

    >>> sentences(r"At $\\eta_0=0.5$ it rests. With $w_1=10^{-4}$ it moves.")
    ['At η₀=0.5 it rests.', 'With w₁=1e-4 it moves.']
    """
    text = re.sub(r"<[^>]+>|\$\$.*?\$\$", " ", text, flags=re.S)
    text = text.replace("{,}", "").replace(r"\,", " ").replace(r"\%", "%").replace(r"\tfrac12", "0.5")
    for tex, letter in sorted(GREEK.items(), key=lambda pair: -len(pair[0])):
        text = re.sub(re.escape(tex) + r"(?![a-zA-Z])", letter, text)
    text = re.sub(r"(?<!\d)10\^\{?(-?\d+)\}?", r"1e\1", text)
    text = re.sub(r"_\{?(\d)\}?", lambda m: m[1].translate(SUBSCRIPT), text)
    text = re.sub(r"\\mathbf|\\text|[${}*]", "", text).replace("−", "-").replace(r"\log", "log")
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    return re.split(r"(?<=[.;:?])\s+", " ".join(text.split()))


def read(sentence, key, values, controls):
    """Return the numbers of the positions at which a sentence puts the control ``key``, in the order of the text."""
    control = controls[key]
    if isinstance(control, W.Checkbox):
        return [0, 1] if control.description.lower() in sentence.lower() else []
    if isinstance(control, W.Dropdown | W.ToggleButtons):
        words = [str(label).replace("−", "-") for label, _ in control.options]
        if all(re.fullmatch(r"[-\d.,e+]+", word.replace(",", "")) for word in words):
            return _numbers(sentence, key, [float(word.replace(",", "")) for word in words], controls)
        return [k for k, word in enumerate(words) if _chosen(word, sentence)]
    return _numbers(sentence, key, values, controls)


def _chosen(word, sentence):
    """Say whether an option is named: a short one only in quotation marks."""
    form = re.escape(word.lower())
    return bool(re.search(rf"\"{form}\"" if len(word) < 4 else rf"(?<!\w){form}(?!\w)", sentence.lower()))


def _numbers(sentence, key, values, controls):
    found = []
    sentence = re.sub(rf"\b({'|'.join(WORDS)})\b", lambda m: WORDS[m[1]], sentence)
    names = {other: _names(control.description) for other, control in controls.items()}
    for match in NUMBER.finditer(sentence):
        value = float(match[0].replace("−", "-"))
        if re.match(r" (per cent|%)", sentence[match.end() :]) and max(values) <= 1:
            value /= 100
        before, after = sentence[max(0, match.start() - FAR) : match.start()], sentence[match.end() :][:20]
        near = {other: _nearest(forms, before, after) for other, forms in names.items()}
        if near[key] is None or near[key] > min(d for d in near.values() if d is not None):
            continue
        digits = len(match[0].partition(".")[2])
        for k, place in enumerate(values):
            if abs(place - value) < 1e-9 or (value and f"{place:.3g}" == f"{value:.3g}" and digits > 0):
                found += [k] if k not in found else []
    return found


@functools.cache
def _names(label):
    """Return how a control may be called: its symbol, and the words of its label.

    >>> _names("learning rate η")
    ('η', 'learning', 'rate')
    """
    words = [word.strip("(),:") for word in label.replace("−", "-").split()]
    return tuple(sorted((word for word in words if word.lower() not in DULL and len(word)), key=lambda w: len(w) > 2))


def _nearest(forms, before, after):
    """Return how far a value stands from the nearest name of a control, or None."""
    found = []
    for form in forms:
        stem = form[:-1] if len(form) > 4 and form.endswith("s") else form
        flags = re.I if len(form) > 2 else 0
        form = rf"(?<!\w){re.escape(stem)}(?:s|es)?(?!\w)"
        found += [len(before) - m.end() for m in re.finditer(form, before, flags)]
        behind = re.match(rf"\W{{1,3}}(?:[a-z]+ )?{form}", after, flags)
        found += [1] if behind else []
    return min(found, default=None)


def main(*names):
    """Print the settings that the chapters name."""
    from mlteach.explore import REGISTRY
    from mlteach.publish import frames

    for name in names or sorted(REGISTRY):
        shown, every, start = frames.ready(name)
        print(name)
        for setting in named(name, every, shown.controls, start):
            moved = {
                key: frames.readout(shown.controls[key], every[key][k]) for key, k in setting.items() if k != start[key]
            }
            print("   ", ", ".join(f"{key} = {value}" for key, value in moved.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
