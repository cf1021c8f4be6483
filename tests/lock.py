"""The lock: the versions that all commands install, and the Pythons they install on.

    python tests/lock.py      write the versions now installed into requirements.lock

pyproject.toml promises the lowest Python of the course. A package that leaves it off, by a patch release even, is
refused: ``make lab`` would find no such version there.
"""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"


def lowest():
    """Return the lowest Python that pyproject.toml promises, such as 3.11.0."""
    promise = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    return re.fullmatch(r">=(3\.\d+)", promise)[1] + ".0"


def pins(text):
    """Return {package: version} of a lock."""
    return dict(line.split("==") for line in text.splitlines())


def needs(package):
    """Return the installed version of a package and the Pythons it admits, or (None, "") where it is not installed."""
    try:
        found = distribution(package)
    except PackageNotFoundError:
        return None, ""
    return found.version, found.metadata["Requires-Python"] or ""


def too_new(wanted):
    """Return what is wrong with the ``wanted`` packages: a line for each that leaves off the lowest Python."""
    faults = []
    for package in wanted:
        version, pythons = needs(package)
        if lowest() not in SpecifierSet(pythons):
            faults.append(
                f"{package} {version} needs Python {pythons}, and the course promises {lowest()}; "
                f'take an older one: pip install "{package}<{version}"'
            )
    return faults


def main():
    """Write the lock, unless one of its packages leaves the lowest Python off."""
    command = [sys.executable, "-m", "pip", "freeze", "--all", "--exclude", "pip", "--exclude", "mlteach"]
    frozen = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = sorted(frozen.splitlines(), key=str.upper)
    if faults := too_new(pins("\n".join(lines))):
        sys.exit("requirements.lock is left as it was:\n" + "\n".join(faults))
    LOCK.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
