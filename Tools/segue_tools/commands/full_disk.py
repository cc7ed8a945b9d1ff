"""Fills disks while the suite runs, and checks that no media file fails and no result is lost.

A small tmpfs is filled except for some kilobytes. It contains the folder of the run, of temporary files, or of logs.
Each run must end with exit code 2 and one line, and without failed cases; when there is room again, `--resume` must
produce the report of an undisturbed run. Needs root and the right to mount a tmpfs; otherwise the exit code is 2.
"""

import json
import os
import subprocess
import sys

from segue_tools.launch import program, scratch
from segue_tools.media import songs_and_films
from segue_tools.places import ROOT

OPTIONS = ["--quiet", "--without-times", "--verified-cache", "none", "--network", "wifi,3g,lte"]
# Free kilobytes; each number must be too small.
ROOMS = {"run": (0, 60, 200, 400), "temporary": (0, 4, 8), "logs": (0, 8, 40)}
TESTS = [(place, room) for place, rooms in ROOMS.items() for room in rooms]


def fill(disk, room):
    """Fills a disk except for some kilobytes."""
    state = os.statvfs(disk)
    left = state.f_bavail * state.f_frsize - room * 1024
    (disk / "ballast").write_bytes(bytes(max(0, left)))


def verdicts(path):
    if not path.exists() or not path.stat().st_size:
        return []
    return [case["verdict"] for case in json.loads(path.read_text())["cases"]]


def trial(segue, media, work, place, room, whole):
    """Runs the suite with a full disk in one place, and returns the errors."""
    folder = work / f"{place}-{room}"
    disk = folder / "disk"
    disk.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], check=True)
    run = disk / "run" if place == "run" else folder / "run"
    if place == "run":
        # Created before the disk is full, so that their lack of room does not matter.
        fill(disk, room + 12)
    else:
        fill(disk, room)
    environment = os.environ | ({"TMPDIR": str(disk)} if place == "temporary" else {})
    logs = ["--log", str(disk / "logs")] if place == "logs" else []
    done = subprocess.run([segue, "regress", str(media), "--run", str(run), *logs, *OPTIONS], env=environment,
                          capture_output=True, text=True, timeout=120)
    wrong = []
    if done.returncode != 2:
        wrong.append(f"ended with {done.returncode}")
    if len(done.stderr.splitlines()) != 1:
        wrong.append(f"said {done.stderr!r}")
    recorded = (run / "results.jsonl").read_text().splitlines() if (run / "results.jsonl").exists() else []
    told = [json.loads(line)["verdict"] for line in recorded] + verdicts(run / "report.json")
    if "fail" in told:
        wrong.append(f"{told.count('fail')} cases failed")
    (disk / "ballast").unlink()
    if (run / "run.json").exists():
        resumed = subprocess.run([segue, "regress", "--resume", str(run), "--quiet"], capture_output=True, text=True)
        if resumed.returncode != 0 or (run / "report.json").read_bytes() != whole:
            wrong.append(f"did not finish when there was room again: {resumed.stderr.strip()}")
    said = done.stderr.strip().replace(str(work), "")
    print(f"full-disk: {place}, {room} kB left: {len(recorded)} results; {said}", flush=True)
    return wrong


def main(_):
    if os.environ.get("SEGUE_NAMESPACE") is None:
        if subprocess.run(["unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"], capture_output=True).returncode:
            print("segue: full-disk: mounting a tmpfs is not permitted here", file=sys.stderr)
            sys.exit(2)
        environment = os.environ | {"SEGUE_NAMESPACE": "1", "SEGUE": program()}
        sys.exit(subprocess.run(["unshare", "-m", "--propagation", "private", sys.executable, ROOT / "Tools/run",
                                 "full-disk"],
                                env=environment).returncode)
    with scratch() as work:
        media, bad = work / "media", 0
        songs_and_films(media, 0, 4, lambda number: 20 + number, lambda _: False)
        segue = program()
        subprocess.run([segue, "regress", str(media), "--run", str(work / "whole"), *OPTIONS], check=True)
        whole = (work / "whole" / "report.json").read_bytes()
        for place, room in TESTS:
            try:
                for words in trial(segue, media, work, place, room, whole):
                    bad += 1
                    print(f"full-disk: {place}, {room} kB left: {words}", flush=True)
            finally:
                subprocess.run(["umount", str(work / f"{place}-{room}" / "disk")])
        print(f"full-disk: {len(TESTS)} disks, {bad} wrong")
        sys.exit(1 if bad else 0)
