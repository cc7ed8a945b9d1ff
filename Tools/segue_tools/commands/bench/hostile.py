"""Measures the remaining rate of a well-behaved client during attacks of a hostile one at another address.

One client at 127.0.0.2 fetches one segment of a film after another; one fetches segments that must be transcoded. The
rate during the attack is compared with the rate just before; the median of some pairs counts. The hostile
client is at 127.0.0.1, of each kind in hostile.py, `several-…` at four addresses. The server has one processor, the
clients the other, the hostile one with the lower priority. The ratio should be at least 0.8.

Two references: `spin` is a program that only uses its processor, and nginx's client fetches the same segments as files
during the same attacks.

SEGUE_BENCH_SECONDS, the length of a measurement (2); SEGUE_BENCH_RUNS, the pairs (3); SEGUE_BENCH_KINDS, some kinds;
SEGUE_BENCH_OPTIONS, further options of the server.
"""

import http.client
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from segue_tools import hostile as clients
from segue_tools.launch import Server, bound_to_this_process, fail, requires
from segue_tools.measure import memory, raise_descriptor_limit, report
from segue_tools.nginx import Nginx

SECONDS = float(os.environ.get("SEGUE_BENCH_SECONDS", 2))
RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", 3))


def make(folder):
    ffmpeg = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=120",
              "-f", "lavfi", "-i", "sine=440:d=120", "-pix_fmt", "yuv420p", "-shortest"]
    subprocess.run([*ffmpeg, "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "3M", "-g", "50", "-c:a", "aac",
                    str(folder / "film.mp4")], check=True)
    for name in ["old", "other"]:
        subprocess.run([*ffmpeg, "-c:v", "mpeg4", "-b:v", "1M", "-c:a", "mp3", str(folder / f"{name}.avi")], check=True)


class Client:
    """A well-behaved client at an address of its own."""

    def __init__(self, port, urls, attacked):
        self.port, self.urls, self.place, self.attacked = port, urls, 0, attacked
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=("127.0.0.2", 0))

    def rate(self, seconds):
        """Returns the responses per second, and the longest response time."""
        began, count, longest = time.perf_counter(), 0, 0.0
        while time.perf_counter() - began < seconds:
            before = time.perf_counter()
            self.connection.request("GET", self.urls[self.place % len(self.urls)])
            answer = self.connection.getresponse()
            answer.read()
            if answer.status != 200:
                fail(f"{self.urls[self.place % len(self.urls)]}: {answer.status}")
            longest = max(longest, time.perf_counter() - before)
            count, self.place = count + 1, self.place + 1
        return count / (time.perf_counter() - began), longest


def measured(client, kind):
    """Returns the share of its rate that a client keeps beside a hostile one, and the longest request."""
    pairs, longest = [], 0.0
    # Servers end connections that were idle since the last kind.
    client.connection.close()
    for _ in range(RUNS):
        alone, _ = client.rate(SECONDS)
        hostile = subprocess.Popen(["nice", sys.executable, clients.__file__, kind, "127.0.0.1", str(client.port),
                                    *client.attacked], preexec_fn=bound_to_this_process())
        time.sleep(1)
        beside, slowest = client.rate(SECONDS)
        hostile.send_signal(signal.SIGKILL)
        hostile.wait()
        pairs.append((beside / alone, alone, beside))
        longest = max(longest, slowest)
        time.sleep(1)
    ratio, alone, beside = sorted(pairs)[len(pairs) // 2]
    return {"alone": alone, "beside": beside, "ratio": ratio, "longest": longest}


def main(_):
    requires("ffmpeg", "nginx")
    raise_descriptor_limit(20_000)
    kinds = os.environ.get("SEGUE_BENCH_KINDS", " ".join(clients.KINDS)).split()
    first, last = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {last})
    figures: dict = {}
    with tempfile.TemporaryDirectory(prefix="segue-bench-") as work:
        folder, plain = pathlib.Path(work) / "media", pathlib.Path(work) / "files"
        folder.mkdir()
        plain.mkdir()
        make(folder)
        os.link(folder / "film.mp4", plain / "film.mp4")
        (plain / "health").write_text("ok\n")
        server = Server(folder, ["--ahead", "0", *os.environ.get("SEGUE_BENCH_OPTIONS", "").split()],
                        preexec_fn=lambda: os.sched_setaffinity(0, {first}))
        items = server.items()
        copied = server.segments(items["film.mp4"], "ts")[0]
        # Audio-only segments are made again when the cache has no room for them; those of the old film are encoded.
        old, other = (server.segments(items[name], "ts")[0] for name in ["old.avi", "other.avi"])
        base = other[0].rsplit("/", 1)[0] + "/"
        attacked = [f"/items/{items['film.mp4']}/original", copied[0], base]
        for number, path in enumerate(copied):
            (plain / f"{number}.ts").write_bytes(server.get(path)[0])
        os.sched_setaffinity(0, {first})
        nginx = Nginx(plain)
        os.sched_setaffinity(0, {last})
        good = {"copied": Client(server.port, copied, attacked), "encoded": Client(server.port, old, attacked)}
        files = Client(nginx.port, [f"/{number}.ts" for number in range(len(copied))], ["/film.mp4", "/0.ts", "/"])
        # The server has scanned its files, and has done its one-time work.
        for client in [*good.values(), files]:
            client.rate(2 * SECONDS)
        for kind in ["spin", *kinds]:
            row = figures[kind] = {name: measured(client, kind) for name, client in good.items()}
            text = f"hostile: {kind}: " + "; ".join(
                f"{name} segments {row[name]['ratio']:.2f} of {row[name]['alone']:.0f}/s alone, the longest "
                f"{row[name]['longest'] * 1000:.0f} ms" for name in row)
            if kind in clients.OF_FILES:
                row["nginx"] = measured(files, kind)
                text += f"; nginx's {row['nginx']['ratio']:.2f} of {row['nginx']['alone']:.0f}/s"
            print(f"{text}; the server's peak {memory(server.process):.0f} MiB (goal: 0.80)", flush=True)
        nginx.stop()
        metrics, _ = server.get("/metrics")
        for line in metrics.decode().splitlines():
            if line.startswith("segue_refused_total") and not line.endswith(" 0"):
                print(f"hostile: {line}")
        server.stop()
    report("hostile", figures)
