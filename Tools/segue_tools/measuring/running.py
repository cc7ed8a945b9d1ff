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
# Set when whoever started this has had enough of it.
ENDED = threading.Event()
NETWORKS = pathlib.Path(__file__).with_name("networks")


class CannotRun(Exception):
    """A run that could not be made, with why."""


def network_file(name):
    """A network that comes with Segue by its name, one of this folder by its file."""
    own = NETWORKS / f"{name}.yaml"
    return str(own) if own.exists() else name


class MeasuredLink(Link):
    """`segue link` in front of a port of this machine, with a log of the requests."""

    def __init__(self, port, network, log):
        super().__init__(network_file(network), port, "--log", log)
        self.log = log

    def ask(self):
        """Asks for something that is not there, so that the log's clock can be set by it; when that was."""
        asked = time.monotonic()
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/clock", timeout=PATIENCE).close()
        except urllib.error.HTTPError:
            return asked
        raise CannotRun("the server has what it should not have")

    def requests(self, begun):
        """Ends the link; the requests that crossed it, by the seconds since a moment."""
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
    """A driver of a player, as docs/drivers.md has it."""

    # A player on a slow line may be long in taking a command.
    ANSWER = 40

    def __init__(self, name, script=None):
        """A player by its name: with a script, what a page in Chromium plays with that loads it."""
        # Debian's Python has what the drivers of libraries need.
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
        """Has it end, where it has not."""
        if self.process.poll() is not None:
            return
        try:
            self.leave(True, PATIENCE)
        except (talk.Broken, ValueError):
            self.kill()


def scenario(folder, seconds):
    """A scenario that plays for so long."""
    path = pathlib.Path(folder) / f"play-{seconds}.yaml"
    if not path.exists():
        fresh = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        fresh.write_text("name: measured\nabout: Plays for a while.\nplatform: desktop\nsteps:\n"
                         "  - { do: open, rendition: full }\n  - { do: play }\n"
                         f"  - {{ do: stay, seconds: {seconds}, within: {2 * seconds + 60} }}\n")
        fresh.rename(path)
    return str(path)


def play(segue, url, platform, seconds, folder, network):
    """Has the model play a URL over a network in virtual time; its events."""
    log = pathlib.Path(folder) / "model.jsonl"
    done = subprocess.run(
        [segue, "play", url, "--virtual", "--network", network_file(network), "--platform", platform,
         "--scenario", scenario(folder, seconds), "--log", str(log), "--quiet"], stdin=subprocess.DEVNULL,
         capture_output=True, text=True, timeout=3 * seconds + 120)
    # A title that fails is played as well; one that could not be says so with 2.
    if done.returncode not in (0, 1) or not log.exists():
        raise CannotRun(f"segue play: {done.stderr.strip()[-300:]}")
    return [json.loads(line) for line in log.read_text().splitlines()]


def is_there(player):
    needs = {"chromium": ["chromium", "chromium-browser", "google-chrome"], "mpv": ["mpv"], "vlc": ["vlc"],
             "gstreamer": ["gst-inspect-1.0", "gst-launch-1.0"]}
    return any(shutil.which(program) for program in needs.get(player, [player]))
