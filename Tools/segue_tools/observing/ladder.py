"""The visible variants of a title, compared with the requested ones.

The title's frames show the mark of their variant; all variants have the same audio. A player plays it over a link of
changing rate and is recorded (Drivers/record), and each visible switch is compared with the requests on the link: when
a position is visible in a variant, the segment with that position must have arrived in that variant.
"""

import dataclasses
import json
import os
import time

from segue_tools.launch import segue
from segue_tools.measuring import running, server, titles
from segue_tools.media import ffmpeg
from segue_tools.observing.chain import zero
from segue_tools.places import driver

SECONDS, SEGMENT, PICTURE = 90, 4, 0.04
# The rates of video and audio in kbit/s; the first variant has mark 1.
TITLE = titles.Title("ladder", (300, 800, 1600), SEGMENT, "fmp4")
SOUND = 64
VOICE = "ladder-1.mkv"
# The time limit of a play, also for a player that stops before the end.
PATIENCE = 2 * SECONDS
# Freezes of this duration, in seconds, are reported.
STILL = 0.5


def recipe(mark, rate):
    video = (f"{{codec: libx264, size: 320x180, rate: 25, interval: {25 * SEGMENT}, bitrate: {rate}000, mark: {mark}, "
             f"options: {{preset: ultrafast, sc_threshold: 0, minrate: {rate}000, maxrate: {rate}000, "
             f"bufsize: {rate}000, "
             "x264-params: nal-hrd=cbr}")
    sound = "\n    audio: [{codec: pcm_s16le, rate: 48000}]" if mark == 1 else ""
    return (f"\n  - file: ladder-{mark}.mkv\n    about: A variant of a title.\n    format: matroska\n    duration: "
            f"{SECONDS}\n"
            f"    video: {video}}}{sound}")


def make(folder):
    """Makes the title in a folder, with copied variants; returns its path, and that of its recipes."""
    recipes, path = folder / "ladder-recipes", folder / TITLE.name
    recipes.mkdir(parents=True, exist_ok=True)
    text = "recipes:" + "".join(recipe(number + 1, rate - SOUND) for number, rate in enumerate(TITLE.rates)) + "\n"
    (recipes / "ladder.yaml").write_text(text)
    segue("testmedia", folder, "--recipes", recipes, "--quiet")
    for number in range(len(TITLE.rates)):
        variant = path / f"v{number}"
        variant.mkdir(parents=True, exist_ok=True)
        ffmpeg("-i", folder / f"ladder-{number + 1}.mkv", "-i", folder / VOICE, "-map", "0:v", "-map", "1:a", "-c:v",
               "copy", "-c:a", "aac", "-b:a", f"{SOUND}k", "-f", "hls", "-hls_time", SEGMENT, "-hls_playlist_type",
               "vod", "-hls_segment_type", "fmp4", "-hls_segment_filename", "%d.m4s", "index.m3u8", cwd=variant)
    (path / TITLE.entry).write_text(titles.multivariant(TITLE, path))
    return path, recipes


class Watched(running.Driver):
    """A driver whose player is visible."""

    def __init__(self, name, folder):
        os.environ["SEGUE_CASE"] = name
        python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else "python3"
        running.talk.Driver.__init__(self, [python, driver("record"), str(folder), driver(f"{name}.py")])
        self.player = self.hello["player"]


@dataclasses.dataclass
class Run:
    """The requests, by seconds since the start, and the start on the wall clock."""

    player: str
    requests: list
    begun: float
    # The reason for an early end; empty if there was none.
    failure: str


def play(name, title, network, folder):
    served = server.TitleServer(TITLE, title)
    link = running.MeasuredLink(served.port, network, folder / f"{name}-link.jsonl")
    driver = None
    try:
        driver = Watched(name, folder)
        days, begun = time.time(), time.monotonic()
        driver.do("open", items=[{"item": "item-1", "url": f"http://127.0.0.1:{link.port}/{served.path}"}])
        driver.do("play")
        over = ("item.playedToEnd", "item.failedToPlayToEnd", "item.failed")
        driver.wait(lambda: driver.events(*over), PATIENCE)
        said = driver.events(*over)
        failure = said[0].get("message", "") if said else f"playback takes longer than {PATIENCE} s"
        driver.quit()
        return Run(driver.player, link.requests(begun)[0], days, failure)
    finally:
        if driver:
            driver.kill()
        link.stop()
        served.stop()


def segments(requests):
    """The complete segments: variant, number, and the times of request and arrival, in the order of
    requests."""
    found = []
    for request in requests:
        parts = request["url"].split("?")[0].split("/")
        if parts[-1].endswith(".m4s") and request["status"] in (200, 206) and request["end"] == "whole":
            found.append((int(parts[-2][1:]) + 1, int(parts[-1].removesuffix(".m4s")), request["at"],
                          request["at"] + request["seconds"]))
    return found


def judge(run, observation, recording):
    """Returns lines on each visible variant, and the errors."""
    came = segments(run.requests)
    seen = [variant for stretch in observation["pictures"] for variant in stretch["variants"]]
    lines, wrong, last = [], [], None
    for variant in seen:
        if variant["mark"] == last:
            continue
        last, number = variant["mark"], int((variant["source"] + PICTURE / 2) // SEGMENT)
        at = variant["start"] + zero(recording) - run.begun
        asked = [(when, there) for mark, segment, when, there in came if (mark, segment) == (last, number)]
        words = f"variant {last} from {variant['source']:.3f} on, visible at {at:.2f} s"
        if not asked:
            wrong.append(f"{words}: its segment {number} never arrived completely")
        elif asked[0][0] > at:
            wrong.append(f"{words}: its segment {number} was requested later, at {asked[0][0]:.2f} s")
        else:
            lines.append(f"{words}: segment {number}, requested at {asked[0][0]:.2f}, complete at {asked[0][1]:.2f}; "
                         f"{1000 * (variant['source'] - number * SEGMENT):+.0f} ms from its start")
    return lines, wrong, came, seen


def unseen(came, seen):
    """Segments that arrived in a variant in which they were not visible, as numbers of variants and segments."""
    bounds = [(variant["source"], variant["mark"]) for variant in seen]
    return [(mark, number) for mark, number, _, _ in came
            if mark not in {shown for place, shown in shown_in(bounds, number)}]


def shown_in(bounds, number):
    """The variants in which a segment was visible."""
    first, end = number * SEGMENT + PICTURE / 2, (number + 1) * SEGMENT - PICTURE / 2
    return [(place, mark) for (place, mark), (following, _) in zip(bounds, [*bounds[1:], (float("inf"), None)])
            if place < end and following > first]


def show(name, network, title, recipes, folder):
    """Prints a player's run; returns whether there are errors."""
    folder = folder / name
    folder.mkdir(parents=True, exist_ok=True)
    run = play(name, title, network, folder)
    recording = max(folder.glob(f"{name}*.mkv"), key=lambda path: path.stat().st_mtime)
    answer = folder / "observed.json"
    segue("observe", recording, "--recipes", recipes, "--json", answer, "--quiet", may_find=True)
    observation = json.loads(answer.read_text())["observation"]
    lines, wrong, came, seen = judge(run, observation, recording)
    print(f"{run.player} over {network}{f', not to its end ({run.failure})' if run.failure else ''}: "
          f"{len(came)} segments arrived, {sum(variant['seen'] for variant in seen)} frames with a mark were visible",
          flush=True)
    for line in lines:
        print(f"  {line}")
    began = run.begun - zero(recording)
    still = [gap for gap in observation["breaks"] if gap["medium"] == "picture" and gap["end"] - gap["start"] >= STILL]
    if still:
        print("  frozen: " + ", ".join(f"at {gap['start'] - began:.2f} for {gap['end'] - gap['start']:.2f} s"
                                            for gap in still))
    if left := unseen(came, seen):
        print(f"  loaded, but not visible in that variant: "
              f"{', '.join(f'{number} of variant {mark}' for mark, number in left)}")
    for line in wrong or ([] if seen else ["no variant was visible"]):
        print(f"  FAIL: {line}")
    return bool(wrong) or not seen
