"""Measures the CPU and the memory of `segue watch` on 200 correct live streams.

The streams are sliding windows of six segments of four seconds with dates, each with another start. All segments are
the same transport stream of 1280x720, which the watch samples, inspects, and decodes within its limits. There should be
no finding, and no growth of the memory after the first minute.

SEGUE_BENCH_STREAMS (200); SEGUE_BENCH_MINUTES (3).
"""

import datetime
import os
import pathlib
import re
import subprocess
import tempfile
import time

from segue_tools.launch import fail, program
from segue_tools.loopback import Loopback
from segue_tools.measure import ended, memory, report
from segue_tools.media import ffmpeg, lavfi, picture

LENGTH, LISTED = 4, 6


class Origin(Loopback):
    """The streams, by the clock."""

    def __init__(self, streams, segment):
        # The first segment of a stream was complete this many seconds before the start.
        self.began = [time.time() - 100 - LENGTH * number / streams for number in range(streams)]
        self.segment = segment
        self.requests = self.sent = 0
        super().__init__()

    def playlist(self, number):
        began = self.began[number]
        end = int((time.time() - began) // LENGTH)
        lines = ["#EXTM3U", "#EXT-X-VERSION:3", f"#EXT-X-TARGETDURATION:{LENGTH}",
                 f"#EXT-X-MEDIA-SEQUENCE:{end - LISTED}"]
        for segment in range(end - LISTED, end):
            date = datetime.datetime.fromtimestamp(began + segment * LENGTH, datetime.UTC)
            lines += [f"#EXT-X-PROGRAM-DATE-TIME:{date.isoformat(timespec='milliseconds').replace('+00:00', 'Z')}",
                      f"#EXTINF:{LENGTH:.3f},", f"{segment}.ts"]
        return ("\n".join(lines) + "\n").encode()

    def found(self, target):
        """The media type and body of a resource; None if it does not exist yet."""
        stream, name = target.strip("/").split("/")
        if name == "live.m3u8":
            return "application/vnd.apple.mpegurl", self.playlist(int(stream))
        number, now = int(name.removesuffix(".ts")), (time.time() - self.began[int(stream)]) // LENGTH
        return ("video/mp2t", self.segment) if now - 4 * LISTED < number < now else None

    def answer(self, handler):
        self.requests += 1
        kind, body = self.found(handler.path) or ("text/plain", b"")
        self.sent += len(body) if handler.command == "GET" else 0
        handler.reply(200 if body else 404, {"Content-Type": kind, "Cache-Control": "no-cache"}, body)


def main(_):
    streams = int(os.environ.get("SEGUE_BENCH_STREAMS", 200))
    minutes = float(os.environ.get("SEGUE_BENCH_MINUTES", 3))
    with tempfile.TemporaryDirectory(prefix="segue-bench-") as work:
        clip = pathlib.Path(work) / "segment.ts"
        ffmpeg(*picture("1280x720", 30, LENGTH), *lavfi(f"sine=frequency=440:sample_rate=48000:duration={LENGTH}"),
               "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-b:v", "3M", "-g", 60, "-bf", 0,
               "-c:a", "aac", clip)
        origin = Origin(streams, clip.read_bytes())
        names, found = pathlib.Path(work) / "streams", pathlib.Path(work) / "found"
        names.write_text("".join(f"{origin.url()}{number}/live.m3u8\n" for number in range(streams)))
        with open(pathlib.Path(work) / "report", "w") as said:
            process = subprocess.Popen(
                [program(), "watch", "--file", names, "--for", f"{round(minutes * 60)}s", "--json", found], stdout=said,
                stderr=subprocess.STDOUT)
            # The program exits on its own; until then, it is sampled once a second.
            begun, early, last = time.monotonic(), None, 0.0
            while "State:\tZ" not in pathlib.Path(f"/proc/{process.pid}/status").read_text():
                last = memory(process, "VmRSS")
                if early is None and time.monotonic() - begun >= 60:
                    early = last
                time.sleep(1)
            cpu, peak = ended(process)
        lines = (pathlib.Path(work) / "report").read_text().splitlines()
        findings = found.read_text().splitlines() if found.exists() else []
        if process.returncode not in (0, 1):
            fail((pathlib.Path(work) / "report").read_text()[-2000:])
    share, rate = cpu / (minutes * 60), origin.sent / (minutes * 60e6)
    totals = [re.search(r"media of (\d+) of (\d+) segments .*?, (\d+) decoded", line) for line in lines]
    inspected, listed, decoded = [sum(int(found[place]) for found in totals if found) for place in (1, 2, 3)]
    print(f"watch: {streams} streams for {minutes:g} minutes: {cpu:.1f} CPU seconds, {share:.1%} of a processor; "
          f"{peak:.1f} MiB at "
          f"most, {early or peak:.1f} after a minute, {last:.1f} at the end; {origin.requests} requests; "
          f"{rate:.2f} MB/s; {inspected} of {listed} segments inspected, {decoded} decoded; {len(findings)} findings")
    for line in findings[:5]:
        print(f"watch: {line}")
    report("watch", {"streams": streams, "minutes": minutes, "cpu": cpu, "peak": peak, "early": early, "last": last,
                     "requests": origin.requests, "rate": rate, "inspected": inspected, "decoded": decoded,
                     "findings": len(findings)})
