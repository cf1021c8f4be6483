"""A real JupyterHub on this machine, its proxy and its students: for the tests and for measuring a class.

Students are Unix accounts made for the occasion. They log in over HTTP as a browser does, with cookies, and speak to
their kernels over websockets through the proxy. It all stands in one folder of /opt and is gone afterwards.

Run as a script it says loudly where there can be no hub.
"""

import asyncio
import contextlib
import grp
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from urllib.parse import urlencode

import httpx
from jupyter_server.services.kernels.connection.base import deserialize_binary_message
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 240  # seconds, on a busy machine
sys.path.insert(0, str(ROOT / "hub"))

import accounts  # noqa: E402 - the script that a lecturer runs


def missing():
    """Return what this machine lacks for a hub, in words; "" where nothing is missing."""
    if os.name != "posix" or os.geteuid() != 0:
        return "make hub needs root"
    return "" if shutil.which("apt-get") else "make hub needs Debian's apt-get"


class Hub:
    """A hub that runs: where it is, whom it knows, and what was printed."""

    def __init__(self, room, passwords, address, log):
        self.room, self.passwords, self.address, self.log = room, passwords, address, log
        self.env, self.state = room / "env", room / "state"
        self.names = list(passwords)


def make(room):
    """Install the hub's environment into ``room`` as a lecturer does, with make."""
    command = ["make", "hub-install", f"HUB={room / 'env'}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@contextlib.contextmanager
def running(students, settings="", env=None):
    """Yield a `Hub` with as many students, and leave the machine as it was; ``settings`` go into its site.py."""
    room = Path(tempfile.mkdtemp(prefix="mlteach-hub-", dir="/opt"))
    room.chmod(0o755)
    names = [f"mlt{os.getpid()}x{k:02d}" for k in range(students)]
    had_group = accounts.of_class(names[0]) or _group() is not None
    environment = {**os.environ, "HUB_STATE": str(room / "state")}
    classlist = room / "class.csv"
    classlist.write_text("".join(f"{name}, Student {k}\n" for k, name in enumerate(names)), encoding="utf-8")
    script = [sys.executable, str(ROOT / "hub" / "accounts.py"), str(classlist)]
    try:
        (room / "env").symlink_to(env) if env else make(room)
        subprocess.run(script, env=environment, check=True, stdout=subprocess.DEVNULL)
        lines = (room / "state" / "passwords.txt").read_text(encoding="utf-8").splitlines()
        ports = free_ports(3)
        (room / "state" / "site.py").write_text(_site(*ports) + settings, encoding="utf-8")
        with _served(room, environment) as (process, log):
            hub = Hub(room, dict(line.split() for line in lines), f"http://127.0.0.1:{ports[0]}", log)
            _wait(lambda: httpx.get(f"{hub.address}/hub/login").status_code == 200, process, log)
            yield hub
    finally:
        subprocess.run([*script, "--remove"], env=environment, check=True, stdout=subprocess.DEVNULL)
        if not had_group and _group() == []:
            subprocess.run(["groupdel", accounts.GROUP], check=True)
        shutil.rmtree(room)


def _group():
    with contextlib.suppress(KeyError):
        return grp.getgrnam(accounts.GROUP).gr_mem


def _site(port, hub, proxy):
    return (
        f"c.JupyterHub.bind_url = 'http://127.0.0.1:{port}'\n"
        f"c.JupyterHub.hub_bind_url = 'http://127.0.0.1:{hub}'\n"
        f"c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:{proxy}'\n"
    )


def free_ports(n):
    """Return ports of this machine that nobody listens on."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(n)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


@contextlib.contextmanager
def _served(room, environment):
    log = room / "hub.log"
    command = [room / "env" / "bin" / "jupyterhub", "-f", ROOT / "hub" / "jupyterhub_config.py"]
    with open(log, "w") as file:
        hub = subprocess.Popen(
            list(map(str, command)), cwd=room, env=environment, stdout=file, stderr=file, start_new_session=True
        )
    try:
        yield hub, log
    finally:
        hub.send_signal(signal.SIGTERM)
        try:
            hub.wait(60)
        except subprocess.TimeoutExpired:
            pass
        with contextlib.suppress(ProcessLookupError):
            os.killpg(hub.pid, signal.SIGKILL)


def as_user(name, command):
    """Run a command as a user, in that user's home, with an environment of its own; return what it prints."""
    who = pwd.getpwnam(name)
    identity = {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": os.getgrouplist(name, who.pw_gid)}
    environment = {"HOME": who.pw_dir, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=who.pw_dir, env=environment, capture_output=True, text=True, **identity)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def processes(uid):
    """Return the process ids of a user."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if path.stat().st_uid == uid:
                found.append(int(path.name))
    return found


def memory(uid):
    """Return the memory of a user's processes in MB, shared pages divided among those who share them (PSS)."""
    total = 0
    for pid in processes(uid):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def _wait(ready, process, log):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(httpx.HTTPError):
            if ready():
                return
        time.sleep(0.2)
    raise TimeoutError(f"the hub is not up; its log ends with:\n{log.read_text()[-2000:]}")


class Student:
    """A student in a browser: cookies, a server, kernels."""

    def __init__(self, hub, name):
        self.hub, self.name = hub, name
        self.home = f"{hub.address}/user/{name}"
        self.web = httpx.AsyncClient(follow_redirects=True, timeout=PATIENCE)

    async def log_in(self, password=None):
        """Log in; return whether the hub let us."""
        page = f"{self.hub.address}/hub/login"
        await self.web.get(page)
        form = {
            "username": self.name,
            "password": self.hub.passwords.get(self.name, "") if password is None else password,
        }
        token = self._cookie("_xsrf", "/hub/")
        answer = await self.web.post(f"{page}?{urlencode({'_xsrf': token})}", data=form, follow_redirects=False)
        return answer.status_code == 302

    def _cookie(self, name, path):
        found = [cookie.value for cookie in self.web.cookies.jar if cookie.name == name and cookie.path == path]
        return found[0] if found else ""

    async def start(self):
        """Start the server and wait until it answers; return the seconds."""
        begun = time.monotonic()
        await self.web.get(f"{self.hub.address}/hub/spawn")
        while time.monotonic() - begun < PATIENCE:
            answer = await self.web.get(f"{self.home}/lab")  # sends us to the hub and back, with a cookie of its own
            if answer.status_code == 200 and answer.url.path.startswith(f"/user/{self.name}/"):
                return time.monotonic() - begun
            await asyncio.sleep(0.5)
        raise TimeoutError(f"no server of {self.name}: {answer.status_code} {self.hub.log.read_text()[-2000:]}")

    async def ask(self, method, path, owner=None, **more):
        """Ask a server's API (our own, or another's) with our cookies."""
        home = f"{self.hub.address}/user/{owner or self.name}"
        headers = {"X-XSRFToken": self._cookie("_xsrf", f"/user/{self.name}/")}
        return await self.web.request(method, f"{home}/{path}", headers=headers, **more)

    def server(self):
        """Return process and port of the server that runs."""
        runtime = Path(f"/home/{self.name}/.local/share/jupyter/runtime")
        (note,) = (json.loads(path.read_text()) for path in runtime.glob("jpserver-*.json"))
        return str(note["pid"]), note["port"]

    async def token(self):
        """Return a token with all rights that the student has."""
        headers = {"X-XSRFToken": self._cookie("_xsrf", "/hub/")}
        answer = await self.web.post(f"{self.hub.address}/hub/api/users/{self.name}/tokens", headers=headers, json={})
        assert answer.status_code == 201, answer.text
        return answer.json()["token"]

    async def websocket_status(self, kernel, owner):
        """Return the answer to somebody who wants the websocket of a kernel: 101 lets in."""
        try:
            (await self.socket(kernel, owner)).close()
            return 101
        except HTTPClientError as error:
            return error.code

    async def kernel(self):
        """Start a kernel and open its websocket."""
        answer = await self.ask("POST", "api/kernels", json={"name": "python3", "path": "course"})
        assert answer.status_code == 201, answer.text
        return await Kernel.connected(self, answer.json()["id"])

    async def socket(self, kernel, owner=None):
        """Open the websocket of a kernel (our own, or another's)."""
        address = (
            f"{self.hub.address}/user/{owner or self.name}/api/kernels/{kernel}/channels?session_id={uuid.uuid4().hex}"
        )
        cookies = "; ".join(
            f"{k.name}={k.value}"
            for k in self.web.cookies.jar
            if k.path in ("/", f"/user/{self.name}/", f"/user/{owner or self.name}/")
        )
        headers = {"Cookie": cookies, "Origin": self.hub.address}
        return await websocket_connect(
            HTTPRequest(address.replace("http", "ws", 1), headers=headers, request_timeout=PATIENCE),
            max_message_size=2**28,
        )


class Kernel:
    """A kernel behind its websocket, and the widgets that it has shown."""

    def __init__(self, id, socket):
        self.id, self.socket, self.session, self.widgets = id, socket, uuid.uuid4().hex, {}

    @classmethod
    async def connected(cls, student, id):
        return cls(id, await student.socket(id))

    async def send(self, kind, content):
        """Send a message of the shell channel; return its id."""
        id = uuid.uuid4().hex
        header = {"msg_id": id, "msg_type": kind, "session": self.session, "username": "", "version": "5.3"}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        await self.socket.write_message(json.dumps(message))
        return id

    async def receive(self):
        """Return the next message, and keep the widgets that it opens."""
        raw = await asyncio.wait_for(self.socket.read_message(), PATIENCE)
        if raw is None:
            raise ConnectionError("the websocket was closed")
        message = deserialize_binary_message(raw) if isinstance(raw, bytes) else json.loads(raw)
        if message["header"]["msg_type"] == "comm_open":
            self.widgets[message["content"]["comm_id"]] = message["content"]["data"].get("state", {})
        return message

    async def run(self, code):
        """Run code to its end; return what it printed and the names of its errors."""
        id, printed, errors, idle, replied = await self._execute(code), "", [], False, False
        while not (idle and replied):
            message = await self.receive()
            if message["parent_header"].get("msg_id") != id:
                continue
            kind, content = message["header"]["msg_type"], message["content"]
            if kind == "stream":
                printed += content["text"]
            elif kind == "error":
                errors.append(f"{content['ename']}: {content['evalue']}")
            idle |= kind == "status" and content["execution_state"] == "idle"
            replied |= kind == "execute_reply"
        return printed, errors

    async def _execute(self, code):
        return await self.send(
            "execute_request",
            {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False},
        )

    def widget(self, model):
        """Return the id of the first widget of a model."""
        return next(id for id, state in self.widgets.items() if state.get("_model_name") == model)

    async def move(self, slider, **state):
        """Move a slider of an explorer; return the bytes of the picture that comes back, and the seconds."""
        begun = time.monotonic()
        update = {"method": "update", "state": state, "buffer_paths": []}
        await self.send("comm_msg", {"comm_id": slider, "data": update})
        while True:
            message = await self.receive()
            paths = message["content"].get("data", {}).get("buffer_paths") if "data" in message["content"] else None
            if message["header"]["msg_type"] == "comm_msg" and paths == [["value"]]:
                return bytes(message["buffers"][0]), time.monotonic() - begun


if __name__ == "__main__":
    if missing():
        print("!" * 90)
        print(f"!! NO HUB HERE: {missing()}. The test of a class on a real hub will be SKIPPED.")
        print("!" * 90)
