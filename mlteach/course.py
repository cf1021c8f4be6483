"""Where the course's files are, and its list of chapters; the map and the README's index are made from the list."""

import functools
import tomllib
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parent  # of a clone; an installed package has data and notebooks inside it
INSTALLED = (PACKAGE / "data").is_dir()
DATA = PACKAGE / "data" if INSTALLED else ROOT / "data"
NOTEBOOKS = PACKAGE / "data" / "notebooks" if INSTALLED else ROOT / "notebooks"


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
    def path(self):
        """Where the notebook is, in a clone or in an installed package."""
        return NOTEBOOKS / self.notebook.removeprefix("notebooks/")

    @property
    def written(self):
        """Whether the chapter's notebook exists."""
        return self.path.exists()


def chapters():
    """Return all chapters in order.

    >>> chapters()[4].title
    'Linear regression'
    """
    return list(_parsed((DATA / "chapters.toml").read_text(encoding="utf-8")))


@functools.cache  # every check of an answer asks for the list
def _parsed(text):
    return [Chapter(**{**row, "needs": tuple(row["needs"])}) for row in tomllib.loads(text)["chapter"]]


def prerequisites():
    """Return one line per chapter that says after which others it comes."""
    number = {c.slug: f"{c.number:02d}" for c in chapters()}
    width = max(len(c.title) for c in chapters())
    lines = []
    for c in chapters():
        after = "after " + ", ".join(sorted(number[need] for need in c.needs)) if c.needs else "needs no other chapter"
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
