"""Chapter 26: scikit-learn has no bandits, so there is nothing to compare; the test bed's time is held by a test."""

CASES = {}
