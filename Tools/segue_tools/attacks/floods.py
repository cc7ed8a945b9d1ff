"""One flooding or slow client at one address: its cost for the server, and the service for another client.
"""

import http.client
import signal
import subprocess
import sys
import time

from segue_tools import hostile as clients
from segue_tools.launch import Server, bound_to_this_process
from segue_tools.measure import cpu_seconds, memory
from segue_tools.media import ffmpeg, picture

# The duration and the maximum wait of another client in seconds, and the maximum memory in MiB.
SECONDS, WAIT, COST = 5, 5, 300
# Seconds between two segments of the other client.
PACE = 0.005
# The minimum of a flood: requests, refusals, and connections, or CPU seconds of the hostile client.
FLOOD, SPENT = 200, 1


def make(folder):
    for name, codec in [("film.mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50"]),
                        ("old.avi", ["-c:v", "mpeg4"])]:
        ffmpeg(*picture(seconds=60), "-pix_fmt", "yuv420p", *codec, str(folder / name))


def figure(text, name):
    """The sum of the values in /metrics with a prefix."""
    return sum(int(line.rsplit(" ", 1)[1]) for line in text.decode().splitlines() if line.startswith(name))


def attack(kind):
    def run(folder):
        make(folder)
        server = Server(folder, ["--ahead", "0"])
        items = server.items()
        copied, old = (server.segments(items[name], "ts")[0] for name in ["film.mp4", "old.avi"])
        before = memory(server.process, "VmRSS")
        hostile = subprocess.Popen(
            [sys.executable, clients.__file__, kind, server.host, str(server.port),
             f"/items/{items['film.mp4']}/original", copied[0], old[0].rsplit("/", 1)[0] + "/"],
            preexec_fn=bound_to_this_process())
        broken, count, longest, end = [], 0, 0.0, time.monotonic() + SECONDS
        other = http.client.HTTPConnection(server.host, server.port, timeout=60, source_address=("127.0.0.2", 0))
        while time.monotonic() < end:
            began = time.monotonic()
            _, _ = server.get(copied[count % len(copied)], other)
            count, longest = count + 1, max(longest, time.monotonic() - began)
            time.sleep(PACE)
        spent = cpu_seconds(hostile)
        held = figure(server.get("/metrics", other)[0], "segue_connections ")
        if hostile.poll() is not None:
            broken.append("the hostile client has exited")
        hostile.send_signal(signal.SIGKILL)
        hostile.wait()
        cost = memory(server.process) - before
        figures, _ = server.get("/metrics", other)
        refused = figure(figures, "segue_refused_total{")
        asked = figure(figures, "segue_http_requests_total{") - count
        other.close()
        if server.process.poll() is not None:
            broken.append("the server has exited")
        else:
            server.stop()
        if longest > WAIT:
            broken.append(f"the other client waits over {WAIT} s")
        if cost > COST:
            broken.append(f"over {COST} MiB")
        if asked + refused + held < FLOOD and spent < SPENT:
            broken.append("the flood was too weak")
        return (f"{SECONDS} s with {asked} requests, {held} connections at the end, and {refused} refusals cost "
                f"{cost:.0f} "
                f"MiB; the other client received {count} segments, the slowest in {longest:.2f} s", broken)
    return run


ATTACKS = {f"flood-{kind}": attack(kind) for kind in clients.KINDS}
