"""Plays planted faults in real players and in the model, and lists which of them break.

The faults are those of `Tools/run faults`, except live ones. A player breaks if it does not reach the end, or stalls
although the network is fast; it must play the same presentation without the fault. Runs take real time: half a minute
for each fault and player, several at a time. `--json` writes what was measured; `--table` prints such a file as the
table of docs/breaks.md, and plays nothing. The exit code is 0, or 2 if nothing was played.

Example: `Tools/run breaks media --player chromium --player mpv --json measured.json`.
"""

import concurrent.futures
import contextlib
import json
import pathlib
import subprocess

from segue_tools.commands.beside import PLAYERS, problem
from segue_tools.launch import fail, program, scratch
from segue_tools.planted import delivery, media, own, streams, text
from segue_tools.planted.server import Server
from segue_tools.planted.stage import Stage, found, staged

CLASSES = {"own": own, "text": text, "delivery": delivery, "media": media}
PLAYS = "plays"


def arguments(parser):
    parser.add_argument("names", nargs="*", metavar="ID", help="faults, or classes of them: " + ", ".join(CLASSES))
    parser.add_argument("--player", action="append", default=[], choices=PLAYERS,
                        help="a player; may be repeated (all)")
    parser.add_argument("--jobs", type=int, default=4, help="the number of concurrent runs (4)")
    parser.add_argument("--json", type=pathlib.Path, help="the file for what was measured")
    parser.add_argument("--logs", type=pathlib.Path, help="a folder for the event logs, by fault")
    parser.add_argument("--table", type=pathlib.Path, help="a file of --json to print as a table")


def main(options):
    if options.table:
        print(table(json.loads(options.table.read_text())))
        return 0
    players = options.player or PLAYERS
    faults = [fault for name, module in CLASSES.items() for fault in module.FAULTS
              if not options.names or name in options.names or fault.id in options.names]
    if not faults:
        fail(f"breaks: no such fault: {', '.join(options.names)}; Tools/run faults --list prints all", 2)
    with scratch("segue-breaks-") as folder:
        streams.make(folder)
        bases = sorted({fault.base for fault in faults})
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            def job(name, base, fault):
                logs = ["--log", options.logs / name] if options.logs else []
                return pool.submit(played, folder, name, base, fault, players, logs)
            jobs = {base: job(base, base, None) for base in bases}
            jobs |= {fault.id: job(fault.id, fault.base, fault) for fault in faults}
            outcomes = {name: job.result() for name, job in jobs.items()}
        rules = {fault.id: named(folder, fault) for fault in faults}
    measured = []
    for fault in faults:
        good = outcomes[fault.base]
        seen = {name: outcome for name, outcome in outcomes[fault.id].items() if good.get(name) == PLAYS}
        measured.append({"fault": fault.id, "report": fault.link, "rules": rules[fault.id], "players": seen})
        print(f"{fault.id}: " + "; ".join(f"{name} {outcome}" for name, outcome in seen.items()))
    for base in bases:
        for name, outcome in outcomes[base].items():
            if outcome != PLAYS:
                print(f"left out: {name} does not play {base} even without a fault: {outcome}")
    if options.json:
        options.json.write_text(json.dumps(measured, indent=1) + "\n")
    return 0 if any(entry["players"] for entry in measured) else 2


def named(folder, fault):
    """The expected rules by which the program finds a fault."""
    with staged(folder, fault.base) as stage:
        fault.plant(stage)
        return sorted(found(program(), stage)[0] & fault.expect)


def played(folder, name, base, fault, players, logs):
    """The outcome for each player that ran, and for its model: `plays`, or the first finding about playback."""
    with contextlib.ExitStack() as ended:
        stage = Stage(folder / base, folder / f"stage-{name}", ended)
        if fault:
            fault.plant(stage)
        report = folder / f"{name}.json"
        with Server(stage.site) as server:
            words = [program(), "regress", server.url(stage.playlist), "--scenario", "play-through", "--network",
                     "wifi", "--platform", ",".join(players), "--profile", "none", "--json", report, "--quiet", *logs]
            words += [word for player in players for word in ("--player", player)]
            done = subprocess.run(words, capture_output=True, text=True)
    if not report.exists():
        return dict.fromkeys(players, f"not run: {done.stderr.strip()[-200:]}")
    outcomes = {}
    for case in json.loads(report.read_text())["cases"]:
        why = problem(case)
        if why is not None:
            platform = case["platform"]
            label = platform.removeprefix("real-") if platform.startswith("real-") else f"model of {platform}"
            outcomes[label] = why or PLAYS
    return outcomes


def table(measured):
    """A table in Markdown: a line for each fault, a column for each player."""
    players = [player for player in PLAYERS if any(player in entry["players"] for entry in measured)]
    rows = ["| fault | rules | " + " | ".join(players) + " |", "| --- | --- |" + " --- |" * len(players)]
    for entry in measured:
        fault = f"[{entry['fault']}]({entry['report']})" if entry["report"] else entry["fault"]
        words = [word(entry["players"].get(player)) for player in players]
        rows.append(f"| {fault} | {', '.join(f'`{rule}`' for rule in entry['rules'])} | " + " | ".join(words) + " |")
    return "\n".join(rows)


def word(outcome):
    """An outcome in a word."""
    if outcome is None:
        return ""
    if outcome == PLAYS:
        return PLAYS
    return "**stalls**" if outcome.startswith("stall") else "**stops**"
