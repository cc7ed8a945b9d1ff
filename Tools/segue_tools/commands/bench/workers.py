"""Measures the cost of running libav in worker processes (`--workers`), compared with a server without.

Both servers receive the same requests for new copies of files: the first playlist, the first segment, and segments in
random order. The tool prints the median milliseconds and CPU time of a cold segment and of the first playlist and
segment for each kind of media, whose ratios should be at most 1.2, and the memory of server and workers. It fails if a
segment's bytes differ. Nothing is prefetched (`--ahead 0`).

SEGUE_BENCH_RUNS, the copies of each file (3); SEGUE_BENCH_SEGMENTS, the segments of each (8); SEGUE_BENCH_WORKERS (4);
SEGUE_BENCH_SECONDS, the length of the films (180); SEGUE_BENCH_AHEAD (0).
"""

import contextlib
import os
import random
import shutil
import statistics
import time

from segue_tools.launch import Server, fail, requires, scratch
from segue_tools.measure import children, memory, report, resident
from segue_tools.media import ffmpeg

RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", "3"))
SEGMENTS = int(os.environ.get("SEGUE_BENCH_SEGMENTS", "8"))
WORKERS = int(os.environ.get("SEGUE_BENCH_WORKERS", "4"))
SECONDS = int(os.environ.get("SEGUE_BENCH_SECONDS", "180"))
AHEAD = os.environ.get("SEGUE_BENCH_AHEAD", "0")

# Kinds of media, with the requested container and rendition.
KINDS = {
    "mp4": ("film.mp4", [("ts", ""), ("fmp4", ""), ("ts", "background")]),
    "mkv": ("film.mkv", [("ts", ""), ("ts", "background")]),
    "ts": ("film.ts", [("ts", "")]),
    "song": ("song.m4a", [("ts", "")]),
    "encoded": ("old.mkv", [("ts", ""), ("ts", "background")]),
}


def make_media(folder):
    """Makes a copied film in three containers, a copied song, and a transcoded film."""
    picture = ["-f", "lavfi", "-i", f"testsrc2=size=640x360:rate=25:duration={SECONDS}"]
    sound = ["-f", "lavfi", "-i", f"anoisesrc=color=pink:sample_rate=48000:amplitude=0.3:seed=1:duration={SECONDS}"]
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-b:v", "2M", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    ffmpeg(*picture, *sound, *coding, folder / "film.mp4")
    for name in ["film.mkv", "film.ts"]:
        ffmpeg("-i", folder / "film.mp4", "-c", "copy", folder / name)
    ffmpeg("-i", folder / "film.mp4", "-vn", "-c", "copy", folder / "song.m4a")
    ffmpeg("-i", folder / "film.mp4", "-t", min(60, SECONDS), "-vf", "scale=320:180", "-c:v", "mpeg2video", "-b:v",
           "1M",
           "-c:a", "flac", folder / "old.mkv")


class Measured(Server):
    """A server whose cost includes that of its workers."""

    def __init__(self, folder, workers):
        super().__init__(folder, ["--workers", str(workers), "--ahead", AHEAD])
        self.seen = {}
        while len(self.children()) < workers:
            time.sleep(0.05)

    def children(self):
        return children(self.process.pid)

    def cpu(self):
        """The CPU seconds of the server and of all its workers so far, to the nanosecond."""
        for process in [self.process.pid, *self.children()]:
            with contextlib.suppress(OSError):
                # The clock of all threads of another process: clock_getcpuclockid(3).
                self.seen[process] = time.clock_gettime((~process << 3) | 2)
        return sum(self.seen.values())

    def held(self):
        """The memory of the server, and of its workers in total, in MiB."""
        return memory(self.process, "VmRSS"), sum(resident(child, "VmRSS") for child in self.children())

    def timed(self, action):
        cpu, began = self.cpu(), time.perf_counter()
        result = action()
        wall = time.perf_counter() - began
        return result, (1000 * wall, 1000 * (self.cpu() - cpu))


def visit(server, item, container, rendition, order):
    """The costs of a title's first playlist, its first segment, and later segments, and all bytes."""
    query = f"&rendition={rendition}" if rendition else ""
    (urls, _), playlist = server.timed(lambda: server.segments(item, container, query))
    if not urls:
        fail(f"{item} has no {rendition or 'full'} rendition")
    numbers = order.sample(range(len(urls)), min(len(urls), SEGMENTS + 1))
    costs, bodies = [], []
    for number in numbers:
        (body, _), cost = server.timed(lambda: server.get(urls[number]))
        costs.append(cost)
        bodies.append((number, body))
    return {"playlist": [playlist], "first": costs[:1], "segment": costs[1:]}, bodies


def row(costs):
    """The median costs of one kind on both servers, and their ratios."""
    figures: dict = {}
    for step, both in costs.items():
        for index, measure in enumerate(["wall", "cpu"]):
            own, workers = (statistics.median(cost[index] for cost in side) for side in both)
            figures[f"{step}-{measure}"] = {"own": own, "workers": workers, "ratio": workers / own}
    return figures


def main(_):
    requires("ffmpeg")
    figures: dict = {"workers": WORKERS, "runs": RUNS, "kinds": {}}
    with scratch("segue-bench-") as work:
        (work / "made").mkdir()
        (work / "served").mkdir()
        make_media(work / "made")
        copies = []
        for kind, (name, wanted) in KINDS.items():
            for number, (container, rendition) in enumerate(wanted):
                for run in range(RUNS):
                    path = f"{run}-{number}-{name}"
                    shutil.copy(work / "made" / name, work / "served" / path)
                    copies.append((f"{kind} {container} {rendition or 'full'}", path, container, rendition, run))
        servers = [Measured(work / "served", count) for count in (0, WORKERS)]
        items = [server.items() for server in servers]
        figures["idleMiB"] = [server.held() for server in servers]
        kinds = {}
        for kind, path, container, rendition, run in copies:
            costs = kinds.setdefault(kind, {step: ([], []) for step in ("playlist", "first", "segment")})
            bodies = [None, None]
            # The server that is requested first reads the file from the disk.
            for side in ([0, 1], [1, 0])[run % 2]:
                order = random.Random(path)
                found, bodies[side] = visit(servers[side], items[side][path], container, rendition, order)
                for step, values in found.items():
                    costs[step][side].extend(values)
            if bodies[0] != bodies[1]:
                fail(f"{path}: the bytes of segments differ with workers")
        figures["warmMiB"] = [server.held() for server in servers]
        for server in servers:
            server.stop()
        for kind, costs in kinds.items():
            figures["kinds"][kind] = row(costs)
            words = ", ".join(f"{step} {value['own']:.1f} -> {value['workers']:.1f} ({value['ratio']:.2f})"
                              for step, value in figures["kinds"][kind].items())
            print(f"workers: {kind}, ms: {words}")
        for state in ["idle", "warm"]:
            own, others = figures[f"{state}MiB"]
            print(f"workers: {state}, MiB: itself {own[0]:.0f}; with {WORKERS} workers {others[0]:.0f} and "
                  f"{others[1]:.0f}")
    report("workers", figures)
