"""The truth about a recording, and the errors of the observation."""

import json
import subprocess

from segue_tools.observing.recordings import RATE


def observe(segue, folder, path, said, urls):
    answer, log = path.with_suffix(".json"), path.with_suffix(".jsonl")
    log.write_text(said)
    subprocess.run(
        [segue, "observe", str(path), "--recipes", str(folder / "recipes"), "--log", str(log),
         "--marks", ",".join(f"{mark}={part}" for mark, part in urls.items()), "--json", str(answer), "--quiet"],
         check=False)
    return json.loads(answer.read_text())


def stretches(pieces, unit):
    """Start and end of each stretch, and of its positions, in seconds, rounded to units of time."""
    now, found = 0, []
    for piece in pieces:
        length = round(piece.seconds * unit)
        if piece.place is not None:
            place = round(piece.place * unit)
            if found and found[-1][1] == now / unit and found[-1][3] == place / unit:
                # It continues in another variant.
                found[-1] = (*found[-1][:1], (now + length) / unit, found[-1][2], (place + length) / unit)
            else:
                found.append((now / unit, (now + length) / unit, place / unit, (place + length) / unit))
        now += length
    return found


def variants(pieces, unit):
    now, found = 0, []
    for piece in pieces:
        if piece.mark:
            found.append((now / unit, piece.place, piece.mark))
        now += round(piece.seconds * unit)
    return found


class Errors:
    """The maximum errors of video, audio, and offset in milliseconds, and their limits."""

    def __init__(self, programme, recording, answer):
        speed = 1.0002 if "200 ppm" in recording.name else 1.0
        picture = 1000 / min(recording.rate, 25)
        self.allowed = {"picture": picture, "sound": 1.0,
                        "offset": 500 / recording.rate + 1 + (2 if speed != 1 else 0)}
        self.found = {"picture": 0.0, "sound": 0.0, "offset": 0.0}
        self.wrong = []
        self.slack = recording.unreadable * 40
        self.late = recording.late / 1000
        self.compare("picture", stretches(programme.pictures, 25), answer["pictures"], 1)
        self.compare("sound", stretches(programme.sounds, RATE), answer["sounds"], speed)
        self.compare_variants(variants(programme.pictures, 25), answer["pictures"])
        for stretch in answer["pictures"]:
            for what in ("dropped", "repeated"):
                if stretch[what]:
                    self.wrong.append(f"{stretch[what]} {what}")
        if programme.name != "faults":
            late = programme.sounds[0].seconds - programme.pictures[0].seconds
            offset = answer["pictures"][0].get("soundOffset") if answer["pictures"] else None
            self.note("offset", 0 if offset is None else abs(offset["median"] - 1000 * (late - self.late)))
            if offset is None:
                self.wrong.append("no offset")

    def compare(self, kind, true, observed, speed):
        if len(true) != len(observed):
            self.wrong.append(f"{len(observed)} stretches of {kind} for {len(true)}")
        late = self.late if kind == "picture" else 0
        for (start, end, place, last), found in zip(true, observed):
            start, end = start + late, end + late
            slack = self.slack if kind == "picture" else 0
            self.note(kind, 1000 * abs(found["start"] - start * speed) - slack)
            self.note(kind, 1000 * abs(found["end"] - end * speed) - slack)
            # The observed position belongs to the observed time.
            self.note(kind, 1000 * abs(found["source"] - place - (found["start"] - start * speed)))
            self.note(kind, 1000 * abs(found["sourceEnd"] - last - (found["end"] - end * speed)))

    def compare_variants(self, true, pictures):
        observed = [variant for stretch in pictures for variant in stretch.get("variants", [])]
        marks = [variant["mark"] for variant in observed]
        if marks != [mark for _, _, mark in true]:
            self.wrong.append(f"variants {marks} for {[mark for _, _, mark in true]}")
            return
        for (start, place, _), found in zip(true, observed):
            self.note("picture", 1000 * abs(found["start"] - start - self.late) - self.slack)
            self.note("picture", 1000 * abs(found["source"] - place - (found["start"] - start)))

    def note(self, kind, error):
        self.found[kind] = max(self.found[kind], error)

    @property
    def are_too_great(self):
        return bool(self.wrong) or any(self.found[kind] > self.allowed[kind] for kind in self.found)

    def line(self, name):
        figures = " ".join(f"{self.found[kind]:9.2f}" for kind in ("picture", "sound", "offset"))
        allowed = ", ".join(f"{self.allowed[kind]:.0f}" for kind in ("picture", "sound", "offset"))
        words = ("FAIL " + "; ".join(self.wrong)).rstrip() if self.are_too_great else "ok"
        return f"{name:52} {figures}   ({allowed}) {words}"
