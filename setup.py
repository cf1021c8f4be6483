"""What pyproject.toml cannot say: data/ and notebooks/ of the repository become folders of the installed package."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["mlteach*"]), "mlteach.data", "mlteach.data.notebooks"],
    package_dir={"mlteach.data": "data", "mlteach.data.notebooks": "notebooks"},
)
