"""One client that floods or dawdles, from one address: what it costs the server, and whether another is still served."""

import http.client
import pathlib
import signal
import subprocess
import sys
import time

from served import ROOT, Server, memory, program

sys.path.insert(0, str(ROOT / "Benchmarks/hostile"))
import clients

# Seconds: how long it goes on, how long another client may wait for one answer; MiB: what all may cost.
SECONDS, WAIT, COST = 5, 5, 300


def make(folder):
    for name, codec in [("film.mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50"]),
                        ("old.avi", ["-c:v", "mpeg4"])]:
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=60",
                        "-pix_fmt", "yuv420p", *codec, str(folder / name)], check=True)


def attack(kind):
    def run(folder):
        make(folder)
        server = Server(program(), folder, ["--ahead", "0"])
        items = server.items()
        copied, old = (server.segments(items[name], "ts")[0] for name in ["film.mp4", "old.avi"])
        before = memory(server.process, "VmRSS")
        hostile = subprocess.Popen(
            [sys.executable, str(pathlib.Path(clients.__file__)), kind, server.host, str(server.port),
             f"/items/{items['film.mp4']}/original", copied[0], old[0].rsplit("/", 1)[0] + "/"])
        broken, count, longest, end = [], 0, 0.0, time.monotonic() + SECONDS
        other = http.client.HTTPConnection(server.host, server.port, timeout=60, source_address=("127.0.0.2", 0))
        while time.monotonic() < end:
            began = time.monotonic()
            _, _ = server.get(copied[count % len(copied)], other)
            count, longest = count + 1, max(longest, time.monotonic() - began)
        if hostile.poll() is not None:
            broken.append("the hostile client has given up")
        hostile.send_signal(signal.SIGKILL)
        hostile.wait()
        cost = memory(server.process) - before
        figures, _ = server.get("/metrics", other)
        refused = sum(int(line.rsplit(" ", 1)[1]) for line in figures.decode().splitlines()
                      if line.startswith("segue_refused_total"))
        other.close()
        if server.process.poll() is not None:
            broken.append("the server has ended")
        else:
            server.stop()
        if longest > WAIT:
            broken.append(f"another client waits over {WAIT} s")
        if cost > COST:
            broken.append(f"over {COST} MiB")
        return (f"{SECONDS} s of it cost {cost:.0f} MiB, {refused} refusals; another client had {count} segments, the "
                f"slowest in {longest:.2f} s", broken)
    return run


ATTACKS = {f"flood-{kind}": attack(kind) for kind in clients.KINDS}
