"""Kills `segue regress --run` with SIGKILL at random times, and resumes it with `--resume`.

Each run is killed one to three times. No process of it may remain, and its reports and event logs must equal those of
an undisturbed run byte for byte. The exit code is 0 if they do, 1 if not, and 2 if the suite could not run.
"""

import pathlib
import random
import subprocess
import sys
import time

from segue_tools.launch import program, scratch, until
from segue_tools.measure import children
from segue_tools.media import songs_and_films

OPTIONS = ["--without-times", "--quiet", "--verified-cache", "none", "--network", "wifi,3g,lte,tram"]
REPORTS = ["report.json", "report.html", "junit.xml"]
# The time limit for hanging runs.
BOUND = 300


def workers_of(process):
    """A process's children, with their start times in ticks."""
    found = [(child, began(child)) for child in children(process)]
    return [(child, at) for child, at in found if at is not None]


def began(process):
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def outlives(workers):
    """The workers that are still running after a second."""
    left = lambda: [child for child, at in workers if began(child) == at]
    return left() if not until(lambda: not left(), 1, 0.01) else []


def run_killed(command, seconds):
    """Runs a command and kills it after some seconds; returns whether it was killed, and the processes that it left."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        workers = workers_of(process.pid)
        process.kill()
        process.wait()
        return True, outlives(workers)
    if process.returncode > 1:
        sys.exit(f"segue: kills: {command[1:4]} exited with {process.returncode}: {process.stderr.read().decode()}")
    return False, []


def differences(folder, whole):
    found = [name for name in REPORTS if (folder / name).read_bytes() != (whole / name).read_bytes()]
    if subprocess.run(["diff", "-rq", str(folder / "logs"), str(whole / "logs")], stdout=subprocess.DEVNULL).returncode:
        found.append("logs")
    return found


def arguments(parser):
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folder", nargs="?")


def main(wanted):
    segue, chance = program(), random.Random(wanted.seed)
    with scratch() as work:
        media = pathlib.Path(wanted.folder).resolve() if wanted.folder else work / "media"
        if not wanted.folder:
            songs_and_films(media, 0, 5, lambda number: 20 + 8 * number, lambda number: number % 2 == 1)
        whole = work / "whole"
        begun = time.monotonic()
        done = subprocess.run([segue, "regress", str(media), "--run", str(whole), *OPTIONS], timeout=BOUND)
        if done.returncode > 1:
            sys.exit(2)
        took = time.monotonic() - begun
        results = len((whole / "results.jsonl").read_bytes().splitlines())
        print(f"kills: {results} cases take {took:.1f} s", flush=True)
        wrong, kills, kept = 0, 0, []
        for number in range(wanted.times):
            folder = work / f"run-{number}"
            for _ in range(chance.randint(1, 3)):
                is_begun = (folder / "run.json").exists()
                command = [segue, "regress", "--resume", str(folder), "--quiet"] if is_begun else \
                    [segue, "regress", str(media), "--run", str(folder), *OPTIONS]
                was_killed, left = run_killed(command, chance.uniform(0, took))
                kills += was_killed
                if left:
                    wrong += 1
                    print(f"kills: run {number}: workers {left} are still running", flush=True)
            if (folder / "run.json").exists():
                text = (folder / "results.jsonl").read_bytes() if (folder / "results.jsonl").exists() else b""
                kept.append(text.count(b"\n"))
                command = [segue, "regress", "--resume", str(folder), "--quiet"]
            else:
                command = [segue, "regress", str(media), "--run", str(folder), *OPTIONS]
            _, _ = run_killed(command, BOUND)
            if found := differences(folder, whole):
                wrong += 1
                print(f"kills: run {number}: {', '.join(found)} differ", flush=True)
        kept.sort()
        kept_words = f", {kept[0]} to {kept[-1]} results kept, {kept[len(kept) // 2]} the median" if kept else ""
        print(f"kills: {wanted.times} runs, {kills} kills{kept_words}; {wrong} wrong")
        return 1 if wrong else 0
