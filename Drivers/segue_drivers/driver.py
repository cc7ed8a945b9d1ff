"""The driver's end of the protocol in docs/drivers.md."""

import json
import os
import signal
import sys
import threading
import time

from segue_drivers.processes import CLOSE_TIMEOUT

VERSION = 1
MAXIMUM_LINE_LENGTH = 1 << 20


class Refusal(Exception):
    """The reason why the player cannot carry out a command."""


class Driver:
    """A driver; a subclass has a method `do_NAME` for each command of its player.

    Commands are carried out one at a time, on the thread that calls `run`. Any thread may send events.
    """

    TELLS = ["sound", "picture"]

    def __init__(self, player):
        self.lock = threading.Lock()
        self.last_time = self.clock()
        hello = {"driver": VERSION, "player": player, "clock": self.last_time, "can": self.can(), "tells": self.TELLS}
        # `record` records the player's screen and audio into this file.
        if recording := os.environ.get("SEGUE_RECORDING"):
            hello["recording"] = recording
        self.write(hello)

    def can(self):
        """Returns the names of the supported commands."""
        return [name[3:].replace("_", "-") for name in dir(self) if name.startswith("do_")]

    def clock(self):
        return time.monotonic()

    def write(self, line):
        """Writes a line, with its time moved up to that of the previous line if it is earlier."""
        with self.lock:
            if "t" in line:
                line["t"] = self.last_time = max(self.last_time, round(line["t"], 6))
            try:
                os.write(1, (json.dumps(line, separators=(",", ":")) + "\n").encode())
            except OSError:
                os._exit(0)

    def send_event(self, kind, at=None, **fields):
        self.write({"t": self.clock() if at is None else at, "kind": kind, **fields})

    def send_state(self, at, position, rate, buffered=None):
        state = {"position": round(position, 6), "rate": rate}
        if buffered is not None:
            state["buffered"] = buffered
        self.write({"t": at, "state": state})

    def run(self):
        """Carries out commands until `quit` or the end of the input, and exits."""
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        try:
            for line in iter(lambda: sys.stdin.buffer.readline(MAXIMUM_LINE_LENGTH + 1), b""):
                if len(line) > MAXIMUM_LINE_LENGTH:
                    sys.exit(f"driver: a command line is longer than {MAXIMUM_LINE_LENGTH} bytes")
                if not self.handle(line):
                    break
        finally:
            # A player that hangs must not keep the driver from ending in time.
            threading.Timer(CLOSE_TIMEOUT, lambda: os._exit(1)).start()
            self.close()
            os._exit(0)

    def handle(self, line):
        """Carries out the command of a line and answers it; returns False after `quit`."""
        try:
            command = json.loads(line)
            name, number = command.pop("do"), command.pop("id")
        except (ValueError, KeyError, TypeError, AttributeError):
            sys.exit(f"driver: a line is not a command: {line[:120]!r}")
        answer = {"id": number}
        if name != "quit":
            try:
                self.perform(name, command)
            except Refusal as reason:
                answer["cannot"] = str(reason)
            except (KeyError, TypeError) as error:
                answer["cannot"] = f"a field of {name} is missing or wrong: {error}"
        self.write(answer)
        return name != "quit"

    def perform(self, name, fields):
        if name not in self.can():
            raise Refusal(f"the player has no command {name}")
        method = getattr(self, "do_" + name.replace("-", "_"))
        method(**{key.replace("-", "_"): value for key, value in fields.items()})

    def close(self):
        """Closes the player."""
