"""Paths through the course: syllabi as data (`data/paths.toml`), with the minutes of the chapters themselves."""

import functools
import json
import tomllib
from typing import NamedTuple

from mlteach import chapter
from mlteach.course import DATA, chapters


class Stop(NamedTuple):
    """A week or half a day: its title and the sections that it teaches, in order."""

    title: str
    sections: tuple

    @property
    def numbers(self):
        """The numbers of its chapters, in order."""
        return list(dict.fromkeys(int(section.split(".")[0]) for section in self.sections))


class Enough(NamedTuple):
    """What a path says of a needed chapter of which it takes less than half: the section that suffices, and why.

    A section that stands ``alone`` is taken without what its own chapter needs.
    """

    needs: str
    section: str
    words: str
    alone: bool = False


class Path(NamedTuple):
    """A syllabus: its stops, the least and the most minutes of a stop, and what it says of what it leaves out."""

    slug: str
    title: str
    unit: str
    aim: str
    promise: str
    least: int
    most: int
    stops: tuple
    enough: tuple


def paths():
    """Return all paths in order.

    >>> [path.slug for path in paths()]
    ['semester', 'supervised', 'decisions', 'weekend']
    """
    rows = tomllib.loads((DATA / "paths.toml").read_text(encoding="utf-8"))["path"]
    return [
        Path(
            **{
                **row,
                "stops": tuple(Stop(stop["title"], tuple(stop["sections"])) for stop in row["stops"]),
                "enough": tuple(Enough(**enough) for enough in row.get("enough", ())),
            }
        )
        for row in rows
    ]


@functools.cache
def core(number):
    """Return the core of a chapter: dict from the number of each section to a reader's minutes."""
    cells = json.loads(chapters()[number].path.read_text(encoding="utf-8"))["cells"]
    return {heading.partition(" ")[0]: minutes for heading, minutes in chapter.minutes(cells)}


def minutes(stop):
    """Return the minutes that a reader needs for a stop, tasks included."""
    return sum(core(int(section.split(".")[0]))[section] for section in stop.sections)


def needs(path, k):
    """Return the earlier stops that stop ``k`` of a path needs, without those that another of them needs already."""
    slugs = {c.number: c.slug for c in chapters()}
    first = {}
    for j, stop in reversed(list(enumerate(path.stops))):
        first |= {slugs[number]: j for number in stop.numbers}
    direct = [
        {first[need] for number in stop.numbers for need in chapters()[number].needs if need in first}
        | {first[slugs[number]] for number in stop.numbers}
        for stop in path.stops
    ]
    direct = [{i for i in found if i < j} for j, found in enumerate(direct)]
    behind = [set() for _ in path.stops]
    for j, found in enumerate(direct):
        behind[j] = found.union(*(behind[i] for i in found))
    return sorted(direct[k] - set().union(*(behind[i] for i in direct[k])))
