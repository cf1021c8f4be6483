"""Run all measurements; print tables and write ``.benchmarks/results.json``.

python -m benchmarks                all
python -m benchmarks explorers      only those whose name starts with the word
"""

import json
import sys
from pathlib import Path

from benchmarks import bounds, browser, estimators, explorers, imports, large, own

PARTS = {
    "imports": imports,
    "estimators": estimators,
    "large": large,
    "bounds": bounds,
    "explorers": explorers,
    "own": own,
    "browser": browser,
}


def main(words):
    """Run the parts whose names start with one of ``words`` (all where there are none)."""
    results = {}
    for name, part in PARTS.items():
        if not words or any(name.startswith(word) for word in words):
            rows = results[name] = part.measure()
            print(f"\n{part.__doc__.splitlines()[0]}\n{table(rows)}", flush=True)
    folder = Path(".benchmarks")
    folder.mkdir(exist_ok=True)
    (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")


def table(rows):
    """Return dicts with the same keys as an aligned text table."""
    if not rows:
        return "(nothing to measure)"
    cells = [list(rows[0]), *([_text(v) for v in row.values()] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    return "\n".join(
        "  ".join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(l, widths))) for l in cells
    )


def _text(value):
    return f"{value:.3g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main(sys.argv[1:])
