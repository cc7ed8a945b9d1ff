"""What all drivers share: the lines of the protocol (docs/drivers.md), and how a program that they start is let go of."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

VERSION = 1
LONGEST = 1 << 20
# How long letting go of a player may take, in seconds: who waits for a driver waits for 5.
PATIENCE = 3
# prctl: a program ends with the thread that started it; what a child leaves behind is this program's.
DEATH_SIGNAL, SUBREAPER = 1, 36


class Refusal(Exception):
    """A command that the player cannot take, with why."""


class Driver:
    """A driver: a subclass has a method `do_NAME` for each command that its player takes, and calls `tell` for events.

    Commands come one after the other, on the thread that calls `run`; events may be told from any.
    """

    TELLS = ["sound", "picture"]

    def __init__(self, player):
        self.lock = threading.Lock()
        # Nothing is told of before this.
        self.last = self.clock()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        hello = {"driver": VERSION, "player": player, "clock": self.last, "can": self.can(), "tells": self.TELLS}
        # Whoever watches the player (watched) says where its recording lies.
        if recording := os.environ.get("SEGUE_RECORDING"):
            hello["recording"] = recording
        self.write(hello)

    def can(self):
        """The names of the commands that it takes."""
        return [name[3:].replace("_", "-") for name in dir(self) if name.startswith("do_")]

    @staticmethod
    def clock():
        return time.monotonic()

    def write(self, line):
        with self.lock:
            # Lines are in the order of their time, whoever writes them.
            if "t" in line:
                line["t"] = self.last = max(self.last, round(line["t"], 6))
            try:
                os.write(1, (json.dumps(line, separators=(",", ":")) + "\n").encode())
            except OSError:
                os._exit(0)

    def tell(self, kind, at=None, **fields):
        """Tells of an event, now or at a time of the clock."""
        self.write({"t": self.clock() if at is None else at, "kind": kind, **fields})

    def state(self, at, position, rate, buffered=None):
        """Tells how things are between events."""
        state = {"position": round(position, 6), "rate": rate}
        if buffered is not None:
            state["buffered"] = buffered
        self.write({"t": at, "state": state})

    def run(self):
        """Takes commands until it is told to quit, or nobody is there to tell it."""
        try:
            for line in iter(lambda: sys.stdin.buffer.readline(LONGEST + 1), b""):
                if len(line) > LONGEST:
                    sys.exit(f"driver: a line is longer than {LONGEST} bytes")
                if not self.take(line):
                    break
        finally:
            # Whatever holds the player up must not hold up who waits for this to end.
            threading.Timer(PATIENCE, lambda: os._exit(1)).start()
            self.close()
            os._exit(0)

    def take(self, line):
        """Carries a command out; whether there may be more."""
        try:
            command = json.loads(line)
            name, number = command.pop("do"), command.pop("id")
        except (ValueError, KeyError, TypeError, AttributeError):
            sys.exit(f"driver: not a command: {line[:120]!r}")
        if name == "quit":
            self.write({"id": number})
            return False
        try:
            # What is answered has been taken; what comes of it are events.
            self.act(name, command)
            self.write({"id": number})
        except Refusal as why:
            self.write({"id": number, "cannot": str(why)})
        except TypeError as why:
            self.write({"id": number, "cannot": f"it is not told what it needs: {why}"})
        return True

    def act(self, name, fields):
        """Has the player do something."""
        if name not in self.can():
            raise Refusal("it is no command of this player's")
        getattr(self, "do_" + name.replace("-", "_"))(**{key.replace("-", "_"): value for key, value in fields.items()})

    def close(self):
        """Lets go of the player."""

    def leave(self, is_away):
        """Tells of an app that leaves the screen, or comes back."""
        for phase in ["willResignActive", "didEnterBackground"] if is_away else ["willEnterForeground", "didBecomeActive"]:
            self.tell("platform.lifecycle", phase=phase)


def start(words, **options):
    """Starts a program that does not outlive this one, and whose own programs are this one's where it leaves them."""
    system = ctypes.CDLL(None)
    system.prctl(SUBREAPER, 1, 0, 0, 0)
    return subprocess.Popen(words, preexec_fn=lambda: system.prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0), **options)


def end_programs():
    """Kills every program that this one has started, and what those have left behind."""
    deadline = time.monotonic() + PATIENCE / 2
    while time.monotonic() < deadline:
        for child in children():
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def children():
    """The processes whose parent this one is."""
    found = []
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/children") as lines:
                found += map(int, lines.read().split())
        except OSError:
            pass
    return found


def cut_connections():
    """Ends the connections of this process: those of a player in it that does not let go of them."""
    for number in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):
                with socket.socket(fileno=os.dup(int(number))) as line:
                    if line.family in (socket.AF_INET, socket.AF_INET6):
                        line.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
