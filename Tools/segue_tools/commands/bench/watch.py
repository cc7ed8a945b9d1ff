"""What `segue watch` costs on many live streams, each of which is in order.

A server on the loopback interface has so many streams, each a sliding window of six segments of four seconds with
dates; each begins at another moment. Wanted: nothing is found, and of 200 streams less than a tenth of a processor and
100 MiB. Memory at the end is told beside that after a minute: it does not grow with time.

Environment: SEGUE_BENCH_STREAMS, how many (default: 200); SEGUE_BENCH_MINUTES, for how long (default: 3);
SEGUE_BENCH_JSON, a file for the figures.
"""

import asyncio
import datetime
import os
import pathlib
import subprocess
import tempfile
import threading
import time

from segue_tools.launch import fail, program
from segue_tools.measure import ended, memory, report

LENGTH, LISTED = 4, 6


class Origin:
    """The streams, by the clock."""

    def __init__(self, streams):
        # A stream's first segment was whole so many seconds before all began.
        self.began = [time.time() - 100 - LENGTH * number / streams for number in range(streams)]
        self.segment = b"\x47" + bytes(187)
        self.requests = 0

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

    def answer(self, target):
        """The media type and body of what is there; nil for what is not, or not yet."""
        stream, name = target.strip("/").split("/")
        if name == "live.m3u8":
            return "application/vnd.apple.mpegurl", self.playlist(int(stream))
        number, now = int(name.removesuffix(".ts")), (time.time() - self.began[int(stream)]) // LENGTH
        return ("video/mp2t", self.segment) if now - 4 * LISTED < number < now else None

    async def serve(self, reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.requests += 1
                method, target, _ = head.split(b"\r\n", 1)[0].decode().split(" ")
                found = self.answer(target)
                status, (kind, body) = ("200 OK", found) if found else ("404 Not Found", ("text/plain", b""))
                writer.write(f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                             f"Cache-Control: no-cache\r\n\r\n".encode() + (body if method != "HEAD" else b""))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def start(self):
        """The port at which it listens, on a thread of its own."""
        loop, ready = asyncio.new_event_loop(), threading.Event()

        async def listen():
            self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
            ready.set()
        threading.Thread(target=lambda: (loop.run_until_complete(listen()), loop.run_forever()), daemon=True).start()
        ready.wait()
        return self.server.sockets[0].getsockname()[1]


def main(_):
    streams = int(os.environ.get("SEGUE_BENCH_STREAMS", 200))
    minutes = float(os.environ.get("SEGUE_BENCH_MINUTES", 3))
    origin = Origin(streams)
    port = origin.start()
    with tempfile.TemporaryDirectory(prefix="segue-bench-") as work:
        names, found = pathlib.Path(work) / "streams", pathlib.Path(work) / "found"
        names.write_text("".join(f"http://127.0.0.1:{port}/{number}/live.m3u8\n" for number in range(streams)))
        with open(pathlib.Path(work) / "report", "w") as said:
            process = subprocess.Popen(
                [program(), "watch", "--file", names, "--for", f"{round(minutes * 60)}s", "--json", found], stdout=said,
                stderr=subprocess.STDOUT)
            # The program ends by itself; until then it is looked at once a second.
            begun, early, last = time.monotonic(), None, 0.0
            while "State:\tZ" not in pathlib.Path(f"/proc/{process.pid}/status").read_text():
                last = memory(process, "VmRSS")
                if early is None and time.monotonic() - begun >= 60:
                    early = last
                time.sleep(1)
            cpu, peak = ended(process)
        findings = found.read_text().splitlines() if found.exists() else []
        if process.returncode not in (0, 1):
            fail((pathlib.Path(work) / "report").read_text()[-2000:])
    share = cpu / (minutes * 60)
    print(f"watch: {streams} streams for {minutes:g} minutes: {cpu:.1f} CPU seconds, {share:.1%} of a processor; "
          f"{peak:.1f} MiB at "
          f"most, {early or peak:.1f} after a minute, {last:.1f} at the end; {origin.requests} requests; "
          f"{len(findings)} findings")
    for line in findings[:5]:
        print(f"watch: {line}")
    report("watch", {"streams": streams, "minutes": minutes, "cpu": cpu, "peak": peak, "early": early, "last": last,
                     "requests": origin.requests, "findings": len(findings)})
