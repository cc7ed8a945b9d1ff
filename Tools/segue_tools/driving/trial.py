"""The trial of a driver: half a minute of commands, and the events that must follow.

The server records when it releases bytes, and the length of the title is known: no output can precede its bytes, a
stretch takes its length to play, and the time from the target of a seek to the end is the remaining length.
"""

import dataclasses
import statistics
import time

from segue_tools.driving.talk import Broken, Driver
from segue_tools.driving.title import LENGTH, SEGMENT, names

COMMANDS = {"open", "play", "pause", "rate", "seek", "next", "remove-all", "quit"}
# Time limits in seconds: for the first output, for the report of an expected stall, and for the exit.
START, STALL, LEAVE = 10, 20, 5
# The segments that the player receives before the first and the second stall.
FIRST, SECOND = 4, 7
# The allowed errors of reports in seconds. A single outlier is due to a busy machine; no report may be early.
EARLY, LATE, PAUSE = 0.005, 1.5, 0.3
# The maximum distance in seconds between the end of the bytes and a stall that it causes.
NEAR = 1.5


@dataclasses.dataclass
class Limits:
    """The limits of the median errors in seconds: times, positions of seeks and stalls; and of the
    speed."""

    drift: float = 0.04
    place: float = 0.05
    end: float = 0.06
    stall: float = 0.1
    speed: float = 0.3


@dataclasses.dataclass
class Seen:
    """The measurements in seconds."""

    player: str = ""
    starts: list = dataclasses.field(default_factory=list)
    stalls: list = dataclasses.field(default_factory=list)
    drifts: list = dataclasses.field(default_factory=list)
    places: list = dataclasses.field(default_factory=list)
    ends: list = dataclasses.field(default_factory=list)
    leaves: list = dataclasses.field(default_factory=list)
    # Unexpected stalls.
    others: int = 0
    faults: list = dataclasses.field(default_factory=list)

    def fault(self, kind, words):
        self.faults.append(f"{kind}: {words}")

    def expect(self, kind, is_so, words):
        if not is_so:
            self.fault(kind, words)


def middle(values):
    return statistics.median(map(abs, values)) if values else float("nan")


class Trial:
    """One life of a player."""

    def __init__(self, words, server, seen, limits, is_hidden, name):
        self.server, self.seen, self.name = server, seen, name
        self.limits = limits
        self.driver = Driver(words)
        self.is_hidden = is_hidden or "background" in self.driver.hello.get("can", [])
        self.seen.player = self.driver.hello.get("player", "")

    def run(self):
        try:
            self.greet()
            self.start_and_stalls()
            self.pause()
            self.seeks()
            self.rates()
            if self.is_hidden:
                self.hide()
            self.failure()
            self.dead_line()
        except Broken as why:
            self.seen.fault("protocol", str(why))
            self.driver.kill()
        self.lines()
        self.stretches()

    def url(self, name):
        return self.server.url(f"{self.name}-{name}")

    def do(self, name, **fields):
        cannot = self.driver.do(name, **fields)
        self.seen.expect("protocol", cannot is None, f"cannot {name}: {cannot}")

    def began(self, since=0, seconds=START, item=None):
        fields = {"item": item} if item else {}
        event = self.driver.event("sound.began", seconds, since, **fields)
        if event is None:
            raise Broken(f"no audio has started within {seconds} s")
        picture = self.driver.event("picture.began", 3, since, **fields)
        self.seen.expect("completeness", picture is not None, "the audio started without a picture")
        return event

    def greet(self):
        hello = self.driver.hello
        missing = COMMANDS - {"quit"} - set(hello.get("can", []))
        self.seen.expect("protocol", hello.get("driver") == 1 and "clock" in hello, f"its first line is {hello}")
        self.seen.expect("protocol", not missing, f"it does not support {', '.join(sorted(missing))}")
        self.seen.expect("protocol", self.driver.do("dance") is not None, "it accepts an unknown command")

    def start_and_stalls(self):
        """Starts with late first bytes, and stalls twice on late ones."""
        server, name = self.server, f"{self.name}-1"
        server.hold(name, *names(0, 1), *names(FIRST))
        self.do("open", items=[{"item": "one", "url": self.url("1")}, {"item": "two", "url": self.url("2")},
                               {"item": "three", "url": self.url("3")}, {"item": "four", "url": self.url("4")}])
        self.do("play")
        waiting = self.driver.event("player.timeControl", START, status="waiting")
        self.seen.expect("completeness", waiting is not None, "it does not report waiting for the first bytes")
        time.sleep(1)
        let_go, mark = server.let_go(name, *names(0, 1)), 0
        for upto, following in ((FIRST, SECOND), (SECOND, None)):
            began = self.began(mark)
            self.seen.starts.append(began["t"] - let_go)
            self.seen.expect("start", began["t"] >= let_go - EARLY,
                             f"start reported {let_go - began['t']:.3f} s before the bytes were released")
            self.seen.expect("start", began["t"] <= let_go + LATE,
                             f"start reported {began['t'] - let_go:.3f} s after the bytes")
            stall, mark = self.stall(upto * SEGMENT, mark)
            self.seen.stalls.append(stall["position"] - upto * SEGMENT)
            ended = self.driver.event("sound.ended", 2, mark)
            self.seen.expect("completeness", ended is not None and ended["reason"] == "stall", f"a stall, but {ended}")
            control = self.driver.event("player.timeControl", 2, mark, status="waiting", waitingFor="toMinimizeStalls")
            self.seen.expect("completeness", control is not None, "it does not report waiting in a stall")
            time.sleep(1)
            mark = self.driver.mark()
            let_go = server.let_go(name, *(names(upto, following) if following else names(upto)))
        again = self.began(mark)
        self.seen.starts.append(again["t"] - let_go)
        self.seen.expect("start", again["t"] >= let_go - EARLY,
                         f"resumption reported {let_go - again['t']:.3f} s before the bytes were released")

    def stall(self, place, since):
        """Waits for the stall at the end of the bytes, and returns its event; counts others, caused by the machine."""
        def found():
            return [line for line in self.driver.events("item.stalled", since=since)
                    if line["position"] >= place - NEAR]
        if not self.driver.wait(found, STALL):
            raise Broken(f"no stall is reported at the end of the bytes at {place} s")
        stall = found()[0]
        lines = [line for _, line in self.driver.lines]
        self.seen.others += sum(line.get("kind") == "item.stalled" for line in lines[since:lines.index(stall)])
        return stall, lines.index(stall)

    def pause(self):
        time.sleep(0.7)
        mark, sent = self.driver.mark(), time.monotonic()
        self.do("pause")
        ended = self.driver.event("sound.ended", 2, mark)
        self.seen.expect("pause", ended is not None and ended["reason"] == "command", f"paused, but {ended}")
        if ended:
            self.seen.expect("pause", 0 <= ended["t"] - sent <= PAUSE,
                             f"reported {ended['t'] - sent:.3f} s after the command")
        time.sleep(0.4)
        mark = self.driver.mark()
        self.do("play")
        began = self.began(mark)
        if ended:
            self.seen.expect("pause", abs(began["position"] - ended["position"]) <= 0.2,
                             f"paused at {ended['position']:.3f} s, and resumed at {began['position']:.3f} s")

    def seeks(self):
        """Seeks to keyframes and between them, forward and back, and plays twice from a target to the end."""
        for to in (17.0, 20.3, 6.42, 22.5):
            self.seek(to, 0.7 if to < 22 else 0)
        self.to_the_end("one", "two", 22.5)
        self.began(item="two")
        mark = self.driver.mark()
        self.do("seek", to=5)
        self.seek(21.74, 0)
        gone = self.driver.events("seek.ended", since=mark)
        self.seen.expect("seek", len(gone) == 2, f"two seeks in a row, and {len(gone)} ended")
        self.to_the_end("two", "three", 21.74)
        self.began(item="three")
        self.seek(22.14, 0)
        self.to_the_end("three", "four", 22.14)
        self.began(item="four")

    def seek(self, to, play):
        mark = self.driver.mark()
        self.do("seek", to=to)
        began = self.driver.event("seek.began", 2, mark, target=to)
        if began:
            # Later ends belong to this seek, not to the previous one.
            mark = [line for _, line in self.driver.lines].index(began)
        ended = self.driver.event("seek.ended", START, mark, isFinished=True)
        self.seen.expect("seek", began and ended, f"a seek to {to} s does not start and end")
        if ended is None:
            return
        jumped = self.driver.event("item.timeJumped", 1, mark)
        self.seen.expect("completeness", jumped is not None, "a seek without item.timeJumped")
        self.seen.places.append(ended["position"] - to)
        self.began(mark)
        time.sleep(play)

    def to_the_end(self, item, following, place):
        """Measures the time to the end, which reveals the true position of a seek."""
        over = self.driver.event("item.playedToEnd", LENGTH - place + START, item=item)
        if over is None:
            raise Broken("it does not reach the end")
        began = self.driver.events("sound.began", item=item)[-1]
        ended = self.driver.events("sound.ended", item=item)[-1]
        self.seen.ends.append(began["t"] + LENGTH - began["position"] - ended["t"])
        self.seen.expect("completeness", ended["reason"] == "end", f"the end, but {ended}")
        self.seen.expect("end", abs(over["t"] - ended["t"]) < 0.5,
                         f"end reported {over['t'] - ended['t']:.3f} s after the audio")
        removed = self.driver.event("queue.removed", 2, item=item)
        self.seen.expect("completeness", removed is not None and removed["reason"] == "played to its end",
                         f"the end, but {removed}")
        current = self.driver.event("queue.current", 2, item=following)
        self.seen.expect("completeness", current is not None, "the next item is not reported")

    def rates(self):
        """Plays at twice the rate and back; measures the rate by the reported starts and ends."""
        mark = self.driver.mark()
        self.do("seek", to=1)
        self.began(mark)
        mark = self.driver.mark()
        self.do("rate", rate=2)
        told = self.driver.event("player.rate", 2, mark, rate=2)
        self.seen.expect("completeness", told is not None and told["reason"] == "command", f"a rate change, but {told}")
        began = self.began(mark)
        time.sleep(2)
        mark = self.driver.mark()
        self.do("rate", rate=1)
        ended = self.driver.event("sound.ended", 2, mark)
        self.seen.expect("rate", ended is not None and ended["reason"] == "rate", f"a rate change, but {ended}")
        if ended:
            speed = (ended["position"] - began["position"]) / (ended["t"] - began["t"])
            self.seen.expect("rate", abs(speed - 2) <= self.limits.speed, f"rate 2 was measured as {speed:.3f}")
        self.began(mark)

    def hide(self):
        time.sleep(1)
        mark = self.driver.mark()
        self.do("background")
        phase = self.driver.event("platform.lifecycle", 3, mark, phase="didEnterBackground")
        ended = self.driver.event("picture.ended", 3, mark)
        self.seen.expect("background", phase is not None, "it does not report the background")
        self.seen.expect("background", ended is not None and ended["reason"] == "background", f"hidden, but {ended}")
        time.sleep(1)
        self.seen.expect("background", not self.driver.events("sound.ended", since=mark),
                         "the audio ends in the background")
        mark = self.driver.mark()
        self.do("foreground")
        self.seen.expect("background", self.driver.event("platform.lifecycle", 3, mark,
                                                         phase="didBecomeActive") is not None,
                         "it does not report the foreground")
        back = self.driver.event("picture.began", 5, mark)
        self.seen.expect("background", back is not None, "the picture does not return")

    def failure(self):
        """Opens a missing item, followed by another one."""
        mark = self.driver.mark()
        self.do("open", items=[{"item": "none", "url": self.server.url("none", "none.m3u8")},
                               {"item": "five", "url": self.url("5")}])
        self.do("next")
        gone = self.driver.event("queue.removed", 2, mark, item="four")
        self.seen.expect("completeness", gone is not None and gone["reason"] == "advance", f"next, but {gone}")
        failed = self.driver.event("item.failed", START, mark, item="none")
        self.seen.expect("failure", failed is not None, "it does not report a missing item")
        removed = self.driver.event("queue.removed", 2, mark, item="none")
        self.seen.expect("failure", removed is not None and removed["reason"] == "failed", f"it failed, but {removed}")
        self.began(mark, item="five")
        mark = self.driver.mark()
        self.do("remove-all")
        self.seen.expect("completeness", self.driver.event("queue.removed", 2, mark, item="five",
                                                           reason="remove") is not None,
                         "the removal of an item is not reported")

    def dead_line(self):
        """Leaves three items whose bytes do not arrive: by `next`, by `remove-all`, and by `quit`."""
        for number in (6, 7, 8):
            self.server.hold(f"{self.name}-{number}", *names(0))
            self.do("open", items=[{"item": str(number), "url": self.url(number)}])
            time.sleep(0.5)
            if number == 6:
                self.do("seek", to=5)
                self.do("next")
            elif number == 7:
                self.do("remove-all")
            else:
                break
            self.seen.expect("letting go", self.server.is_left(f"{self.name}-{number}", LEAVE),
                             f"after {LEAVE} s, an item that was removed is still requested")
        self.leave(self.driver, True)

    def leave(self, driver, says_quit):
        took, left = driver.leave(says_quit, LEAVE)
        what = "quit" if says_quit else "the end of its input"
        self.seen.expect("letting go", took is not None, f"{what}: it is still running after {LEAVE} s")
        self.seen.expect("letting go", not left, f"{what}: it left these processes: {', '.join(left)}")
        if took is not None:
            self.seen.leaves.append(took)

    def lines(self):
        """Checks that events are punctual and in order, and that each start has an end."""
        latest = self.driver.hello.get("clock", 0)
        for came, line in self.driver.lines[1:]:
            if "t" not in line:
                continue
            if line["t"] < latest or line["t"] > came + EARLY:
                self.seen.fault("order", f"{line} arrived at {came:.6f}, after {latest:.6f}")
                break
            latest = line["t"]
        for kind in ("sound", "picture"):
            is_on = False
            for event in self.driver.events(f"{kind}.began", f"{kind}.ended"):
                if event["kind"].endswith("began") == is_on:
                    self.seen.fault("order", f"{event} without its counterpart")
                    break
                is_on = not is_on

    def stretches(self):
        """Compares the wall time of stretches with their length, at rate 1."""
        began, rate = {}, 1
        for event in self.driver.events("sound.began", "sound.ended", "picture.began", "picture.ended", "player.rate"):
            kind, _, what = event["kind"].partition(".")
            if kind == "player":
                rate = event["rate"] or rate
            elif what == "began":
                began[kind] = event
            elif kind in began:
                first = began.pop(kind)
                length = event["position"] - first["position"]
                if rate == 1 and event["reason"] != "rate" and length > 0.3 and kind == "sound":
                    self.seen.drifts.append((event["t"] - first["t"]) - length)


def judge(seen, limits):
    for kind, values, limit in (("drift", seen.drifts, limits.drift), ("place", seen.places, limits.place),
                                ("end", seen.ends, limits.end), ("stall", seen.stalls, limits.stall)):
        seen.expect(kind, values, "nothing measured")
        if values:
            seen.expect(kind, middle(values) <= limit, f"{1000 * middle(values):.0f} ms off, limit {1000 * limit:.0f}")
