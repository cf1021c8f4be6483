"""The Explorer: controls beside a picture that answers within two or three frames.

A chapter describes what is to be seen as a `Scene`: a figure that is built once, and three methods that can be used
without each other. ``compute(**params)`` runs the algorithms, ``draw(result)`` moves the artists, ``describe(result)``
puts the numbers of the picture into words. `explorer` makes a widget of it::

    class SoftMargin(Scene):
        "Change the price C of slack and watch street, support vectors and errors."

        caption = "Figure 16.4: the street between two classes ..."

        def __init__(self):
            self.figure, (self.plane, self.costs) = plots.canvas(2)
            self.controls = {"C": log_slider("price of slack C", 1.0, 0.01, 1000)}
            (self.line,) = self.plane.plot([], [])
            self.moving = [self.line]

        def compute(self, C): ...
        def draw(self, result): ...
        def describe(self, result): ...

    soft_margin = explorer(SoftMargin)

Everything that never changes is drawn once and kept as a background; a moved control recomputes, updates the few
artists that move, and paints them over that background. The picture travels as the bytes of one PNG. The display also
carries a still picture with the read-out and the caption written under it, so that a notebook shows the same thing on
a page with no kernel.
"""

import base64
import html
import io
import re
import struct
import textwrap
import zlib

import ipywidgets as W
import matplotlib as mpl
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mlteach.explore import own
from mlteach.explore.latecomers import Latecomers
from mlteach.plots import INK, QUIET, STYLE, few_colours
from mlteach.threads import one_thread

REGISTRY = {}
WIDE = "1 1 350px"  # a control is at least this wide, and shares what the row leaves
STILL_DPI = 100  # of the picture that is kept in the notebook; the live one has more
ALIVE = "To move the sliders, run this cell in JupyterLab: click into it and press Shift+Enter."
# The picture takes what controls and words leave of the window (JupyterLab itself needs 121 px), and grows with it.
# Words have the reader's own size (JupyterLab's content font, which Presentation Mode enlarges). Where a window is too
# low for all of it, as at 200 % zoom, the explorer is as tall as it must be; where it is narrow, it scrolls sideways
# before the picture's letters are smaller than 11 px.
LOOK = """<style>
.mlteach-explorer { --mlteach-size: max(var(--jp-content-font-size1, 14px), 13px); container-type: inline-size;
                    --jp-widgets-font-size: calc(0.93 * var(--mlteach-size));
                    --jp-widgets-inline-height: calc(2 * var(--mlteach-size));
                    max-height: calc(100vh - 125px); overflow: auto; }
.mlteach-explorer > * { flex: none; }
.mlteach-explorer > img { flex: 0 1 auto; width: 100%; min-height: 200px; margin: 2px 0;
                          object-fit: contain; object-position: left; }
.mlteach-explorer .widget-html-content { font-size: inherit; }
.mlteach-words { font-size: calc(1.07 * var(--mlteach-size)); line-height: 1.5; }
.mlteach-caption { font-size: var(--mlteach-size); font-style: italic; line-height: 1.35; }
.mlteach-explorer .widget-readout { min-width: 3.6em; }
.mlteach-explorer .widget-toggle-buttons { display: flex; align-items: center; }
.mlteach-explorer .widget-toggle-buttons > .widget-label { flex: none; text-align: right; margin-right: 6px; }
@media (max-height: 480px) { .mlteach-explorer { max-height: none; }
  .mlteach-explorer > img { max-height: calc(100vh - 130px); } }
@media (min-height: 760px) { .mlteach-explorer > img { min-width: 640px; } }
@container (min-width: 1150px) { .mlteach-explorer > * { --jp-widgets-font-size: calc(1.14 * var(--mlteach-size)); }
  .mlteach-explorer .widget-label, .mlteach-explorer .widget-readout, .mlteach-explorer select {
    font-size: calc(1.14 * var(--mlteach-size)); }
  .mlteach-words { font-size: calc(1.28 * var(--mlteach-size)); }
  .mlteach-caption { font-size: calc(1.14 * var(--mlteach-size)); } }
</style>"""


class Scene:
    """What an explorer shows; a chapter's scenes define what is listed here.

    figure     the matplotlib figure, from ``plots.canvas``; its limits and labels stay as they are
    moving     the artists that ``draw`` changes; what lies above them is repainted with them, legends on top
    controls   dict from parameter name to widget, made by ``slider``, ``log_slider``, ``whole``, ``choice``,
               ``buttons``, ``switch``
    caption    one sentence that says where to look
    play       name of the whole-number control that stands for time, if there is one; ``interval`` in milliseconds
    together   names of controls that a page with no kernel must let move together; else it takes the first ones
    lines      how many lines the read-out may take, so that nothing below it jumps
    takes      what data of the reader's it can show, if any: its constructor then gets them, as `own.Yours`
    """

    caption = ""
    takes = None
    play, interval = None, 200
    together = ()
    lines = 2

    def compute(self, **params):
        """Run the algorithms and return a result; the parameters are named like the controls."""
        raise NotImplementedError

    def draw(self, result):
        """Move the artists."""
        raise NotImplementedError

    def describe(self, result):
        """Return one or two sentences; ``**bold**`` marks the numbers."""
        raise NotImplementedError


def explorer(scene):
    """Return a function that makes the explorer of a `Scene` class, and register it: SoftMargin as "soft_margin".

    Given data, the function makes an explorer that shows them, where the scene takes any.
    """
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", scene.__name__).lower()

    def made(*data, **named):
        with mpl.rc_context(STYLE), one_thread():
            new = Explorer(_yours(scene, name, data, named) if data or named else scene())
        new.name, new._make = name, lambda: made(*data, **named)
        return new

    made.__name__ = made.__qualname__ = name
    made.__doc__, made.__module__, made.caption = own.documented(scene), scene.__module__, scene.caption
    made.__signature__, made.takes = own.signature(scene.takes), scene.takes
    REGISTRY[name] = made
    return made


def _yours(scene, name, data, named):
    """Return a scene that shows the reader's data, and says under its picture what was done with them."""
    yours = own.read(scene, name, data, named)
    shown = own.quiet(scene)(yours)
    shown.compute = own.quiet(shown.compute)
    own.narrow(shown.figure)
    shown.caption = f"Your data: {scene.takes.words} {yours.note}"
    return shown


class Explorer(W.VBox):
    """A `Scene` with its controls, its picture, a read-out in words and a caption."""

    def __init__(self, scene):
        self.scene, self.fig, self.controls, self.caption = scene, scene.figure, scene.controls, scene.caption
        self.draw, self.describe = scene.draw, scene.describe
        self._held, self._player = False, None
        self.defaults = self.values()
        self._prepare(scene.moving)

        self.image = W.Image(format="png")
        self.readout = W.HTML(layout=W.Layout(min_height=f"{1.69 * scene.lines + 0.3:.2f}em"))
        below = W.HTML(f'{LOOK}<div class="mlteach-caption">{html.escape(self.caption)}</div>')
        super().__init__([self._panel(), self.image, self.readout, below])
        self.add_class("mlteach-explorer")
        self._latecomers = Latecomers(below, self.readout)
        for control in self.controls.values():
            control.observe(self._changed, "value")
        if self._player is not None:
            self._player.observe(self._changed, ["value", "playing"])
        self._redraw()

    def values(self):
        """Return the current value of every control."""
        return {name: control.value for name, control in self.controls.items()}

    def compute(self, **params):
        """Run the algorithms at ``params``; what is not given keeps its initial value."""
        unknown = set(params) - set(self.controls)
        if unknown:
            raise TypeError(f"unknown parameter {sorted(unknown)[0]!r}; this explorer has {', '.join(self.controls)}.")
        with one_thread():
            return self.scene.compute(**{**self.defaults, **params})

    def snapshot(self, **params):
        """Return what the screen shows at ``params``, with no control moved: pixels (h, w, 3), words, labels."""
        result = self.compute(**params)
        self.draw(result)
        pixels = self._blit()[..., :3].copy()
        return pixels, self.describe(result), [control.description for control in self.controls.values()]

    def figure(self, **params):
        """Return the picture at ``params`` as a figure of its own, with no widget behind it."""
        twin = self._make()
        twin.draw(twin.compute(**params))
        for artist in twin._moving:
            artist.set_animated(False)
        return twin.fig

    def move(self, **values):
        """Set several controls, with one redraw."""
        self._held = True
        try:
            for name, value in values.items():
                self.controls[name].value = value
        finally:
            self._held = False
        self._redraw()

    def reset(self):
        """Stop the player and put every control back to its initial value, with one redraw."""
        if self._player is not None:
            self._held = True  # until the controls have moved
            self._player.playing = False
            self._player.value = self.defaults[self.scene.play]
        self.move(**self.defaults)

    def free(self):
        """Give back every widget and the picture; the explorer cannot be shown any more."""
        self._latecomers.free()
        if self._player is not None:
            self._link.close()
        for widget in list(_within(self)):
            widget.close()
        self.fig.clear()
        del self.scene, self.fig, self.draw, self.describe, self._background, self._stamps, self._moving

    def _put_back(self, _):
        """Answer the Reset button: what the browser has sent before it heard of it does not count."""
        self.reset()
        self._latecomers.expect()

    def _changed(self, change):
        if self._held or change.owner is self._player and not self._latecomers.expected:
            return
        if self._latecomers.expected:
            self._latecomers.again()
            self.reset()
        else:
            self._redraw()

    def _redraw(self):
        result = self.compute(**self.values())
        self.draw(result)
        self.image.value = _quick_png(self._blit())
        self._words = self.describe(result)
        self.readout.value = f'<div role="status" class="mlteach-words">{bold(self._words)}</div>'

    def _prepare(self, moving):
        """Draw once what never moves, and keep it; legends are stamped on top of what does."""
        self._moving = self._animate(moving)
        legends = [ax.get_legend() for ax in self.fig.axes if ax.get_legend()]
        for legend in legends:
            legend.set_zorder(10)
            legend.get_frame().set_alpha(1)
        self.fig.canvas.draw()
        self.fig.set_layout_engine("none")  # what moves must not move the axes
        self._background = self.fig.canvas.copy_from_bbox(self.fig.bbox)
        self._stamps = [self.fig.canvas.copy_from_bbox(legend.get_window_extent()) for legend in legends]

    def _blit(self):
        """Paint what moves over the background and return the pixels (h, w, 4)."""
        canvas = self.fig.canvas
        canvas.restore_region(self._background)
        for artist in self._moving:
            artist.axes.draw_artist(artist)
        for stamp in self._stamps:
            canvas.restore_region(stamp)
        return np.asarray(canvas.buffer_rgba())

    def _animate(self, moving):
        """Take the moving artists, and all that lies above one of them, out of the background."""
        painted = []
        for ax in sorted(self.fig.axes, key=lambda a: a.zorder):
            mine = [a for a in moving if a.axes is ax]
            if not mine:
                continue
            lowest = min(a.zorder for a in mine)
            above = [a for a in ax.get_children() if _is_content(a, ax) and a not in mine and a.zorder >= lowest]
            above += [s for s in ax.spines.values() if ax.axison and s.get_visible()]
            painted += sorted(mine + above, key=lambda a: a.zorder)
        for artist in painted:
            artist.set_animated(True)
        return painted

    def _panel(self):
        """Return the controls, two or more in a row, with Reset to their right."""
        label, rows = max(len(c.description) for c in self.controls.values() if not isinstance(c, W.Checkbox)), []
        for name, control in self.controls.items():
            if not isinstance(control, W.Checkbox):
                control.style.description_width = f"{0.52 * label + 0.8:.1f}em"
            if name == self.scene.play:
                span = {"min": control.min, "max": control.max, "step": control.step, "value": control.value}
                self._player = W.Play(**span, interval=self.scene.interval)
                self._link = W.jslink((self._player, "value"), (control, "value"))
                control.layout.flex = "1 1 auto"
                control = W.HBox([control, self._player], layout=W.Layout(flex="1 1 510px", align_items="center"))
            rows.append(control)
        alone = W.Layout(width="auto", flex="none")
        reset = W.Button(description="Reset", tooltip="Put every control back", layout=alone)
        reset.on_click(self._put_back)
        grid = W.Layout(flex="1 1 0", flex_flow="row wrap", align_items="center", grid_gap="0 12px")
        return W.HBox([W.HBox(rows, layout=grid), reset], layout=W.Layout(align_items="center"))

    def _settings(self):
        """Write what every control is set to; one without a number of its own says it in its label."""
        return " · ".join(
            f"{c.description} = {written(c, c.value)}" if getattr(c, "readout", True) else c.description
            for c in self.controls.values()
        )

    def _page(self):
        """Return the picture as it is now, at the size that a notebook keeps."""
        live = self.fig.dpi
        for artist in self._moving:
            artist.set_animated(False)
        try:
            self.fig.set_dpi(STILL_DPI)
            self.fig.canvas.draw()
            return Image.fromarray(np.asarray(self.fig.canvas.buffer_rgba())[..., :3].copy())
        finally:
            self.fig.set_dpi(live)
            for artist in self._moving:
                artist.set_animated(True)

    def _still(self):
        """Return the picture with settings, read-out, caption and how to make it move under it, as PNG bytes."""
        picture = self._page()
        size = 14 * picture.width // 960
        fonts = {
            style: ImageFont.truetype(f"{mpl.get_data_path()}/fonts/ttf/DejaVuSans{style}.ttf", size)
            for style in ("", "-Bold", "-Oblique")
        }
        texts = [(self._settings(), "-Bold"), (self._words.replace("**", ""), ""), (self.caption, "-Oblique")]
        texts.append((ALIVE, ""))
        lines = [(line, style) for text, style in texts for line in textwrap.wrap(text, 124)]
        step = int(1.55 * size)
        page = Image.new("RGB", (picture.width, picture.height + step * len(lines) + size), "white")
        page.paste(picture)
        pen = ImageDraw.Draw(page)
        for k, (line, style) in enumerate(lines):
            colour = QUIET if line == ALIVE else INK
            pen.text((size, picture.height + 4 + k * step), line, fill=colour, font=fonts[style])
        file = io.BytesIO()
        few_colours(page).save(file, "png", optimize=True)
        return file.getvalue()

    def _repr_mimebundle_(self, **kwargs):
        data = super()._repr_mimebundle_(**kwargs)
        data["image/png"] = base64.b64encode(self._still()).decode()
        data["text/plain"] = f"{self._settings()}\n{self._words.replace('**', '')}"
        return data, {"image/png": {"alt": self.caption}}


def _within(widget):
    """Yield a widget and all that lie in it, the innermost first, with what their looks are kept in."""
    for child in getattr(widget, "children", ()):
        yield from _within(child)
    yield from (getattr(widget, look) for look in ("layout", "style") if getattr(widget, look, None) is not None)
    yield widget


def slider(label, value, low, high, step, *, digits=2):
    """A slider over real numbers."""
    return W.FloatSlider(value=value, min=low, max=high, step=step, readout_format=f".{digits}f", **_look(label))


def place(yours, axis):
    """A slider over places on an axis of the reader's own data, in their units."""
    low, high, step = yours.stops(axis)
    control = slider(yours.names[axis].strip()[:22], low + step * round((high - low) / step / 2), low, high, step)
    control.readout_format = ".4g"
    return control


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
    return W.Dropdown(options=pairs, value=pairs[0][1] if value is None else value, **_look(label))


def buttons(label, options, value=None):
    """A row of buttons of which one is pressed, for two to four short options; ``options`` as in `choice`."""
    pairs = list(options.items()) if isinstance(options, dict) else [(str(o), o) for o in options]
    look = {"style": {"button_width": "auto"}, "tooltip": label, **_look(label)}
    return W.ToggleButtons(options=pairs, value=pairs[0][1] if value is None else value, **look)


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


def written(control, value):
    """Write a value of a control as words, or with at most four digits; a number of things as a whole one.

    >>> written(switch("tables"), True), written(whole("samples", 1, 1, 20_000), 12_000)
    ('on', '12,000')
    """
    if isinstance(control, W.Checkbox):
        return "on" if value else "off"
    if isinstance(control, W.Dropdown | W.ToggleButtons):
        return next(words for words, meant in control.options if meant is value or meant == value)
    counted = abs(value) >= 10_000 or getattr(control, "readout_format", None) == ".0f"
    return f"{value:,.0f}" if counted else f"{value:.4g}"


def bold(text):
    """Turn words with ``**numbers**`` into HTML."""
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(text, quote=False))


def _look(label):
    layout = W.Layout(flex=WIDE, width="auto", min_width="0")
    return {"description": label, "layout": layout}


def _is_content(artist, ax):
    titles = (ax.title, ax._left_title, ax._right_title)
    furniture = (ax.patch, *titles, ax.xaxis, ax.yaxis, *ax.spines.values(), ax.get_legend())
    return artist.get_visible() and not any(artist is thing for thing in furniture)


def _quick_png(rgba):
    """Return an array (h, w, 4) as an opaque PNG, three times as fast as a library that looks for the best filter."""
    h, w, _ = rgba.shape
    lines = np.zeros((h, 1 + 3 * w), np.uint8)  # the 0 in front of each line says: no filter
    lines[:, 1:] = rgba[..., :3].reshape(h, -1)
    size = struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)  # eight bits, red green blue
    parts = (b"IHDR", size), (b"IDAT", zlib.compress(lines, 1)), (b"IEND", b"")
    chunks = [struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
