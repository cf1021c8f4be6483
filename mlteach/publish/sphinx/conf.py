"""How Sphinx makes the book (see ``mlteach/publish/book.py``)."""

import shutil
from pathlib import Path

from docutils import nodes

from mlteach.publish.book import HERE, colours, mathjax

project = html_title = "mlteach"
extensions = ["myst_nb"]
language = "en"
templates_path = []
html_theme = "furo"
html_theme_options = {"footer_icons": [], "sidebar_hide_name": False}
html_static_path = []
html_css_files = ["colours.css", "book.css", "player.css"]
html_js_files = ["player.js", "book.js", "search.js"]
html_show_sourcelink = html_copy_source = html_show_search_summary = html_show_sphinx = False
html_show_copyright = False
pygments_style, pygments_dark_style = "xcode", "github-dark"

nb_execution_mode = "off"
nb_merge_streams = True
nb_number_source_lines = False
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 0
suppress_warnings = ["mystnb.unknown_mime_type", "myst.header"]
mathjax_path = "mathjax/tex-chtml-full.js"
mathjax3_config = {
    "loader": {"load": ["ui/lazy"]},  # a formula is set when it comes near the screen: a chapter has hundreds
    "options": {"enableMenu": False, "lazyMargin": "600px"},
    "chtml": {"mtextInheritFont": True},
}
if "tags" in globals() and tags.has("print"):  # noqa: F821  Sphinx gives them; see mlteach/publish/pdf.py
    html_theme, html_theme_options = "basic", {"nosidebar": True}
    html_css_files, html_js_files, html_use_index = ["colours.css", "print.css"], [], False
    mathjax3_config = {"options": {"enableMenu": False}, "chtml": {"mtextInheritFont": True}}


def fold_depth(app, doctree, docname):
    """Fold a section "N.k.j · Deeper: ..." under its heading; its first paragraph says what it gives."""
    for section in list(doctree.findall(nodes.section)):
        if "· Deeper: " not in section[0].astext():
            continue
        title, rest = section[0], list(section.children[1:])
        first = next((k for k, node in enumerate(rest) if node.astext().strip()), 0)
        section.children = []
        open_, close = '<details class="deeper"><summary>', "</summary>"
        section += [title, _raw(open_), *rest[: first + 1], _raw(close), *rest[first + 1 :], _raw("</details>")]


def _raw(text):
    return nodes.raw("", text, format="html")


def copy_scripts(app, exception):
    """Put our own scripts and styles, and MathJax with its fonts, beside the pages."""
    static = Path(app.outdir) / "_static"
    for name in ("player.js", "player.css", "book.js", "book.css", "search.js", "print.css"):
        shutil.copy(HERE / name, static)
    (static / "colours.css").write_text(colours(), encoding="utf-8")
    for part in ("tex-chtml-full.js", "ui/lazy.js", "output/chtml/fonts"):
        source, target = mathjax() / part, static / "mathjax" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy(source, target)


def setup(app):
    """Tell Sphinx what we add."""
    if not app.tags.has("print"):
        app.connect("doctree-resolved", fold_depth)
    app.connect("build-finished", copy_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
