"""Stand-ins for other people's processors: run a command as on one with AVX2 only, and as on one with SSE4 only.

    python tests/profiles.py                     say which profiles this machine offers
    python tests/profiles.py pytest -q ...       run the command under each of them but the native one

With two processors or more (or JOBS=2 in the environment) the profiles run side by side: they take equally long, and
no processor waits at the end of the first. ``{n}`` in the command is the number of processes that each has.

Notebooks and doctests are compared digit by digit, and processors round sums and exponentials differently. numpy takes
its vector instructions, and OpenBLAS its kernels, as the environment says. A profile that cannot be set here (another
kind of processor, another BLAS, instructions that this numpy cannot do without) is named and left out.
"""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ABOVE_AVX2 = r"AVX512.*|X86_V4"
ABOVE_SSE4 = rf"{ABOVE_AVX2}|AVX.*|X86_V3|F16C|FMA[34]|XOP"
PROFILES = {"native": None, "AVX2": ("Haswell", ABOVE_AVX2), "SSE4": ("Nehalem", ABOVE_SSE4)}

ASK = """
import numpy._core._multiarray_umath as m
from threadpoolctl import threadpool_info
cores = [info.get("architecture") for info in threadpool_info() if info["user_api"] == "blas"]
print({"baseline": m.__cpu_baseline__, "dispatch": m.__cpu_dispatch__, "cores": cores,
       "on": [name for name, on in m.__cpu_features__.items() if on]})
"""


def ask(environment):
    """Return what numpy and its BLAS say that they use: ``baseline``, ``dispatch``, ``on`` and ``cores``."""
    command = [sys.executable, "-c", ASK]
    answer = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return eval(answer.stdout)


def setting(profile):
    """Return the environment of a profile and, where it cannot be had, the reason (else None)."""
    if PROFILES[profile] is None:
        return {}, None
    core, above = PROFILES[profile]
    native = ask({})
    fixed = [name for name in native["baseline"] if re.fullmatch(above, name)]
    if fixed:
        return {}, f"this numpy is built for {' '.join(fixed)} and more"
    off = [name for name in native["dispatch"] if re.fullmatch(above, name) and name in native["on"]]
    environment = {"OPENBLAS_CORETYPE": core}
    if off:
        environment["NPY_DISABLE_CPU_FEATURES"] = " ".join(off)
    now = ask(environment)
    if set(now["cores"]) != {core}:
        return {}, f"the BLAS calls itself {now['cores']}, not {core}"
    if set(off) & set(now["on"]):
        return {}, f"numpy still uses {' '.join(set(off) & set(now['on']))}"
    if not off and native["cores"] == now["cores"]:
        return {}, "it is this machine's own"
    return environment, None


def main(command):
    """Run ``command`` under each profile but this machine's own; return 1 if it failed under any."""
    offered = {}
    for profile in [name for name in PROFILES if name != "native" or not command]:
        environment, reason = setting(profile)
        words = " ".join(f'{name}="{value}"' for name, value in environment.items())
        core = "" if reason else f"BLAS kernels {ask(environment)['cores'][0]}"
        print(
            f"== profile {profile}: {f'left out, {reason}' if reason else words or 'nothing set'}  {core}", flush=True
        )
        if not reason:
            offered[profile] = environment
    failed = run(command, offered, int(os.environ.get("JOBS", os.cpu_count() or 1))) if command and offered else []
    if failed:
        print(f"== FAILED under {', '.join(failed)}")
    return 1 if failed else 0


def run(command, offered, jobs):
    """Run a command under profiles, side by side where there are ``jobs`` enough; return those where it failed."""
    at_once = min(jobs, len(offered))
    share = -(-jobs // at_once)
    command = [word.replace("{n}", str(share if share > 1 else 0)) for word in command]  # 0: in the process itself

    def under(profile):
        start = time.monotonic()
        done = subprocess.run(
            command, env={**os.environ, **offered[profile]}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        print(f"{done.stdout}== profile {profile}: {time.monotonic() - start:.0f} s", flush=True)
        return done.returncode

    with ThreadPoolExecutor(at_once) as pool:
        codes = pool.map(under, offered)
        return [profile for profile, code in zip(offered, codes) if code]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
