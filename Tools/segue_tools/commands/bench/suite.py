"""Measures the CPU and wall time of the regression suite, compared with FFmpeg in the same run.

1. A folder of files (the test media by default): the ratio of wall to CPU time, in both orders of the names, and
   FFmpeg's decode of each file. On two cores, 0.5 is the minimum.
2. A file of one second, audio and film: the CPU time of a run, and of each further file.
3. A film of AV1: the suite's wall time against FFmpeg's transcoding to H.264 and decoding.

SEGUE_BENCH_SECONDS, the length of the AV1 film (60); SEGUE_BENCH_TIMES, the number of runs of 2 and 3 (3); the minimum
counts.
"""

import json
import os
import subprocess
import tempfile

from segue_tools.launch import fail, program
from segue_tools.measure import cost_of_children

SECONDS = int(os.environ.get("SEGUE_BENCH_SECONDS", "60"))
TIMES = int(os.environ.get("SEGUE_BENCH_TIMES", "3"))
COPIES = 20
# Cached verifications would cost nothing.
ANEW = ["--verified-cache", "none"]


def run(*command, may_fail=False):
    """Returns the CPU time and the wall time of a program in seconds."""
    with cost_of_children() as cost:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if ended.returncode != 0 and not may_fail:
        fail(f"{' '.join(command)} ended with {ended.returncode}: {ended.stderr.decode(errors='replace')}")
    return cost.cpu, cost.wall


def suite(path, report):
    """Runs the suite on a file or a folder; returns CPU time, wall time, and the verdicts in the order of the files."""
    used, wall = run(program(), "regress", path, *ANEW, "--quiet", "--json", report, may_fail=True)
    with open(report, encoding="utf-8") as text:
        return used, wall, [case["verdict"] for case in json.load(text)["cases"]]


def files(folder):
    """All files below a folder that are not hidden, in the order of the suite."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (os.path.join(place, name) for name in names if not name.startswith("."))


def backwards(media, folder):
    """Links to the same files, named in reverse order."""
    os.mkdir(folder)
    for number, path in enumerate(sorted(files(media), reverse=True)):
        # Links on the command line are followed.
        os.symlink(os.path.abspath(path), os.path.join(folder, f"{number:05}-{os.path.basename(path)}"))
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def whole(media, folder):
    """A folder of files, in two orders."""
    report = os.path.join(folder, "report.json")
    used, wall, verdicts = suite(media, report)
    print(f"suite: {len(verdicts)} cases: {used:.1f} CPU s, {wall:.1f} wall s: ratio {wall / used:.2f}",
          flush=True)
    names = backwards(media, os.path.join(folder, "backwards"))
    used, wall = run(program(), "regress", *names, *ANEW, "--quiet", may_fail=True)
    print(f"suite: in reverse order: {used:.1f} CPU s, {wall:.1f} wall s: ratio {wall / used:.2f}", flush=True)
    decoded = sum(run("ffmpeg", "-v", "quiet", "-i", path, "-f", "null", "-", may_fail=True)[0]
                  for path in files(media))
    print(f"suite: FFmpeg decodes each once in {decoded:.1f} CPU s: ratio {used / decoded:.1f}",
          flush=True)


def second(folder):
    """Files of one second."""
    sound = ["-f", "lavfi", "-i", "sine=440:sample_rate=44100", "-t", "1", "-c:a", "aac"]
    film = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", *sound, "-c:v", "libx264"]
    for name, arguments in {"sound.m4a": sound, "film.mp4": film}.items():
        several = os.path.join(folder, f"several-{name}")
        os.mkdir(several)
        paths = [os.path.join(several, f"{number}-{name}") for number in range(COPIES + 1)]
        run("ffmpeg", "-v", "error", *arguments, paths[0])
        alone = min(run(program(), "regress", paths[0], *ANEW, "--quiet")[0] for _ in range(TIMES))
        for path in paths[1:]:
            os.link(paths[0], path)
        together = min(run(program(), "regress", several, *ANEW, "--quiet")[0] for _ in range(TIMES))
        further = (together - alone) / COPIES
        print(f"suite: {name} of a second: {alone * 1000:.0f} CPU ms, each further one "
              f"{further * 1000:.0f} ms", flush=True)


def av1(folder):
    """A film of AV1, compared with FFmpeg."""
    film, coded = os.path.join(folder, "av1.mkv"), os.path.join(folder, "h264.mp4")
    source = ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=25", "-f", "lavfi", "-i",
              "anoisesrc=color=pink:amplitude=0.3"]
    coding = ["-c:v", "libsvtav1", "-preset", "12", "-crf", "40", "-g", "125", "-c:a", "aac", "-b:a", "96k"]
    run("ffmpeg", "-v", "error", *source, "-t", str(SECONDS), *coding, film)
    ours, theirs = [], []
    for _ in range(TIMES):
        ours.append(run(program(), "regress", film, *ANEW, "--quiet"))
        transcoded = run("ffmpeg", "-v", "error", "-y", "-i", film, "-c:v", "libx264", "-c:a", "aac", coded)
        decoded = run("ffmpeg", "-v", "error", "-i", coded, "-f", "null", "-")
        theirs.append([one + other for one, other in zip(transcoded, decoded)])
    (used, wall), (their_used, their_wall) = [[min(times) for times in zip(*each)] for each in (ours, theirs)]
    print(
        f"suite: {SECONDS} s of AV1: {wall:.1f} wall s, FFmpeg's transcoding and decoding {their_wall:.1f} s: ratio "
        f"{wall / their_wall:.2f}; {used:.1f} and {their_used:.1f} CPU s",
        flush=True,
    )


def arguments(parser):
    parser.add_argument("folder", nargs="?", help="media; the test media by default")


def main(options):
    with tempfile.TemporaryDirectory() as folder:
        second(folder)
        av1(folder)
        media = options.folder or os.path.join(folder, "media")
        if not options.folder:
            run(program(), "testmedia", media, "--quiet", may_fail=True)
        whole(media, folder)
