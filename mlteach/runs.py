"""Tables of stored runs, `data/runs`: what took too long for a notebook, one row a run, one column a number."""

import csv

import numpy as np

from mlteach.datasets import DATA

FOLDER = DATA / "runs"


def read_columns(name):
    """Return the columns of a table of numbers: a dict from name to array, in the order of the file.

    >>> read_columns("kernel_units")["times 1"].shape
    (20,)
    """
    with open(FOLDER / f"{name}.csv", newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return dict(zip(head, np.array(rows, dtype=float).T))


def write_rows(name, head, rows, form="{}"):
    """Write a table: the names of its columns, and the numbers of each row in a form such as "{:.4g}"."""
    with open(FOLDER / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        for row in rows:  # a run of some minutes is not lost when the next one is stopped
            writer.writerow([form.format(value) for value in row])
