"""Chapter 32: scikit-learn has no decision processes, so there is nothing to compare; tests hold the planning time."""

CASES = {}
