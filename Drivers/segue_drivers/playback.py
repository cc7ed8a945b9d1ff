"""Queue, events, and commands for players that play one item at a time and report what comes out."""

import contextlib
import queue
import threading
from typing import Any

from segue_drivers.driver import Driver, Refusal
from segue_drivers.timeline import Output

# All times are in seconds.
# The longest time that a command may take on the player's thread.
COMMAND_TIMEOUT = 10
POLL_INTERVAL = 0.01
# An output stalls when nothing comes out for this long: longer than a few slow frames or a busy machine takes.
STALL_TIMEOUT = 0.3
# This close to the end of an item nothing stalls until END_STALL_TIMEOUT, as the player is about to report the end.
END_MARGIN, END_STALL_TIMEOUT = 0.5, 1.0
# The longest time from a seek command to its end, including the wait for a player that is not ready.
SEEK_TIMEOUT = 20
STATE_INTERVAL = 0.25


class ItemQueue:
    """The items to play, the current one first."""

    def __init__(self, driver):
        self.driver = driver
        self.items: list[dict] = []

    @property
    def current(self):
        return self.items[0] if self.items else None

    @property
    def name(self):
        return self.items[0]["item"] if self.items else ""

    def append(self, items):
        """Appends items; returns whether the first of them is now the current item."""
        was_empty = not self.items
        self.items += items
        return was_empty and bool(items)

    def remove_current(self, reason):
        """Removes the current item; returns the next one, or None."""
        removed = self.items.pop(0)
        self.driver.send_event("queue.removed", item=removed["item"], reason=reason)
        if self.items:
            self.driver.send_event("queue.current", item=self.name)
        else:
            self.driver.send_event("queue.emptied", reason=reason)
        return self.current

    def clear(self, reason):
        while self.items:
            self.driver.send_event("queue.removed", item=self.items.pop(0)["item"], reason=reason)


class Playback(Driver):
    """A driver that does everything with its player on one thread.

    A subclass controls the player and calls `item_ready`, `output_advanced`, `seek_completed`, `item_ended`, and
    `item_failed`.
    """

    @property
    def duration(self) -> float:
        """The duration of the current item; -1 if it is unknown."""
        raise NotImplementedError

    def load(self, item):
        raise NotImplementedError

    def stop(self):
        """Unloads the current item."""
        raise NotImplementedError

    def resume(self):
        raise NotImplementedError

    def pause(self):
        raise NotImplementedError

    def start_seek(self, position):
        """Returns False if the player cannot seek yet."""
        raise NotImplementedError

    def set_rate(self, rate):
        """Returns True if the output continues without a gap."""
        raise NotImplementedError

    def set_video_enabled(self, is_enabled):
        raise NotImplementedError

    def poll(self):
        """Called every POLL_INTERVAL."""

    def __init__(self, player):
        self.queue = ItemQueue(self)
        self.outputs = {kind: Output(kind) for kind in ("sound", "picture")}
        self.work: queue.SimpleQueue = queue.SimpleQueue()
        self.wants_play = self.is_ready = self.has_failed = False
        self.is_video_enabled, self.has_track = True, {"sound": True, "picture": True}
        self.rate, self.control, self.buffered = 1.0, None, None
        self.is_stalled, self.position = False, 0.0
        self.seek_target: Any = None
        self.seek_deadline, self.is_seek_started = 0.0, False
        self.state_time = 0.0
        super().__init__(player)
        self.set_control("paused")
        threading.Thread(target=self.follow, daemon=True).start()

    # The player's thread

    def post(self, action, *arguments):
        """Queues an action for the player's thread."""
        self.work.put(lambda: action(*arguments))

    def follow(self):
        due = self.clock()
        while True:
            with contextlib.suppress(queue.Empty):
                self.work.get(timeout=max(0.0, due - self.clock()))()
            if self.clock() >= due:
                # Everything that was reported is handled before silence counts as a stall.
                for _ in range(self.work.qsize()):
                    self.work.get()()
                due = self.clock() + POLL_INTERVAL
                self.poll()
                self.check(self.clock())

    def call(self, action):
        """Runs an action on the player's thread and waits for it."""
        done, refusals = threading.Event(), []

        def run():
            try:
                action()
            except Refusal as refusal:
                refusals.append(refusal)
            done.set()

        self.work.put(run)
        if not done.wait(COMMAND_TIMEOUT):
            raise Refusal(f"the player did not respond within {COMMAND_TIMEOUT} s")
        if refusals:
            raise refusals[0]

    # Reports of the player

    def item_ready(self, has_audio, has_video, at=None):
        """The current item can be played."""
        if self.is_ready or not self.queue.current:
            return
        self.is_ready = True
        self.has_track = {"sound": has_audio, "picture": has_video}
        self.send_event("item.tracksKnown", at, item=self.queue.name, hasVideo=has_video, hasAudio=has_audio)
        self.send_event("item.readyToPlay", at, item=self.queue.name, duration=self.duration)

    def output_advanced(self, kind, begin_time, begin_position, end_time, end_position):
        """Audio or frames came out."""
        output = self.outputs[kind]
        if not self.wants_play or not self.queue.current or self.seek_target is not None:
            return
        if not self.is_expected(kind):
            return
        if not output.is_active:
            output.is_active = True
            self.set_control("playing", begin_time)
            self.send_event(f"{kind}.began", begin_time, item=self.queue.name, position=round(begin_position, 6))
            if all(output.is_active or not self.is_expected(output.kind) for output in self.outputs.values()):
                self.is_stalled = False
        output.position, output.time = end_position, end_time
        self.position = end_position

    def is_expected(self, kind):
        return self.has_track[kind] and (kind == "sound" or self.is_video_enabled)

    def seek_completed(self, position, at=None):
        if self.seek_target is None or not self.is_seek_started:
            return
        self.position, self.seek_target = position, None
        self.send_event("item.timeJumped", at, item=self.queue.name, position=round(position, 6))
        self.send_event("seek.ended", at, item=self.queue.name, position=round(position, 6), isFinished=True)
        if self.wants_play:
            self.set_control("waiting", at)

    def item_ended(self, at):
        item, duration, reached = self.queue.name, self.duration, self.position
        if not item:
            return
        end = duration - END_MARGIN
        is_complete = duration < 0 or reached >= end or (self.seek_target is not None and self.seek_target >= end)
        self.cancel_seek()
        self.stop_outputs("end", at)
        if is_complete:
            self.send_event("item.playedToEnd", at, item=item)
        else:
            message = f"the player ended the item at {reached:.3f} s of {duration:.3f} s"
            self.send_event("item.failedToPlayToEnd", at, item=item, message=message)
        self.advance("played to its end" if is_complete else "failed")

    def item_failed(self, domain, code, message):
        """The current item cannot be played; it stays, like in AVQueuePlayer, unless another one follows."""
        if self.has_failed or not self.queue.current:
            return
        self.has_failed = True
        self.cancel_seek()
        self.stop_outputs("failed", self.clock())
        self.send_event("item.failed", item=self.queue.name, domain=domain, code=code, message=message)
        if len(self.queue.items) > 1:
            self.advance("failed")
        else:
            self.stop()
            self.give_up_playing("item failed")

    def give_up_playing(self, reason):
        if self.wants_play:
            self.wants_play = False
            self.send_event("player.rate", rate=0, reason=reason)
        self.set_control("paused")

    # Consequences

    def check(self, now):
        """Detects stalls, advances a seek, and sends the state when it is due."""
        for output in self.outputs.values():
            is_near_end = 0 < self.duration <= output.position + END_MARGIN
            timeout = END_STALL_TIMEOUT if is_near_end else STALL_TIMEOUT
            if output.is_active and self.known_until(now) - output.time >= timeout:
                self.stall(output)
        if self.seek_target is not None:
            self.check_seek(now)
        if self.queue.current and self.is_ready and now - self.state_time >= STATE_INTERVAL:
            self.state_time = now
            active = [output for output in self.outputs.values() if output.is_active]
            at = min([now] + [output.time for output in active])
            position = active[0].position_at(at, self.rate) if active else self.position
            self.send_state(at, position, self.rate if active else 0, self.buffered)

    def known_until(self, now):
        """Returns the time up to which the player has reported its output."""
        return now

    def stall(self, output):
        if not self.is_stalled:
            self.is_stalled = True
            position = round(output.position, 6)
            self.send_event("item.stalled", output.time, item=self.queue.name, position=position)
        self.stop_output(output, "stall", output.time)
        if not any(output.is_active for output in self.outputs.values()):
            self.set_control("waiting", output.time)

    def stop_output(self, output, reason, at):
        if not output.is_active:
            return
        at = min(at, output.time) if reason in ("stall", "end") else at
        output.is_active = False
        self.position = output.position_at(at, self.rate)
        self.send_event(
            f"{output.kind}.ended", at, item=self.queue.name, position=round(self.position, 6), reason=reason
        )

    def stop_outputs(self, reason, at=None):
        at = self.clock() if at is None else at
        for output in sorted(self.outputs.values(), key=lambda output: output.time):
            self.stop_output(output, reason, at)
        self.is_stalled = False

    def set_control(self, status, at=None):
        """Sends `player.timeControl` if it changes: paused, waiting, or playing."""
        waiting_for = ""
        if status == "waiting":
            waiting_for = "toMinimizeStalls" if self.queue.current else "noItemToPlay"
        if (status, waiting_for) != self.control:
            self.control = (status, waiting_for)
            self.send_event("player.timeControl", at, status=status, waitingFor=waiting_for)

    def advance(self, reason):
        """Removes the current item and loads the next one."""
        next_item = self.queue.remove_current(reason)
        self.stop()
        if next_item:
            self.begin(next_item)
        else:
            self.become_empty()

    def become_empty(self):
        self.is_ready = self.has_failed = False
        self.set_control("waiting" if self.wants_play else "paused")

    def begin(self, item):
        self.is_ready = self.has_failed = self.is_stalled = False
        self.has_track = {"sound": True, "picture": True}
        self.position, self.seek_target, self.buffered = 0.0, None, None
        self.send_event("item.loading", item=item["item"])
        if self.wants_play:
            self.set_control("waiting")
        self.load(item)

    # Seeks

    def check_seek(self, now):
        """Starts a seek as soon as the player can, and cancels one that does not end in time."""
        if not self.is_seek_started and self.is_ready:
            self.is_seek_started = self.start_seek(max(0.0, self.clamped_target()))
        if now >= self.seek_deadline:
            self.cancel_seek()

    def clamped_target(self):
        return min(self.seek_target, self.duration) if self.duration > 0 else self.seek_target

    def cancel_seek(self):
        if self.seek_target is not None:
            self.seek_target = None
            position = round(self.position, 6)
            self.send_event("seek.ended", item=self.queue.name, position=position, isFinished=False)

    # Commands

    def do_open(self, items):
        items = [{"item": entry["item"], "url": entry["url"]} for entry in items]
        self.call(lambda: self.queue.append(items) and self.begin(self.queue.current))

    def do_play(self):
        def act():
            if self.has_failed or self.wants_play:
                return
            self.wants_play = True
            self.send_event("player.rate", rate=self.rate, reason="command")
            self.set_control("waiting")
            if self.queue.current:
                self.resume()

        self.call(act)

    def do_pause(self):
        def act():
            self.stop_outputs("command")
            if self.queue.current and not self.has_failed:
                self.pause()
            self.give_up_playing("command")

        self.call(act)

    def do_rate(self, rate):
        def act():
            if rate == self.rate:
                return
            now = self.clock()
            active = [output for output in self.outputs.values() if output.is_active]
            positions = {output.kind: output.position_at(now, self.rate) for output in active}
            self.stop_outputs("rate", now)
            self.rate = rate
            if self.wants_play:
                self.send_event("player.rate", now, rate=rate, reason="command")
            if self.set_rate(rate):
                for kind, position in positions.items():
                    self.output_advanced(kind, now, position, now, position)

        self.call(act)

    def do_seek(self, to):
        def act():
            if not self.queue.current or self.has_failed:
                raise Refusal("no item to seek in")
            self.cancel_seek()
            self.stop_outputs("seek")
            self.send_event("seek.began", item=self.queue.name, target=to, toleranceBefore=0, toleranceAfter=0)
            self.seek_target, self.seek_deadline, self.is_seek_started = to, self.clock() + SEEK_TIMEOUT, False
            if self.wants_play:
                self.set_control("waiting")
            self.check_seek(self.clock())

        self.call(act)

    def do_next(self):
        def act():
            if self.queue.current:
                self.cancel_seek()
                self.stop_outputs("advance")
                self.advance("advance")

        self.call(act)

    def do_remove_all(self):
        def act():
            self.cancel_seek()
            self.stop_outputs("remove")
            self.queue.clear("remove")
            self.stop()
            self.become_empty()

        self.call(act)

    def do_video(self, **fields):
        is_enabled = fields["is"]
        self.call(lambda: self.show_video(is_enabled, "pictures"))

    # Apps disable the video track of such a player in the background.

    def do_background(self):
        def act():
            self.send_phases("willResignActive", "didEnterBackground")
            self.show_video(False, "background")

        self.call(act)

    def do_foreground(self):
        def act():
            self.show_video(True, "")
            self.send_phases("willEnterForeground", "didBecomeActive")

        self.call(act)

    def send_phases(self, *phases):
        for phase in phases:
            self.send_event("platform.lifecycle", phase=phase)

    def show_video(self, is_enabled, reason):
        if is_enabled != self.is_video_enabled:
            self.is_video_enabled = is_enabled
            self.stop_output(self.outputs["picture"], reason, self.clock())
            self.set_video_enabled(is_enabled)
