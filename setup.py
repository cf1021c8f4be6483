"""What pyproject.toml cannot say: the folder data/ of the repository becomes mlteach/data in the installed package."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["mlteach*"]), "mlteach.data"],
    package_dir={"mlteach.data": "data"},
)
