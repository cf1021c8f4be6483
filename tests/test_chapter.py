"""The reader of chapters: what a cell is, and which labels it holds."""

import pytest

from mlteach import chapter, course
from mlteach.chapter import Label, blocks, kind, labels


def text(source):
    return {"cell_type": "markdown", "source": source}


def code(source):
    return {"cell_type": "code", "source": source, "outputs": []}


KINDS = [
    (text("# 05 · Optimisation\n\n**Promise.** Much."), "opening"),
    (text("## 5.2 · Which way?"), "section"),
    (text("### 5.2.1 · Deeper: why\n\nFor the curious."), "deeper"),
    (text("### Exercise 5.2 · Momentum\n\nWrite it."), "exercise"),
    (text(["*Figure 5.1: one\n", "bowl.*"]), "caption"),
    (text("**Predict.** Up or down?"), "predict"),
    (text("**Your turn 5.a** (two minutes). How far?"), "turn"),
    (text("> **Watch out.** Not so."), "watch"),
    (text("<details><summary><b>What you should have seen</b></summary>\n\nUp.\n\n</details>"), "answer"),
    (text("So $$a=b\\tag{5.3}$$"), "formula"),
    (text("A hash # is no heading."), "text"),
    (code("from mlteach import explore\n\nexplore.quadratic_descent()"), "explorer"),
    (code("from mlteach import explore\n\nexplore.gallery()"), "gallery"),
    (code('my_answer = ...\ncheck("5.a", my_answer)'), "task"),
    (code("# Figure 5.1: one bowl\nplt.show()"), "figure"),
    (code("# Draw it\nplt.show()"), "drawing"),
    (code("# Confirm (5.1) in all directions\nconfirm(1, 1)"), "confirming"),
    (code("# Tools of the chapter\nimport numpy"), "imports"),
    (code("# Blackboard: descent\nw = 1"), "blackboard"),
    (code("# Drawer\nexplore.unknown()"), "experiment"),
]


@pytest.mark.parametrize(("cell", "wanted"), KINDS, ids=[wanted for _, wanted in KINDS])
def test_the_kind_of_a_cell(cell, wanted):
    assert kind(cell) == wanted


def test_every_kind_that_the_reader_names_is_tried():
    named = chapter.__doc__.split("Kinds of text")[1].split("Labels")[0].replace("Kinds of code", ",")
    assert {word.strip() for word in named.split(",")} == {wanted for _, wanted in KINDS}


def test_a_cell_of_several_blocks():
    found = blocks('So it is.\n\n> **Watch out.** "It is so."\n> Not\n> always.\n\n**Predict.** Up?')
    assert [b.kind for b in found] == ["text", "watch", "predict"]
    assert [b.body for b in found] == ["So it is.", '"It is so."\nNot\nalways.', "Up?"]
    assert blocks("*Figure 5.1: one\nbowl.*\n\nAnd on.")[0][2:] == ("Figure 5.1: one\nbowl.", "And on.")


def test_labels_of_all_kinds_and_new_ones():
    prose = "## 5.2 · Which way?\n\n$$a\\tag{5.3}$$\n\n**Your turn 5.a** (one minute). Now?\n\n### Exercise 5.1 · Steps"
    assert labels(prose) == [
        Label("eq", "5.3", ""),
        Label("ex", "5.1", "Steps"),
        Label("turn", "5.a", ""),
        Label("sec", "5.2", "Which way?"),
    ]
    new = "*Figure 5.?bowl: see.*\n\n$$a\\tag{5.?rate}$$\n\n**Your turn 5.?now** (one minute). Now?"
    assert {(label.kind, label.number) for label in labels(new)} == {
        ("fig", "5.?bowl"),
        ("eq", "5.?rate"),
        ("turn", "5.?now"),
    }
    assert not labels("See Figure 5.1: it, (5.3), and `### Exercise 5.1`.")


def test_an_explorers_figure_is_a_label_of_its_cell():
    shown = code("from mlteach import explore\n\nexplore.soft_margin()")
    assert [label.kind for label in chapter.cell_labels(shown)] == ["fig"]
    assert chapter.cell_labels(code("plt.show()")) == []


@pytest.mark.parametrize("one", [c for c in course.chapters() if c.written], ids=lambda c: c.slug)
def test_a_chapter_as_a_whole(one):
    mine = chapter.read(one)
    kinds = [kind(cell) for cell in mine.cells]
    assert kinds[0] == "opening"
    assert kinds.count("opening") == 1
    assert kinds.count("task") == len(mine.tasks) == len(mine.numbers("ex")) + len(mine.numbers("turn"))
    for i, picture in enumerate(kinds):
        if picture == "figure":
            assert kinds[i + 1] == "caption"
            assert chapter.mark(mine.cells[i]["source"]) == "figure"
