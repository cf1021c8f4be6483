"""The Explorer: controls beside a picture that answers within two or three frames.

The figure is built once. Everything that never changes is drawn once and kept as a background; a moved control
recomputes, updates the few artists that move, and paints them over that background. The picture travels as the
bytes of one PNG. Its display also carries a still picture with the read-out and the caption written under it, so
that a notebook shows the same thing on a page with no kernel.

An explorer has three parts that can be used without each other: ``compute(**params)`` runs the algorithms,
``draw(result)`` moves the artists, ``describe(result)`` puts the numbers of the picture into words.
"""

import base64
import functools
import html
import io
import re
import textwrap

import ipywidgets as W
import matplotlib as mpl
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mlteach.plots import STYLE, few_colours

REGISTRY = {}
LABEL = "170px"


def explorer(make):
    """Register ``make``, a function that returns an Explorer, under its own name."""

    @functools.wraps(make)
    def made():
        with mpl.rc_context(STYLE):
            new = make()
        new.name, new._make = make.__name__, made
        return new

    REGISTRY[make.__name__] = made
    return made


class Explorer(W.VBox):
    """Controls, a picture, a read-out in words and a caption.

    figure     the matplotlib figure, from ``plots.canvas``; its limits and labels stay as they are
    moving     the artists that ``draw`` changes; what lies above them is repainted with them, legends on top
    controls   dict from parameter name to widget, made by ``slider``, ``log_slider``, ``whole``, ``choice``, ``switch``
    compute    function of the parameters, returns a result
    draw       function of the result, updates the moving artists
    describe   function of the result, returns one or two sentences; ``**bold**`` marks the numbers
    caption    one sentence that says what to see
    play       name of the whole-number control that stands for time, if there is one; ``interval`` in milliseconds
    """

    def __init__(self, *, figure, moving, controls, compute, draw, describe, caption, play=None, interval=200):
        self.fig, self.controls, self.caption = figure, controls, caption
        self.draw, self.describe = draw, describe
        self._compute, self._held, self._player = compute, False, None
        self.defaults = self.values()
        self._moving = self._animate(moving)
        legends = [ax.get_legend() for ax in self.fig.axes if ax.get_legend()]
        for legend in legends:
            legend.set_zorder(10)
            legend.get_frame().set_alpha(1)
        self.fig.canvas.draw()
        self.fig.set_layout_engine("none")  # what moves must not move the axes
        self._background = self.fig.canvas.copy_from_bbox(self.fig.bbox)
        self._stamps = [self.fig.canvas.copy_from_bbox(legend.get_window_extent()) for legend in legends]

        width, _ = self.fig.canvas.get_width_height()
        self.image = W.Image(format="png", layout=W.Layout(width=f"{width}px", max_width="100%", object_fit="contain"))
        self.readout = W.HTML(layout=W.Layout(width=f"{width}px", max_width="100%", min_height="52px"))
        below = W.HTML(f"<i>{html.escape(caption)}</i>", layout=W.Layout(width=f"{width}px", max_width="100%"))
        super().__init__([self._panel(play, interval, width), self.image, self.readout, below])
        for control in controls.values():
            control.observe(self._redraw, "value")
        self._redraw()

    def values(self):
        """Return the current value of every control."""
        return {name: control.value for name, control in self.controls.items()}

    def compute(self, **params):
        """Run the algorithms at ``params``; what is not given keeps its initial value."""
        unknown = set(params) - set(self.controls)
        if unknown:
            raise TypeError(f"unknown parameter {sorted(unknown)[0]!r}; this explorer has {', '.join(self.controls)}.")
        return self._compute(**{**self.defaults, **params})

    def figure(self, **params):
        """Return the picture at ``params`` as a figure of its own, with no widget behind it."""
        twin = self._make()
        twin.draw(twin.compute(**params))
        for artist in twin._moving:
            artist.set_animated(False)
        return twin.fig

    def reset(self, _=None):
        """Stop the player and put every control back to its initial value, with one redraw."""
        if self._player is not None:
            self._player.playing = False
        self._held = True
        try:
            for name, value in self.defaults.items():
                self.controls[name].value = value
        finally:
            self._held = False
        self._redraw()

    def _redraw(self, _=None):
        if self._held:
            return
        result = self._compute(**self.values())
        self.draw(result)
        self.image.value = self._paint()
        self._words = self.describe(result)
        self.readout.value = f'<div role="status" style="font-size:15px; line-height:1.6">{_bold(self._words)}</div>'

    def _paint(self):
        canvas = self.fig.canvas
        canvas.restore_region(self._background)
        for artist in self._moving:
            artist.axes.draw_artist(artist)
        for stamp in self._stamps:
            canvas.restore_region(stamp)
        return _png(self._pixels(), compress_level=1)

    def _pixels(self):
        canvas = self.fig.canvas
        return Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba(), "raw", "RGBA", 0, 1).convert(
            "RGB"
        )

    def _animate(self, moving):
        """Take the moving artists, and all that lies above one of them, out of the background."""
        painted = []
        for ax in sorted(self.fig.axes, key=lambda a: a.zorder):
            mine = [a for a in moving if a.axes is ax]
            if not mine:
                continue
            lowest = min(a.zorder for a in mine)
            above = [a for a in ax.get_children() if _is_content(a, ax) and a not in mine and a.zorder >= lowest]
            above += [s for s in ax.spines.values() if s.get_visible()]
            painted += sorted(mine + above, key=lambda a: a.zorder)
        for artist in painted:
            artist.set_animated(True)
        return painted

    def _panel(self, play, interval, width):
        rows = []
        for name, control in self.controls.items():
            if name == play:
                span = {"min": control.min, "max": control.max, "step": control.step, "value": control.value}
                self._player = W.Play(**span, interval=interval)
                W.jslink((self._player, "value"), (control, "value"))
                rows.append(W.HBox([control, self._player], layout=W.Layout(align_items="center")))
            else:
                rows.append(control)
        reset = W.Button(description="Reset", tooltip="Put every control back", layout=W.Layout(width="80px"))
        reset.on_click(self.reset)
        layout = W.Layout(
            flex_flow="row wrap", align_items="center", width=f"{width}px", max_width="100%", grid_gap="2px 16px"
        )
        return W.HBox([*rows, reset], layout=layout)

    def _settings(self):
        return " · ".join(f"{c.description} = {_value(c)}" for c in self.controls.values())

    def _still(self):
        """Return the picture with settings, read-out and caption written under it, as PNG bytes."""
        picture = self._pixels()
        size = 14 * picture.width // 960
        fonts = {
            style: ImageFont.truetype(f"{mpl.get_data_path()}/fonts/ttf/DejaVuSans{style}.ttf", size)
            for style in ("", "-Bold", "-Oblique")
        }
        texts = [(self._settings(), "-Bold"), (self._words.replace("**", ""), ""), (self.caption, "-Oblique")]
        lines = [(line, style) for text, style in texts for line in textwrap.wrap(text, 124)]
        step = int(1.55 * size)
        page = Image.new("RGB", (picture.width, picture.height + step * len(lines) + size), "white")
        page.paste(picture)
        pen = ImageDraw.Draw(page)
        for k, (line, style) in enumerate(lines):
            pen.text((size, picture.height + 4 + k * step), line, fill="#22262E", font=fonts[style])
        return _png(few_colours(page), optimize=True)

    def _repr_mimebundle_(self, **kwargs):
        data = super()._repr_mimebundle_(**kwargs)
        data["image/png"] = base64.b64encode(self._still()).decode()
        data["text/plain"] = f"{self._settings()}\n{self._words.replace('**', '')}"
        return data, {"image/png": {"alt": self.caption}}


def slider(label, value, low, high, step, *, digits=2):
    """A slider over real numbers."""
    return W.FloatSlider(value=value, min=low, max=high, step=step, readout_format=f".{digits}f", **_look(label))


def log_slider(label, value, low, high, *, per_decade=10, digits=3):
    """A slider over powers of ten: one step multiplies by ``10 ** (1 / per_decade)``.

    ``value`` is always one of its stops, for a browser moves any other to the nearest: ``low`` gives way, by half a
    step at most.
    """
    low, high = float(np.log10(low)), float(np.log10(high))
    steps = (np.log10(value) - low) * per_decade
    if abs(steps - round(steps)) > 1e-9:
        low = float(np.log10(value) - round(steps) / per_decade)
    return W.FloatLogSlider(
        value=value, base=10, min=low, max=high, step=1 / per_decade, readout_format=f".{digits}g", **_look(label)
    )


def whole(label, value, low, high, *, step=1):
    """A slider over whole numbers."""
    return W.IntSlider(value=value, min=low, max=high, step=step, **_look(label))


def choice(label, options, value=None):
    """A drop-down list; ``options`` is a list, or a dict from the words shown to the value meant."""
    pairs = list(options.items()) if isinstance(options, dict) else [(str(o), o) for o in options]
    return W.Dropdown(options=pairs, value=pairs[0][1] if value is None else value, **_look(label, "380px"))


def switch(label, value=False):
    """A check box."""
    return W.Checkbox(value=value, description=label, indent=False, layout=W.Layout(width="auto", margin="0 0 0 24px"))


def count(n, noun):
    """Write a number of things: "1 point", "3 points"."""
    return f"{n} {noun}{'' if n == 1 else 's'}"


def plain(value, form=".1f"):
    """Write a number with a true minus sign, and no minus before zero."""
    text = f"{value:{form}}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")


def _look(label, width="412px"):
    return {"description": label, "style": {"description_width": LABEL}, "layout": W.Layout(width=width)}


def _value(control):
    if isinstance(control, W.Checkbox):
        return "on" if control.value else "off"
    if isinstance(control, W.Dropdown):
        return control.label
    return f"{control.value:.4g}"


def _is_content(artist, ax):
    titles = (ax.title, ax._left_title, ax._right_title)
    furniture = (ax.patch, *titles, ax.xaxis, ax.yaxis, *ax.spines.values(), ax.get_legend())
    return artist.get_visible() and not any(artist is thing for thing in furniture)


def _bold(text):
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(text, quote=False))


def _png(picture, **options):
    data = io.BytesIO()
    picture.save(data, "png", **options)
    return data.getvalue()
