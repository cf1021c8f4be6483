"""A JupyterHub for a class on one machine; README.md says how to run it. jupyterhub reads this file, as root.

Settings of your own, certificates first, go into site.py in the folder of the hub's state, which this file reads last.
"""

import os
import sys
from pathlib import Path
from urllib.parse import urlparse

HUB = Path(sys.prefix)  # the course's environment: students run it, root alone changes it
STATE = Path(os.environ.get("HUB_STATE", "/var/lib/mlteach-hub"))  # database, cookie secret, passwords: root's alone
GROUP = "mlteach-students"  # accounts.py puts them there; nobody else can log in

os.umask(0o077)  # what hub and students write is theirs alone
STATE.mkdir(parents=True, exist_ok=True)
STATE.chmod(0o700)
if STATE.stat().st_uid != os.geteuid():
    sys.exit(f"{STATE} belongs to somebody else, who could change what root runs")

c = get_config()  # noqa: F821 - jupyterhub defines it
c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # reached from this machine only, until there is a certificate
c.JupyterHub.cookie_secret_file = str(STATE / "cookie_secret")
c.JupyterHub.db_url = f"sqlite:///{STATE}/hub.sqlite"
c.ConfigurableHTTPProxy.pid_file = str(STATE / "proxy.pid")
c.ConfigurableHTTPProxy.command = [str(HUB / "bin" / "configurable-http-proxy")]

# Who may log in: the class, with the passwords of the machine
c.JupyterHub.authenticator_class = "pam"
c.LocalAuthenticator.allowed_groups = {GROUP}
c.Authenticator.username_pattern = r"[a-z][a-z0-9_-]*\Z"
c.Authenticator.delete_invalid_users = True  # whose account is gone

# A server each, as that student's Unix user
c.JupyterHub.spawner_class = "localprocess"
c.JupyterHub.concurrent_spawn_limit = 100  # a class arrives at once; with the usual 10 the eleventh is sent away
c.Spawner.cmd = ["/usr/bin/prlimit", "--data=1500000000", "--nproc=1000", str(HUB / "bin" / "mlteach-server")]
c.Spawner.args = [
    "--KernelManager.transport=ipc",  # over TCP any user of the machine can read a kernel's messages
    "--MappingKernelManager.cull_idle_timeout=3600",
    "--MappingKernelManager.cull_connected=True",
]
c.Spawner.default_url = "/lab/tree/course/00_start_here.ipynb"
c.Spawner.environment = {
    "PATH": f"{HUB / 'bin'}:/usr/local/bin:/usr/bin:/bin",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
c.Spawner.start_timeout = 180
c.Spawner.http_timeout = 120

# Who has done nothing for two hours gives the memory back; the next click starts the server again
culler = [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=7200"]
c.JupyterHub.services = [{"name": "cull", "command": culler}]
scopes = ["list:users", "read:users:activity", "read:servers", "delete:servers"]
c.JupyterHub.load_roles = [{"name": "cull", "scopes": scopes, "services": ["cull"]}]

if (STATE / "site.py").is_file():
    exec((STATE / "site.py").read_text(encoding="utf-8"))  # it may change what stands above
if parts := [part for part in ("ip", "port", "base_url") if part in c.JupyterHub]:
    sys.exit(f"site.py sets {', '.join(parts)}, which would open the hub to all addresses: say it in bind_url")
local = urlparse(c.JupyterHub.bind_url).hostname in ("127.0.0.1", "::1", "localhost")
if not local and "ssl_cert" not in c.JupyterHub:
    sys.exit(f"{c.JupyterHub.bind_url} would send passwords in clear: site.py needs ssl_cert and ssl_key (README.md)")
