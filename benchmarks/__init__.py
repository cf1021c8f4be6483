"""Measurements of the course, all as ratios within one run: ``make bench`` (or ``python -m benchmarks``)."""
