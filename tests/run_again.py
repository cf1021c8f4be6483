"""A plugin for nbval: once a notebook has run, each of its cells runs once more on the names that its end left.

    pytest -p run_again --nbval ... notebooks

A student goes back; no cell may fail then. `make rerun` asks the same of some notebooks, with no comparison of outputs.
The second time pictures are laid out, but not painted (`no_pixels`).
Cells are counted from 0, text cells too.
"""

import nbformat
import pytest
from instruments import KEEP, RESTORE
from nbval.plugin import IPyNbCell, NbCellError
from no_pixels import SOURCE as NO_PIXELS


class SecondRun(IPyNbCell):
    """All cells of a notebook once more, in the kernel of the first run; outputs are not compared."""

    def runtest(self):
        """Run them, and fail with the first words of every cell that failed."""
        if self.parent.timed_out:
            pytest.skip("a cell of the first run timed out")
        failed = []
        self._run(NO_PIXELS)
        self._run(KEEP)
        for place, cell in enumerate(self.parent.nb.cells):
            if cell.cell_type == "code":
                self._run(RESTORE)
                try:
                    self._run(cell.source)
                except NbCellError as error:
                    failed.append(f"cell {place} fails when run again at the end:{error.inner_traceback or error}")
        assert not failed, "\n".join(failed)

    def _run(self, source):
        self.cell = nbformat.v4.new_code_cell(source)
        super().runtest()

    def repr_failure(self, excinfo):
        """Say what failed, with no word about this plugin."""
        return str(excinfo.value)

    def reportinfo(self):
        """Name the second run of a notebook in reports."""
        return self.fspath, 0, f"{self.fspath.relto(self.config.rootdir)}::run again"


def pytest_collection_modifyitems(items):
    """Put the second run of each notebook after the last cell of its first."""
    for place in range(len(items) - 1, -1, -1):
        item = items[place]
        following = items[place + 1].parent if place + 1 < len(items) else None
        if isinstance(item, IPyNbCell) and following is not item.parent:
            options = {"skip": False, "check": False, "check_exception": False}
            name = {"name": "run again", "cell_num": item.cell_num + 1, "cell": item.cell, "options": options}
            items.insert(place + 1, SecondRun.from_parent(item.parent, **name))
