"""mlteach: the algorithms of an interactive machine-learning course, one module per chapter.

``mlteach.<slug>`` holds a chapter's algorithms, ``mlteach.explore`` its sliders and pictures,
``mlteach.exercises`` its checks. Importing this package, or any algorithm module, loads numpy and nothing heavier.
"""

__version__ = "0.1.0"
