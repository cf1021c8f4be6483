"""Three short sounds and a room that mixes them (section 22.8): nothing is recorded, all is made by numpy."""

import numpy as np

from mlteach.validation import as_rng, check_integer, check_number

RATE = 8000  # samples a second


def sources(seconds=1.5, *, rate=RATE, rng=0):
    """Return three sounds (n, 3), each with mean 0 and variance 1: a melody, a knocking, a humming.

    The melody has four plucked notes, the knocking short bursts of noise, the humming is a low saw-tooth. The first two
    are quiet most of the time, so their values are peaked at zero; the last one is flat.

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


def mixing_matrix(angle, spread=0.6):
    """Return the 2 x 2 mixing matrix of two microphones turned by ``angle``: columns at angle and angle + 90 degrees.

    ``spread`` pulls the second column towards the first: 0 is a pure rotation.

    >>> mixing_matrix(0.0, 0.0).round(6).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    angle, spread = check_number(angle, "angle"), check_number(spread, "spread", low=0, high=1.5)
    first = np.array([np.cos(angle), np.sin(angle)])
    second = np.array([-np.sin(angle), np.cos(angle)])
    second = np.cos(spread) * second + np.sin(spread) * first
    return np.column_stack([first, second])
