"""Measures virtual time and worlds in a user's program, compared with a case of `segue regress`.

An hour of a controller with tasks, actors, task groups, and a timer runs a thousand times; an app that switches to
audio only in the background and returns runs over Wi-Fi and 3G, a thousand times each. The same app as a policy of the
suite plays a film of the same rate. The ratio should be at most 1.5. Then searches must find planted bugs, and nothing
in correct apps.
"""

import os
import re
import subprocess
import sys
import tempfile

from segue_tools.launch import segue
from segue_tools.media import H264, ffmpeg, lavfi, picture
from segue_tools.places import LIBRARY_TESTS

SEEDS = "1,2,3,4,5"
PLATFORMS = "ios-4.3,ios-4.2,ios-12.2,ios-12.3,ios-14.0,ios-15"


def suite(folder):
    """The seconds of a case in the suite."""
    film = f"{folder}/film.mp4"
    ffmpeg(*picture(seconds=120), *lavfi("sine=440:d=120"), "-shortest", *H264, "-b:v", "270k", "-maxrate", "270k",
           "-bufsize", "270k", "-g", "50", "-c:a", "aac", "-b:a", "128k", film)
    run = segue("regress", film, "--scenario", "background-and-return", "--app", "switch-when-ready",
                "--platform", PLATFORMS, "--network", "wifi,3g", "--jobs", "1", may_find=True)
    cases, steps = re.search(r"(\d+) cases", run.stdout), re.search(r"steps took ([0-9.]+) s", run.stdout)
    if not cases or not steps:
        sys.exit(f"library: {run.stdout}{run.stderr}")
    return float(steps[1]) / int(cases[1])


def search(folder):
    """Searches apps with a planted bug and correct apps, in 400 runs each with each of five seeds."""
    run = subprocess.run(["swift", "test", "-c", "release", "-Xswiftc", "-enable-testing", "--package-path",
                          str(LIBRARY_TESTS), "--scratch-path", f"{folder}/search", "--filter",
                          "SubjectSearchTests"],
                         env={"SEGUE_EXPLORE_SEEDS": SEEDS, **os.environ, "SEGUE_EXPLORE_RUNS": "400"},
                         capture_output=True, text=True)
    told = [line.split("\t") for line in run.stderr.splitlines() if line.startswith(("planted\t", "right\t"))]
    if not told:
        sys.exit(f"library: {run.stdout[-2000:]}{run.stderr[-2000:]}")
    for words in told:
        print(f"library: {', '.join(words)}")
    for line in recall(told):
        print(f"library: {line}")


def recall(told):
    """Returns a line for each seed: the planted bugs that were found, and the correct apps with a finding."""
    lines = []
    for seed in sorted({word for words in told for word in words if word.startswith("seed ")}):
        planted = [words for words in told if words[0] == "planted" and seed in words]
        right = [words for words in told if words[0] == "right" and seed in words]
        found = sum(words[2] != "-" for words in planted)
        wrong = [words[1] for words in right if words[2] != "-"]
        lines.append(f"{seed}: {found} of {len(planted)} planted bugs were found; findings in {len(wrong)} of "
                     f"{len(right)} correct apps{': ' + ', '.join(wrong) if wrong else ''}")
    return lines


def main(_):
    with tempfile.TemporaryDirectory(prefix="segue-bench-") as folder:
        case = suite(folder)
        build = ["swift", "build", "-c", "release", "--package-path", str(LIBRARY_TESTS),
                 "--scratch-path", f"{folder}/build", "--product", "LibraryBench", "--quiet"]
        subprocess.run(build, check=True)
        text = subprocess.check_output([f"{folder}/build/release/LibraryBench"], text=True)
        search(folder)
    for line in text.splitlines():
        seconds = float(line.split(" seconds each")[0].split()[-1])
        ratio = f"; {seconds / case:.2f} of a case of the suite, which takes {case * 1000:.2f} ms (goal: 1.5)"
        print(f"library: {line}{ratio if line.startswith('cases') else ''}")
