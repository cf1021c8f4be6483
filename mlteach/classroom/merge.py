"""Bring a corrected notebook into a student's copy, cell by cell, without losing or altering what the student wrote.

Three notebooks are compared: ``base``, from which the copy was made, ``mine``, what the student made of it, ``new``.

1. Pair the cells of base with those of mine, and with those of new: by id, by text, by task, then by likeness between
   neighbours that are paired already.
2. A cell that the student did not touch becomes the new one. One that only the student touched stays. One that both
   changed stays as the student's, and the new one follows *as text*: run as code, it could undo an answer.
3. New cells come in, removed ones go; those of the student's own stay behind the cell that they stood behind.

A cell here is a dict as in the notebook's file; a notebook is the list of its cells.
"""

import hashlib
import re
from collections import Counter
from typing import NamedTuple

WORD = re.compile(r"\w+|[^\w\s]")
TASK = re.compile(r"^check\(\s*[\"']([\w.]+)", re.M)
ALIKE = 0.5  # the share of its text that a cell must keep to be taken for the same one
NOTICE = "*You have changed the cell above, and so has the course. Yours was kept; this is the course's new one:*"


class Outcome(NamedTuple):
    """The merged cells, and how many of the course's changes came in, in which way."""

    cells: list
    counts: Counter  # corrected, added, removed, beside (both had changed it), left out (the student had removed it)


def text(cell):
    """Return the text of a cell, without the empty lines around it, its lines ended in one way."""
    return "".join(cell["source"]).replace("\r\n", "\n").strip("\n")


def same(one, other):
    """Say whether two cells are of the same kind and have the same text."""
    return one["cell_type"] == other["cell_type"] and text(one) == text(other)


def seen(cell):
    """Return a mark of a cell's outputs, equal where they are; how a file cuts them into lines makes no difference."""

    def plain(value):
        if isinstance(value, dict):
            return sorted((key, plain(part)) for key, part in value.items() if key != "execution_count")
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return "".join(value)
        return [plain(part) for part in value] if isinstance(value, list) else value

    return hashlib.sha256(repr(plain(cell.get("outputs", []))).encode()).hexdigest()[:16]


def merge(base, mine, new):
    """Return the `Outcome` of bringing the changes from ``base`` to ``new`` into ``mine``."""
    to_new = pairs(base, new)
    arrived = _already_there(mine, new)
    there = {j: m for j, m in arrived.items() if j not in to_new.values()}
    to_mine = pairs(base, mine, {b: arrived[j] for b, j in to_new.items() if j in arrived}, set(there.values()))
    origin = {m: b for b, m in to_mine.items()}
    counts, place = Counter(), {j: None for j in range(len(new))}  # for each cell of new: what stands for it

    # What becomes of each cell of the course
    for b, j in to_new.items():
        place[j] = _decide(base[b], mine[to_mine[b]] if b in to_mine else None, new[j], counts)
    for j in set(place) - set(to_new.values()):
        place[j] = [mine[there[j]]] if j in there else [new[j]]
        counts["added"] += j not in there
    stands_at = {to_mine[b]: j for b, j in to_new.items() if b in to_mine} | {m: j for j, m in there.items()}
    own = [m for m in range(len(mine)) if m not in stands_at and not _is_dropped(m, origin, base, mine, counts)]

    # Their order is the course's, unless the student has changed it
    in_order = [origin[m] for m in range(len(mine)) if m in origin]
    order = _course_order if in_order == sorted(in_order) else _student_order
    return Outcome(_distinct(order(place, own, stands_at, len(mine), mine)), counts)


def pairs(left, right, known=(), apart=frozenset()):
    """Return which cell of ``right`` each of ``left`` has become, a dict of places; those ``apart`` are of no one's."""
    found = dict(known)
    for key in (lambda c: c.get("id"), lambda c: (c["cell_type"], text(c)), _task):
        _pair_equal(left, right, key, found, apart)
    _pair_alike(left, right, found, apart)
    return found


def _task(cell):
    """Return the numbers of the tasks that a cell checks."""
    return tuple(TASK.findall(text(cell))) if cell["cell_type"] == "code" else ()


def _pair_equal(left, right, key, found, apart):
    """Pair what has the same key; of several that have it, the first with the first."""
    waiting = {}
    for j in set(range(len(right))) - set(found.values()) - apart:
        waiting.setdefault(key(right[j]), []).append(j)
    for row in waiting.values():
        row.sort(reverse=True)
    for i, cell in enumerate(left):
        if i not in found and key(cell) and waiting.get(key(cell)):
            found[i] = waiting[key(cell)].pop()


def _pair_alike(left, right, found, apart):
    """Pair cells of similar text that stand between the same pairs, the most similar first."""
    taken, previous = set(found.values()) | apart, -1
    for last in [*sorted(found), len(left)]:
        low, high = found.get(previous, -1), found.get(last, len(right))
        here = [i for i in range(previous + 1, last) if i not in found]
        there = [j for j in range(low + 1, high) if j not in taken]
        bags = [(i, _words(left[i])) for i in here], [(j, _words(right[j])) for j in there]
        ranked = ((_likeness(one, other), -i, -j) for i, one in bags[0] for j, other in bags[1])
        for _, i, j in sorted((found for found in ranked if found[0] >= ALIKE), reverse=True):
            i, j = -i, -j
            if i not in found and j not in taken:
                found[i] = j
                taken.add(j)
        previous = last


def _words(cell):
    return Counter([cell["cell_type"], *WORD.findall(text(cell))])


def _likeness(one, other):
    """Return the share of words that two cells have in common, whatever their order."""
    total = one.total() + other.total()
    if min(one.total(), other.total()) < ALIKE / 2 * total:
        return 0.0
    return 2 * sum(min(n, other[word]) for word, n in one.items() if word in other) / total


def _already_there(mine, new):
    """Return which cell of mine each of new is already, to the letter: after an update that was cut off."""
    places = {(c.get("id"), c["cell_type"], text(c)): m for m, c in enumerate(mine) if "id" in c}
    found = {j: places.get((c.get("id"), c["cell_type"], text(c))) for j, c in enumerate(new)}
    return {j: m for j, m in found.items() if m is not None}


def _decide(base, mine, new, counts):
    """Return the cells that stand for one of the course's, which was ``base`` and is ``new``."""
    changed = not same(base, new)
    if mine is None:
        counts["left out"] += changed
        return []
    if same(mine, base) and not mine.get("attachments"):
        counts["corrected"] += changed
        return [new if changed or seen(mine) == base.get("seen", seen(base)) else _keeping(mine, new)]
    if not changed or same(mine, new):
        return [_keeping(mine, new)]
    counts["beside"] += 1
    return [_keeping(mine, new), _as_text(new)]


def _keeping(mine, new):
    """Return the student's cell with the id by which the course will know it next time."""
    return {**mine, "id": new["id"]} if "id" in new else mine


def _as_text(cell):
    """Return a notice that quotes the new version of a cell."""
    body = text(cell) if cell["cell_type"] == "markdown" else f"```python\n{text(cell)}\n```"
    source = f"{NOTICE}\n\n{body}"
    return {"cell_type": "markdown", "id": _name(f"notice {source}"), "metadata": {}, "source": source}


def _name(words):
    return hashlib.sha256(words.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def _is_dropped(m, origin, base, mine, counts):
    """Say whether a cell that the course has removed can go: the student has not touched it."""
    if m not in origin or not same(mine[m], base[origin[m]]) or mine[m].get("attachments"):
        return False
    counts["removed"] += 1
    return True


def _course_order(place, own, stands_at, n, mine):
    """Return all cells in the order of the course, the student's own behind what they stood behind."""
    behind, last, own_set = {None: []}, None, set(own)
    for m in range(n):
        if m in own_set:
            behind.setdefault(last, []).append(mine[m])
        elif m in stands_at:
            last = stands_at[m]
    cells = list(behind[None])
    for j in sorted(place):
        cells += [*place[j], *behind.get(j, [])]
    return cells


def _student_order(place, own, stands_at, n, mine):
    """Return all cells in the student's order, each new one behind the one before it in the course."""
    at = {j: m for m, j in stands_at.items()}
    behind, last, own_set = {None: []}, None, set(own)
    for j in sorted(place):
        if j in at:
            last = j
        else:
            behind.setdefault(last, []).extend(place[j])
    cells = list(behind[None])
    for m in range(n):
        if m in own_set:
            cells.append(mine[m])
        elif m in stands_at:
            cells += [*place[stands_at[m]], *behind.get(stands_at[m], [])]
    return cells


def _distinct(cells):
    """Return the cells with ids of their own; a notice that stands there already is not repeated."""
    kept, ids, notices = [], set(), set()
    for cell in cells:
        if text(cell).startswith(NOTICE):
            if text(cell) in notices:
                continue
            notices.add(text(cell))
        first = name = cell.get("id") or _name(text(cell))
        while name in ids:
            name = f"{first[:48]}-{len(ids)}"
        ids.add(name)
        cell = cell if name == cell.get("id") else {**cell, "id": name}
        kept.append(cell)
    return kept
