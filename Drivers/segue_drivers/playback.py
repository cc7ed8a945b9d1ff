"""What drivers of players share that have one item at a time and tell when something comes out: the queue, and the events."""

import queue
import threading
import time

from segue_drivers.driver import Driver, Refusal

# How long a player's thread may take to do what it is told, in seconds.
ANSWER = 10
# How often it is looked at what the player does, in seconds.
TICK = 0.01
# How long nothing may come out until it counts as standing still: a few slow pictures, and what a busy machine does.
STILL = 0.3
# How near the end of an item it is over and has not stalled, and how long the player may take to say so.
NEAR, LAST = 0.5, 1.0
# How long a seek waits for a player that cannot take it yet, and how long the player may take for it.
SEEK = 20
STATES = 0.25


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

    def clear(self, reason):
        while self.items:
            self.driver.tell("queue.removed", item=self.items.pop(0)["item"], reason=reason)


class Flow:
    """Sound, or pictures: whether it comes out, and until where it is known to have come."""

    def __init__(self, kind):
        self.kind = kind
        self.is_on = False
        self.place, self.until = 0.0, 0.0

    def place_at(self, at, rate):
        """Where it was at a time up to which it is known."""
        return max(0.0, self.place - max(0.0, self.until - at) * rate)


class Looks:
    """A player's clock that is looked at often: between which two looks it moved, and how far."""

    def __init__(self):
        self.last = None

    def forget(self):
        self.last = None

    def look(self, at, place, rate):
        """What came out since the last look that moved: (began at, from, until, to); None where it stands, or has jumped."""
        if self.last is None or place < self.last[1] - 0.001:
            self.last = (at, place)
            return None
        before, was = self.last
        if place <= was:
            # It stood still until now, as far as is known.
            self.last = (at, was)
            return None
        self.last = (at, place)
        return max(before, at - (place - was) / rate), was, at, place


class Playback(Driver):
    """A driver whose player is told things, and tells them, on one thread.

    A subclass has `load` and `stop` for items, `resume` and `hold`, `seek_to`, which gives whether that could be taken,
    `change_rate`, which gives whether what comes out goes on without a break, `show` for the picture, `look`, called often, and `duration`. It says what happens by `ready`, `came`,
    `landed`, `finished` and `broke`.
    """

    def __init__(self, player):
        self.queue = Queue(self)
        self.flows = {kind: Flow(kind) for kind in ("sound", "picture")}
        self.works = queue.SimpleQueue()
        self.is_wanted = self.is_ready = self.has_failed = False
        self.is_shown, self.has = True, {"sound": True, "picture": True}
        self.rate, self.control, self.buffered = 1.0, None, None
        self.is_stalled, self.place = False, 0.0
        # A seek: where to, until when it is waited for, and whether the player has taken it.
        self.target, self.deadline, self.is_taken = None, 0.0, False
        self.told = 0.0
        super().__init__(player)
        self.set_control("paused")
        threading.Thread(target=self.follow, daemon=True).start()

    # The player's thread

    def post(self, act, *words):
        """Has the player's thread do something."""
        self.works.put(lambda: act(*words))

    def follow(self):
        due = self.clock()
        while True:
            try:
                self.works.get(timeout=max(0.0, due - self.clock()))()
            except queue.Empty:
                pass
            if self.clock() >= due:
                # All that is known comes before what follows from nothing being known.
                for _ in range(self.works.qsize()):
                    self.works.get()()
                due = self.clock() + TICK
                self.look()
                self.watch(self.clock())

    def on_thread(self, act):
        """Has the player's thread do something, and waits until it has."""
        done, failed = threading.Event(), []

        def work():
            try:
                act()
            except Refusal as why:
                failed.append(why)
            done.set()

        self.works.put(work)
        if not done.wait(ANSWER):
            raise Refusal("the player does not answer")
        if failed:
            raise failed[0]

    # What the player says

    def ready(self, has_sound, has_picture, at=None):
        """The current item could be played."""
        if self.is_ready or not self.queue.current:
            return
        self.is_ready = True
        self.has = {"sound": has_sound, "picture": has_picture}
        self.tell("item.tracksKnown", at, item=self.queue.name, hasVideo=has_picture, hasAudio=has_sound)
        self.tell("item.readyToPlay", at, item=self.queue.name, duration=self.duration)

    def came(self, kind, began, place, until, reached):
        """Something came out: from a time and place on, until another."""
        flow = self.flows[kind]
        if not self.is_wanted or not self.queue.current or self.target is not None or not self.has[kind]:
            return
        if kind == "picture" and not self.is_shown:
            return
        if not flow.is_on:
            flow.is_on = True
            self.set_control("playing", began)
            self.tell(f"{kind}.began", began, item=self.queue.name, position=round(place, 6))
            if all(self.flows[kind].is_on or not self.is_expected(kind) for kind in self.flows):
                self.is_stalled = False
        flow.place, flow.until = reached, until
        self.place = reached

    def is_expected(self, kind):
        return self.has[kind] and (kind == "sound" or self.is_shown)

    def landed(self, place, at=None):
        """A seek is over, and has come to a place."""
        if self.target is None or not self.is_taken:
            return
        self.place, self.target = place, None
        self.tell("item.timeJumped", at, item=self.queue.name, position=round(place, 6))
        self.tell("seek.ended", at, item=self.queue.name, position=round(place, 6), isFinished=True)
        if self.is_wanted:
            self.set_control("waiting", at)

    def finished(self, at):
        """The item is over."""
        item, end = self.queue.name, self.duration
        if not item:
            return
        reached = self.place
        is_whole = end < 0 or reached >= end - NEAR or self.target is not None and self.target >= end - NEAR
        self.give_up_seek()
        self.end("end", at)
        if is_whole:
            self.tell("item.playedToEnd", at, item=item)
        else:
            self.tell("item.failedToPlayToEnd", at, item=item,
                      message=f"the player says that it is over at {reached:.3f} of {end:.3f} s")
        self.advance("played to its end" if is_whole else "failed")

    def broke(self, domain, code, message):
        """The item cannot be played: the next one is, and where there is none it stays, as in the model."""
        if self.has_failed or not self.queue.current:
            return
        self.has_failed = True
        self.give_up_seek()
        self.end("failed", self.clock())
        self.tell("item.failed", item=self.queue.name, domain=domain, code=code, message=message)
        if len(self.queue.items) > 1:
            self.advance("failed")
        else:
            self.stop()
            self.rest("item failed")

    def rest(self, reason):
        """Nobody wishes for anything to be played any more."""
        if self.is_wanted:
            self.is_wanted = False
            self.tell("player.rate", rate=0, reason=reason)
        self.set_control("paused")

    # What comes of it

    def watch(self, now):
        """Looks whether what came out still does, and tells how things are."""
        for flow in self.flows.values():
            is_last = 0 < self.duration <= flow.place + NEAR
            if flow.is_on and self.known_until(now) - flow.until >= (LAST if is_last else STILL):
                self.stalled(flow)
        if self.target is not None:
            self.watch_seek(now)
        if self.queue.current and self.is_ready and now - self.told >= STATES:
            self.told = now
            on = [flow for flow in self.flows.values() if flow.is_on]
            at = min([now] + [flow.until for flow in on])
            place = on[0].place_at(at, self.rate) if on else self.place
            self.state(at, place, self.rate if on else 0, self.buffered)

    def known_until(self, now):
        """Until when it is known what came out."""
        return now

    def stalled(self, flow):
        """Nothing more of it comes, and nobody has wished for that."""
        if not self.is_stalled:
            self.is_stalled = True
            self.tell("item.stalled", flow.until, item=self.queue.name, position=round(flow.place, 6))
        self.stop_flow(flow, "stall", flow.until)
        if not any(flow.is_on for flow in self.flows.values()):
            self.set_control("waiting", flow.until)

    def stop_flow(self, flow, reason, at):
        if not flow.is_on:
            return
        at = min(at, flow.until) if reason in ("stall", "end") else at
        place = flow.place_at(at, self.rate)
        flow.is_on = False
        self.place = max(place, 0.0)
        self.tell(f"{flow.kind}.ended", at, item=self.queue.name, position=round(place, 6), reason=reason)

    def end(self, reason, at=None):
        """All that comes out ends now, or at a time."""
        at = self.clock() if at is None else at
        for flow in sorted(self.flows.values(), key=lambda flow: flow.until):
            self.stop_flow(flow, reason, at)
        self.is_stalled = False

    def set_control(self, status, at=None):
        """Paused, waiting or playing; told where it changes."""
        what = "" if status != "waiting" else "toMinimizeStalls" if self.queue.current else "noItemToPlay"
        if (status, what) != self.control:
            self.control = (status, what)
            self.tell("player.timeControl", at, status=status, waitingFor=what)

    def advance(self, reason):
        """The current item leaves, and the next one is loaded."""
        following = self.queue.drop(reason)
        self.stop()
        if following:
            self.begin(following)
        else:
            self.is_ready = self.has_failed = False
            self.set_control("waiting" if self.is_wanted else "paused")

    def begin(self, item):
        self.is_ready = self.has_failed = self.is_stalled = False
        self.has = {"sound": True, "picture": True}
        self.place, self.target, self.buffered = 0.0, None, None
        self.tell("item.loading", item=item["item"])
        if self.is_wanted:
            self.set_control("waiting")
        self.load(item)

    # Seeks

    def watch_seek(self, now):
        """Has a seek taken as soon as it can be; one that does not come to an end is given up."""
        if not self.is_taken and self.is_ready:
            to = min(self.target, self.duration) if self.duration > 0 else self.target
            self.is_taken = self.seek_to(max(0.0, to))
        if now >= self.deadline:
            self.give_up_seek()

    def give_up_seek(self):
        if self.target is not None:
            self.target = None
            self.tell("seek.ended", item=self.queue.name, position=round(self.place, 6), isFinished=False)

    # Commands

    def do_open(self, items):
        items = [{"item": entry["item"], "url": entry["url"]} for entry in items]
        self.on_thread(lambda: self.queue.add(items) and self.begin(self.queue.current))

    def do_play(self):
        def act():
            if self.has_failed or self.is_wanted:
                return
            self.is_wanted = True
            self.tell("player.rate", rate=self.rate, reason="command")
            self.set_control("waiting")
            if self.queue.current:
                self.resume()
        self.on_thread(act)

    def do_pause(self):
        def act():
            self.end("command")
            if self.queue.current and not self.has_failed:
                self.hold()
            self.rest("command")
        self.on_thread(act)

    def do_rate(self, rate):
        def act():
            if rate == self.rate:
                return
            now = self.clock()
            on = {flow.kind: flow.place_at(now, self.rate) for flow in self.flows.values() if flow.is_on}
            self.end("rate", now)
            self.rate = rate
            if self.is_wanted:
                self.tell("player.rate", now, rate=rate, reason="command")
            if self.change_rate(rate):
                # Nothing stops for it.
                for kind, place in on.items():
                    self.came(kind, now, place, now, place)
        self.on_thread(act)

    def do_seek(self, to):
        def act():
            if not self.queue.current or self.has_failed:
                raise Refusal("there is nothing to seek in")
            self.give_up_seek()
            self.end("seek")
            self.tell("seek.began", item=self.queue.name, target=to, toleranceBefore=0, toleranceAfter=0)
            self.target, self.deadline, self.is_taken = to, self.clock() + SEEK, False
            if self.is_wanted:
                self.set_control("waiting")
            self.watch_seek(self.clock())
        self.on_thread(act)

    def do_next(self):
        def act():
            if self.queue.current:
                self.give_up_seek()
                self.end("advance")
                self.advance("advance")
        self.on_thread(act)

    def do_remove_all(self):
        def act():
            self.give_up_seek()
            self.end("remove")
            self.queue.clear("remove")
            self.is_ready = self.has_failed = False
            self.stop()
            self.set_control("waiting" if self.is_wanted else "paused")
        self.on_thread(act)

    def do_video(self, **given):
        self.on_thread(lambda: self.show_picture(given["is"], "pictures"))

    # An app around such a player lets go of the picture while nobody sees it.

    def do_background(self):
        self.on_thread(lambda: (self.leave(True), self.show_picture(False, "background")))

    def do_foreground(self):
        self.on_thread(lambda: (self.show_picture(True, ""), self.leave(False)))

    def show_picture(self, is_shown, reason):
        if is_shown != self.is_shown:
            self.is_shown = is_shown
            self.stop_flow(self.flows["picture"], reason, self.clock())
            self.show(is_shown)
