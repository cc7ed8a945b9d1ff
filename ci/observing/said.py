"""What a player says of a programme on a clock of its own, and what has to be found of it."""

import json

from observing.recordings import RATE
from observing.truth import stretches

CLOCK = 37.25
EARLY = 0.08


class Said:
    """A log of each stretch of sound; the first end is said too early, and a sound at place 20 is never heard."""

    def __init__(self, programme):
        self.lines = []
        sounds = stretches(programme.sounds, RATE)
        # Of two statements that differ nobody could say which is early.
        self.early = EARLY if len(sounds) > 1 else 0
        for number, (start, end, place, last) in enumerate(sounds):
            early = self.early if number == 0 else 0
            self.say(start, "sound.began", place)
            self.say(end - early, "sound.ended", last, reason="stalled")
        self.say(self.lines[-1]["t"] - CLOCK + 0.5, "sound.began", 20.0)

    def say(self, at, kind, position, **more):
        self.lines.append({"t": round(at + CLOCK, 6), "kind": kind, "item": "film", "position": round(position, 6), **more})

    @property
    def log(self):
        return "".join(json.dumps(line) + "\n" for line in self.lines)

    def wrong(self, agreement, recording):
        """What was found of it that is not so."""
        wrong = []
        allowed = 1 + (3 if "200 ppm" in recording.name else 0)
        offset = agreement.get("clockOffset")
        if offset is None or abs(offset + CLOCK) * 1000 > allowed:
            wrong.append(f"the clocks were laid together at {offset}, not at {-CLOCK}")
        for number, held in enumerate(agreement["statements"]):
            true = None if number == len(self.lines) - 1 else self.early * 1000 if number == 1 else 0
            found = held.get("difference")
            if (found is None) != (true is None) or (true is not None and abs(found - true) > allowed):
                wrong.append(f"{held['statement']} at {held['position']}: {found} ms found, {true} planted")
        return wrong
