import pytest

from segue_drivers.driver import Refusal
from segue_drivers.playback import Playback

ITEMS = [{"item": "one", "url": "http://host/1"}, {"item": "two", "url": "http://host/2"}]


class Player(Playback):
    """A player whose clock and thread are the test's."""

    duration = 60.0

    def __init__(self):
        self.now, self.calls, self.can_seek, self.is_gapless = 100.0, [], True, True
        super().__init__("player 1")

    def clock(self):
        return self.now

    def follow(self):
        pass

    def call(self, action):
        action()

    def load(self, item):
        self.calls.append(("load", item["url"]))

    def stop(self):
        self.calls.append("stop")

    def resume(self):
        self.calls.append("resume")

    def pause(self):
        self.calls.append("pause")

    def start_seek(self, position):
        self.calls.append(("seek", position))
        return self.can_seek

    def set_rate(self, rate):
        self.calls.append(("rate", rate))
        return self.is_gapless

    def set_video_enabled(self, is_enabled):
        self.calls.append(("video", is_enabled))

    def advance_to(self, now, position):
        """Audio and frames come out up to a time and a position."""
        for kind, output in self.outputs.items():
            begin = (output.time, output.position) if output.is_active else (now, position)
            self.output_advanced(kind, begin[0], begin[1], now, position)
        self.now = now


@pytest.fixture
def player(events):
    return Player()


@pytest.fixture
def playing(player, events):
    """A player that has played two seconds of the first of two items."""
    player.do_open(ITEMS)
    player.do_play()
    player.item_ready(True, True)
    player.advance_to(101.0, 0.0)
    player.advance_to(103.0, 2.0)
    events()
    player.calls.clear()
    return player


def kinds(found):
    return [kind for kind, _, _ in found]


def test_open_and_play_are_reported_in_order(player, events):
    player.do_open(ITEMS)
    player.do_play()
    player.item_ready(True, False)
    player.output_advanced("sound", 100.5, 0.0, 101.0, 0.5)
    found = events()
    assert kinds(found) == [
        "player.timeControl",
        "item.loading",
        "player.rate",
        "player.timeControl",
        "item.tracksKnown",
        "item.readyToPlay",
        "player.timeControl",
        "sound.began",
    ]
    assert found[3][2] == {"status": "waiting", "waitingFor": "toMinimizeStalls"}
    assert found[5][2] == {"item": "one", "duration": 60.0}
    assert found[7] == ("sound.began", 100.5, {"item": "one", "position": 0.0})
    assert player.calls == [("load", "http://host/1"), "resume"]


def test_play_without_an_item_waits_for_one(player, events):
    player.do_play()
    assert events()[-1][2] == {"status": "waiting", "waitingFor": "noItemToPlay"}
    assert player.calls == []


def test_output_before_play_and_of_unknown_tracks_is_ignored(player, events):
    player.do_open(ITEMS)
    player.item_ready(True, False)
    player.output_advanced("sound", 100, 0, 101, 1)
    player.do_play()
    player.output_advanced("picture", 100, 0, 101, 1)
    assert "sound.began" not in kinds(events())
    assert not any(output.is_active for output in player.outputs.values())


def test_silence_is_a_stall_at_the_last_output(playing, events):
    playing.check(103.25)
    assert "item.stalled" not in kinds(events())
    playing.check(103.5)
    found = events()
    assert kinds(found) == ["item.stalled", "sound.ended", "picture.ended", "player.timeControl"]
    assert {time for _, time, _ in found} == {103.0}
    assert found[1][2] == {"item": "one", "position": 2.0, "reason": "stall"}
    assert found[3][2]["status"] == "waiting"


def test_one_stall_is_reported_until_all_output_is_back(playing, events):
    playing.check(103.5)
    playing.output_advanced("sound", 104, 2.0, 104.1, 2.1)
    playing.check(104.5)
    assert kinds(events()).count("item.stalled") == 1
    playing.advance_to(106, 2.1)
    playing.check(106.5)
    assert kinds(events()).count("item.stalled") == 1


def test_silence_near_the_end_is_no_stall_for_a_second(playing, events):
    playing.advance_to(160.6, 59.6)
    playing.check(161.5)
    assert "item.stalled" not in kinds(events())
    playing.check(161.7)
    assert "item.stalled" in kinds(events())


def test_pause_ends_the_output_now(playing, events):
    playing.now = 102.5
    playing.do_pause()
    found = events()
    assert kinds(found) == ["sound.ended", "picture.ended", "player.rate", "player.timeControl"]
    assert found[0][1:] == (102.5, {"item": "one", "position": 1.5, "reason": "command"})
    assert playing.calls == ["pause"]


def test_seek_is_reported_from_begin_to_end(playing, events):
    playing.do_seek(20)
    playing.output_advanced("sound", 103, 2, 103.1, 2.1)
    playing.seek_completed(19.9)
    found = events()
    assert kinds(found) == [
        "sound.ended",
        "picture.ended",
        "seek.began",
        "player.timeControl",
        "item.timeJumped",
        "seek.ended",
    ]
    assert found[5][2] == {"item": "one", "position": 19.9, "isFinished": True}
    assert playing.calls == [("seek", 20)]


def test_seek_past_the_end_leads_to_the_end(playing):
    playing.do_seek(1000)
    assert playing.calls == [("seek", 60.0)]


def test_seek_waits_for_a_player_that_is_not_ready(player, events):
    player.do_open(ITEMS)
    player.do_seek(20)
    player.seek_completed(20)
    assert player.calls == [("load", "http://host/1")]
    player.item_ready(True, True)
    player.check_seek(101)
    assert player.calls[-1] == ("seek", 20)
    assert "seek.ended" not in kinds(events())


def test_seek_that_the_player_cannot_start_is_tried_again_and_cancelled_in_time(playing, events):
    playing.can_seek = False
    playing.do_seek(20)
    playing.check_seek(110)
    assert playing.calls == [("seek", 20), ("seek", 20)]
    playing.check_seek(123.0)
    assert events()[-1][2] == {"item": "one", "position": 2.0, "isFinished": False}


def test_second_seek_replaces_the_first(playing, events):
    playing.do_seek(20)
    playing.do_seek(30)
    found = events()
    assert [fields["isFinished"] for kind, _, fields in found if kind == "seek.ended"] == [False]
    assert [fields["target"] for kind, _, fields in found if kind == "seek.began"] == [20, 30]


def test_seek_without_an_item_is_refused(player):
    with pytest.raises(Refusal, match="no item"):
        player.do_seek(1)


def test_end_of_an_item_loads_the_next(playing, events):
    playing.advance_to(160.8, 59.8)
    playing.item_ended(161.0)
    found = events()
    assert kinds(found) == [
        "sound.ended",
        "picture.ended",
        "item.playedToEnd",
        "queue.removed",
        "queue.current",
        "item.loading",
        "player.timeControl",
    ]
    assert found[0][1] == 160.8
    assert found[3][2] == {"item": "one", "reason": "played to its end"}
    assert playing.calls == ["stop", ("load", "http://host/2")]


def test_early_end_is_a_failure_with_both_positions(playing, events):
    playing.item_ended(103.1)
    found = {kind: fields for kind, _, fields in events()}
    assert found["item.failedToPlayToEnd"]["message"] == "the player ended the item at 2.000 s of 60.000 s"
    assert found["queue.removed"]["reason"] == "failed"


def test_end_after_a_seek_to_the_end_is_complete(playing, events):
    playing.do_seek(59.9)
    playing.item_ended(104)
    assert "item.playedToEnd" in kinds(events())


def test_end_of_unknown_duration_is_complete(playing, events):
    playing.duration = -1.0
    playing.item_ended(104)
    assert "item.playedToEnd" in kinds(events())


def test_failure_advances_to_the_next_item(playing, events):
    playing.item_failed("mpv", 7, "no data")
    found = events()
    assert ("item.failed", 103.0, {"item": "one", "domain": "mpv", "code": 7, "message": "no data"}) in found
    assert playing.queue.name == "two"
    assert playing.wants_play


def test_last_item_that_fails_stays_and_the_player_pauses(player, events):
    player.do_open(ITEMS[:1])
    player.do_play()
    player.item_failed("mpv", 0, "no data")
    player.item_failed("mpv", 0, "no data")
    found = events()
    assert kinds(found).count("item.failed") == 1
    assert kinds(found)[-2:] == ["player.rate", "player.timeControl"]
    assert player.queue.name == "one" and not player.wants_play
    with pytest.raises(Refusal):
        player.do_seek(1)


def test_rate_change_without_a_gap_ends_and_begins_the_output(playing, events):
    playing.do_rate(2)
    found = events()
    assert kinds(found) == ["sound.ended", "picture.ended", "player.rate", "sound.began", "picture.began"]
    assert found[0][2]["reason"] == "rate"
    assert found[3][2]["position"] == 2.0


def test_rate_change_with_a_gap_waits_for_output(playing, events):
    playing.is_gapless = False
    playing.do_rate(2)
    assert kinds(events()) == ["sound.ended", "picture.ended", "player.rate"]


def test_same_rate_changes_nothing(playing, events):
    playing.do_rate(1)
    assert playing.calls == [] and events() == []


def test_next_and_remove_all_empty_the_queue(playing, events):
    playing.do_next()
    assert playing.queue.name == "two"
    playing.do_remove_all()
    found = events()
    assert [fields["item"] for kind, _, fields in found if kind == "queue.removed"] == ["one", "two"]
    assert found[-1][2] == {"status": "waiting", "waitingFor": "noItemToPlay"}
    assert playing.calls[-1] == "stop"


def test_background_ends_the_video_and_not_the_audio(playing, events):
    playing.do_background()
    playing.advance_to(104, 3)
    playing.do_foreground()
    found = events()
    assert [fields["phase"] for kind, _, fields in found if kind == "platform.lifecycle"] == [
        "willResignActive",
        "didEnterBackground",
        "willEnterForeground",
        "didBecomeActive",
    ]
    assert [fields["reason"] for kind, _, fields in found if kind == "picture.ended"] == ["background"]
    assert "sound.ended" not in kinds(found)
    assert playing.calls == [("video", False), ("video", True)]


def test_video_off_ends_the_video_once(playing, events):
    playing.do_video(**{"is": False})
    playing.do_video(**{"is": False})
    assert [fields["reason"] for _, _, fields in events()] == ["pictures"]
    assert playing.calls == [("video", False)]


def test_state_follows_the_output(playing, lines):
    playing.buffered = 7.5
    playing.check(103.1)
    playing.check(103.2)
    assert lines() == [{"t": 103.0, "state": {"position": 2.0, "rate": 1.0, "buffered": 7.5}}]
