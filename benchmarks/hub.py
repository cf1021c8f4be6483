"""A class on one machine: a real hub and its proxy, students by script over websockets; root, on Debian.

    python -m benchmarks.hub 20                  students; the environment is installed for the occasion
    python -m benchmarks.hub 20 /opt/mlteach     the one that `make hub` has made

Students and their servers share the machine, so what they cost the script costs too.
"""

import asyncio
import json
import os
import pwd
import statistics
import sys
import time

from benchmarks.__main__ import table
from tests import hub

KERNELS = 5  # of each student, to see whether all start
MOVES, DRAGGING = 20, 10  # moves at one a second; seconds of moves as fast as they are answered
IDLE = 240  # seconds until the culler ends a kernel or a server, in place of hours
SOON = f"""
c.Spawner.args = [word for word in c.Spawner.args if "cull_idle" not in word]
c.Spawner.args += ["--MappingKernelManager.cull_idle_timeout={IDLE // 2}", "--MappingKernelManager.cull_interval=5"]
c.Spawner.environment["JUPYTERHUB_ACTIVITY_INTERVAL"] = "5"
c.JupyterHub.last_activity_interval = 5
c.JupyterHub.services[0]["command"][-1:] = ["--timeout={IDLE}", "--cull-every=5"]
"""
BOUNDS = {
    "servers up, s": 60,
    "moves, one a second, p95 ms": 100,
    "moves, all dragging, p95 ms": 400,
    "Run All of 05, the last one, s": 150,
    "memory of a student after it, MB": 350,
}


async def measure(class_):
    """Yield one row for each thing measured, as soon as it is."""
    students = [hub.Student(class_, name) for name in class_.names]
    begun = time.monotonic()
    await asyncio.gather(*(student.log_in() for student in students))
    await asyncio.gather(*(student.start() for student in students))
    yield _row("servers up, s", time.monotonic() - begun)
    yield _row("memory of a student with no kernel, MB", max(_memory(class_)))

    # 1. Many kernels at once; one stays
    begun = time.monotonic()
    kernels = await asyncio.gather(*(_kernels(student) for student in students))
    yield _row("kernels that started", sum(map(len, kernels)), f"of {KERNELS * len(students)}")
    yield _row("all kernels, s", time.monotonic() - begun)
    for student, row in zip(students, kernels):
        for kernel in row[1:]:
            await student.ask("DELETE", f"api/kernels/{kernel.id}")
    kernels = [row[0] for row in kernels]

    # 2. Sliders
    await asyncio.gather(*(kernel.run("from mlteach import explore\nexplore.soft_margin()") for kernel in kernels))
    for name, seconds, count in (("one a second", 1, MOVES), ("all dragging", 0, None)):
        rows = await asyncio.gather(*(_moves(kernel, seconds, count, k) for k, kernel in enumerate(kernels)))
        times = [1000 * t for row in rows for t in row]
        yield _row(f"moves, {name}, median ms", statistics.median(times))
        yield _row(f"moves, {name}, p95 ms", statistics.quantiles(times, n=20)[-1])

    # 3. Everybody runs all of a chapter
    begun = time.monotonic()
    errors = await asyncio.gather(*(_run_all(kernel, "05_optimization") for kernel in kernels))
    yield _row("Run All of 05, the last one, s", time.monotonic() - begun)
    yield _row("errors in it", sum(errors))
    memory = _memory(class_)
    yield _row("memory of a student after it, MB", max(memory))
    yield _row("memory of all, MB", sum(memory))

    # 4. Everybody leaves
    for kernel in kernels:
        kernel.socket.close()
    for what, limit in (("kernels", 0.6 * sum(memory)), ("servers", 0)):
        while time.monotonic() - begun < 4 * IDLE and sum(_memory(class_)) > limit:
            await asyncio.sleep(5)
        yield _row(f"memory of all, {what} culled, MB", sum(_memory(class_)))


def _row(name, value, words=""):
    bound = BOUNDS.get(name)
    verdict = "" if bound is None else f"{'within' if value <= bound else 'ABOVE'} {bound}"
    return {"what": name, "measured": float(value), "": words or verdict, "load": os.getloadavg()[0]}


def _memory(class_):
    return [hub.memory(pwd.getpwnam(name).pw_uid) for name in class_.names]


async def _kernels(student):
    """Start kernels and return those that answer."""
    found = []
    for kernel in await asyncio.gather(*(student.kernel() for _ in range(KERNELS)), return_exceptions=True):
        if not isinstance(kernel, Exception) and await kernel.run("print(6 * 7)") == ("42\n", []):
            found.append(kernel)
    return found


async def _moves(kernel, seconds, count, k):
    """Move a slider every so many seconds, or as fast as it is answered; return how long each answer took."""
    slider, times = kernel.widget("FloatLogSliderModel"), []
    await asyncio.sleep(seconds * (0.37 * k % 1))  # people do not move in step
    end = time.monotonic() + DRAGGING
    while len(times) < count if count else time.monotonic() < end:
        _, taken = await kernel.move(slider, value=10 ** (2 - 4 * (0.31 * len(times) + 0.07 * k) % 1))
        times.append(taken)
        await asyncio.sleep(max(0, seconds - taken))
    return times


async def _run_all(kernel, notebook):
    """Run all code cells of a chapter, one after the other; return the number of errors."""
    text = (hub.ROOT / "notebooks" / f"{notebook}.ipynb").read_text(encoding="utf-8")
    cells = ["".join(c["source"]) for c in json.loads(text)["cells"] if c["cell_type"] == "code"]
    return sum([len((await kernel.run(cell))[1]) for cell in cells])


async def main(students, env=None):
    """Measure a class and print the table row by row; say what is out of bounds at the end."""
    with hub.running(students, SOON, env) as class_:
        rows = []
        async for row in measure(class_):
            rows.append(row)
            print(f"{row['what']}: {row['measured']:.4g} {row['']} (load {row['load']:.1f})", flush=True)
    print(f"\n{students} students, {time.strftime('%d %B %Y')}, {os.cpu_count()} cores\n{table(rows)}")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None))
