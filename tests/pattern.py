"""The pattern of a chapter, as far as a machine can see it: rules that say which cell breaks them, and by how much.

    python tests/pattern.py 05        what is still to do in chapter 05

CONTRIBUTING.md ("How a chapter's cells look") has the same rules in words. A rule is a generator of faults. Limits are
no targets: what passes one is a `Warned` fault, and fails no test; a tenth above it is a fault like any other.
"""

import ast
import builtins
import re
import sys

from mlteach import course
from mlteach.chapter import (
    Chapter,
    calls,
    explorer,
    folded,
    heading_level,
    headings,
    is_deeper,
    mark,
    read,
    shows_yours,
    words,
)

NO_POINT = ("A problem worth solving", "Exercises", "Self-test", "In one minute", "Where it comes from")
SECTION = re.compile(r"^## (\d+\.\S+) · (.+)\n+(?:### .+\n+)?(.*)", re.M)  # and the first line under its headings
CORE_WORDS, CELL_WORDS, TASKS, COLUMNS, LINES, BLACKBOARD = 4500, 200, 12, 95, 20, 12
SEEN = "<details><summary><b>What you should have seen</b></summary>\n\n"


class Warned(str):
    """A fault that is small enough to be left for now."""


def above(count, most, fault):
    """Yield the fault if ``count`` passes ``most``: up to a tenth above it as a warning."""
    if count > most:
        yield fault if count > 1.1 * most else Warned(fault)


def opening(nb):
    text = nb.cells[0]["source"]
    for part in ("**Promise.**", "**You will be able to**", "**Prerequisites:**", "**Time:**", "Run ▸ Run All Cells"):
        if part not in text:
            yield f"cell 0: the opening lacks '{part}'"
    if nb.number and not re.search(r"\*\*Time:\*\*[^\n]*core[^\n]*depth", text):
        yield "cell 0: after **Time:** say how long the core takes, and how long with all depth"
    if not 3 <= text.count("\n- ") <= 5:
        yield f"cell 0: {text.count(chr(10) + '- ')} things the reader will be able to do; wanted 3 to 5, each '- ...'"


def core_words(nb):
    sections, name = {}, ""
    for i, text in nb.texts:
        if heading_level(nb.cells[i]) == 2:
            name = text.split("\n")[0][3:]
        if nb.in_core(i):
            sections[name] = sections.get(name, 0) + words(text)
    total = sum(sections.values())
    longest = sorted(sections.items(), key=lambda item: -item[1])[:4]
    most = ", ".join(f"'{n}' {w}" for n, w in longest)
    yield from above(total, CORE_WORDS, f"the core has {total} words, at most {CORE_WORDS}; most in {most}")


def cell_words(nb):
    for i, text in nb.texts:
        fault = f"cell {i}: {words(text)} words, at most {CELL_WORDS}: '{text[:50]}'"
        yield from above(words(text), CELL_WORDS, fault)


def early_task(nb):
    share = 0.25 if nb.number else 0.4
    if not nb.tasks or nb.tasks[0][0] > share * len(nb.cells):
        where = f"in cell {nb.tasks[0][0]}" if nb.tasks else "nowhere"
        yield f"the first checked task is {where} of {len(nb.cells)}; wanted within the first {share:.0%}"


def tasks(nb):
    core = [(i, id) for i, id in nb.tasks if i < nb.end and not nb.depth[i]]
    if len(core) < 5:
        yield f"{len(core)} checked tasks in the core, at least 5"
    if len(nb.tasks) < 8:
        yield f"{len(nb.tasks)} tasks and exercises in all, at least 8"
    yield from above(len(nb.tasks), TASKS, f"{len(nb.tasks)} tasks and exercises in all, at most {TASKS}")
    before = [(i, id) for i, id in nb.tasks if i < nb.end]
    for (i, id), letter in zip(before, "abcdefghijkl"):
        if id != f"{nb.number}.{letter}":
            yield f"cell {i}: task {id} should be {nb.number}.{letter}; tasks in the text are lettered in order"
        prompt = dict(nb.texts).get(i - 1, "")
        if not re.search(rf"^\*\*Your turn {re.escape(id)}\*\* \([\w ]+ minutes?\)\. ", prompt, flags=re.M):
            yield f"cell {i}: the cell before it lacks the prompt '**Your turn {id}** (two minutes). ...'"


def predictions(nb):
    guesses = nb.prose.count("\n\n**Predict.** ")
    if nb.number and guesses < 3:
        yield f"{guesses} predictions '**Predict.** ...', at least 3"
    if guesses != nb.prose.count(SEEN):
        yield f"{guesses} predictions, {nb.prose.count(SEEN)} times '{SEEN.strip()}' with an empty line after it"
    for i, text in nb.texts:
        if "**What you saw" in text:
            yield f"cell {i}: 'What you saw' stands open beside its question; fold it"
        if text.count("<details") != text.count("\n\n</details>"):
            yield f"cell {i}: each <details> ends in its own cell, with an empty line and </details>"

    asked = [i for i, text in nb.texts if "**Predict.**" in text]
    told = [i for i, text in nb.texts if SEEN in text]
    for i, j in zip(asked, told):
        if not any(i < k < j for k, _ in nb.codes):
            yield f"cells {i} and {j}: between a prediction and its answer stands the explorer or the experiment"
    for i in asked:
        if i + 1 < len(nb.cells) and prints(nb.outputs(i + 1)):
            yield f"cell {i + 1}: prints the answer beside its question; put what prints in 'with guess_first():'"


def prints(outputs):
    """Whether a cell prints more than the evidence of its confirmations."""
    lines = "".join("".join(o.get("text", "")) for o in outputs).splitlines()
    return any(not line.startswith("✓") for line in lines)


def asserts(nb):
    for i, source in nb.codes:
        if any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(source))):
            if nb.in_core(i):
                yield f"cell {i}: a bare assert in the core; confirm(...) prints its evidence"
            elif not nb.outputs(i):
                yield f"cell {i}: a silent assert; confirm(...) prints its evidence"


def quarrels(nb):
    for i, text in nb.texts:
        for found in re.findall(r"\b(?:one|another|the|a|two|some) (?:of the )?sources?\b", text, flags=re.I):
            yield f"cell {i}: speaks of '{found}'; misprints belong in data/errata"


def quiet_code(nb):
    for i, source in nb.codes:
        first = source.split("\n")[0]
        if nb.draws(i) and mark(source) not in ("figure", "drawing") and not shows_yours(source):
            yield f"cell {i}: starts '{first[:40]}'; a drawing cell '# Draw ...' or '# Figure {nb.number}.k: ...'"
        if first.startswith("# Confirm") and not calls("confirm", source):
            yield f"cell {i}: says that it confirms, and calls no confirm(...)"
        results = [o for o in nb.outputs(i) if o["output_type"] != "stream"]
        if (
            calls("confirm", source)
            and not folded(source)
            and not prints(nb.outputs(i))
            and not results
            and mark(source) != "blackboard"
        ):
            yield f"cell {i}: does nothing but confirm; start it '# Confirm ...' so that it folds"
        if folded(source) and (len(first.split()) < 4 or explorer(source) or calls("check", source)):
            yield f"cell {i}: '{first[:40]}' folds: say there what the cell does; explorers and tasks stay open"


def depth(nb):
    for i, text in nb.texts:
        for heading in [f"{level} {title}" for level, title in headings(text) if "deeper" in title.lower()]:
            if not is_deeper(heading) or not text.startswith(heading):
                yield f"cell {i}: '{heading}' should begin its cell and read '### {nb.number}.k.j · Deeper: ...'"
        if is_deeper(text):
            heading, _, sentence = text.partition("\n")
            if words(sentence) < 5 or not sentence.rstrip().endswith("."):
                yield f"cell {i}: '{heading}' needs a sentence in its cell: what it gives and who needs it"
            level = heading_level(nb.cells[i])
            after = next((j for j, _ in nb.texts if j > i and (heading_level(nb.cells[j]) or 9) <= level), None)
            if after and heading_level(nb.cells[after]) == level and not is_deeper(nb.cells[after]["source"]):
                follows = nb.cells[after]["source"].split("\n")[0]
                yield f"cell {i}: '{heading}' is not last in its section: '{follows}' follows"


def size_of_code(nb):
    for i, source in nb.codes:
        lines = source.splitlines()
        yield from above(len(lines), LINES, f"cell {i}: {len(lines)} lines, at most {LINES}")
        if max(map(len, lines), default=0) > COLUMNS:
            yield f"cell {i}: a line of {max(map(len, lines))} columns, at most {COLUMNS}, or it scrolls sideways"


def blackboard(nb):
    boards = [(i, source) for i, source in nb.codes if mark(source) == "blackboard"]
    if not boards:
        yield "no blackboard code: a cell that starts '# Blackboard: ...', before the shipped code"
    for i, source in boards:
        lines = [line for line in source.splitlines()[1:] if line.strip()]
        yield from above(
            len(lines), BLACKBOARD, f"cell {i}: blackboard code of {len(lines)} lines, at most {BLACKBOARD}"
        )
        names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        later = [s for j, s in nb.codes if j >= i and calls("confirm", s)]
        if names and not any(re.search(rf"\b{name}\b", s) for name in names for s in later):
            yield f"cell {i}: no later confirm(...) compares {' or '.join(names)} with the package"
    if not any(calls("show", source) for _, source in nb.codes):
        yield "the shipped code is nowhere shown: show(...)"


def boxes(nb):
    count = nb.prose.count("**Watch out.**")
    if not 3 <= count <= 6:
        yield f"{count} boxes '> **Watch out.** ...'; wanted 3 to 6"


def lone_explorers(nb):
    for i, source in nb.codes:
        if explorer(source):
            if not nb.pictures(i):
                yield f"cell {i}: the explorer's still picture is missing: make notebooks ONLY={nb.number:02} FORCE=1"
            nodes = list(ast.walk(ast.parse(source)))
            made = {alias.asname or alias.name for n in nodes for alias in getattr(n, "names", [])}
            made |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            made |= {n.arg for n in nodes if isinstance(n, ast.arg)}
            loose = {n.id for n in nodes if isinstance(n, ast.Name)} - made - set(dir(builtins))
            if loose:
                yield f"cell {i}: an explorer's cell runs alone; this one needs {', '.join(sorted(loose))} from another"


def points(nb):
    """Every core section opens with its point: one bold sentence that can be read alone."""
    sections = [match for _, text in nb.texts for match in SECTION.finditer(text) if match[2] not in NO_POINT]
    found = {match[1]: re.fullmatch(r"\*\*(?!Predict)((?:(?!\*\*).)+[.?])\*\*", match[3]) for match in sections}
    lacking = [number for number, point in found.items() if not point]
    if len(lacking) == len(found):
        yield Warned("no section opens with its point, one bold sentence of at most 25 words")
    else:
        yield from (f"section {number} does not open with its point, a bold sentence of its own" for number in lacking)
    for number, point in found.items():
        if point and len(re.sub(r"\$[^$]*\$", "x", point[1]).split()) > 25:
            yield f"the point of section {number} has more than 25 words"


def card(nb):
    text = "\n".join(text for i, text in nb.texts if i >= nb.end)
    if "the same in scikit-learn" not in text.lower():
        yield "the card 'In one minute' lacks 'The same in scikit-learn'"


def equations(nb):
    tags, cells = len(nb.numbers("eq")), sum(calls("confirm", source) for _, source in nb.codes)
    if cells < tags / 2:
        yield f"{cells} cells confirm {tags} equations; wanted at least half as many"


EVERY = (opening, cell_words, early_task, predictions, asserts, quarrels, quiet_code, size_of_code, lone_explorers)
FULL = (*EVERY, core_words, tasks, depth, blackboard, boxes, points, card, equations)


def faults(number, cells):
    """Return all faults of a chapter; 00 is not a full one."""
    return of(Chapter(number, cells))


def of(chapter):
    """Return all faults of a chapter as the reader has it; those that are `Warned` fail no test."""
    rules = FULL if chapter.number else EVERY
    return [type(fault)(f"{rule.__name__}: {fault}") for rule in rules for fault in rule(chapter)]


if __name__ == "__main__":
    for chapter in course.chapters():
        if chapter.written and any(word in chapter.notebook for word in sys.argv[1:] or [""]):
            found = [f"{fault} (a warning)" if isinstance(fault, Warned) else fault for fault in of(read(chapter))]
            print(f"{chapter.notebook}: {len(found)} faults", *found, sep="\n  ")
