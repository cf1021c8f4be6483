"""Make the accounts of a class, or remove them. Run as root:

    python3 accounts.py class.csv              an account for each line; new passwords go into a file of root's
    python3 accounts.py class.csv --remove     the accounts and their homes are gone

The list has a line for each student: the account's name, and after a comma whatever you like. All lines are looked at
before anything is done. An account that is there already and belongs to the class is left as it is.
"""

import argparse
import contextlib
import grp
import os
import pwd
import re
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

GROUP = "mlteach-students"  # jupyterhub_config.py lets in who belongs to it
PASSWORDS = Path(os.environ.get("HUB_STATE", "/var/lib/mlteach-hub")) / "passwords.txt"
NAME = re.compile(r"[a-z][a-z0-9_-]{0,19}")  # a kernel's socket lies in the home, and its path ends at 107 letters
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another


def read(path):
    """Return the names of a class list; refuse odd letters, a name that stands twice, and an empty list."""
    names, faults = [], []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8-sig").splitlines(), 1):
        name = line.partition(",")[0].strip()
        if not line.strip() or line.startswith("#"):
            continue
        if not NAME.fullmatch(name):
            faults.append(f"line {number}: {name!r} is no name: up to 20 of a-z, 0-9, _ and -, a letter first")
        elif name in names:
            faults.append(f"line {number}: {name} stands there twice")
        names.append(name)
    if faults or not names:
        raise ValueError("\n".join(faults) or f"{path} has no names")
    return names


def of_class(name):
    """Say whether an account belongs to the class; False where there is none, and for one of the system."""
    try:
        return name in grp.getgrnam(GROUP).gr_mem and pwd.getpwnam(name).pw_uid >= 1000
    except KeyError:
        return False


def taken(name):
    """Say whether the machine has an account, a group or a home of this name; an old home would be another's."""
    for look in (pwd.getpwnam, grp.getgrnam):
        try:
            look(name)
            return True
        except KeyError:
            pass
    return os.path.lexists(f"/home/{name}")


def make(names):
    """Make the accounts that are missing; return how many."""
    if foreign := [name for name in names if taken(name) and not of_class(name)]:
        raise ValueError(f"these belong to the machine and not to the class; choose others: {', '.join(foreign)}")
    _run("groupadd", "--force", GROUP)
    missing = [name for name in names if not of_class(name)]
    PASSWORDS.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if PASSWORDS.parent.stat().st_uid != os.geteuid():
        raise ValueError(f"{PASSWORDS.parent} belongs to somebody else")
    file = os.open(PASSWORDS, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    os.fchmod(file, 0o600)
    with open(file, "w", encoding="utf-8") as file:
        for name in missing:
            password = "-".join("".join(secrets.choice(LETTERS) for _ in range(5)) for _ in range(3))
            home = "--create-home", "--home-dir", f"/home/{name}", "-K", "HOME_MODE=0700"
            _run("useradd", *home, "--user-group", "--groups", GROUP, "--shell", "/bin/bash", name)
            print(name, password, file=file, flush=True)
            _run("chpasswd", input=f"{name}:{password}\n")
    return len(missing)


def remove(names):
    """Remove those accounts of the list that belong to the class, with their homes; return how many."""
    there = [name for name in names if of_class(name)]
    for name in there:
        _end(pwd.getpwnam(name).pw_uid)
        _run("userdel", "--remove", name)
    return len(there)


def _end(uid):
    """End what a student has left running: userdel refuses beside it."""
    for _ in range(100):
        if not any(_runs_as(uid, path) for path in Path("/proc").glob("[0-9]*")):
            return
        child = os.fork()
        if not child:
            with contextlib.suppress(OSError):
                os.setuid(uid)
                os.kill(-1, signal.SIGKILL)  # all of this user's at once: programs that start one another, too
            os._exit(0)
        os.waitpid(child, 0)
        time.sleep(0.1)


def _runs_as(uid, process):
    """Say whether a process is a user's and runs; a dead one may wait for its parent as long as it likes."""
    try:
        words = (process / "status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return f"\nUid:\t{uid}\t" in words and "\nState:\tZ" not in words


def _run(*command, **how):
    done = subprocess.run(command, text=True, capture_output=True, **how)
    if done.returncode and not (command[0] == "userdel" and done.returncode == 12):  # 12: there was no mailbox
        raise ValueError(f"{' '.join(command)}: {done.stderr.strip()}")


def main():
    """Do what the command line says; end with 1 and the reason where it cannot be done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path)
    parser.add_argument("--remove", action="store_true")
    options = parser.parse_args()
    try:
        if os.geteuid() != 0:
            raise ValueError("only root can do this")
        names = read(options.list)
        if options.remove:
            print(f"{remove(names)} accounts removed.")
        else:
            print(f"{make(names)} accounts made of {len(names)} on the list; the passwords are in {PASSWORDS}.")
    except (ValueError, OSError) as error:
        sys.exit(f"{error}\nNothing more was done.")


if __name__ == "__main__":
    main()
