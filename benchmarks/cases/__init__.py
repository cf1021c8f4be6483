"""Each chapter's estimators with what scikit-learn has for the same task: name -> (task, ours, theirs)."""
