import pytest

from segue_drivers.driver import Driver, Refusal


class Recorder(Driver):
    def __init__(self):
        self.performed = []
        super().__init__("recorder 1")

    def clock(self):
        return 10.0

    def do_seek(self, to):
        self.performed.append(("seek", to))

    def do_remove_all(self):
        raise Refusal("the queue is locked")

    def do_video(self, **fields):
        self.performed.append(("video", fields["is"]))


@pytest.fixture
def driver(lines):
    return Recorder()


def test_first_line_names_player_clock_and_commands(driver, lines):
    hello = {"driver": 1, "player": "recorder 1", "clock": 10.0, "tells": ["sound", "picture"]}
    assert lines() == [{**hello, "can": ["remove-all", "seek", "video"]}]


def test_first_line_names_the_recording(monkeypatch, lines):
    monkeypatch.setenv("SEGUE_RECORDING", "/seen/one.mkv")
    Recorder()
    assert lines()[0]["recording"] == "/seen/one.mkv"


def test_command_is_performed_and_answered(driver, lines):
    lines()
    assert driver.handle(b'{"id": 3, "do": "seek", "to": 20}')
    assert driver.performed == [("seek", 20)]
    assert lines() == [{"id": 3}]


def test_refusal_is_answered_with_its_reason(driver, lines):
    lines()
    assert driver.handle(b'{"id": 1, "do": "remove-all"}')
    assert lines() == [{"id": 1, "cannot": "the queue is locked"}]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (b'{"id": 1, "do": "lock"}', "the player has no command lock"),
        (b'{"id": 1, "do": "seek"}', "a field of seek is missing or wrong"),
        (b'{"id": 1, "do": "seek", "to": 1, "by": 2}', "a field of seek is missing or wrong"),
        (b'{"id": 1, "do": "video"}', "a field of video is missing or wrong"),
    ],
)
def test_wrong_command_is_refused(driver, lines, command, reason):
    lines()
    assert driver.handle(command)
    assert lines()[0]["cannot"].startswith(reason)
    assert driver.performed == []


def test_quit_is_answered_and_ends_the_input(driver, lines):
    lines()
    assert not driver.handle(b'{"id": 9, "do": "quit"}')
    assert lines() == [{"id": 9}]


@pytest.mark.parametrize("line", [b"play\n", b"[]", b'{"do": "seek"}', b'{"id": 1}', b"\xff"])
def test_invalid_line_ends_the_driver(driver, line):
    with pytest.raises(SystemExit, match="a line is not a command"):
        driver.handle(line)


def test_lines_are_in_order_of_time(driver, lines):
    lines()
    driver.send_event("sound.began", 12.00000049, item="one")
    driver.send_event("picture.began", 11.5, item="one")
    driver.send_state(12.5, 1.23456789, 1)
    driver.send_state(12.25, 2, 0, 8.5)
    assert lines() == [
        {"t": 12.0, "kind": "sound.began", "item": "one"},
        {"t": 12.0, "kind": "picture.began", "item": "one"},
        {"t": 12.5, "state": {"position": 1.234568, "rate": 1}},
        {"t": 12.5, "state": {"position": 2, "rate": 0, "buffered": 8.5}},
    ]
