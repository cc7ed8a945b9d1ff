"""Compares the model's predictions with real players over titles and networks.

FFmpeg makes titles, a server serves them, `segue link` simulates a network, and the driver of each player plays them in
real time. Then the model plays the same in virtual time. The tool compares the start, the stalls, the variants, the
order of requests, and the buffered duration, and names the field of Harness/platforms that may explain a difference.

    Tools/run players --quick                       three pairs with each installed player
    Tools/run players --keep measured               all pairs; the measurements stay in the folder
    Tools/run players --keep measured --predict     measures nothing, and predicts again
    Tools/run players --player hls.js --script hls.js=hls.min.js
                                                    a page in Chromium that plays with a library

The folder --out receives players.md, players.json, and charts. The exit code is 0 if each player meets its goals, 1
if not, and 2 if nothing could run.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import signal
import sys
import tempfile

from segue_tools.launch import program
from segue_tools.measuring import pairs, picture, report, titles
from segue_tools.measuring.comparing import Comparison
from segue_tools.measuring.measuring import CannotRun, Pair
from segue_tools.measuring.running import ENDED, is_there
from segue_tools.places import HARNESS

# The maximum number of pairs in one diagram; above it, there is a diagram for each player.
MOST_IN_ONE = 12
PLAYERS = ["chromium", "gstreamer", "mpv", "vlc"]


def script(word):
    """Returns the name of a profile and the library's file."""
    name, _, file = word.partition("=")
    if not (HARNESS / f"platforms/{name}.yaml").is_file() or not pathlib.Path(file).is_file():
        raise argparse.ArgumentTypeError(f"{word} is not PROFILE=FILE")
    return name, file


def arguments(parser):
    parser.add_argument("--player", action="append", help="a player; may be repeated (all installed ones)")
    parser.add_argument("--script", type=script, action="append", default=[], metavar="NAME=FILE",
                        help="a library that a page in Chromium plays with, such as hls.js=hls.min.js; may be "
                             "repeated")
    parser.add_argument("--only", default="*", help="a pattern of pairs, such as 'ts-*,3g'")
    parser.add_argument("--quick", action="store_true", help="few pairs")
    parser.add_argument("--predict", action="store_true", help="only predict earlier measurements (--keep)")
    parser.add_argument("--again", action="store_true", help="repeat existing measurements; both are reported")
    parser.add_argument("--seconds", type=int, default=75, help="the seconds of each run (75)")
    parser.add_argument("--jobs", type=int, default=2, help="the number of concurrent runs (2)")
    parser.add_argument("--keep", help="a folder in which titles and measurements stay")
    parser.add_argument("--out", help="a folder for the report (that of --keep, or the current one)")
    parser.add_argument("--model", help="another build of segue for the predictions (SEGUE)")


def result(pair, options):
    """The report of a measured and predicted pair."""
    pair.measure(options)
    kept, reals, model = pair.accounts(options)
    # The last measurement counts; earlier ones are listed with it.
    *others, real = reals
    return {"player": pair.player, "title": pair.title.name, "network": pair.network, "seconds": kept["seconds"],
            "version": kept["runs"][-1]["player"], "load": [run["load"] for run in kept["runs"]],
            "late": kept["runs"][-1]["late"], "real": real.summary(), "others": [other.summary() for other in others],
            "model": model.summary(), "comparison": Comparison(real, model).summary()}


def said(found):
    comparison = found["comparison"]
    line = (f"{found['player']}, {found['title']} over {found['network']}: real {report.play(found['real'])}, "
            f"model {report.play(found['model'])}, load {found['load'][-1][1]:.1f}")
    return "\n    ".join([line, *comparison["differences"]])


def main(options):
    options.model = options.model or program()
    options.script = dict(options.script)
    os.environ.setdefault("SEGUE_HARNESS", str(HARNESS))
    players = options.player or [*filter(is_there, PLAYERS), *options.script]
    wanted = [(title, network) for title, network in (pairs.QUICK if options.quick else pairs.FULL)
              if fnmatch.fnmatch(f"{title},{network}", options.only)]
    if not wanted or not players:
        print("players: nothing to measure", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="segue-players-") as scratch:
        folder = pathlib.Path(options.keep or scratch)
        out = pathlib.Path(options.out or options.keep or ".")
        for path in (folder / "titles", folder / "runs", out):
            path.mkdir(parents=True, exist_ok=True)
        for name in dict.fromkeys(title for title, _ in wanted):
            titles.make(titles.TITLES[name], folder / "titles")
        all_pairs = [Pair(player, titles.TITLES[title], network, folder / "titles", folder / "runs")
                     for title, network in wanted for player in players]
        if options.predict:
            all_pairs = [pair for pair in all_pairs if pair.file.exists()]
        results, failed = [], 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: (ENDED.set(), pool.shutdown(wait=False, cancel_futures=True)))
            waiting = {pool.submit(result, pair, options): pair for pair in all_pairs}
            for done in concurrent.futures.as_completed(waiting):
                try:
                    results.append(done.result())
                    print(said(results[-1]), flush=True)
                except CannotRun as why:
                    failed += 1
                    print(f"{waiting[done].name}: {why}", file=sys.stderr, flush=True)
    order = {(pair.player, pair.title.name, pair.network): number for number, pair in enumerate(all_pairs)}
    results.sort(key=lambda found: order[found["player"], found["title"], found["network"]])
    return written(results, out) or (2 if failed else 0)


def written(results, out):
    """Writes the report; returns 1 if a goal is missed."""
    if not results:
        return 2
    versions = sorted({found["version"] for found in results})
    seconds = results[0]["seconds"]
    (out / "players.md").write_text(report.markdown(results, versions, seconds))
    (out / "players.json").write_text(json.dumps(results, indent=1) + "\n")
    if len(results) <= MOST_IN_ONE:
        pictures = {"players": results}
    else:
        pictures = {f"players-{player}": [found for found in results if found["player"] == player]
                    for player in sorted({found["player"] for found in results})}
    for name, own in pictures.items():
        rows = [(f"{found['title']} over {found['network']}, {found['version']}", found["real"], found["model"])
                for found in own]
        (out / f"{name}.svg").write_text(picture.draw("Real players and the model", rows, seconds))
    counts = report.counts(results)
    print("\n".join(["", *counts]))
    return 1 if any("✗" in line for line in counts) else 0
