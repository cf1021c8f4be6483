"""A plugin for nbval: leave out the painting of pictures whose pixels are compared with nothing.

    pytest -p no_pixels --nbval ... notebooks

nbval compares text and leaves pictures alone. The first run of a notebook paints all of them as a student sees them;
its second run (`run_again`) and its runs as on other processors (`profiles`) only look for errors and for other words.
There a figure goes through all of its drawing, so that one that cannot be drawn fails, but no pixel is set. An
explorer, which takes nothing from its notebook, computes, moves its artists and describes itself.
"""

from nbval.plugin import IPyNbFile

SOURCE = """
def _leave_out_pixels():
    import IPython.core.pylabtools as tools
    import numpy as np
    from matplotlib.figure import Figure
    from mlteach.explore.base import Explorer

    tools.print_figure = lambda fig, *args, **kwargs: fig.draw_without_rendering()  # for pyplot, once it is imported
    get_ipython().display_formatter.formatters["image/png"].for_type(Figure, tools.print_figure)  # if it is already
    Explorer._prepare = lambda self, moving: None
    Explorer._blit = lambda self: np.zeros((1, 1, 4), np.uint8)
    Explorer._still = lambda self: b""


_leave_out_pixels()
del _leave_out_pixels
"""
PATIENCE = 120  # seconds; the first import of matplotlib may have to look at all fonts
_setup = IPyNbFile.setup


def setup(notebook):
    """Start the kernel of a notebook and leave the pixels out of it; this must not fail."""
    _setup(notebook)
    kernel = notebook.kernel
    sent = kernel.execute_cell_input(SOURCE, allow_stdin=False)
    kernel.await_reply(sent, timeout=PATIENCE)
    while True:
        message = kernel.get_message("iopub", timeout=PATIENCE)
        if message["parent_header"].get("msg_id") == sent:
            assert message["msg_type"] != "error", message["content"]["evalue"]
            if message["content"].get("execution_state") == "idle":
                return


def pytest_configure():
    """Let every notebook start its kernel so."""
    IPyNbFile.setup = setup
