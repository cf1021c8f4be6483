"""JupyterLab opens a notebook in our normal form without calling it changed."""

import json
import os

import lab
import pytest

from mlteach.course import ROOT

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(lab.find_chromium() is None and os.environ.get("CI") != "true", reason="NO CHROMIUM FOUND"),
]
NAME = "00_start_here.ipynb"
DIRTY = "() => document.querySelectorAll('#jp-main-dock-panel .lm-TabBar-tab.jp-mod-dirty').length"


def opens_dirty(address, page, name):
    lab.open_notebook(page, address, name)
    # Lab writes kernel and language into the notebook when the kernel has answered, a moment after it is idle.
    page.wait_for_timeout(3000)
    return page.evaluate(DIRTY) == 1


def test_opening_a_notebook_does_not_change_it(tmp_path):
    notebook = json.loads((ROOT / "notebooks" / NAME).read_text(encoding="utf-8"))
    (tmp_path / "same.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    notebook["metadata"]["language_info"]["version"] = "3.99.0"  # as if it had been saved with another Python
    (tmp_path / "newer.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    notebook["metadata"]["kernelspec"]["display_name"] = "Python 3"
    (tmp_path / "other.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with lab.serve(tmp_path) as address, lab.browser() as page:
        assert opens_dirty(address, page, "other.ipynb"), "the test cannot see a change"
        assert not opens_dirty(address, page, "same.ipynb")
        assert not opens_dirty(address, page, "newer.ipynb")
