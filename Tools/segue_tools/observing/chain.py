"""Errors of a screen, a sound card, and their recorder, measured with marks at known times.
"""

import datetime
import json
import os
import statistics
import subprocess

from segue_tools.launch import segue
from segue_tools.places import driver, module

FILM = "marks.mkv"
RECIPE = f"""recipes:
  - file: {FILM}
    about: A film whose pictures and audio are output at known times.
    format: matroska
    duration: 12
    video: {{codec: libx264, size: 320x180, rate: 25, interval: 25, bitrate: 1500000}}
    audio: [{{codec: pcm_s16le, rate: 48000}}]
"""
PATIENCE = 300
# The allowed errors in ms, as for recordings with known contents (truth.py): a frame of the film, a millisecond,
# and one and a half frames of the recording.
PICTURE, SOUND = 40.0, 1.0
# A play in which a frame is later than this, in seconds, is repeated.
HELD, ATTEMPTS = 0.04, 3


def zero(recording):
    told = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format_tags=creation_time", "-of", "csv=p=0",
                           recording],
                          check=True, capture_output=True, text=True).stdout.strip()
    return datetime.datetime.fromisoformat(told.replace("Z", "+00:00")).timestamp()


def measure(folder):
    """Shows, records, and observes the marks; returns them with the observation and the time of its zero."""
    folder = folder / "marks"
    recipes, marks, answer = folder / "recipes", folder / "marks.json", folder / "observed.json"
    recipes.mkdir(parents=True, exist_ok=True)
    (recipes / "marks.yaml").write_text(RECIPE)
    segue("testmedia", folder, "--recipes", recipes, "--quiet")
    for attempt in range(ATTEMPTS):
        subprocess.run(
            [driver("record"), folder, *module("segue_tools.observing.marks"), folder / FILM, marks],
            check=True, timeout=PATIENCE, env={**os.environ, "SEGUE_CASE": "seen"})
        told = json.loads(marks.read_text())
        if told["held"] < HELD or attempt == ATTEMPTS - 1:
            break
        print(f"marks: a picture was {1000 * told['held']:.0f} ms late because the machine is busy; trying again")
    recording = max(folder.glob("seen*.mkv"), key=lambda path: path.stat().st_mtime)
    segue("observe", recording, "--recipes", recipes, "--json", answer, "--quiet", may_find=True)
    return told, json.loads(answer.read_text())["observation"], zero(recording)


def compare(marks, observed, zero):
    """Errors of the observed starts and ends of frames and audio, and of the offset between the
    two."""
    errors = {"picture": [], "sound": [], "offset": []}
    wrong = [f"{len(observed[kind])} stretches of {kind} for {len(marks[kind])}" for kind in ("pictures", "sounds")
             if len(observed[kind]) != len(marks[kind])]
    for true, found in zip(marks["pictures"], observed["pictures"]):
        if abs(found["source"] - true["source"]) > 0.001:
            wrong.append(f"a picture at {true['source']:.3f} s is located at {found['source']:.3f} s")
        errors["picture"] += [1000 * (found[edge] + zero - statistics.mean(true[edge])) for edge in ("start", "end")]
    for true, found in zip(marks["sounds"], observed["sounds"]):
        # The observed position belongs to the observed time.
        errors["sound"].append(1000 * (found["start"] + zero - true["start"] - (found["source"] - true["source"])))
        errors["sound"].append(1000 * (found["end"] + zero - true["end"]))
    for picture, sound, found in zip(marks["pictures"], marks["sounds"], observed["pictures"]):
        late = sound["start"] - picture["begins"]
        offset = found.get("soundOffset")
        if offset is None:
            wrong.append("no offset")
        else:
            errors["offset"].append(offset["median"] - 1000 * late)
    allowed = {"picture": PICTURE, "sound": SOUND, "offset": 500 * observed["pictureInterval"] + SOUND}
    return errors, allowed, wrong


def show(folder):
    """Prints the errors; returns whether one exceeds its limit."""
    marks, observed, begun = measure(folder)
    errors, allowed, wrong = compare(marks, observed, begun)
    print(f"the screen and the card themselves, by marks at known times (frames to {1000 * marks['known']:.1f} ms):")
    names = {"picture": "video", "sound": "audio", "offset": "offset"}
    words = {"picture": "later than shown", "sound": "later than the card reports",
             "offset": "later relative to its video"}
    for kind, found in errors.items():
        if not found:
            continue
        worst = max(map(abs, found))
        print(f"  {names[kind]:8} {statistics.median(found):+.2f} ({min(found):+.2f} to {max(found):+.2f}) ms "
              f"{words[kind]}, "
              f"of {len(found)}"
              f"{'' if worst < allowed[kind] else f': FAIL, the limit is {allowed[kind]:.0f}'}")
    for line in wrong:
        print(f"  FAIL: {line}")
    return bool(wrong) or any(not found or max(map(abs, found)) >= allowed[kind] for kind, found in errors.items())
