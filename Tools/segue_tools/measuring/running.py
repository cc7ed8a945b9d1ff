"""The programs of one run: the link before the server, the driver of a player, and the model."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

from segue_tools.driving import talk
from segue_tools.launch import Link, end
from segue_tools.places import driver

PATIENCE = 30
# Set when the caller wants to stop.
ENDED = threading.Event()
NETWORKS = pathlib.Path(__file__).with_name("networks")


class CannotRun(Exception):
    """A run that failed, with the reason."""


def network_file(name):
    """Returns the name of a network of Segue, or the file of one in this folder."""
    own = NETWORKS / f"{name}.yaml"
    return str(own) if own.exists() else name


class MeasuredLink(Link):
    """`segue link` in front of a port of this machine, with a log of the requests."""

    def __init__(self, port, network, log):
        super().__init__(network_file(network), port, "--log", log)
        self.log = log

    def ask(self):
        """Requests a missing file to synchronize the log's clock; returns the time."""
        asked = time.monotonic()
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/clock", timeout=PATIENCE).close()
        except urllib.error.HTTPError:
            return asked
        raise CannotRun("the server has a file that should be missing")

    def requests(self, begun):
        """Ends the link; returns its requests, by the seconds since a time."""
        asked = self.ask()
        end(self.process, signal.SIGINT)
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        requests = [line for line in lines if line["kind"] == "link.request"]
        clock = next(line for line in requests if line["url"].endswith("/clock"))
        ahead = asked - (clock["t"] - clock["seconds"]) - begun
        found = []
        for line in requests:
            if line is clock:
                continue
            found.append({"at": line["t"] - line["seconds"] + ahead, "url": line["url"], "range": line["range"],
                          "bytes": line["bytes"], "seconds": line["seconds"], "end": line["end"],
                          "status": line["status"],
                          "connection": line["connection"]})
        late = next((line for line in lines if line["kind"] == "link.lateness"), {})
        return sorted(found, key=lambda request: request["at"]), late.get("percentile99", 0)


class Driver(talk.Driver):
    """The driver of a player, as described in docs/drivers.md."""

    # On a slow network, a player may take long to carry out a command.
    ANSWER = 40

    def __init__(self, name, script=None):
        """A player by its name; with a script, a page in Chromium that loads it."""
        # The drivers of libraries need modules of Debian's Python.
        python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
        words = ["chromium.py", "--script", script] if script else [f"{name}.py"]
        try:
            super().__init__([python, driver(words[0]), *words[1:]])
        except talk.Broken as error:
            raise CannotRun(f"the driver of {name}: {error}") from None
        self.player = self.hello["player"]

    def do(self, name, **fields):
        try:
            refusal = super().do(name, **fields)
        except talk.Broken as error:
            raise CannotRun(f"{self.player}: {error}") from None
        if refusal:
            raise CannotRun(f"{self.player}: {name}: {refusal}")

    def told(self, begun):
        came = [(at, line["clock"] if "driver" in line else line["t"]) for at, line in self.lines
                if "driver" in line or "t" in line]
        ahead = min(at - t for at, t in came)
        return [{**line, "t": line["t"] + ahead - begun} for _, line in self.lines if "t" in line]

    def quit(self):
        """Ends the driver if it is running."""
        if self.process.poll() is not None:
            return
        try:
            self.leave(True, PATIENCE)
        except (talk.Broken, ValueError):
            self.kill()


def scenario(folder, seconds):
    """A scenario that plays for some seconds."""
    path = pathlib.Path(folder) / f"play-{seconds}.yaml"
    if not path.exists():
        fresh = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        fresh.write_text("name: measured\nabout: Plays for a while.\nplatform: desktop\nsteps:\n"
                         "  - { do: open, rendition: full }\n  - { do: play }\n"
                         f"  - {{ do: stay, seconds: {seconds}, within: {2 * seconds + 60} }}\n")
        fresh.rename(path)
    return str(path)


def play(segue, url, platform, seconds, folder, network):
    """Plays a URL in the model over a network in virtual time; returns the events."""
    log = pathlib.Path(folder) / "model.jsonl"
    done = subprocess.run(
        [segue, "play", url, "--virtual", "--network", network_file(network), "--platform", platform,
         "--scenario", scenario(folder, seconds), "--log", str(log), "--quiet"], stdin=subprocess.DEVNULL,
         capture_output=True, text=True, timeout=3 * seconds + 120)
    # A failing title is a result; exit code 2 reports a run that was impossible.
    if done.returncode not in (0, 1) or not log.exists():
        raise CannotRun(f"segue play: {done.stderr.strip()[-300:]}")
    return [json.loads(line) for line in log.read_text().splitlines()]


def is_there(player):
    needs = {"chromium": ["chromium", "chromium-browser", "google-chrome"], "mpv": ["mpv"], "vlc": ["vlc"],
             "gstreamer": ["gst-inspect-1.0", "gst-launch-1.0"]}
    return any(shutil.which(program) for program in needs.get(player, [player]))
