"""Timing of audio: PulseAudio's reports, and the presenter's samples."""

import collections
from types import SimpleNamespace
from typing import Any

import pytest

from segue_drivers import presenter, pulse
from segue_drivers.presenter import Presenter
from segue_drivers.pulse import FRAME, RATE, Playing, Recording


def timing(**fields):
    defaults = {
        "seconds": 1000,
        "microseconds": 500_000,
        "transport": 0,
        "sink": 0,
        "source": 0,
        "is_playing": 1,
        "is_read_corrupt": 0,
        "is_write_corrupt": 0,
        "read": 0,
        "written": 0,
    }
    return SimpleNamespace(**{**defaults, **fields})


def test_start_of_played_audio_includes_the_latency_of_the_card():
    card = Playing.__new__(Playing)
    # One second was read, of which 200 ms are still in the card.
    assert card.start_by(timing(read=RATE * FRAME, sink=200_000)) == pytest.approx(999.7)
    assert card.start_by(timing(is_playing=0)) is None
    assert card.start_by(timing(is_read_corrupt=1)) is None


def test_start_of_recorded_audio_includes_the_latency_of_monitor_and_card():
    card = Recording.__new__(Recording)
    report = timing(written=RATE * FRAME, source=100_000, sink=20_000, transport=1_000)
    assert card.start_by(report) == pytest.approx(1000.5 - 1.081)
    assert card.start_by(timing(is_write_corrupt=1)) is None


def test_start_is_the_median_of_the_reports():
    card = Playing.__new__(Playing)
    card.answers = []
    assert card.start is None
    card.answers = [5.0, 5.001, 9.0]
    assert card.start == 5.001


def test_rewind_keeps_audio_that_is_due(monkeypatch):
    card = Playing.__new__(Playing)
    card.answers, card.written, card.again = [100.0], RATE, 0
    monkeypatch.setattr("time.time", lambda: 100.5)
    card.rewind()
    assert card.written == round((0.5 + pulse.COMMITTED) * RATE)
    assert card.written + card.again == RATE


def test_write_after_a_rewind_replaces_the_samples():
    card = Playing.__new__(Playing)
    writes = []
    card.pulse, card.stream = SimpleNamespace(pa_stream_write=lambda *fields: writes.append(fields)), 1
    card.written, card.again = 100, 25
    card.write(bytes(10 * FRAME))
    assert writes[0][4] == -25 * FRAME
    assert (card.written, card.again) == (110, 0)


@pytest.fixture
def shown():
    made: Any = Presenter.__new__(Presenter)
    made.lock = presenter.threading.Lock()
    made.card = SimpleNamespace(written=0, again=0, rewind=lambda: None)
    made.pieces, made.actions = collections.deque(), collections.deque()
    made.start, made.end, made.paused_at, made.written = 100.0, 0, None, b""
    return made


def samples(*values):
    return b"".join(bytes([value]) * FRAME for value in values)


def test_audio_is_placed_by_its_time_with_silence_before(shown):
    shown.play(samples(1, 2, 3), 100.0 + 200 / RATE)
    assert shown.next_samples(202) == bytes(200 * FRAME) + samples(1, 2)
    shown.card.written = 202
    assert shown.next_samples(2) == samples(3, 0)


def test_late_audio_is_cut(shown):
    shown.card.written = 1001
    shown.play(samples(1, 2, 3), 100.0 + 1000 / RATE)
    assert shown.next_samples(3) == samples(2, 3, 0)


def test_consecutive_audio_has_no_gap_from_rounding(shown):
    shown.play(samples(1, 2), 100.0 + 1000 / RATE)
    shown.play(samples(3), 100.0 + 1010 / RATE)
    assert [sample for sample, _ in shown.pieces] == [1000, 1002]


def test_audio_before_the_card_is_known_is_dropped(shown):
    shown.start = None
    shown.play(samples(1), 100.0)
    assert not shown.pieces


def test_pause_is_silent_and_resume_continues_later(shown, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    shown.play(samples(1, 2), 100.0 + 500 / RATE)
    shown.pause()
    shown.actions.clear()
    assert shown.next_samples(600) == bytes(600 * FRAME)
    now[0] += 1000 / RATE
    shown.resume()
    assert [sample for sample, _ in shown.pieces] == [1500]


def test_pause_takes_back_unheard_audio(shown):
    shown.written, shown.card.again, shown.card.written = samples(1, 2, 3), 2, 1
    shown.take_back()
    assert shown.pieces[0] == (1, samples(2, 3))


def test_flush_drops_all_audio(shown):
    shown.play(samples(1), 100.0)
    shown.flush()
    assert not shown.pieces and list(shown.actions) == [shown.card.rewind]
