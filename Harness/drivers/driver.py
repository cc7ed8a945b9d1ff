"""What all drivers share: the lines of the protocol (docs/drivers.md), and a queue for players that have one item at a time."""

import json
import os
import signal
import sys
import threading
import time

VERSION = 1
LONGEST = 1 << 20
PATIENCE = 5
# How long a player may take to do what it is told, in seconds.
ANSWER = 20


class Refusal(Exception):
    """A command that the player cannot take, with why."""


class Driver:
    """A driver: a subclass has a method `do_NAME` for each command that its player takes, and calls `tell` for events.

    Commands come one after the other, on the thread that calls `run`; events may be told from any.
    """

    TELLS = ["sound", "picture"]

    def __init__(self, player):
        self.lock = threading.Lock()
        self.last = 0.0
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        can = [name[3:].replace("_", "-") for name in dir(self) if name.startswith("do_")]
        self.write({"driver": VERSION, "player": player, "clock": self.clock(), "can": can, "tells": self.TELLS})

    @staticmethod
    def clock():
        return time.monotonic()

    def write(self, line):
        text = json.dumps(line, separators=(",", ":")) + "\n"
        with self.lock:
            # Lines are in the order of their time, whoever writes them.
            if "t" in line:
                line["t"] = self.last = max(self.last, line["t"])
                text = json.dumps(line, separators=(",", ":")) + "\n"
            try:
                os.write(1, text.encode())
            except OSError:
                os._exit(0)

    def tell(self, kind, at=None, **fields):
        """Tells of an event, now or at a time of the clock."""
        self.write({"t": round(self.clock() if at is None else at, 6), "kind": kind, **fields})

    def state(self, position, rate, buffered=None):
        """Tells how things are between events."""
        state = {"position": position, "rate": rate}
        if buffered is not None:
            state["buffered"] = buffered
        self.write({"t": round(self.clock(), 6), "state": state})

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
        act = getattr(self, "do_" + name.replace("-", "_"), None)
        try:
            if act is None:
                raise Refusal("it is no command of this player's")
            # What is answered has been taken; what comes of it are events.
            act(**{key.replace("-", "_"): value for key, value in command.items()})
            self.write({"id": number})
        except Refusal as why:
            self.write({"id": number, "cannot": str(why)})
        except TypeError as why:
            self.write({"id": number, "cannot": f"it is not told what it needs: {why}"})
        return True

    def close(self):
        """Lets go of the player."""

    def leave(self, is_away):
        """Tells of an app that leaves the screen, or comes back."""
        for phase in ["willResignActive", "didEnterBackground"] if is_away else ["willEnterForeground", "didBecomeActive"]:
            self.tell("platform.lifecycle", phase=phase)


class Queue:
    """Items that are played one after the other, told of as the protocol has it."""

    def __init__(self, driver):
        self.driver = driver
        self.items = []

    @property
    def current(self):
        return self.items[0] if self.items else None

    @property
    def name(self):
        return self.items[0]["item"] if self.items else ""

    def add(self, items):
        """Puts items behind the others; whether the first of them is the current one now."""
        was_empty = not self.items
        self.items += items
        return was_empty and bool(items)

    def drop(self, reason):
        """The current item leaves; the next one, or None, is current."""
        gone = self.items.pop(0)
        self.driver.tell("queue.removed", item=gone["item"], reason=reason)
        if self.items:
            self.driver.tell("queue.current", item=self.name)
        else:
            self.driver.tell("queue.emptied", reason=reason)
        return self.current

    def clear(self):
        self.items = []


class ThreadedDriver(Driver):
    """A driver whose player is told things, and tells them, on one thread of its own.

    A subclass has `post`, which has that thread do something, `load` and `stop` for items, `show` for the picture,
    `position`, and `queue` and `output`.
    """

    def on_thread(self, act):
        """Has the player's thread do something, and waits until it has."""
        done, failed = threading.Event(), []

        def work():
            try:
                act()
            except Refusal as why:
                failed.append(why)
            done.set()

        self.post(work)
        if not done.wait(ANSWER):
            raise Refusal("the player does not answer")
        if failed:
            raise failed[0]

    def advance(self, reason):
        """The current item leaves, and the next one is loaded."""
        following = self.queue.drop(reason)
        self.stop()
        if following:
            self.load(following)
        else:
            self.is_wanted = False
            self.output.set_control("paused")

    def do_open(self, items):
        def act():
            if self.queue.add(items):
                self.load(self.queue.current)
        self.on_thread(act)

    def do_next(self):
        def act():
            if self.queue.current:
                self.output.end(self.position, "next")
                self.advance("advanced")
        self.on_thread(act)

    def do_remove_all(self):
        def act():
            self.output.end(self.position, "removed")
            self.queue.clear()
            self.is_ready = False
            self.stop()
        self.on_thread(act)

    def do_video(self, **given):
        self.on_thread(lambda: self.show(given["is"]))

    # An app around such a player lets go of the picture while nobody sees it.

    def do_background(self):
        self.on_thread(lambda: (self.leave(True), self.show(False)))

    def do_foreground(self):
        self.on_thread(lambda: (self.show(True), self.leave(False)))


class Output:
    """What comes out of a player that does not tell sound and picture apart: told when it begins and when it ends."""

    def __init__(self, driver):
        self.driver = driver
        self.item = None
        self.kinds = []
        self.control = None

    @property
    def is_on(self):
        return self.item is not None

    def begin(self, item, position, has_sound=True, has_picture=True, at=None):
        if self.item == item:
            return
        if self.item is not None:
            self.end(position, "next", at)
        self.item = item
        self.kinds = [kind for kind, there in (("sound", has_sound), ("picture", has_picture)) if there]
        for kind in self.kinds:
            self.driver.tell(f"{kind}.began", at, item=item, position=position)

    def end(self, position, reason, at=None):
        if self.item is None:
            return
        for kind in self.kinds:
            self.driver.tell(f"{kind}.ended", at, item=self.item, position=position, reason=reason)
        self.item = None

    def set_control(self, status, at=None):
        """Paused, waiting or playing; told where it changes."""
        if status != self.control:
            self.control = status
            waiting = "toMinimizeStalls" if status == "waiting" else ""
            self.driver.tell("player.timeControl", at, status=status, waitingFor=waiting)
