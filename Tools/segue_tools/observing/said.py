"""A player's log of a program on its own clock, and the expected findings."""

import json

from segue_tools.observing.recordings import MARKS, RATE
from segue_tools.observing.truth import stretches, variants

CLOCK = 37.25
EARLY = 0.08
# The time from the choice of a variant until it is visible, in seconds.
CHOSEN = 0.75
# The URL of the variant of each mark, and of one that is never shown.
URLS = {mark: f"/v{mark}/" for mark in (*MARKS, 15)}


class Said:
    """A log of each stretch of audio; the first end is reported too early, and audio at position 20 is never audible.

    It contains the choice of each variant, and of one that is never visible.
    """

    def __init__(self, programme):
        # Statements, and the ms after which each becomes true; None for never.
        self.lines = []
        sounds = stretches(programme.sounds, RATE)
        # With two statements that differ, it would be ambiguous which one is early.
        self.early = EARLY if len(sounds) > 1 else 0
        for number, (start, end, place, last) in enumerate(sounds):
            early = self.early if number == 0 else 0
            self.say(0, start, "sound.began", position=round(place, 6))
            self.say(1000 * early, end - early, "sound.ended", position=round(last, 6), reason="stalled")
        self.say(None, sounds[-1][1] + 0.5, "sound.began", position=20.0)
        chosen = [(start - CHOSEN, mark, 1000 * CHOSEN) for start, _, mark in variants(programme.pictures, 25)]
        for at, mark, true in [*chosen, (sounds[-1][1], 15, None)] if chosen else []:
            self.say(true, at, "playlist.variantChosen", url=f"http://127.0.0.1/film{URLS[mark]}index.m3u8",
                     bandwidth=mark)
        self.lines.sort(key=lambda line: line[0]["t"])

    def say(self, true, at, kind, **more):
        self.lines.append(({"t": round(at + CLOCK, 6), "kind": kind, "item": "film", **more}, true))

    @property
    def log(self):
        return "".join(json.dumps(line) + "\n" for line, _ in self.lines)

    def wrong(self, agreement, recording):
        """Returns wrong findings."""
        wrong = []
        allowed = 1 + (3 if "200 ppm" in recording.name else 0)
        # The accuracy is one frame plus the unreadable frames.
        seen = 1000 / min(recording.rate, 25) + 40 * recording.unreadable + recording.late
        offset = agreement.get("clockOffset")
        if offset is None or abs(offset + CLOCK) * 1000 > allowed:
            wrong.append(f"the clock offset was found as {offset}, expected {-CLOCK}")
        if len(agreement["statements"]) != len(self.lines):
            wrong.append(f"{len(agreement['statements'])} of {len(self.lines)} statements were compared")
        for held, (line, true) in zip(agreement["statements"], self.lines):
            found, most = held.get("difference"), seen if line["kind"].startswith("playlist") else allowed
            if (found is None) != (true is None) or (true is not None and abs(found - true) > most):
                wrong.append(f"{held['statement']} at {held.get('position')}: {found} ms found, {true} planted")
        return wrong
