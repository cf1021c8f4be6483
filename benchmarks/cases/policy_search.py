"""Chapter 30: scikit-learn has no reinforcement learning, so there is nothing to compare."""

CASES = {}
