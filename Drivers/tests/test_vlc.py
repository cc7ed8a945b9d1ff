import collections
from types import SimpleNamespace
from typing import Any

import pytest

from segue_drivers import vlc
from segue_drivers.libvlc import ENDED, PLAYING
from segue_drivers.playback import Playback


class FakeLibrary:
    """libvlc with a state, a length, and one track of each kind; it records calls."""

    def __init__(self):
        self.state, self.length, self.calls = PLAYING, 60_000, []
        self.counts = {"audio": 1, "video": 1}

    def __getattr__(self, name):
        def call(*arguments):
            self.calls.append((name, *arguments[1:]))
            return {
                "libvlc_media_player_get_state": self.state,
                "libvlc_media_player_get_length": self.length,
                "libvlc_audio_get_track_count": self.counts["audio"],
                "libvlc_video_get_track_count": self.counts["video"],
            }.get(name)

        return call


class FakeItem:
    def __init__(self, driver, url, is_paused, position=0.0):
        self.player, self.url, self.is_paused, self.position = 1, url, is_paused, position
        self.is_closed = False

    def close(self):
        self.is_closed = True


class FakeVLC(vlc.VLC):
    def __init__(self):
        self.now, self.vlc, self.presenter = 100.0, FakeLibrary(), None
        self.item: Any = None
        self.opened = self.target = None
        self.has_shown_frame = self.is_paused = self.is_seeking = self.is_compared = self.is_buffered = False
        self.chunks, self.reports = collections.deque(), []
        self.next_position, self.seek_time, self.is_flushed, self.is_first = 0.0, 0.0, True, True
        Playback.__init__(self, "VLC 0")

    def clock(self):
        return self.now

    def follow(self):
        pass

    def call(self, action):
        action()

    def poll_at(self, now):
        self.now = now
        self.poll()


@pytest.fixture
def player(monkeypatch, events):
    """VLC that has delivered half a second of audio, due from 100.5."""
    monkeypatch.setattr(vlc, "Item", FakeItem)
    made = FakeVLC()
    made.do_play()
    made.do_open([{"item": "one", "url": "http://host/1"}])
    made.handle_audio(100.5, 100.5, 0.5)
    made.poll_at(100.4)
    events()
    return made


def test_item_that_is_opened_waits_for_play_and_then_starts_paused(monkeypatch):
    monkeypatch.setattr(vlc, "Item", FakeItem)
    made = FakeVLC()
    made.do_open([{"item": "one", "url": "http://host/1"}])
    made.poll_at(100.2)
    assert made.item is None
    made.poll_at(100.25)
    assert made.item and made.item.is_paused


def test_play_in_time_starts_the_item_immediately(monkeypatch):
    monkeypatch.setattr(vlc, "Item", FakeItem)
    made = FakeVLC()
    made.do_open([{"item": "one", "url": "http://host/1"}])
    made.do_play()
    assert made.item.url == "http://host/1" and not made.item.is_paused


def test_audio_comes_out_when_it_is_due(player, events):
    player.poll_at(100.49)
    assert events() == []
    player.poll_at(100.51)
    assert ("sound.began", 100.5, {"item": "one", "position": 0.0}) in events()
    assert player.next_position == 0.5


def test_frames_are_reported_with_the_audio(player, events):
    player.handle_frame(100.45)
    player.poll_at(100.51)
    assert [event[:2] for event in events()][-2:] == [("sound.began", 100.5), ("picture.began", 100.5)]


def test_frames_alone_follow_the_machines_clock(monkeypatch, events):
    monkeypatch.setattr(vlc, "Item", FakeItem)
    made = FakeVLC()
    made.vlc.counts["audio"] = 0
    made.do_play()
    made.do_open([{"item": "one", "url": "http://host/1"}])
    made.handle_buffering(100.0)
    made.handle_frame(100.5)
    made.poll_at(100.6)
    for at in (100.6, 101.6):
        made.handle_frame(at)
    assert made.outputs["picture"].position == pytest.approx(1.0)
    assert "sound.began" not in [kind for kind, _, _ in events()]


def test_audio_from_before_a_seek_is_dropped(player, events):
    player.do_seek(30)
    player.handle_audio(100.6, 100.6, 0.5)
    player.poll_at(100.65)
    assert player.chunks
    player.handle_flush()
    assert not player.chunks and player.next_position == 30
    # The audio starts 0.2 s after VLC's clock.
    player.handle_audio(101.0, 101.2, 0.5)
    player.poll_at(101.3)
    found = events()
    assert ("seek.ended", 101.0, {"item": "one", "position": 30, "isFinished": True}) in found
    assert [fields["position"] for kind, _, fields in found if kind == "sound.began"] == [30.2]


def test_seek_waits_for_the_one_before(player):
    player.do_seek(30)
    player.do_seek(40)
    assert not player.is_seek_started
    player.handle_flush()
    player.handle_audio(101, 101, 0.5)
    player.check_seek(101)
    times = [call for call in player.vlc.calls if call[0] == "libvlc_media_player_set_time"]
    assert times == [("libvlc_media_player_set_time", 30_000), ("libvlc_media_player_set_time", 40_000)]


def test_seek_to_the_end_stays_before_it(player):
    player.do_seek(60)
    assert player.next_position == 60 - vlc.END_DISTANCE


def test_seek_in_an_item_that_ended_restarts_it(player):
    player.vlc.state = ENDED
    ended = player.item
    player.do_seek(30)
    assert ended.is_closed and player.item is not ended and player.item.position == 30


def test_paused_seek_without_audio_ends(player, events):
    player.do_pause()
    player.do_seek(59)
    player.poll_at(101.0)
    assert "seek.ended" in [kind for kind, _, _ in events()]


def test_chunks_move_by_the_length_of_a_pause(player):
    player.do_pause()
    player.now = 105.0
    player.do_play()
    assert player.chunks[0][0] == pytest.approx(105.0)


def test_reported_position_corrects_the_audio_once_if_it_is_far_off(player, events):
    player.poll_at(100.51)
    for second, late in enumerate([1.0, 0.2, 0.9, 1.0]):
        at = 101.0 + second
        audio = player.outputs["sound"].position_at(at, 1)
        player.handle_time(audio + 2 - late, at)
    jumps = [fields for kind, _, fields in events() if kind == "item.timeJumped"]
    assert len(jumps) == 1
    assert player.next_position == pytest.approx(0.5 + 1.8)


def test_reported_position_within_the_drift_changes_nothing(player, events):
    player.poll_at(100.51)
    for second in range(4):
        at = 101.0 + second
        player.handle_time(player.outputs["sound"].position_at(at, 1) - 0.3, at)
    assert player.next_position == 0.5


def test_waits_of_vlc_are_bounded(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    item = vlc.Item.__new__(vlc.Item)
    item.driver = SimpleNamespace(clock=lambda: 100.0)
    for until in (99.0, 100.125, 200.0):
        item.wait(until, 1.0)
    assert slept == [0.0, 0.125, 1.0]
