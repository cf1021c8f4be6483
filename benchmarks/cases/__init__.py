"""Each chapter's estimators with what scikit-learn has for the same task.

CASES   name -> (task, our maker, scikit-learn's maker): every estimator, on small data
LARGE   name -> (function from n to X and y, our maker, scikit-learn's maker): what must stay usable at n = 3,000
"""
