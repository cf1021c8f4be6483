"""The list of chapters, read from ``data/chapters.toml``; the map and the README's index are made from it."""

import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Chapter(NamedTuple):
    """One chapter: its place in the course and what it needs and promises."""

    number: int
    slug: str
    title: str
    part: str
    needs: tuple
    promise: str

    @property
    def notebook(self):
        """The notebook's path from the project's root."""
        return f"notebooks/{self.number:02d}_{self.slug}.ipynb"

    @property
    def written(self):
        """Whether the notebook exists."""
        return (ROOT / self.notebook).exists()


def chapters():
    """Return all chapters in order.

    >>> chapters()[4].title
    'Linear regression'
    """
    table = tomllib.loads((ROOT / "data" / "chapters.toml").read_text(encoding="utf-8"))
    return [Chapter(**{**row, "needs": tuple(row["needs"])}) for row in table["chapter"]]


def prerequisites():
    """Return one line per chapter that says after which others it comes."""
    number = {c.slug: f"{c.number:02d}" for c in chapters()}
    width = max(len(c.title) for c in chapters())
    lines = []
    for c in chapters():
        after = "after " + ", ".join(number[need] for need in c.needs) if c.needs else "needs no other chapter"
        lines.append(f"{c.number:02d} {c.title:{width}}  {after}{'' if c.written else ' (planned)'}")
    return "\n".join(lines)


def index():
    """Return the README's index of chapters as Markdown; chapters still to be written have no link."""
    lines = []
    for part in dict.fromkeys(c.part for c in chapters()):
        lines += ["", f"**{part}**", "", "| | chapter | what it is about |", "| --- | --- | --- |"]
        for c in (c for c in chapters() if c.part == part):
            name = f"[{c.title}]({c.notebook})" if c.written else f"{c.title} *(planned)*"
            lines.append(f"| {c.number:02d} | {name} | {c.promise} |")
    return "\n".join(lines).strip() + "\n"


def write_index():
    """Bring the index of chapters in the README up to date."""
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    head, _, rest = text.partition("## Chapters\n\n")
    tail = rest[rest.index("\n## ") :]
    new = f"{head}## Chapters\n\n{index()}{tail}"
    if new != text:
        path.write_text(new, encoding="utf-8")
