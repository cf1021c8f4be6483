"""What a notebook's file keeps of an explorer: its picture and its words, not its dead widget.

A widget lives in the kernel that made it. In a file its view is a broken reference, and JupyterLab would rather show
that ("model not found") than the picture beside it. ``keep_stills`` removes it. This module is also an extension of the
Jupyter server, enabled by ``data/jupyter/mlteach.json`` where the package is installed: it does so at every saving.
"""

import inspect
import platform

WIDGET = "application/vnd.jupyter.widget-view+json"


def keep_stills(model, **kwargs):
    """Remove, in place, the widget view from every output that also holds a picture or a page; other widgets stay.

    model   what the server is about to save: {"type": "notebook", "content": the notebook as a dict}
    """
    if model.get("type") != "notebook" or not isinstance(model.get("content"), dict):
        return
    for cell in model["content"].get("cells", []):
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data or "text/html" in data:
                data.pop(WIDGET, None)


def speak_of_this_python(model):
    """Give a notebook that is being opened this Python's version, in place, and return it.

    JupyterLab writes the version of the kernel into a notebook, and calls it changed where another one, or none, stood
    there.
    """
    content = model.get("content")
    if model.get("type") == "notebook" and isinstance(content, dict):
        language = content.get("metadata", {}).get("language_info", {})
        if language.get("name") == "python":
            language["version"] = platform.python_version()
    return model


def _jupyter_server_extension_points():
    return [{"module": "mlteach.saving"}]


def _load_jupyter_server_extension(server):
    manager = server.contents_manager
    manager.register_pre_save_hook(keep_stills)
    get = manager.get
    if inspect.iscoroutinefunction(get):

        async def opened(*args, **kwargs):
            return speak_of_this_python(await get(*args, **kwargs))
    else:

        def opened(*args, **kwargs):
            return speak_of_this_python(get(*args, **kwargs))

    manager.get = opened
