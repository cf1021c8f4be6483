"""What a reader meets first agrees: version, changelog, citation, workflows, and the picture of the README."""

import json
import re
import shutil
import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml
from PIL import Image

import mlteach
from mlteach.explore.own import takes_data

ROOT = Path(__file__).resolve().parent.parent
FORGE = ROOT / ".github"
TEXTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md")


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def citation():
    return yaml.safe_load(text("CITATION.cff"))


def workflow(name):
    read = yaml.safe_load((FORGE / "workflows" / name).read_text(encoding="utf-8"))
    read["on"] = read.pop(True)  # YAML 1.1 reads the word as a truth value
    return read


def steps(name):
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


def test_version_changelog_and_citation_agree():
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", text("CHANGELOG.md"), re.M)
    cited = citation()
    assert released[0] == (mlteach.__version__, str(cited["date-released"]))
    assert cited["version"] == mlteach.__version__
    numbers = [tuple(map(int, number.split("."))) for number, _ in released]
    assert numbers == sorted(numbers, reverse=True)
    days = [date.fromisoformat(day) for _, day in released]
    assert days == sorted(days, reverse=True)
    front = json.loads(text("data/jupyter/labextension/package.json"))
    assert front["version"] == mlteach.__version__


def test_citation_names_the_authors_and_licences_of_the_others():
    project, cited = tomllib.loads(text("pyproject.toml"))["project"], citation()
    assert [author["name"] for author in cited["authors"]] == [author["name"] for author in project["authors"]]
    assert project["authors"][0]["name"].lower() in text("LICENSE")
    assert " AND ".join(cited["license"]) == project["license"]
    assert {"cff-version", "message", "title"} <= set(cited)


def test_no_address_is_invented():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert ("urls" in project) == ("repository-code" in citation())


def test_links_between_the_texts_lead_somewhere():
    for name in TEXTS:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text(name)):
            assert (ROOT / target).exists(), f"{name} links to {target}"


def test_the_readme_counts_the_explorers_that_take_data():
    assert f"{len(takes_data())} of the explorers take your data" in text("README.md")


def test_the_readme_moves_and_is_small():
    first = text("README.md").split("\n```\n")[0]
    path = ROOT / re.search(r"\]\((data/pictures/\S+)\)", first)[1]
    assert path.stat().st_size < 400_000
    with Image.open(path) as picture:
        assert picture.n_frames > 10
        assert picture.info["loop"] > 0  # it comes to rest


@pytest.mark.parametrize("name", ["test.yml", "publish.yml"])
def test_workflows_take_actions_by_their_commit_and_no_rights_they_do_not_need(name):
    assert workflow(name)["permissions"] == {"contents": "read"}
    for step in steps(name):
        assert "uses" not in step or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
        if "checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.skipif(not shutil.which("make"), reason="no make")
def test_the_workflow_runs_what_make_and_contributing_say():
    runs = [step["run"] for step in steps("test.yml") if "run" in step]
    typed = [line for line in runs if line.startswith("python -m")]
    assert len(typed) == 3
    assert "\n".join(typed) in text("CONTRIBUTING.md")
    makefile = text("Makefile")
    for call in re.findall(r"\bmake (\w+)", "\n".join(runs)):
        assert re.search(rf"^{call}:", makefile, re.M), call
    shown = [line for target in ("unit", "notebook-tests") for line in behind(target)]
    for line, made in zip(typed[1:], shown, strict=True):
        assert sorted(re.sub(r"-n auto ", "", line.partition("pytest ")[2]).split()) == sorted(made)


def behind(target):
    """Return the arguments of each call of pytest behind a target of the Makefile."""
    command = ["make", "-n", target, "CI=", "JOBS=auto"]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.partition("pytest ")[2].replace("-n auto ", "").split() for line in lines if "pytest -q" in line]


def test_the_newest_and_oldest_python_are_those_of_the_classifiers():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    named = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)]
    for job in ("make-test", "windows"):
        assert workflow("test.yml")["jobs"][job]["strategy"]["matrix"]["python"] == [named[0], named[-1]]
    assert project["requires-python"] == f">={named[0]}"


def test_forms_ask_for_little_and_name_their_fields():
    forms = sorted((FORGE / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) == 3
    for path in forms:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= set(form)
        assert len(form["body"]) <= 3
        ids = [field["id"] for field in form["body"]]
        assert len(set(ids)) == len(ids)
        assert all(field["type"] in ("input", "textarea") and field["attributes"]["label"] for field in form["body"])
