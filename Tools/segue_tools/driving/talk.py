"""The client of a driver: sends commands, and keeps the driver's lines with their arrival times."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import threading
import time

from segue_tools.measure import descendants

# The time limit for the first line of a driver, in seconds.
FIRST = 60


class Broken(Exception):
    """The driver violates the protocol, so the trial cannot run."""


class Driver:
    # The time limit for an answer, in seconds.
    ANSWER = 15

    def __init__(self, words):
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        # Lines with their arrival times, and whether the output has ended.
        self.lines, self.is_over, self.words = [], False, b""
        self.number, self.news = 0, threading.Condition()
        self.family = {self.process.pid}
        self.readers = [threading.Thread(target=work, daemon=True) for work in (self.read, self.read_words)]
        for reader in self.readers:
            reader.start()
        if not self.wait(lambda: self.lines, FIRST):
            self.kill()
            raise Broken(f"it sends nothing: {self.last_words()}")

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append((time.monotonic(), json.loads(line)))
                self.news.notify_all()
        with self.news:
            self.is_over = True
            self.news.notify_all()

    def read_words(self):
        self.words = self.process.stderr.read()

    def last_words(self):
        return self.words.decode(errors="replace").strip()[-200:] or "it gives no reason"

    def wait(self, condition, seconds):
        """Waits until a condition is true; returns whether it is."""
        with self.news:
            return self.news.wait_for(lambda: condition() or self.is_over, seconds) and condition()

    @property
    def hello(self):
        return self.lines[0][1]

    def events(self, *kinds, item=None, since=0):
        return [line for _, line in self.lines[since:]
                if line.get("kind") in kinds and (item is None or line.get("item") == item)]

    def mark(self):
        return len(self.lines)

    def event(self, kind, seconds, since=0, **fields):
        """Waits for the first event of a kind with these fields; None if it does not come."""
        def found():
            return [line for line in self.events(kind, since=since) if fields.items() <= line.items()]
        return found()[0] if self.wait(found, seconds) else None

    def do(self, name, **fields):
        """Sends a command, and waits for its response; returns the reason for a failure, or None."""
        self.number += 1
        number = self.number
        self.tell({"id": number, "do": name, **fields})
        answers = lambda: [line for _, line in self.lines if line.get("id") == number]
        if not self.wait(answers, self.ANSWER):
            raise Broken(f"it does not answer {name}: {self.last_words() if self.is_over else 'it is still running'}")
        return answers()[0].get("cannot")

    def tell(self, command):
        try:
            self.process.stdin.write(json.dumps(command).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise Broken(f"it has exited: {self.last_words()}") from None

    def leave(self, says_quit, seconds):
        """Ends the driver by `quit` or by the end of its input; returns the seconds, None after a timeout, and the
        processes that it left."""
        self.family.update(descendants(self.process.pid))
        begun = time.monotonic()
        if says_quit:
            self.tell({"id": 0, "do": "quit"})
        else:
            self.process.stdin.close()
        try:
            self.process.wait(seconds)
            took = time.monotonic() - begun
        except subprocess.TimeoutExpired:
            took = None
        # Processes that were killed with it may take some time to end.
        deadline = begun + seconds
        while (left := self.left()) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.kill()
        return took, left

    def left(self):
        """The names of its descendants that are still running."""
        return [name for pid in self.family if pid != self.process.pid and (name := running(pid))]

    def kill(self):
        for pid in self.family.union(descendants(self.process.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        for reader in self.readers:
            reader.join(5)


def running(pid):
    """The name of a running process."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    name, _, rest = fields.partition("(")[2].rpartition(")")
    return None if rest.split()[0] == "Z" else name
