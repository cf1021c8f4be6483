"""The browser that prints chapters and that the tests look through."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APP = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium():
    """Return the path of a Chromium, or None."""
    paths = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), APP]
    return next((path for path in paths if path and os.path.exists(path)), None)
