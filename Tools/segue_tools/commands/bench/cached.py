"""Measures the CPU time to serve a cached segment, compared with nginx and the same bytes as a file.

One client fetches the segment again and again over one loopback connection, from `segue serve` and from nginx with
sendfile in turn. The ratio of the median CPU times per MiB counts; it should be at most 2.

SEGUE_BENCH_RUNS (5); SEGUE_BENCH_MEBIBYTES, the amount fetched in a run (600).
"""

import http.client
import os
import statistics

from segue_tools.launch import Server, fail, requires, scratch
from segue_tools.measure import cpu_seconds, report
from segue_tools.media import H264, ffmpeg, picture
from segue_tools.nginx import Nginx

RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", "5"))
MEBIBYTES = int(os.environ.get("SEGUE_BENCH_MEBIBYTES", "600"))


def make_film(path):
    """A film with segments of about 3 MB."""
    ffmpeg(*picture("1280x720", 30, 24), *H264, "-b:v", "4M", "-g", "60", path)


def cost(process, connection, path, size):
    """CPU milliseconds per mebibyte."""
    buffer = memoryview(bytearray(size))
    times = max(1, (MEBIBYTES << 20) // size)
    before = cpu_seconds(process)
    for _ in range(times):
        connection.request("GET", path)
        answer = connection.getresponse()
        got = 0
        while got < size:
            got += answer.readinto(buffer[got:])
        answer.read()
        if answer.status != 200 or got != size:
            fail(f"{path}: {answer.status}, {got} bytes of {size}")
    return 1000 * (cpu_seconds(process) - before) / (times * size / (1 << 20))


def main(_):
    requires("ffmpeg", "nginx")
    with scratch("segue-bench-") as work:
        media = work / "media"
        media.mkdir()
        make_film(media / "film.mp4")
        server = Server(media)
        url = server.segments(server.items()["film.mp4"], "fmp4")[0][2]
        body, _ = server.get(url)
        (work / "segment.m4s").write_bytes(body)
        nginx = Nginx(work, joined=True)
        other = http.client.HTTPConnection("127.0.0.1", nginx.port, timeout=60)
        ours, theirs = [], []
        for _ in range(RUNS):
            theirs.append(cost(nginx.process, other, "/segment.m4s", len(body)))
            ours.append(cost(server.process, server.connection, url, len(body)))
        nginx.stop()
        server.stop()
    figures: dict = {"segue": statistics.median(ours), "nginx": statistics.median(theirs)}
    figures["ratio"] = figures["segue"] / figures["nginx"]
    print(f"cached: a segment of {len(body) / (1 << 20):.1f} MiB, CPU ms per MiB, medians of {RUNS}: "
          f"segue {figures['segue']:.3f}, nginx {figures['nginx']:.3f}, ratio {figures['ratio']:.2f} (goal: 2)")
    report("cached", figures)
