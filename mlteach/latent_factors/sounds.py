"""Three short sounds and a room that mixes them (section 22.8): nothing is recorded, all is made by numpy."""

import numpy as np

from mlteach.validation import as_rng, check_integer, check_number

RATE = 8000  # samples a second


def sources(seconds=1.5, *, rate=RATE, rng=0):
    """Return three sounds (n, 3), each with mean 0 and variance 1: a melody, a knocking, a humming.

    The melody has four plucked notes, the knocking short bursts of noise, the humming is a low saw-tooth. The first two
    are quiet most of the time, so their values are peaked at zero; the last one is flat.

    ``seconds`` is how long they last, ``rate`` how many values a second has.

    >>> sources(0.5).shape
    (4000, 3)
    """
    seconds = check_number(seconds, "seconds", low=0.1)
    rate, rng = check_integer(rate, "rate", low=1000), as_rng(rng)
    t = np.arange(int(seconds * rate)) / rate
    beat = t * 4 / seconds  # four beats
    notes = np.array([392.0, 523.25, 440.0, 659.25])[np.minimum(beat.astype(int), 3)]
    melody = np.sin(2 * np.pi * notes * t) * np.exp(-5 * (beat % 1))
    knocking = rng.normal(size=len(t)) * np.exp(-18 * ((1.25 * beat + 0.45) % 1))
    humming = 2 * ((110 * t) % 1) - 1
    sounds = np.column_stack([melody, knocking, humming])
    sounds = sounds - sounds.mean(axis=0)
    return sounds / sounds.std(axis=0)


def mixing_matrix(first, second=np.pi / 2, loud=1.0):
    """Return the 2 x 2 matrix that mixes two sources: they come from the directions ``first`` and ``second``.

    Angles in radians; the first source is ``loud`` times as loud as the second.

    >>> mixing_matrix(0.0, np.pi / 2, 3.0).round(6).tolist()
    [[3.0, 0.0], [0.0, 1.0]]
    """
    angles = np.array([check_number(first, "first"), check_number(second, "second")])
    return np.array([np.cos(angles), np.sin(angles)]) * [check_number(loud, "loud", low=0, open_low=True), 1.0]
