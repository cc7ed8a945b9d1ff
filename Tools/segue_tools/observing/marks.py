"""Shows frames and plays audio of a test film at known times, for a recorder (Drivers/record).

    marks.py FILM MARKS

The screen's server confirms each frame, so that the interval of its appearance is known; the sound card's server
reports the time of each sample. MARKS receives both as stretches: a stretch of frames starts with its first frame
and ends with the next content. MARKS also contains the delays of this program. Stretches start and end at irregular
times, independent of the recording's frames, and each has another offset between audio and frames.
"""

import json
import pathlib
import random
import statistics
import subprocess
import sys
import time

from segue_drivers.pulse import FRAME, RATE, Playing
from segue_drivers.screen import Screen

SIZE = 320, 180
PICTURES = 25
STRETCHES = 12
# The audio buffered ahead, so that delays of this program are not audible.
AHEAD = 0.5
# The time of a sample is computed from the server's reports within this time before and after it.
AROUND = 0.6
# The interval of clock readings.
TICK = 0.0005


def decode(film, *form):
    return subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", film, *form, "-"], check=True,
                          capture_output=True).stdout


def programme(chance):
    now, pictures, sounds = 1.0, [], []
    for _ in range(STRETCHES):
        place, length = chance.randrange(0, 8 * PICTURES) / PICTURES, chance.randrange(30, 50) / PICTURES
        pictures.append((now, place, length))
        sounds.append((now + chance.uniform(-0.15, 0.15), place, length))
        now += length + chance.uniform(0.35, 0.6)
    return pictures, sounds


def perform(screen, card, film, pictures, sounds):
    """Shows and plays the film; returns the times of the frames, the card's reports, and the maximum delay."""
    shots = decode(film, "-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{SIZE[0]}x{SIZE[1]}")
    voice = decode(film, "-f", "s16le", "-ac", "2", "-ar", str(RATE))
    sound = bytearray(FRAME * round(RATE * (pictures[-1][0] + pictures[-1][2] + 1)))
    for start, place, length in sounds:
        first, source, count = (FRAME * round(RATE * value) for value in (start, place, length))
        sound[first:first + count] = voice[source:source + count]
    due = [(0.2, None)]
    for start, place, length in pictures:
        due += [(start + number / PICTURES, round(place * PICTURES) + number)
                for number in range(round(length * PICTURES))]
        due.append((start + length, None))
    put, said, black, written, held = [], [], bytes(screen.size), 0, 0.0
    begun = time.time() + AHEAD
    while len(put) < len(due) or time.time() < begun + len(sound) / FRAME / RATE + AROUND:
        room = FRAME * min(card.room, RATE)
        if room:
            # Silence after the end.
            card.write(bytes(sound[written:written + room]).ljust(room, b"\0"))
            written += room
        latest = card.answers
        card.turn(TICK)
        if card.answers is not latest:
            said.append((time.time(), card.answers[-1]))
        if len(put) < len(due) and (late := time.time() - begun - due[len(put)][0]) >= 0:
            number, held = due[len(put)][1], max(held, late)
            put.append((number, *screen.put(black if number is None
                                            else shots[number * screen.size:(number + 1) * screen.size])))
    return put, said, held


def shown(put):
    """Stretches of frames: the intervals in which each started and ended, its position, and its time by the median of
    its frames."""
    stretches = []
    for (number, *began), (_, *ended) in zip(put, put[1:]):
        if number is None:
            continue
        if not stretches or stretches[-1]["last"] + 1 != number:
            stretches.append({"start": began, "source": number / PICTURES, "begins": []})
        stretch = stretches[-1]
        stretch["begins"].append(statistics.mean(began) - number / PICTURES + stretch["source"])
        stretch.update(end=ended, last=number)
    for stretch in stretches:
        stretch["begins"] = statistics.median(stretch["begins"])
    return stretches


def heard(said, sounds):
    """Stretches of audio: start, end, and position of each."""
    def moment(place):
        at = place + statistics.median(start for _, start in said)
        near = [start for when, start in said if abs(when - at) < AROUND]
        if not near:
            sys.exit("marks: this program was delayed for too long to determine the times")
        return place + statistics.median(near)

    return [{"start": moment(start), "end": moment(start + length), "source": place} for start, place, length in sounds]


def main():
    film, marks = sys.argv[1:]
    screen, card = Screen(*SIZE), Playing("marks", AHEAD)
    pictures, sounds = programme(random.Random(19))
    put, said, held = perform(screen, card, film, pictures, sounds)
    told = {"pictures": shown(put), "sounds": heard(said, sounds),
            "known": max(after - before for _, before, after in put),
            "held": held}
    pathlib.Path(marks).write_text(json.dumps(told))


if __name__ == "__main__":
    main()
