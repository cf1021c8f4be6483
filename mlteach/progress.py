"""A progress bar for work that takes longer than a second; shorter work shows nothing."""

import os


def progress(items, what, total=None):
    """Yield ``items``; after one second, show how far it is and how long it will take.

    The bar vanishes at the end. With ``MLTEACH_PROGRESS=0`` in the environment there is none: notebooks that are
    executed to be compared must not depend on the machine's speed.

    >>> list(progress(range(3), "counting"))
    [0, 1, 2]
    """
    from tqdm.auto import tqdm

    quiet = os.environ.get("MLTEACH_PROGRESS") == "0"
    return tqdm(items, desc=what, total=total, delay=1, leave=False, disable=quiet)
