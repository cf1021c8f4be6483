"""Self-test cards: a question, and the answer folded under it. They open with no kernel.

A chapter's questions are in ``data/selftest/<slug>.toml``, one ``[[card]]`` each with ``question``, ``answer`` and
``source`` (a question number of the second source, such as "Q14", or "ours"). Text may hold LaTeX between dollars.
"""

import html
import re
import tomllib
from typing import NamedTuple

from mlteach.course import DATA

FOLDER = DATA / "selftest"


class Card(NamedTuple):
    """One question with its answer and where it comes from."""

    question: str
    answer: str
    source: str


class Deck(list):
    """The cards of one chapter, shown as questions that unfold."""

    def __repr__(self):
        return "\n\n".join(f"{k}. {c.question}\n   {c.answer}" for k, c in enumerate(self, 1))

    def _repr_html_(self):
        return "\n".join(
            f"<details><summary><b>{k}.</b> {_inline(c.question)}</summary><p>{_inline(c.answer)}</p></details>"
            for k, c in enumerate(self, 1)
        )


def selftest(slug):
    """Return the self-test cards of the chapter named ``slug``."""
    path = FOLDER / f"{slug}.toml"
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in FOLDER.glob("*.toml")))
        raise ValueError(f"there is no self-test {slug!r}; there are {known}.")
    return Deck(Card(**card) for card in tomllib.loads(path.read_text(encoding="utf-8"))["card"])


def _inline(text):
    """Escape the text for HTML and turn `code` and *emphasis* into tags, leaving mathematics alone."""
    parts = re.split(r"(\$[^$]+\$)", " ".join(text.split()))
    for i in range(0, len(parts), 2):
        part = html.escape(parts[i], quote=False)
        part = re.sub(r"`([^`]+)`", r"<code>\1</code>", part)
        parts[i] = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", part)
    for i in range(1, len(parts), 2):
        parts[i] = html.escape(parts[i], quote=False)
    return "".join(parts)
