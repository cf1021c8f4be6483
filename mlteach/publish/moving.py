"""A small moving picture of one explorer, for pages that play no script: the README's.

    python -m mlteach.publish.moving soft_margin C data/pictures/soft_margin.webp

One control goes from its start to its upper end, to its lower end and back. The frames are the explorer's own; its
slider stands above them, its read-out under them. It stops after three rounds: what moves for ever beside a text
keeps many from reading it.
"""

import sys
import textwrap

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mlteach import plots
from mlteach.publish.frames import choose, positions, readout

WIDTH = 860  # pixels
STOPS, ROUNDS = 15, 3
PACE, REST = 130, 1200  # milliseconds: of a frame, and of the start and both ends


def frames(shown, control):
    """Return the frames of one round of a control, and how many milliseconds each one stays."""
    values = positions(shown.controls[control])
    start = values.index(shown.defaults[control])
    stops = choose(np.ones(len(values) - 1), start, STOPS)
    middle, last = stops.index(start), len(stops) - 1
    way = [*range(middle, last), *range(last, 0, -1), *range(middle)]
    drawn = {k: frame(shown, control, values[stops[k]], stops[k] / (len(values) - 1)) for k in set(way)}
    return [drawn[k] for k in way], [REST if k in (0, middle, last) else PACE for k in way]


def frame(shown, control, value, share):
    """Return one frame: the slider at ``share`` of its way, the picture, and what it says."""
    pixels, words, _ = shown.snapshot(**{**shown.defaults, control: value})
    picture = Image.fromarray(pixels)
    picture = picture.resize((WIDTH, WIDTH * picture.height // picture.width), Image.LANCZOS)
    page = Image.new("RGB", (WIDTH, picture.height + 40 + 24 * shown.scene.lines), "white")
    page.paste(picture, (0, 38))
    pen, font = ImageDraw.Draw(page), ImageFont.truetype(f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf", 15)
    widget, left, long = shown.controls[control], 200, 300
    pen.text((left - 16, 20), widget.description, fill=plots.INK, font=font, anchor="rm")
    pen.text((left + long + 20, 20), readout(widget, value), fill=plots.INK, font=font, anchor="lm")
    pen.rounded_rectangle((left, 17, left + long, 22), 3, fill=plots.GREY_VEIL)
    knob = left + share * long
    pen.ellipse((knob - 9, 11, knob + 9, 29), fill=plots.BLUE)
    for k, line in enumerate(textwrap.wrap(words.replace("**", ""), 104)):
        pen.text((8, picture.height + 42 + 23 * k), line, fill=plots.INK, font=font)
    return page


def main(name, control, target):
    """Write the moving picture of an explorer."""
    from mlteach.explore import REGISTRY

    first, *rest = (pictures := frames(REGISTRY[name](), control))[0]
    how = {"duration": pictures[1], "loop": ROUNDS, "quality": 55, "method": 6, "minimize_size": True}
    first.save(target, save_all=True, append_images=rest, **how)


if __name__ == "__main__":
    main(*sys.argv[1:])
