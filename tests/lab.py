"""Real JupyterLab in real Chromium, for the browser tests and for measuring latency.

Run as a script it makes sure that there is a Chromium: on Debian, as root, it installs one. Where none can be had it
says so loudly, and with CI=true it fails.
"""

import contextlib
import functools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
from pathlib import Path

from mlteach.publish.browser import FLAGS, find_chromium

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "browser-test"
AXE = "axe-core@4.14.0"  # of the npm registry
PATIENCE = 240  # seconds; on a busy machine a kernel takes a minute to start
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}


def install(program):
    """Install a program of Debian's where we may."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-q"], check=False, **quiet)
        subprocess.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", program], check=False, **quiet)


@functools.cache
def axe():
    """Return the text of axe-core, which judges whether a page is for everybody; None where npm cannot be had."""
    if not shutil.which("npm"):
        install("npm")
    if not shutil.which("npm"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            return package.extractfile("package/axe.min.js").read().decode()


@contextlib.contextmanager
def serve(folder):
    """Serve ``folder`` with JupyterLab on a free local port and yield the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as config, tempfile.TemporaryDirectory() as extensions:
        shutil.copytree(ROOT / "data" / "jupyter" / "labextension", Path(extensions) / "mlteach")
        for name, content in SETTINGS.items():
            path = Path(config) / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content))
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
        command += [
            "--allow-root",
            "--expose-app-in-browser",
            f"--IdentityProvider.token={TOKEN}",
            f"--ServerApp.root_dir={folder}",
            f"--LabApp.extra_labextensions_path={extensions}",
        ]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        server = subprocess.Popen(command, env={**os.environ, "JUPYTERLAB_SETTINGS_DIR": config}, **quiet)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(lambda: urllib.request.urlopen(f"{address}/api?token={TOKEN}", timeout=2), PATIENCE)
            yield address
        finally:
            server.terminate()
            server.wait(PATIENCE)


@contextlib.contextmanager
def chromium():
    """Yield a headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        program = p.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        try:
            yield program
        finally:
            program.close()


@contextlib.contextmanager
def tab(reader):
    """Yield a new page, and close it; pages of one context share what they have fetched, pages of Chromium nothing."""
    page = reader.new_page()
    page.set_viewport_size({"width": 1400, "height": 1000})
    page.set_default_timeout(1000 * PATIENCE)
    try:
        yield page
    finally:
        page.close()


@contextlib.contextmanager
def browser():
    """Yield a page in a headless Chromium of its own."""
    with chromium() as program, tab(program) as page:
        yield page


def open_notebook(page, address, name):
    """Open a notebook and wait until its cells stand and its kernel is ready."""
    page.goto(f"{address}/lab/tree/{name}?token={TOKEN}&reset", timeout=1000 * PATIENCE)
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=1000 * PATIENCE)
    page.wait_for_selector("text=/ipykernel.* Idle$/", timeout=1000 * PATIENCE)


def run_all(page, timeout=PATIENCE):
    """Clear all outputs, run all cells, and wait until each has a number; a folded cell shows none."""
    for menu, item in (("Edit", "Clear Outputs of All Cells"), ("Run", "Run All Cells")):
        page.click(f".lm-MenuBar-itemLabel:text-is('{menu}')")
        page.click(f".lm-Menu-itemLabel:text-is('{item}')")
    prompts = page.locator(".jp-CodeCell .jp-InputPrompt")
    _wait(lambda: all(re.search(r"\d", text) for text in prompts.all_text_contents() if text), timeout)
    time.sleep(1)


def run_cells(page, places):
    """Run only the cells at ``places``, counted from 0, one after the other."""
    page.evaluate(
        """([places, limit]) => {
             const notebook = jupyterapp.shell.currentWidget.content;
             const run = async () => { for (const place of places) {
               notebook.deselectAll();
               notebook.activeCellIndex = place;
               await jupyterapp.commands.execute('notebook:run-cell'); } };
             return Promise.race([run(), new Promise((_, no) => setTimeout(() => no('still running'), limit))]); }""",
        [list(places), 1000 * PATIENCE],
    )
    time.sleep(1)


def press_and_wait(page, handle, changed, key="ArrowRight", timeout=PATIENCE):
    """Focus a slider's handle, press a key, and return the seconds until ``changed()`` (a JavaScript test) holds."""
    handle.focus()
    page.evaluate(
        """test => { const check = eval(test); const before = check();
             window.done = new Promise(resolve => { window.addEventListener('keydown', () => {
               const start = performance.now();
               const look = () => check() !== before ? resolve(performance.now() - start) : setTimeout(look, 1);
               look(); }, {once: true, capture: true}); }); }""",
        changed,
    )
    page.keyboard.press(key)
    return page.evaluate(
        "limit => Promise.race([window.done, new Promise((_, no) => setTimeout(() => no('nothing changed'), limit))])",
        timeout * 1000,
    )


def _wait(ready, timeout):
    start = time.monotonic()
    while True:
        try:
            if ready():
                return
        except OSError:
            pass
        if time.monotonic() - start > timeout:
            raise TimeoutError(f"nothing after {timeout} s")
        time.sleep(0.1)


def main():
    """Make sure that there is a browser, as far as we can."""
    if find_chromium() is None and os.name == "posix":
        install("chromium")
    if find_chromium():
        print(f"browser tests use {find_chromium()}")
    elif os.environ.get("CI") == "true":
        sys.exit("NO CHROMIUM: the browser tests must run where CI=true")
    else:
        print("!" * 90)
        print("!! NO CHROMIUM FOUND: the browser tests will be SKIPPED. Install Chromium or set CHROMIUM=path.")
        print("!" * 90)


if __name__ == "__main__":
    main()
