"""Measures the time and the memory of a matrix of 100,800 cases over twenty files.

FFmpeg makes fifteen songs and five films of 30 s to 4 minutes. Two scenarios play them over many networks and platforms
with every app policy: once each, which is the cost of their verification; then a quarter of the cases, then all. The
tool prints wall and CPU seconds, CPU milliseconds per case, and the peak memory of the suite and its largest worker.
The exit code is 1 if the memory grows by more than half between a quarter and the end.

SEGUE_BENCH_CASES, the approximate number of cases (100800); SEGUE_BENCH_JOBS, the number of processes.
"""


import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

from segue_tools.axes import APPS, NETWORKS, PLATFORMS
from segue_tools.launch import program
from segue_tools.measure import children, cost_of_children, resident
from segue_tools.media import songs_and_films

CASES = int(os.environ.get("SEGUE_BENCH_CASES", "100800"))
FILES = 20
SCENARIOS = ["play-through", "background-and-return"]


def make_media(folder):
    """Makes songs of different lengths and rates, and small films."""
    for number in range(FILES):
        songs_and_films(folder, number, number + 1, lambda number: 30 + number * 210 // (FILES - 1),
                        lambda number: number % 4 == 3, coding=("-b:a", f"{64 + number % 3 * 32}k"),
                        name="{:02}".format,
                        video=("-b:v", "330k", "-maxrate", "360k", "-bufsize", "720k", "-g", "50"))


class Memory(threading.Thread):
    """Samples the peak memory of a process and its children ten times a second until it ends."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.suite, self.worker = process, 0.0, 0.0

    def run(self):
        while self.process.poll() is None:
            self.suite = max(self.suite, resident(self.process.pid))
            self.worker = max([self.worker, *map(resident, children(self.process.pid))])
            time.sleep(0.1)


def run(folder, networks, platforms, apps):
    """Runs these cases of each file; returns their number, the failures, wall and CPU seconds, and memory in MiB."""
    report = folder.parent / "report.json"
    command = [program(), "regress", str(folder), "--verified-cache", "none", "--quiet", "--json", str(report),
               "--scenario", ",".join(SCENARIOS)]
    command += ["--network", ",".join(networks), "--platform", ",".join(platforms), "--app", ",".join(apps)]
    if jobs := os.environ.get("SEGUE_BENCH_JOBS"):
        command += ["--jobs", jobs]
    with cost_of_children() as cost, subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        memory = Memory(process)
        memory.start()
        process.wait()
        memory.join()
    if process.returncode > 1:
        sys.exit(f"matrix: the suite ended with {process.returncode}")
    summary = json.loads(report.read_text(encoding="utf-8"))["summary"]
    return summary["cases"], summary["failed"], cost.wall, cost.cpu, memory.suite, memory.worker


def main(_):
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "media"
        folder.mkdir()
        make_media(folder)
        first, _, _, verification, _, _ = run(folder, NETWORKS[:1], PLATFORMS[:1], APPS[-1:])
        results = []
        for part in [4, 1]:
            wanted = max(1, CASES // part // (FILES * len(SCENARIOS) * len(PLATFORMS) * len(APPS)))
            step = max(1, len(NETWORKS) // wanted)
            cases, failed, wall, used, suite, worker = run(folder, NETWORKS[::step][:wanted], PLATFORMS, APPS)
            each = 1000 * (used - verification) / (cases - first)
            print(
                f"matrix: {cases} cases of {FILES} files ({failed} fail): {wall:.1f} s, {used:.1f} CPU seconds, "
                f"{verification:.1f} of them for the first two cases of each; {each:.2f} ms for each other case; "
                f"peak {suite:.0f} MiB for the suite and {worker:.0f} MiB for a worker",
                flush=True,
            )
            results.append(suite + worker)
        if results[1] > 1.5 * results[0]:
            sys.exit(f"matrix: memory grows from {results[0]:.0f} to {results[1]:.0f} MiB")
