"""Find the system's Chromium, and install it where this is Debian and we are root.

Run as a script it prints one line; where no browser can be had it says so loudly, and with CI=true it fails.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find():
    """Return the path of a Chromium, or None."""
    paths = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES)]
    paths.append("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    return next((path for path in paths if path and os.path.exists(path)), None)


def install():
    """Install Debian's Chromium if we may; return whether it was tried."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
    subprocess.run(["apt-get", "update", "-q"], check=False, **quiet)
    subprocess.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"], check=False, **quiet)
    return True


def main():
    """Make sure that there is a browser, as far as we can."""
    if find() is None and os.name == "posix":
        install()
    if find():
        print(f"browser tests use {find()}")
    elif os.environ.get("CI") == "true":
        sys.exit("NO CHROMIUM: the browser tests must run where CI=true")
    else:
        print("!" * 90)
        print("!! NO CHROMIUM FOUND: the browser tests will be SKIPPED. Install Chromium or set CHROMIUM=path.")
        print("!" * 90)


if __name__ == "__main__":
    main()
