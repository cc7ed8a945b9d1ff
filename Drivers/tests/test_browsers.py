import json

import pytest

from segue_drivers.browser import Browser
from segue_drivers.chromium import Chromium, page_target
from segue_drivers.driver import Refusal
from segue_drivers.firefox import PREFERENCES, Firefox


def unstarted(browser, folder):
    made = browser.__new__(browser)
    made.folder, made.own, made.other, made.calls, made.received = str(folder), "own", None, [], []
    made.results = {}
    made.call = lambda method, **fields: (
        made.calls.append((method, fields)) or made.results.get(method, {"targetId": "tab", "context": "tab"})
    )
    made.receive = made.received.append
    return made


def test_page_is_selected_among_workers_and_extensions():
    targets = [{"type": "background_page"}, {"type": "service_worker"}, {"type": "page", "id": "a"}, {"type": "page"}]
    assert page_target(targets)["id"] == "a"


def test_chromium_has_a_window_only_for_record(tmp_path):
    chromium = unstarted(Chromium, tmp_path)
    assert "--headless=new" in chromium.options(False) and "--kiosk" not in chromium.options(False)
    assert "--kiosk" in chromium.options(True) and "--headless=new" not in chromium.options(True)
    assert f"--user-data-dir={tmp_path}" in chromium.options(True)


def test_firefox_fills_the_screen_of_record(tmp_path, monkeypatch):
    monkeypatch.setenv("SEGUE_SCREEN", "800x450")
    firefox = unstarted(Firefox, tmp_path)
    assert firefox.options(True)[:5] == ["--kiosk", "--width", "800", "--height", "450"]
    assert firefox.options(False)[0] == "--headless"
    assert firefox.environment(True) == {} and "PULSE_SERVER" in firefox.environment(False)


def test_firefox_preferences_are_valid_javascript_literals(tmp_path):
    unstarted(Firefox, tmp_path).options(False)
    lines = (tmp_path / "user.js").read_text().splitlines()
    parsed = [json.loads(f"[{line.removeprefix('user_pref(').removesuffix(');')}]") for line in lines]
    assert dict(parsed) == PREFERENCES


@pytest.mark.parametrize(
    ("browser", "opens", "closes"),
    [
        (Chromium, ["Target.createTarget"], ["Target.closeTarget", "Target.activateTarget"]),
        (Firefox, ["browsingContext.create"], ["browsingContext.close", "browsingContext.activate"]),
    ],
)
def test_another_tab_hides_the_page(browser, opens, closes, tmp_path):
    made = unstarted(browser, tmp_path)
    made.do_foreground()
    made.do_background()
    made.do_background()
    assert [method for method, _ in made.calls] == opens
    made.do_foreground()
    assert [method for method, _ in made.calls] == opens + closes
    assert made.other is None


def test_chromium_forwards_lines_of_the_page(tmp_path):
    made = unstarted(Chromium, tmp_path)
    made.handle_event({"method": "Runtime.bindingCalled", "params": {"payload": '{"id": 1}'}})
    assert made.received == [{"id": 1}]


def test_firefox_forwards_lines_of_its_own_channel(tmp_path):
    made = unstarted(Firefox, tmp_path)
    for channel in ["other", "segue"]:
        data = {"channel": channel, "data": {"value": json.dumps({"from": channel})}}
        made.handle_event({"method": "script.message", "params": data})
    assert made.received == [{"from": "segue"}]


def test_only_the_end_of_its_own_page_ends_firefox(tmp_path):
    made = unstarted(Firefox, tmp_path)
    reasons: list[str] = []
    made.exit = reasons.append
    for context in ["tab", "own"]:
        made.handle_event({"method": "browsingContext.contextDestroyed", "params": {"context": context}})
    assert reasons == ["Firefox's page was closed"]


def test_line_is_sent_as_a_javascript_string(tmp_path):
    made = unstarted(Chromium, tmp_path)
    made.results["Runtime.evaluate"] = {"result": {"value": None}}
    made.send('{"do": "it\'s"}')
    assert made.calls[0][1]["expression"] == 'segue.take("{\\"do\\": \\"it\'s\\"}")'


def test_javascript_errors_are_refusals(tmp_path):
    chromium, firefox = unstarted(Chromium, tmp_path), unstarted(Firefox, tmp_path)
    chromium.results["Runtime.evaluate"] = {"exceptionDetails": {"text": "no segue"}}
    firefox.results["script.evaluate"] = {"type": "exception", "exceptionDetails": {"text": "no segue"}}
    for made in (chromium, firefox):
        with pytest.raises(Refusal, match="no segue"):
            made.evaluate("segue")


def test_missing_browser_is_reported_with_the_searched_names(monkeypatch):
    monkeypatch.setattr("sys.argv", ["chromium.py"])
    monkeypatch.setattr("shutil.which", lambda program: None)
    with pytest.raises(SystemExit, match="Chromium is not in PATH; looked for chromium, chromium-browser"):
        Chromium()


def test_browser_hooks_are_required(tmp_path):
    made = unstarted(Browser, tmp_path)
    with pytest.raises(NotImplementedError):
        made.options(False)
