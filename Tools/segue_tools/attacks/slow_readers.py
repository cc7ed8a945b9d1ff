"""Clients that request much and read nothing: their peak memory in the server, and the memory that remains."""

import os
import socket
import time

from segue_tools.launch import Server, fail
from segue_tools.measure import memory, raise_descriptor_limit
from segue_tools.media import H264, ffmpeg, picture

# The maximum memory of all clients, and ten seconds after they have disconnected, in MiB.
COST, REMAINDER = 100, 20
# The size of a segment: 6 s at this rate are 4 MB.
BIT_RATE = 5_400_000
SEGMENTS = 12


def make_film(path):
    """A film of segments of 4 MB each, at a constant rate."""
    ffmpeg(*picture(seconds=6 * SEGMENTS), *H264, "-b:v", BIT_RATE, "-maxrate", BIT_RATE, "-bufsize", BIT_RATE,
           "-x264-params", "nal-hrd=cbr:force-cfr=1", "-g", "50", path)


def ask(server, path):
    """A client with a small receive buffer that sends a request and does not read."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect((server.host, server.port))
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.host}:{server.port}\r\n\r\n".encode())
    return client


def settle(server, seconds=20):
    """Waits until the server has been idle for two seconds, up to a time limit."""
    end, still, before = time.monotonic() + seconds, 0, server.cpu()
    while time.monotonic() < end and still < 4:
        time.sleep(0.5)
        now = server.cpu()
        still = still + 1 if now - before <= 0.02 else 0
        before = now


def measure(folder, count, paths, environment=None):
    """Returns the memory of the clients at the peak and ten seconds after they disconnect, and another client's wait.

    `paths` returns the requested paths for the server and its item, which the clients use in turn. `environment` is
    added to that of the server.
    """
    raise_descriptor_limit(count + 100)
    film = folder / "film.mp4"
    if not film.exists():
        make_film(film)
    server = Server(folder, env={**os.environ, **(environment or {})})
    item = server.items()["film.mp4"]
    chosen = paths(server, item)
    for path in chosen[:1]:
        server.get(path)
    before = memory(server.process, "VmRSS")
    clients = [ask(server, chosen[number % len(chosen)]) for number in range(count)]
    settle(server)
    peak = memory(server.process) - before
    began = time.perf_counter()
    other = server.connect()
    server.get(f"/items/{item}/index.m3u8?container=ts", other)
    server.get(server.segments(item, "ts")[0][0], other)
    waited = time.perf_counter() - began
    other.close()
    for client in clients:
        client.close()
    time.sleep(10)
    left = memory(server.process, "VmRSS") - before
    if server.process.poll() is not None:
        fail("the server has exited")
    server.stop()
    return {"clients": count, "cost": peak, "left": left, "waited": waited}


CASES = {
    "original": (900, lambda server, item: [f"/items/{item}/original"]),
    "segments": (900, lambda server, item: server.segments(item, "ts")[0]),
    # Spooling is impossible, so segments without room are made repeatedly.
    "unspooled": (900, lambda server, item: server.segments(item, "ts")[0], {"TMPDIR": "/dev/null/nothing"}),
    "one-segment": (900, lambda server, item: server.segments(item, "ts")[0][:1]),
    "whole": (200, lambda server, item: [server.segments(item, "ts", "&byterange=1")[0][0]]),
}


def attack(name):
    def run(folder):
        figures = measure(folder, *CASES[name])
        broken = []
        if figures["cost"] > COST:
            broken.append(f"over {COST} MiB")
        if figures["left"] > REMAINDER:
            broken.append(f"over {REMAINDER} MiB remain")
        if figures["waited"] > 5:
            broken.append("other clients wait over 5 s")
        return (f"{figures['clients']} clients that do not read cost {figures['cost']:.0f} MiB, {figures['left']:.0f} "
                f"of them 10 s after they disconnected; another client received playlist and segment in "
                f"{figures['waited']:.2f} s",
                broken)
    return run


ATTACKS = {f"slow-readers-{name}": attack(name) for name in CASES}
