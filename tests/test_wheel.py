"""The installed package is whole: a wheel built from the repository works where there is no clone."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mlteach import course, exercises, explore, selftest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
NOT_SHIPPED = {"curriculum", "errata", "pictures"}  # what the tests and the README need of data/, and nobody else
ELSEWHERE = "data/jupyter/mlteach.json", "data/jupyter/labextension/"  # where JupyterLab looks, not into the package

TRY = """
import json, mlteach
from mlteach import course, datasets, exercises, explore, selftest
print(json.dumps({
    "file": mlteach.__file__,
    "data": {name: datasets.__dict__[name]().X.shape for name in ("iris", "digits", "news", "horse_kicks")},
    "nist": (datasets.DATA / "nist" / "filip.csv").is_file(),
    "written": [c.slug for c in course.chapters() if c.written],
    "cards": {c.slug: len(selftest.selftest(c.slug)) for c in course.chapters() if c.written},
    "explorers": sorted(explore.REGISTRY),
    "exercises": sorted(exercises.REGISTRY),
}))
from mlteach.classroom.command import main
main(["lab", "mine", "--only-copy"])
"""


def run(*command, cwd, **environment):
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**inherited, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy, so that the clone stays clean."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        shutil.copy(ROOT / name, folder)
    for name in ("mlteach", "data", "notebooks", "tests", "benchmarks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", "out", ".")
    run(*pip, cwd=folder)
    return next((folder / "out").glob("mlteach-*.whl"))


def test_wheel_has_package_and_data_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    code = [p for p in (ROOT / "mlteach").rglob("*") if p.suffix in (".py", ".js", ".css", ".html")]
    wanted = {p.relative_to(ROOT).as_posix() for p in code}
    for path in (ROOT / "data").rglob("*"):
        inside = path.relative_to(ROOT)
        if path.is_file() and inside.parts[1] not in NOT_SHIPPED and not inside.as_posix().startswith(ELSEWHERE):
            wanted.add(f"mlteach/{inside.as_posix()}")
    wanted |= {f"mlteach/data/notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {name for name in names if name.split("/")[0] == "mlteach"} == wanted
    server = {name for name in names if name.endswith("etc/jupyter/jupyter_server_config.d/mlteach.json")}
    assert len(server) == 1
    front = {name for name in names if "share/jupyter/labextensions/mlteach/" in name}
    assert {Path(name).name for name in front} == {"package.json", "mlteach.js"}
    assert all(name.split("/")[0].endswith(".dist-info") for name in names - wanted - server - front)


def test_installed_package_is_whole_without_the_clone(wheel, tmp_path):
    room, elsewhere = tmp_path / "room", tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", room, wheel, cwd=elsewhere)
    found = json.loads(run(sys.executable, "-P", "-c", TRY, cwd=elsewhere, PYTHONPATH=str(room)).splitlines()[0])
    assert Path(found["file"]).is_relative_to(room)
    assert found["data"] == {"iris": [150, 4], "digits": [1797, 64], "news": [165], "horse_kicks": [280, 2]}
    assert found["nist"]
    written = [c.slug for c in course.chapters() if c.written]
    assert found["written"] == written
    assert found["cards"] == {slug: len(selftest.selftest(slug)) for slug in written}
    assert found["explorers"] == sorted(explore.REGISTRY)
    assert found["exercises"] == sorted(exercises.REGISTRY)
    copied = {path.name: path.read_bytes() for path in (elsewhere / "mine").glob("*.ipynb")}
    assert copied == {path.name: path.read_bytes() for path in (ROOT / "notebooks").glob("*.ipynb")}
