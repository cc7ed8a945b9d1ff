"""The comparison of models with real players."""

from segue_tools.commands import beside


def case(platform, verdict="pass", **findings):
    found = [{"rule": rule.replace("_", "-"), "message": message} for rule, message in findings.items()]
    return {"file": "film", "network": "wifi", "platform": platform, "verdict": verdict, "findings": found}


def test_a_difference_is_a_title_that_only_one_of_them_plays():
    cases = [case("chromium"), case("real-chromium", "fail", plays_to_the_end="no event")]
    assert beside.differences(cases) == [("film", "wifi", "chromium", "", "plays-to-the-end: no event")]
    cases = [case("chromium", "fail", no_progress="it stands"), case("real-chromium")]
    assert beside.differences(cases) == [("film", "wifi", "chromium", "no-progress: it stands", "")]


def test_findings_about_content_are_no_difference():
    cases = [case("mpv"), case("real-mpv", "fail", content="other colors")]
    assert beside.differences(cases) == []


def test_a_player_that_did_not_run_is_left_out():
    cases = [case("vlc"), case("real-vlc", "fail", driver_failed="VLC is not installed", plays_to_the_end="no event")]
    assert beside.differences(cases) == []
    assert beside.problem(cases[1]) is None
