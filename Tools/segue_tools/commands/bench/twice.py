"""Measures a second run of the regression suite over an unchanged folder, compared with the first.

Verified content is not verified again. The tool prints CPU and wall time of both runs, their ratio, and the size of the
cache; then the same for copies of the files. Reports and logs must be equal, apart from times.
"""

import filecmp
import json
import pathlib
import shutil

from segue_tools.launch import fail, scratch, segue
from segue_tools.measure import cost_of_children, report
from segue_tools.media import ffmpeg

FILMS = {
    "copied": ("mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"]),
    "sound-coded": ("mkv", ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "libvorbis"]),
    "transcoded": ("webm", ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libvorbis"]),
}
SONGS = {"copied": ("m4a", "aac"), "coded": ("flac", "flac")}


def make(folder):
    """Four of each kind, of half a minute."""
    for number in range(4):
        sound = ["-f", "lavfi", "-i", f"anoisesrc=color=pink:sample_rate=44100:amplitude=0.3:seed={number}:duration=30"]
        picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=30"]
        for name, (kind, coding) in FILMS.items():
            path = folder / f"{name}-{number}.{kind}"
            ffmpeg(*picture, *sound, *coding, "-g", "50", path)
        for name, (kind, codec) in SONGS.items():
            path = folder / f"song-{name}-{number}.{kind}"
            ffmpeg(*sound, "-c:a", codec, path)


def run(folder, work, name, *options):
    """Processor and wall seconds of a run, and its report."""
    path = work / f"{name}.json"
    with cost_of_children() as cost:
        segue("regress", folder, "--quiet", "--verified-cache", work / "verified", "--json", path, "--log", work / name,
              *options, may_find=True)
    return cost.cpu, cost.wall, json.loads(path.read_text(encoding="utf-8"))


def said(result):
    times = ("times", "verified")
    return [{key: value for key, value in case.items() if key not in times} for case in result["cases"]]


def logs(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*.jsonl"))


def arguments(parser):
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="media; made without one")


def main(options):
    with scratch("segue-bench-") as work:
        media = options.folder or work / "media"
        if not options.folder:
            media.mkdir()
            make(media)
        first, second = run(media, work, "first"), run(media, work, "second")
        if said(first[2]) != said(second[2]):
            fail("the second run has other results than the first")
        if not logs(work / "first") or logs(work / "first") != logs(work / "second"):
            fail("the second run has other logs than the first")
        for log in logs(work / "first"):
            if not filecmp.cmp(work / "first" / log, work / "second" / log, shallow=False):
                fail(f"the second run has another log {log}")
        compared = sum(1 for case in second[2]["cases"] if "verified" in case)
        if second[2]["summary"].get("verifiedBefore", 0) < compared:
            fail("the second run verified something again")
        kept = sum(path.stat().st_size for path in (work / "verified").iterdir())
        copy = work / "copy"
        shutil.copytree(media, copy, copy_function=shutil.copyfile)
        copied = run(copy, work, "copied")
        figures = {
            "first": first[0], "second": second[0], "copied": copied[0], "ratio": second[0] / first[0], "kept": kept,
            "copiedRatio": copied[0] / first[0],
        }
        summary = second[2]["summary"]
        print(f"twice: {summary['files']} files, {summary['cases']} cases: first {first[0]:.2f} s of processor time in "
              f"{first[1]:.2f} s, second {second[0]:.2f} s in {second[1]:.2f} s, ratio {figures['ratio']:.3f} "
              f"(wanted: 0.1); copied files {copied[0]:.2f} s, ratio {figures['copiedRatio']:.2f}; "
              f"{kept / 1024:.0f} KiB kept")
        report("twice", figures)
