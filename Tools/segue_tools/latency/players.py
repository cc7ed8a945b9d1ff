"""Players of a channel, and their visible behavior."""

import dataclasses
import json
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from segue_tools.latency.channel import PATH, RATE, number
from segue_tools.launch import program
from segue_tools.places import module

# A longer gap between two frames is a stall.
STILL = 0.4
# The Python of Debian's packages.
SYSTEM = "/usr/bin/python3"


class Missing(Exception):
    """The reason for skipping a player."""


@dataclasses.dataclass
class Seen:
    """The observations of a player, in seconds."""

    start: float
    behind: float
    behind_at_end: float
    stalls: int
    stalled: float


def model(platform):
    """Segue's model in real time, which logs its playback."""
    def play(channel, port, seconds):
        with tempfile.TemporaryDirectory(prefix="segue-latency-") as folder:
            log, figures = pathlib.Path(folder) / "log.jsonl", pathlib.Path(folder) / "figures.json"
            begun = time.time()
            process = subprocess.Popen([program(), "play", f"http://127.0.0.1:{port}{PATH}", "--platform", platform,
                                        "--log", log,
                                        "--json", figures], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            # The log's clock starts with its first line.
            line = process.stdout.readline()
            begun = time.time() if line else begun
            drain = threading.Thread(target=process.stdout.read)
            drain.start()
            time.sleep(2)
            listed = channel.list()
            time.sleep(seconds - 2)
            process.send_signal(signal.SIGINT)
            process.wait()
            drain.join()
            events = [json.loads(line) for line in log.read_text().splitlines()]
            measured = json.loads(figures.read_text())
        began = next((event for event in events if event["kind"] == "picture.began"), None)
        if began is None:
            return Seen(seconds, float("nan"), float("nan"), 0, 0)
        first = next(event for event in events if event["kind"] == "segment.loaded" and event["stream"] == "main")
        asked = next(event["url"] for event in events
                     if event["kind"] == "request.began" and event["resource"] in ("segment", "part"))
        date = channel.date(listed, asked) + began["position"] - first["start"]
        behind = begun + began["t"] - date
        stalled = measured["stallSeconds"]
        return Seen(began["t"], behind, behind + stalled, measured["stalls"], stalled)
    return play


def judged(channel, begun, frames):
    if not frames:
        return Seen(float("nan"), float("nan"), float("nan"), 0, 0)
    behind = [channel.behind(clock, frame / RATE) for clock, frame in frames]
    gaps = [later - sooner - 1 / RATE for (sooner, _), (later, _) in zip(frames, frames[1:]) if later - sooner > STILL]
    last = sorted(behind[-RATE:])
    return Seen(frames[0][0] - begun, behind[0], last[len(last) // 2], len(gaps), sum(gaps))


def gstreamer(channel, port, seconds):
    """GStreamer's playbin3, whose frames a script receives."""
    begun = time.time()
    done = subprocess.run([*module("segue_tools.latency.gstreamer", SYSTEM), f"http://127.0.0.1:{port}{PATH}",
                           str(seconds)], capture_output=True, text=True)
    if done.returncode == 3:
        raise Missing(done.stderr.strip())
    lines = [line.split() for line in done.stdout.splitlines()]
    return judged(channel, begun, [(float(clock), int(frame)) for clock, frame in lines])


def ffmpeg(channel, port, seconds):
    """FFmpeg, which reads in real time and outputs each frame."""
    if not shutil.which("ffmpeg"):
        raise Missing("ffmpeg is not installed")
    begun, frames, size = time.time(), [], 320 * 180
    process = subprocess.Popen(["ffmpeg", "-v", "error", "-nostdin", "-re", "-i", f"http://127.0.0.1:{port}{PATH}",
                                "-map", "0:v:0",
                                "-pix_fmt", "gray", "-fps_mode", "passthrough", "-f", "rawvideo", "-"],
                                stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    ending = threading.Timer(seconds, process.kill)
    ending.start()
    while len(picture := process.stdout.read(size)) == size:
        frames.append((time.time(), number(picture, 320)))
    ending.cancel()
    process.wait()
    return judged(channel, begun, frames)


PLAYERS = {"Segue ios-26.4": model("ios-26.4"), "Segue ios-12.3": model("ios-12.3"), "GStreamer hlsdemux2": gstreamer,
           "FFmpeg -re": ffmpeg}
