"""Measures how much faster than real time cases run in virtual time, on one core.

The scenario play-through runs over eleven networks on three platforms, with one app policy and with four: the
difference of CPU time is the cost of 99 further cases of a verified file. The minimum of three runs counts. Without
files, FFmpeg makes an hour of audio at 64 and 128 kbit/s, four minutes of audio, an hour of film at 400 kbit/s, and ten
minutes of one at 4 Mbit/s.
"""

import json
import os
import subprocess
import tempfile

from segue_tools.launch import fail, program
from segue_tools.measure import cost_of_children
from segue_tools.media import ffmpeg

NETWORKS = ["3g", "wifi", "4g", "lan", "dsl", "cable", "lte", "fios", "wpt-4g", "nlc-lte", "nlc-wifi"]
PLATFORMS = ["desktop", "ios-15", "ios-4.3"]
# Policies that do nothing of their own as long as the app is in the foreground.
APPS = ["switch-when-ready", "switch-if-was-playing", "switch-and-resume-audio", "switch-if-rate"]
TIMES = 3


def run(folder, file, apps):
    """The least processor time of the suite with these app policies, and its virtual seconds."""
    report = os.path.join(folder, "report.json")
    command = [program(), "regress", file, "--verified-cache", "none", "--scenario", "play-through", "--jobs", "1",
               "--quiet", "--json", report]
    command += ["--network", ",".join(NETWORKS), "--platform", ",".join(PLATFORMS), "--app", ",".join(apps)]
    times = []
    for _ in range(TIMES):
        with cost_of_children() as cost:
            code = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
        if code != 0:
            fail(f"{file}: a case failed")
        times.append(cost.cpu)
    with open(report, encoding="utf-8") as text:
        return min(times), json.load(text)["summary"]["playedSeconds"]


def media(folder):
    """Sound at two rates and lengths, a small film and a larger one."""

    def sound(seconds):
        source = f"anoisesrc=color=pink:sample_rate=44100:amplitude=0.3:duration={seconds}"
        return ["-f", "lavfi", "-i", source]

    def picture(size, rate, more=()):
        source = ["-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25{',noise=alls=30:allf=t' if more else ''}"]
        return [*source, "-shortest", "-c:v", "libx264", "-preset", "ultrafast", "-g", "50", *rate, *more]

    small = ["-b:v", "330k", "-maxrate", "360k", "-bufsize", "720k"]
    large = ["-b:v", "3900k", "-minrate", "3900k", "-maxrate", "3900k", "-bufsize", "3900k"]
    recipes = {
        "sound-64.m4a": [*sound(3600), "-c:a", "aac", "-b:a", "64k"],
        "sound-128.m4a": [*sound(3600), "-c:a", "aac", "-b:a", "128k"],
        "song-128.m4a": [*sound(240), "-c:a", "aac", "-b:a", "128k"],
        "film-400.mp4": [*sound(3600), *picture("320x180", small), "-c:a", "aac", "-b:a", "64k"],
        "film-4000.mp4": [
            *sound(600),
            *picture("640x360", large, ["-x264-params", "nal-hrd=cbr"]),
            *["-c:a", "aac", "-b:a", "96k"],
        ],
    }
    for name, arguments in recipes.items():
        path = os.path.join(folder, name)
        ffmpeg(*arguments, path)
        yield path


def arguments(parser):
    parser.add_argument("file", nargs="*", help="media; made without any")


def main(options):
    with tempfile.TemporaryDirectory() as folder:
        for file in options.file or media(folder):
            one, played = run(folder, file, APPS[:1])
            all_of_them, all_played = run(folder, file, APPS)
            more, seconds = all_of_them - one, all_played - played
            cases = len(NETWORKS) * len(PLATFORMS) * (len(APPS) - 1)
            name = os.path.basename(file)
            print(
                f"virtual-time: {name}: {seconds:.0f} s in {more:.2f} s of processor time: {seconds / more:,.0f} times "
                f"real"
                f" time, {1000 * more / cases:.2f} ms a case; {one:.2f} s for the first 33 with their verification",
                flush=True,
            )
