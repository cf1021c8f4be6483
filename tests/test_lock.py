"""Every pinned package installs on every Python that the README names."""

import lock
import pytest

PINS = lock.pins(lock.LOCK.read_text(encoding="utf-8"))
HERE = {package: version for package in PINS if (version := lock.needs(package)[0])}  # some are for one system only


def test_the_lock_is_what_is_installed():
    assert len(HERE) > 0.9 * len(PINS)
    assert {package: PINS[package] for package in HERE} == HERE


def test_every_pinned_package_admits_the_lowest_python():
    assert lock.too_new(PINS) == []


@pytest.mark.parametrize(("pythons", "fine"), [(">=3.11.5", False), (">=3.12", False), (">=3.11", True), ("", True)])
def test_a_package_that_leaves_off_the_lowest_python_is_named(monkeypatch, pythons, fine):
    monkeypatch.setattr(lock, "needs", lambda package: ("4.1", pythons))
    assert (lock.too_new(["soupsieve"]) == []) == fine
    assert fine or 'pip install "soupsieve<4.1"' in lock.too_new(["soupsieve"])[0]


def test_the_readme_names_the_same_python():
    readme = (lock.ROOT / "README.md").read_text(encoding="utf-8")
    assert f"Python {lock.lowest().removesuffix('.0')} or newer" in readme


def test_binder_takes_the_lock_and_a_python_that_the_course_promises():
    constraint, package = (lock.ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert (lock.ROOT / "binder" / constraint.removeprefix("-c ")).resolve() == lock.LOCK
    assert package == "."
    python = (lock.ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
    assert f"{python}.0" == lock.lowest()
    assert (lock.ROOT / "binder" / "postBuild").stat().st_mode & 0o111
