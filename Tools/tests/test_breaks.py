"""The faults that break players."""

import json

from segue_tools.commands import breaks
from segue_tools.places import ROOT


def test_a_table_has_a_word_for_each_outcome():
    measured = [{"fault": "x", "report": "https://example.org/1", "rules": ["a", "b"],
                 "players": {"chromium": "plays", "mpv": "stall-on-a-fast-network: item-1 stalled at 5 s",
                             "vlc": "plays-to-the-end: no event"}}]
    assert breaks.table(measured).splitlines() == [
        "| fault | rules | chromium | mpv | vlc |", "| --- | --- | --- | --- | --- |",
        "| [x](https://example.org/1) | `a`, `b` | plays | **stalls** | **stops** |"]


def test_the_page_has_the_table_of_the_measurement():
    table = breaks.table(json.loads((ROOT / "docs/breaks.json").read_text()))
    page = (ROOT / "docs/breaks.md").read_text()
    assert table in page, "write the output of Tools/run breaks --table docs/breaks.json into docs/breaks.md"
