"""Three questions to a notebook that a single run from top to bottom does not answer.

    python tests/instruments.py jitter 06 --n 5    would it print the same on another processor?
    python tests/instruments.py seeds 06 --n 10    does its text hang on the luck of its seeds?
    python tests/instruments.py rerun 06           can a student go back to any cell at the end?

Without a word all notebooks are asked; a word is a number or a part of the name. Cells are counted from 0, text cells
too. The exit code is 1 when anything is found.
"""

import argparse
import os
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"

# Random draws, exponentials and the like, and what numpy's linear algebra returns move by up to two units in the last
# place. How far depends on the number alone: what was equal stays equal, as it would on another processor, and whole
# numbers, which all processors agree on, stay whole.
JITTER = """
import functools as _functools
import numpy as _np


def _shake(x):
    if isinstance(x, tuple):
        return type(x)(*map(_shake, x)) if hasattr(x, "_fields") else tuple(map(_shake, x))
    if not isinstance(x, (float, _np.ndarray)) or _np.asarray(x).dtype != float:
        return x
    a = _np.array(x)
    mixed = a.view(_np.uint64) * _np.uint64(0x9E3779B97F4A7C15 + 2 * {k})
    steps = (mixed >> _np.uint64(40)) % _np.uint64(5)
    shaken = _np.where(a == _np.round(a), a, a * (1 + (steps.astype(float) - 2) * 2.0**-52))
    return shaken if isinstance(x, _np.ndarray) else type(x)(shaken)


def _shaking(plain):
    @_functools.wraps(plain)
    def shaking(*args, **kwargs):
        if kwargs.get("out") is not None:
            return plain(*args, **kwargs)
        return _shake(plain(*args, **kwargs))

    return shaking


class _Shaken(_np.random.Generator):
    pass


for _name in ("normal standard_normal uniform random gamma standard_gamma exponential laplace beta logistic standard_t "
              "multivariate_normal chisquare dirichlet").split():
    setattr(_Shaken, _name, _shaking(getattr(_np.random.Generator, _name)))
for _name in "solve lstsq inv pinv qr svd eigh eigvalsh cholesky det slogdet norm".split():
    setattr(_np.linalg, _name, _shaking(getattr(_np.linalg, _name)))
for _name in "exp log log1p expm1 sin cos tanh logaddexp".split():
    setattr(_np, _name, _shaking(getattr(_np, _name)))
_np.random.default_rng = lambda seed=None: (
    seed if isinstance(seed, _np.random.Generator) else _Shaken(_np.random.PCG64(seed))
)
"""

# The data sets of mlteach.datasets keep their seeds: they are fixed data, and what is said about them holds for them.
SEEDS = """
import sys as _sys
import numpy as _np

_plain = _np.random.default_rng


def _shifted(seed=None):
    frame = _sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__") == "mlteach.datasets":
            return _plain(seed)
        frame = frame.f_back
    if isinstance(seed, (list, tuple)) and seed:
        return _plain([seed[0] + 1000 * {k}, *seed[1:]])
    return _plain(seed + 1000 * {k} if isinstance(seed, (int, _np.integer)) else seed)


_np.random.default_rng = _shifted
"""

KEEP = "_end = {name: value for name, value in globals().items() if not name.startswith('_')}"
RESTORE = "globals().update(_end)"


def run(path, sources):
    """Run cells in one fresh kernel, going on after errors; return (text, error or None) of each."""
    import nbformat
    from nbclient import NotebookClient

    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    options = {"timeout": 600, "startup_timeout": 240, "allow_errors": True, "store_widget_state": False}
    client = NotebookClient(nb, kernel_name="python3", extra_arguments=["--log-level=40"], **options)
    for last in (False, False, True):
        try:
            client.execute(cwd=str(path.parent))
            break
        except RuntimeError:  # of many kernels that start at a time two may be given the same port; one of them dies
            if last:
                raise
    return [_answer(cell.outputs) for cell in nb.cells]


def _answer(outputs):
    text, error = [], None
    for output in outputs:
        if output.output_type == "error":
            error = error or f"{output.ename}: {output.evalue}"
        elif output.output_type == "stream" and output.name == "stdout":
            text.append(output.text)
        elif "text/plain" in output.get("data", {}) and not output.data["text/plain"].startswith("<Figure"):
            text.append(output.data["text/plain"] + "\n")
    return "".join(text), error


def code_cells(path):
    """Return {place: source} of the code cells."""
    import nbformat

    cells = nbformat.read(path, as_version=4).cells
    return {i: cell.source for i, cell in enumerate(cells) if cell.cell_type == "code"}


def patched(path, patch):
    """Run a notebook after the cell ``patch``; return {place: (text, error or None)}."""
    cells = code_cells(path)
    return dict(zip(cells, run(path, [patch, *cells.values()])[1:]))


def again(path):
    """Run a notebook, then each of its cells once more on the names that its end left; return {place: answer}."""
    cells = code_cells(path)
    second = [source for cell in cells.values() for source in (RESTORE, cell)]
    answers = run(path, [*cells.values(), KEEP, *second])
    return dict(zip(cells, answers[len(cells) + 2 :: 2]))


def errors(answers):
    """Return {place: error} without names that are missing only because an earlier cell failed."""
    found = {}
    for i, (_, error) in answers.items():
        if error and not (found and error.startswith("NameError")):
            found[i] = error
    return found


def differences(answers, plain):
    """Return {place: what changed} against an undisturbed run; a failed cell has changed too."""
    found = errors(answers)
    for i, (text, error) in answers.items():
        if not error and text != plain[i][0]:
            pairs = zip(plain[i][0].splitlines(), text.splitlines())
            old, new = next(((a, b) for a, b in pairs if a != b), ("", "other lines"))
            found.setdefault(i, f"{old.strip()[:70]!r} became {new.strip()[:70]!r}")
    return found


def jitter(pool, paths, n):
    """Yield the name of each notebook and {place: [what changed, ...]} over ``n`` shaken runs."""
    jobs = [[pool.submit(patched, path, JITTER.format(k=k) if k else "") for k in range(n + 1)] for path in paths]
    for path, (plain, *shaken) in zip(paths, jobs):
        yield path.stem, collect(differences(job.result(), plain.result()) for job in shaken)


def seeds(pool, paths, n):
    """Yield the name of each notebook and {place: [error, ...]} over ``n`` runs with other seeds."""
    jobs = [[pool.submit(patched, path, SEEDS.format(k=k)) for k in range(1, n + 1)] for path in paths]
    for path, shifted in zip(paths, jobs):
        yield path.stem, collect(errors(job.result()) for job in shifted)


def rerun(pool, paths, n):
    """Yield the name of each notebook and {place: [error]} of the cells that fail the second time."""
    for path, answers in zip(paths, pool.map(again, paths)):
        yield path.stem, {i: [error] for i, (_, error) in answers.items() if error}


def collect(runs):
    """Return {place: [finding, ...]} from the {place: finding} of several runs."""
    places = defaultdict(list)
    for found in runs:
        for i, words in found.items():
            places[i].append(words)
    return places


ASK = {
    "jitter": (jitter, "cells hang on the last bit"),
    "seeds": (seeds, "cells fail for other seeds"),
    "rerun": (rerun, "cells fail when run again at the end"),
}


def main():
    """Ask the notebooks and print the answers; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instrument", choices=ASK)
    parser.add_argument("words", nargs="*", help="numbers or names of notebooks; all where there are none")
    parser.add_argument("--n", type=int, default=5, help="runs of each notebook (jitter, seeds)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    args = parser.parse_args()
    os.environ["MLTEACH_PROGRESS"] = "0"
    paths = [p for p in sorted(FOLDER.glob("*.ipynb")) if not args.words or any(w in p.stem for w in args.words)]
    if not paths:
        sys.exit(f"no notebook matches {' '.join(args.words)}")
    ask, what = ASK[args.instrument]
    wrong = False
    with ProcessPoolExecutor(args.jobs) as pool:
        for name, places in ask(pool, paths, args.n):
            wrong |= bool(places)
            print(f"{name}: {len(places)} {what}", flush=True)
            for i, why in sorted(places.items()):
                runs = "" if args.instrument == "rerun" else f"{len(why)} of {args.n}  "
                print(f"  cell {i:3}: {runs}{why[0].splitlines()[0][:160]}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
