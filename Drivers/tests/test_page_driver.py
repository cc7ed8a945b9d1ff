import argparse
import json
import re

import pytest

from segue_drivers import page_driver, playback
from segue_drivers.driver import Refusal
from segue_drivers.page_driver import FOLDER, PageDriver, add_script_option, page_file


class Page(PageDriver):
    """A driver whose page answers at once, with a clock that is behind by OFFSET."""

    OFFSET, DELAYS = 40.0, [0.2, 0.001]

    def __init__(self):
        super().__init__()
        self.now, self.sent, self.refusals = 100.0, [], {}

    def clock(self):
        return self.now

    def send(self, line):
        command = json.loads(line)
        self.sent.append(command)
        answer = {"id": command["id"]}
        if command["do"] == "clock":
            delay = self.DELAYS[command["id"] % len(self.DELAYS)]
            self.now += delay / 4
            answer["clock"] = self.now - self.OFFSET
            self.now += delay * 3 / 4
        elif command["do"] in self.refusals:
            answer["cannot"] = self.refusals[command["do"]]
        self.receive(answer)

    def do_background(self):
        self.sent.append("background")


@pytest.fixture
def page():
    return Page()


def test_clock_offset_is_known_from_the_shortest_round_trip(page):
    assert abs(page.measure_clock_offset() - Page.OFFSET) < 0.001
    assert len(page.sent) == page_driver.MINIMUM_READINGS


def test_clock_readings_end_if_they_stay_uncertain(page):
    page.DELAYS = [0.2]
    page.measure_clock_offset()
    assert len(page.sent) == page_driver.MAXIMUM_READINGS


def test_events_get_this_programs_time_including_those_before_the_first_line(page, lines):
    page.receive({"t": 60.5, "kind": "player.timeControl", "status": "paused"})
    assert lines() == []
    page.greet("page 1", ["open", "play"])
    page.receive({"t": page.now - Page.OFFSET + 5, "kind": "sound.began"})
    hello, early, late = lines()
    assert hello["player"] == "page 1" and hello["can"] == ["open", "play", "background"]
    assert early["t"] == hello["clock"]
    assert late["t"] == pytest.approx(page.now + 5, abs=0.001)


def test_commands_go_to_the_page_or_to_the_driver(page, lines):
    page.greet("page 1", ["open"])
    page.sent.clear()
    page.perform("open", {"items": []})
    page.perform("background", {})
    assert [entry if isinstance(entry, str) else entry["do"] for entry in page.sent] == ["open", "background"]
    with pytest.raises(Refusal, match="no command lock"):
        page.perform("lock", {})


def test_refusal_of_the_page_is_passed_on(page):
    page.refusals["seek"] = "no item to seek in"
    with pytest.raises(Refusal, match="no item to seek in"):
        page.ask("seek", {"to": 1})


def test_page_that_does_not_answer_is_a_refusal(page, monkeypatch):
    monkeypatch.setattr(page_driver, "ANSWER_TIMEOUT", 0)
    page.send = lambda line: None
    with pytest.raises(Refusal, match="did not answer play"):
        page.ask("play", {})
    assert page.answers == {}


def test_page_loads_scripts_in_order_before_page_js(tmp_path):
    scripts = [tmp_path / "a.js", tmp_path / "b.js"]
    scripts[1].write_text("second")
    body, content_type = page_file("/", scripts)
    assert re.findall(r'src="([^"]+)"', body.decode()) == ["script-0.js", "script-1.js", "page.js"]
    assert content_type.startswith("text/html")
    assert page_file("/script-1.js", scripts) == (b"second", page_driver.SCRIPT_TYPE)


def test_page_js_includes_the_libraries():
    body, _ = page_file("/page.js", [])
    assert body.index(b"segueLibrary =") < body.index(b"globalThis.segueLibrary;")


@pytest.mark.parametrize("path", ["/script-0.js", "/../page.html", "/libraries.js", "/favicon.ico"])
def test_other_paths_are_not_found(path):
    assert page_file(path, []) is None


def test_script_option_takes_existing_files(tmp_path):
    script = tmp_path / "hls.js"
    script.write_text("")
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_script_option(parser)
    assert parser.parse_args(["--script", str(script)]).scripts == [script]
    with pytest.raises(argparse.ArgumentError, match="is not a file"):
        parser.parse_args(["--script", str(tmp_path / "none.js")])


@pytest.mark.parametrize("name", ["STALL_TIMEOUT", "END_MARGIN", "END_STALL_TIMEOUT", "SEEK_TIMEOUT", "STATE_INTERVAL"])
def test_page_js_and_playback_agree(name):
    value = re.search(rf"\b{name} = ([\d.]+)", (FOLDER / "page.js").read_text())
    assert value and float(value[1]) == getattr(playback, name)
