import itertools

import pytest

from segue_drivers.mpv import Mpv
from segue_drivers.playback import Playback
from segue_drivers.timeline import ClockSampler

ITEM = {"item": "one", "url": "http://host/1"}


class FakeMpv(Mpv):
    """mpv's driver without mpv; `send` records commands."""

    def __init__(self):
        self.now, self.commands, self.numbers = 100.0, [], itertools.count(10)
        self.properties, self.samplers = {}, {"sound": ClockSampler(), "picture": ClockSampler()}
        self.load_request = self.entry = self.seek_request = self.landing_request = self.idle_since = None
        self.is_loaded = self.is_seeking = False
        self.poll_time = 0.0
        Playback.__init__(self, "mpv 0")

    def clock(self):
        return self.now

    def follow(self):
        pass

    def call(self, action):
        action()

    def send(self, *command, number=None):
        self.commands.append(command)
        return number or next(self.numbers)

    def property(self, name, value):
        self.handle_message({"event": "property-change", "name": name, "data": value}, self.now)


@pytest.fixture
def mpv(events):
    """mpv with one item that is ready and plays."""
    made = FakeMpv()
    made.do_open([ITEM])
    made.handle_message({"request_id": made.load_request, "data": {"playlist_entry_id": 5}}, 100)
    made.do_play()
    for name, value in {"duration": 60.0, "vid": 1, "aid": 1}.items():
        made.property(name, value)
    made.handle_message({"event": "file-loaded"}, 100)
    made.handle_message({"event": "playback-restart"}, 100.5)
    made.commands.clear()
    events()
    return made


def test_clocks_that_run_are_output(mpv, events):
    for at, position in [(101.0, 0.0), (101.01, 0.01)]:
        mpv.handle_message({"request_id": 1, "data": position}, at)
    mpv.handle_message({"request_id": 2, "data": None}, 101.01)
    assert [event[:2] for event in events()] == [("player.timeControl", 101.0), ("sound.began", 101.0)]


def test_clock_of_a_disabled_track_is_ignored(mpv, events):
    mpv.property("vid", False)
    for at, position in [(101.0, 0.0), (101.01, 0.01)]:
        mpv.handle_message({"request_id": 2, "data": position}, at)
    assert events() == []


def test_audio_without_a_clock_plays_on_to_the_end(mpv):
    for at, position in [(101.0, 59.0), (101.5, 59.5)]:
        mpv.handle_message({"request_id": 1, "data": position}, at)
    mpv.property("core-idle", False)
    mpv.handle_message({"request_id": 1, "data": None}, 101.75)
    assert mpv.outputs["sound"].position == 59.75
    mpv.handle_message({"request_id": 1, "data": None}, 103)
    assert mpv.outputs["sound"].position == 60.0


def test_seek_ends_at_the_position_after_its_own_restart(mpv, events):
    mpv.do_seek(20)
    # The restart of an earlier seek.
    mpv.handle_message({"event": "playback-restart"}, 101)
    mpv.handle_message({"request_id": mpv.seek_request}, 101)
    mpv.handle_message({"event": "playback-restart"}, 101)
    assert mpv.landing_request is None
    mpv.handle_message({"event": "seek"}, 101)
    mpv.handle_message({"event": "playback-restart"}, 102)
    assert mpv.commands[-1] == ("get_property", "time-pos")
    mpv.handle_message({"request_id": mpv.landing_request, "data": 19.96}, 102)
    assert events()[-1][2] == {"item": "one", "position": 19.96, "isFinished": True}


def test_position_of_a_seek_that_was_cancelled_is_ignored(mpv, events):
    mpv.do_seek(20)
    mpv.handle_message({"request_id": mpv.seek_request}, 101)
    mpv.handle_message({"event": "seek"}, 101)
    mpv.handle_message({"event": "playback-restart"}, 102)
    mpv.cancel_seek()
    events()
    mpv.handle_message({"request_id": mpv.landing_request, "data": None}, 102)
    assert events() == []


def test_seek_to_the_end_ends_without_a_restart(mpv, events):
    mpv.do_seek(60)
    mpv.handle_message({"request_id": mpv.seek_request}, 101)
    mpv.property("eof-reached", True)
    kinds = [kind for kind, _, _ in events()]
    assert kinds.index("seek.ended") < kinds.index("item.playedToEnd")


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ({"reason": "error", "file_error": "loading failed"}, "item.failed"),
        ({"reason": "eof"}, "item.failedToPlayToEnd"),
        ({"reason": "stop"}, None),
        ({"reason": "error", "playlist_entry_id": 4}, None),
    ],
)
def test_end_of_the_file_is_reported_by_its_reason(mpv, events, message, kind):
    mpv.handle_message({"event": "end-file", "playlist_entry_id": 5, **message}, 101)
    kinds = {kind for kind, _, _ in events()} & {"item.failed", "item.failedToPlayToEnd", "item.playedToEnd"}
    assert kinds == ({kind} if kind else set())


def test_mpv_that_stays_idle_has_failed(mpv, events):
    mpv.property("idle-active", True)
    mpv.now = 100.9
    mpv.poll()
    assert events() == []
    mpv.now = 101.0
    mpv.poll()
    assert "item.failed" in [kind for kind, _, _ in events()]


def test_mpv_that_was_idle_between_two_items_has_not_failed(mpv, events):
    mpv.property("idle-active", True)
    mpv.property("idle-active", False)
    mpv.now = 105
    mpv.poll()
    assert events() == []


def test_poll_requests_both_clocks_with_their_numbers(mpv):
    mpv.poll()
    assert mpv.commands == [("get_property", "audio-pts"), ("get_property", "time-pos")]
