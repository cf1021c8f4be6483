"""The rules for chapters: a small chapter that keeps them all, and for each rule the change that breaks it."""

import copy
import re

import pattern
import pytest

OPENING = """# 05 · T

**Promise.** Much.

**You will be able to**

- one;
- two;
- three.

**Prerequisites:** none. **Time:** core 90 minutes, with all depth three hours.

To bring it to life: Run ▸ Run All Cells."""
EXPLORE = "from mlteach import explore\n\nexplore.quadratic_descent()"
SEEN = "<details><summary><b>What you should have seen</b></summary>\n\nIt moved.\n\n</details>"
BOARD = "# Blackboard: descent (5.3)\ndef descend(w):\n    return w - 0.1 * w"
DEEPER = "### 5.2.1 · Deeper: why\n\nA proof from squares alone, for those who like proofs."


def text(source):
    return {"cell_type": "markdown", "source": source}


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def says(words):
    return {"output_type": "stream", "name": "stdout", "text": words}


def task(id):
    return [text(f"**Your turn {id}** (two minutes). How much?"), code(f'my_answer = ...\ncheck("{id}", my_answer)')]


@pytest.fixture
def good():
    picture = {"output_type": "display_data", "data": {"image/png": ""}, "metadata": {}}
    cells = [
        text(OPENING),
        text("## 5.1 · A problem worth solving"),
        code("# Figure 5.1: one bowl\nplt.show()", picture),
        *task("5.a"),
    ]
    cells += [text("## 5.2 · Which way?\n\n**Down the slope.**\n\n$$1=1\\tag{5.1}$$"), code(BOARD)]
    cells += [
        code("# Confirm: blackboard and package\nconfirm('same', descend(1), 0.9)\nshow(f)", says("✓ same: 1 value"))
    ]
    cells += [text(DEEPER), text("### 5.2.2 · Deeper: more\n\nA second proof, which nobody needs."), text("Long.")]
    cells += [text("## 5.3 · Next\n\n### 5.3.1 · Steps\n\n**Small steps take long.**")]
    cells += [text("> **Watch out.** Not so.")] * 3
    for letter in "bcd":
        cells += [text("**Predict.** Up or down?"), code(EXPLORE, picture), text(SEEN), *task(f"5.{letter}")]
    cells += [
        *task("5.e"),
        text("## 5.4 · Exercises"),
        code('check("5.1", f)'),
        code('check("5.2", f)'),
        code('check("5.3", f)'),
    ]
    return [*cells, text("## 5.5 · In one minute\n\n**The same in scikit-learn**: SGDRegressor.")]


def test_a_good_chapter_has_no_fault(good):
    assert pattern.faults(5, good) == []


def replace(old, new, times=1):
    def change(cells):
        for cell in [c for c in cells if old in c["source"]][:times]:
            cell["source"] = cell["source"].replace(old, new)

    return change


def add(*new, at=-1):
    return lambda cells: cells.__setitem__(slice(at, at), new)


def drop(old):
    return lambda cells: cells.__setitem__(slice(None), [c for c in cells if old not in c["source"]])


BROKEN = [
    (replace("Run ▸ Run All", "Run"), "opening: cell 0: the opening lacks 'Run ▸ Run All Cells'"),
    (replace(", with all depth three hours", ""), "opening: .*with all depth"),
    (replace("\n- three.", ""), "opening: .* 2 things"),
    (add(*[text("word " * 199)] * 25), r"core_words: the core has 5\d+ words, at most 4500; most in '5.4 · Exercises'"),
    (add(text("word " * 221)), "cell_words: cell .*: 221 words"),
    (add(*[text("Much ado.")] * 30, at=1), r"early_task: the first checked task is in cell 34 of \d+; wanted .* 25%"),
    (drop("check("), "early_task: .* nowhere"),
    (drop("5.e"), "tasks: 4 checked tasks in the core"),
    (drop('"5.1"'), "tasks: 7 tasks and exercises"),
    (add(*[code('check("5.4", f)')] * 6), "tasks: 14 tasks and exercises in all, at most 12"),
    (replace('"5.c"', '"5.x"'), "tasks: cell .* task 5.x should be 5.c"),
    (replace("**Your turn 5.a** (two minutes)", "**Your turn 5.a**"), "tasks: cell 4: .* lacks the prompt"),
    (replace("What you should have seen", "Answer"), "predictions: 3 predictions, 2 times"),
    (add(text("**What you saw.** It moved.")), "predictions: cell .* stands open"),
    (replace("\n\n</details>", "\n</details>"), "predictions: cell .* empty line"),
    (
        add(text("**Predict.** Up or down?"), code("print('up')", says("up\n")), text(SEEN)),
        "predictions: cell .* prints the answer beside its question",
    ),
    (drop("quadratic_descent"), "predictions: cells .* between a prediction and its answer"),
    (add(code("x = 1\nassert x == 1", says("1"))), "asserts: cell .* a bare assert in the core"),
    (add(code("assert True"), at=11), "asserts: cell 11: a silent assert"),
    (add(text("A source says so.")), "quarrels: cell .* 'A source'"),
    (replace("# Figure 5.1: one bowl\n", ""), "quiet_code: cell 2: starts 'plt.show"),
    (replace("confirm('same', descend(1), 0.9)", "descend(1)"), "quiet_code: .* calls no confirm"),
    (add(code("confirm('x', 1, 1)", says("✓ x: 1 value, exactly"))), "quiet_code: .* does nothing but confirm"),
    (replace("# Confirm: blackboard and package", "# Confirm"), "quiet_code: cell 7: '# Confirm' folds"),
    (replace("from mlteach", "# Draw the bowl now\nfrom mlteach"), "quiet_code: .* explorers and tasks stay open"),
    (replace("5.2.1 · Deeper: why", "Going deeper"), "depth: .* should begin its cell and read"),
    (replace(DEEPER, f"Text.\n\n{DEEPER}"), "depth: .* should begin its cell"),
    (replace("\n\nA proof from squares alone, for those who like proofs.", ""), "depth: .* needs a sentence"),
    (add(text("### 5.2.3 · Core again"), at=11), "depth: .* not last in its section: '### 5.2.3"),
    (add(code("x\n" * 23)), "size_of_code: cell .* 23 lines"),
    (add(code("x" * 96)), "size_of_code: .* 96 columns"),
    (replace("# Blackboard: descent (5.3)\n", ""), "blackboard: no blackboard code"),
    (replace(BOARD, BOARD + "\nx = 1" * 12), "blackboard: .* 14 lines, at most 12"),
    (replace("def descend", "def walk"), "blackboard: .* compares walk with the package"),
    (replace("show(f)", "plt.show(f)"), "blackboard: the shipped code is nowhere shown"),
    (add(*[text("> **Watch out.** No.")] * 4), "boxes: 7 boxes"),
    (replace("from mlteach import explore\n", ""), "lone_explorers: .* needs explore from another"),
    (replace("**Small steps take long.**", "Small steps."), "points: section 5.3 does not open with its point"),
    (replace("**Small steps take long.**", "**Small** steps take long."), "points: section 5.3 does not open"),
    (replace("Small steps", "Small steps " + "a " * 24), "points: the point of section 5.3 has more than 25 words"),
    (replace("scikit-learn", "R"), "card: .* lacks"),
    (add(text("$$\\tag{5.2}$$ $$\\tag{5.3}$$")), "equations: 1 cells confirm 3 equations"),
]


@pytest.mark.parametrize(("change", "fault"), BROKEN, ids=[fault[:40] for _, fault in BROKEN])
def test_each_rule_names_what_breaks_it(good, change, fault):
    cells = copy.deepcopy(good)
    change(cells)
    assert cells != good
    found = pattern.faults(5, cells)
    assert any(re.match(fault, line) and not isinstance(line, pattern.Warned) for line in found), found


PASSED = [
    (add(*[text("word " * 199)] * 23), r"core_words: the core has 4\d+ words"),
    (add(text("word " * 220)), "cell_words: cell .*: 220 words"),
    (add(*[code('check("5.4", f)')] * 5), "tasks: 13 tasks"),
    (add(code("x\n" * 22)), "size_of_code: cell .* 22 lines"),
    (replace(BOARD, BOARD + "\nx = 1" * 11), "blackboard: .* 13 lines"),
]


@pytest.mark.parametrize(("change", "fault"), PASSED, ids=[fault[:20] for _, fault in PASSED])
def test_a_limit_that_is_passed_warns_and_fails_a_tenth_above(good, change, fault):
    change(good)
    (found,) = pattern.faults(5, good)
    assert isinstance(found, pattern.Warned)
    assert re.match(fault, found)


def test_depth_and_folded_answers_do_not_count_as_words_of_the_core(good):
    good[11:11] = [text("word " * 190)] * 25
    good.insert(-1, text(SEEN.replace("It moved.", "word " * 300)))
    assert pattern.faults(5, good) == ["early_task: nothing"] or not [
        f for f in pattern.faults(5, good) if "words" in f
    ]


def test_an_experiment_may_confirm_in_the_open(good):
    good.insert(-1, code("print(1)\nconfirm('x', 1, 1)", says("1\n✓ x: 1 value, exactly")))
    assert pattern.faults(5, good) == []


def test_start_here_is_not_a_full_chapter(good):
    cells = [c for c in good if "Watch out" not in c["source"] and "scikit" not in c["source"]]
    assert pattern.faults(0, cells) == []
