"""The hub for a class: accounts from a list, and a short class on a real hub, its proxy and its websockets.

What is refused to another student is tried as that user, and beside it the same as the one whose it is: an attempt
that nobody could make would prove nothing.
"""

import asyncio
import contextlib
import json
import os
import pathlib
import pwd
import re
import signal
import subprocess
import time

import pytest
from traitlets.config import Config

import hub

STUBBORN = """  # a program that ignores what it can, and starts itself again
import os, signal, time
for number in {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}:
    signal.signal(number, signal.SIG_IGN)
for _ in range(4):
    if not os.fork():
        while True:
            if os.fork():
                os._exit(0)
            time.sleep(0.02)
time.sleep(600)
"""

# --- The class list ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ann\nBob\n", "line 2: 'Bob'"),
        ("../../etc\n", "'../../etc'"),
        ("ann; rm -rf /\n", "line 1"),
        ("-r\n", "line 1: '-r'"),
        ("zoë\n", "'zoë'"),
        ("a:b\n", "'a:b'"),
        ("a" * 21, "up to 20"),
        ("ann\nann, again\n", "line 2: ann stands there twice"),
        ("# nobody\n", "has no names"),
    ],
)
def test_a_name_with_odd_letters_is_refused(text, words, tmp_path):
    (tmp_path / "class.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="(?s).*") as fault:
        hub.accounts.read(tmp_path / "class.csv")
    assert words in str(fault.value)


def test_a_list_may_say_more_than_names(tmp_path):
    (tmp_path / "class.csv").write_text("# 2027\nann,Ann,ann@example.org\n\nb-2_x , Bob\n", encoding="utf-8-sig")
    assert hub.accounts.read(tmp_path / "class.csv") == ["ann", "b-2_x"]


def test_an_old_home_is_nobody_elses(monkeypatch):
    monkeypatch.setattr(hub.accounts, "_run", lambda *command, **how: pytest.fail(f"ran {command}"))
    monkeypatch.setattr(os.path, "lexists", lambda path: path == "/home/mlt-nobody-has-this")
    with pytest.raises(ValueError, match="belong to the machine.*mlt-nobody-has-this"):
        hub.accounts.make(["mlt-nobody-has-this"])


@pytest.mark.slow
@pytest.mark.skipif(bool(hub.missing()), reason=f"NO HUB HERE, {hub.missing()}")
def test_who_is_removed_leaves_nothing_running(tmp_path, monkeypatch):
    name = f"mlt{os.getpid()}r"
    monkeypatch.setattr(hub.accounts, "GROUP", f"{name}s")
    monkeypatch.setattr(hub.accounts, "PASSWORDS", tmp_path / "passwords.txt")
    assert hub.accounts.make([name]) == 1
    who = pwd.getpwnam(name)
    stubborn = subprocess.Popen(["/usr/bin/python3", "-I", "-c", STUBBORN], user=who.pw_uid, group=who.pw_gid)
    while len(hub.processes(who.pw_uid)) < 4:
        time.sleep(0.1)
    assert hub.accounts.remove([name]) == 1
    assert stubborn.wait(10) == -signal.SIGKILL
    assert not [path for path in pathlib.Path("/proc").glob("[0-9]*") if hub.accounts._runs_as(who.pw_uid, path)]
    assert not os.path.lexists(who.pw_dir)
    assert not hub.accounts.taken(name)
    assert hub.accounts.remove([name]) == 0
    subprocess.run(["groupdel", hub.accounts.GROUP], check=True)


@pytest.mark.parametrize("name", ["root", "daemon", "nobody", "adm"])
def test_accounts_of_the_machine_are_refused_before_anything_is_done(name, monkeypatch):
    monkeypatch.setattr(hub.accounts, "_run", lambda *command, **how: pytest.fail(f"ran {command}"))
    with pytest.raises(ValueError, match=f"belong to the machine.*{name}"):
        hub.accounts.make(["mlt-nobody-has-this", name])


def test_passwords_are_roots_alone_and_those_who_are_there_keep_theirs(tmp_path, monkeypatch):
    ran, members = [], set()
    monkeypatch.setattr(hub.accounts, "PASSWORDS", tmp_path / "state" / "passwords.txt")
    monkeypatch.setattr(hub.accounts, "_run", lambda *command, **how: ran.append((*command, how.get("input"))))
    monkeypatch.setattr(hub.accounts, "of_class", lambda name: name in members)
    assert hub.accounts.make(["mlt-a"]) == 1
    members.add("mlt-a")
    assert hub.accounts.make(["mlt-a", "mlt-b"]) == 1
    lines = [line.split() for line in hub.accounts.PASSWORDS.read_text(encoding="utf-8").splitlines()]
    assert [name for name, _ in lines] == ["mlt-a", "mlt-b"]
    assert [f"{name}:{word}\n" for name, word in lines] == [c[-1] for c in ran if c[0] == "chpasswd"]
    assert len({word for _, word in lines}) == 2
    assert all(len(word) == 17 for _, word in lines)
    assert hub.accounts.PASSWORDS.stat().st_mode & 0o777 == 0o600
    assert hub.accounts.PASSWORDS.parent.stat().st_mode & 0o777 == 0o700


# --- The configuration ------------------------------------------------------------------------------------------------


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """Return a function that reads the configuration with a site.py and returns it."""
    monkeypatch.setenv("HUB_STATE", str(tmp_path / "state"))
    path = hub.ROOT / "hub" / "jupyterhub_config.py"
    mask = os.umask(0o022)

    def read(site=""):
        (tmp_path / "state").mkdir(exist_ok=True)
        (tmp_path / "state" / "site.py").write_text(site, encoding="utf-8")
        config = Config()
        exec(compile(path.read_text(encoding="utf-8"), path, "exec"), {"get_config": lambda: config})
        return config

    yield read
    os.umask(mask)


def test_without_a_certificate_only_this_machine_is_served(configured):
    assert configured().JupyterHub.bind_url == "http://127.0.0.1:8000"
    for address in ("http://:8000", "http://0.0.0.0:8000", "https://class.example.org"):
        with pytest.raises(SystemExit, match="passwords in clear"):
            configured(f"c.JupyterHub.bind_url = {address!r}")
    assert configured(
        "c.JupyterHub.bind_url = 'https://:443'; c.JupyterHub.ssl_cert = '/etc/x.pem'"
    ).JupyterHub.ssl_cert


@pytest.mark.parametrize("line", ["ip = '0.0.0.0'", "port = 9000", "base_url = '/class/'"])
def test_no_setting_opens_the_hub_behind_its_address(line, configured):
    with pytest.raises(SystemExit, match="say it in bind_url"):
        configured(f"c.JupyterHub.{line}")


def test_a_state_of_somebody_else_is_refused(configured, monkeypatch, tmp_path):
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(SystemExit, match="belongs to somebody else"):
        configured()
    monkeypatch.setattr(hub.accounts, "PASSWORDS", tmp_path / "state" / "passwords.txt")
    monkeypatch.setattr(hub.accounts, "_run", lambda *command, **how: None)
    with pytest.raises(ValueError, match="belongs to somebody else"):
        hub.accounts.make(["mlt-nobody-has-this"])


@pytest.mark.parametrize("name", ["ann;id", "ann\n", "ann\nroot", "../ann", "Ann", "", "ann b"])
def test_a_name_that_the_hub_asks_pam_for_is_plain(name, configured):
    pattern = re.compile(configured().Authenticator.username_pattern)
    assert not pattern.match(name)  # as jupyterhub asks: at the beginning
    assert pattern.match("ann-2_x")


def test_the_hubs_state_is_roots_alone_and_kernels_have_no_port(configured, tmp_path):
    config = configured()
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
    assert "--KernelManager.transport=ipc" in config.Spawner.args
    assert {hub.accounts.GROUP} == config.LocalAuthenticator.allowed_groups
    paths = config.JupyterHub.cookie_secret_file, config.JupyterHub.db_url, config.ConfigurableHTTPProxy.pid_file
    assert all(str(tmp_path / "state") in path for path in paths)


# --- A class ----------------------------------------------------------------------------------------------------------

TRY = """
import os, signal, socket, sys, urllib.error, urllib.request
def read(path):
    return open(path, "rb").read(1)
def names(path):
    return os.listdir(path)
def write(path):
    return open(path, "ab")
def connect(path):
    socket.socket(socket.AF_UNIX).connect(path)
def end(pid):
    os.kill(int(pid), 0)
def ask(address, token=None):
    headers = {"Authorization": f"token {token}"} if token else {}
    urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60)
what, *words = [word for word in sys.argv[1:] if word]
try:
    globals()[what](*words)
    print("let in")
except PermissionError as error:
    print("refused")
except urllib.error.HTTPError as error:
    print("refused" if error.code in (401, 403, 404) else f"HTTP {error.code}")
except Exception as error:
    print(repr(error))
"""
OLDER = """  # a copy of an older version of the course, whose first chapter had other words
import json, os, pathlib
from mlteach.classroom import copies
older, name = pathlib.Path("older"), "00_start_here.ipynb"
older.mkdir()
for path, content in copies.read_course(copies.NOTEBOOKS).items():
    (older / path).write_bytes(content)
document = json.loads((older / name).read_text(encoding="utf-8"))
document["cells"][0]["source"] += " as it was"
(older / name).write_text(json.dumps(document), encoding="utf-8")
copies.make(pathlib.Path("course"), older)
"""
WHERE = """
import getpass, os, resource
print(getpass.getuser(), os.getcwd(), resource.getrlimit(resource.RLIMIT_DATA)[1])
"""
ROOTS = "hub.sqlite", "cookie_secret", "proxy.pid", "passwords.txt", "site.py"


def attempt(user, *words):
    """Return what comes of one attempt of `TRY` by that user: let in, refused, or something else."""
    return hub.as_user(user, ["/usr/bin/python3", "-I", "-c", TRY, *words]).strip()


@contextlib.contextmanager
def stranger(class_):
    """Let the machine have an account that is no student's; its password is known."""
    class_.stranger = f"mlt{os.getpid()}s"
    class_.passwords[class_.stranger] = "correct-horse-battery"
    subprocess.run(["useradd", "--no-create-home", class_.stranger], check=True)
    try:
        word = f"{class_.stranger}:{class_.passwords[class_.stranger]}\n"
        subprocess.run(["chpasswd"], input=word, text=True, check=True)
        yield
    finally:
        subprocess.run(["userdel", class_.stranger], check=True)


async def on_this_machine(class_, owner, other, kernel):
    """Return {what: (as the one whose it is, as another student)} of attempts with a program of one's own."""
    home, (pid, port) = f"/home/{owner.name}", owner.server()
    runtime = f"{home}/.local/share/jupyter/runtime"
    whose = {
        "the home": (owner.name, "names", home),
        "a notebook": (owner.name, "read", f"{home}/course/00_start_here.ipynb"),
        "a notebook, to write": (owner.name, "write", f"{home}/course/00_start_here.ipynb"),
        "the server's environment, with its token": (owner.name, "read", f"/proc/{pid}/environ"),
        "the server's process": (owner.name, "end", pid),
        "the server, past the proxy": (owner.name, "ask", f"http://127.0.0.1:{port}/user/{owner.name}/api/contents"),
        "the server, by the proxy": (owner.name, "ask", f"{owner.home}/api/contents"),
        "what the hub knows of a student": (owner.name, "ask", f"{class_.address}/hub/api/users/{owner.name}"),
        "the kernel's key": (owner.name, "read", f"{runtime}/kernel-{kernel}.json"),
        "the kernel's socket": (owner.name, "connect", f"{runtime}/kernel-{kernel}-ipc-1"),
        "the course's environment, to write": ("root", "write", f"{class_.env}/bin/mlteach"),
    }
    whose |= {f"the hub's {name}": ("root", "read", f"{class_.state}/{name}") for name in ROOTS}
    tokens = {owner.name: await owner.token(), other.name: await other.token(), "root": ""}
    return {
        what: tuple(attempt(user, *line, tokens[user] if line[0] == "ask" else "") for user in (who, other.name))
        for what, (who, *line) in whose.items()
    }


async def in_the_browser(owner, other, kernel):
    """Return the answers to another student who is logged in, and to the owner."""
    found = {}
    for who in (owner, other):
        found[who.name] = [
            (await who.ask("GET", "api/contents/course/00_start_here.ipynb", owner.name)).status_code,
            (await who.ask("POST", "api/kernels", owner.name, json={})).status_code,
            (await who.ask("GET", f"api/kernels/{kernel}", owner.name)).status_code,
            await who.websocket_status(kernel, owner.name),
        ]
    return found


async def who_is_let_in(class_):
    """Return {login: whether the hub let it in}: of the class, and of those who are not."""
    ann, stranger = class_.names[0], class_.stranger
    logins = {
        "of the class": (ann, class_.passwords[ann]),
        "with a wrong password": (ann, class_.passwords[ann][:-1]),
        "with no password": (ann, ""),
        "with another's password": (ann, class_.passwords[class_.names[1]]),
        "an account of the machine, its password right": (stranger, class_.passwords[stranger]),
        "root": ("root", ""),
        "odd letters": (f"{ann};id", class_.passwords[ann]),
        "a path": (f"../{ann}", class_.passwords[ann]),
        "a line more": (f"{ann}\nroot", class_.passwords[ann]),
        "nobody's name": ("mlt-nobody-has-this", class_.passwords[ann]),
    }
    answers = await asyncio.gather(*(hub.Student(class_, name).log_in(word) for name, word in logins.values()))
    return dict(zip(logins, answers))


async def a_class(class_):
    """Let the students work, and one of them look for what is another's."""
    students = [hub.Student(class_, name) for name in class_.names]
    assert await asyncio.gather(*(student.log_in() for student in students)) == [True] * len(students)
    await asyncio.gather(*(student.start() for student in students))
    kernels = await asyncio.gather(*(student.kernel() for student in students))

    # Each is a Unix user of their own, in a copy of the course that the start has updated, with a limit of memory
    for student, kernel in zip(students, kernels):
        assert await kernel.run(WHERE) == (f"{student.name} /home/{student.name}/course 1500000000\n", [])
        notebook = pathlib.Path(f"/home/{student.name}/course/00_start_here.ipynb")
        assert " as it was" not in json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]["source"]
        assert notebook.owner() == student.name

    # A move of a slider brings another picture
    for kernel in kernels:
        assert (await kernel.run("from mlteach import explore\nexplore.soft_margin()"))[1] == []
        slider = kernel.widget("FloatLogSliderModel")
        pictures = [(await kernel.move(slider, value=value))[0] for value in (10.0, 0.1)]
        assert pictures[0] != pictures[1]
        assert all(picture.startswith(b"\x89PNG") for picture in pictures)

    # More memory than a student may have is no matter of the machine's
    assert (await kernels[0].run("x = bytearray(2_000_000_000)"))[1] == ["MemoryError: "]

    # What is one student's is refused to another
    ann, ben = students[:2]
    tried = await on_this_machine(class_, ann, ben, kernels[0].id)
    assert tried == dict.fromkeys(tried, ("let in", "refused"))
    assert await in_the_browser(ann, ben, kernels[0].id) == {ann.name: [200, 201, 200, 101], ben.name: [403] * 4}
    letin = await who_is_let_in(class_)
    assert letin == {**dict.fromkeys(letin, False), "of the class": True}

    # The culler may do its work
    assert re.search(r"200 GET /hub/api/users.* \(cull@", class_.log.read_text())


@pytest.mark.slow
@pytest.mark.skipif(bool(hub.missing()), reason=f"NO HUB HERE, {hub.missing()}")
def test_a_class_of_two_on_a_real_hub():
    with hub.running(2) as class_, stranger(class_):
        hub.as_user(class_.names[0], [class_.env / "bin" / "python", "-c", OLDER])
        asyncio.run(a_class(class_))
