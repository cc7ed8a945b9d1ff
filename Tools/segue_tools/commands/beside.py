"""Plays media in the model and in real players, and lists where one plays to the end and the other does not.

    Tools/run beside ~/Movies                             each file from segue serve, over Wi-Fi
    Tools/run beside titles.yaml --network wifi,3g        titles of other servers, as for segue regress
    Tools/run beside ~/Movies --player chromium --device chromium

Each player has a model of the same name in Harness/platforms. A title plays if it reaches its end without a stall that
the network does not explain. Runs take real time: a film of an hour takes an hour. Players that are not installed are
left out. The exit code is 0 if the model and the players agree, 1 if they differ, and 2 if nothing was played.
"""

import json
import pathlib
import subprocess

from segue_tools.launch import fail, program, scratch

PLAYERS = ["chromium", "gstreamer", "mpv", "vlc"]
# The rules that a case breaks if it does not play to its end, and those of players that do not start at all.
PLAYBACK = {"no-progress", "plays-to-the-end", "stall-on-a-fast-network", "unopened"}
NOT_RUN = {"driver-failed"}


def arguments(parser):
    parser.add_argument("media", help="a file, a folder, or a list of titles")
    parser.add_argument("--player", action="append", default=[], choices=PLAYERS,
                        help="a player; may be repeated (all)")
    parser.add_argument("--network", default="wifi", help="the networks (wifi)")
    parser.add_argument("--device", help="the device that the server prepares the media for")
    parser.add_argument("--scenario", default="play-through", help="the scenario (play-through)")
    parser.add_argument("--jobs", type=int, default=2, help="the number of concurrent runs (2)")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the report and the event logs")


def problem(case):
    """Returns the first finding of a case about playback, or an empty text if it played; None if it did not run."""
    broken = {finding["rule"]: finding["message"] for finding in case["findings"]}
    if case["verdict"] == "skip" or NOT_RUN & set(broken):
        return None
    return next((f"{rule}: {message}" for rule, message in broken.items() if rule in PLAYBACK), "")


def differences(cases):
    """Returns the cases in which one plays and the other does not: name, network, player, model's problem, player's."""
    played = {(case["file"], case["network"], case["platform"]): problem(case) for case in cases}
    found = []
    for (name, network, platform), real in sorted(played.items()):
        if not platform.startswith("real-"):
            continue
        player = platform.removeprefix("real-")
        model = played.get((name, network, player))
        if None not in (model, real) and bool(model) != bool(real):
            found.append((name, network, player, model, real))
    return found


def main(options):
    players = options.player or PLAYERS
    with scratch() as folder:
        output = (options.keep or folder).resolve()
        output.mkdir(parents=True, exist_ok=True)
        words = [program(), "regress", options.media, "--scenario", options.scenario, "--network", options.network,
                 "--platform", ",".join(players), "--json", output / "report.json", "--html", output / "report.html",
                 "--log", output / "logs", "--jobs", str(options.jobs), "--quiet"]
        words += [word for player in players for word in ("--player", player)]
        if options.device:
            words += ["--device", options.device]
        code = subprocess.run(words, stdout=subprocess.DEVNULL).returncode
        if code not in (0, 1) or not (output / "report.json").exists():
            fail(f"beside: segue regress ended with exit code {code}", 2)
        cases = json.loads((output / "report.json").read_text())["cases"]
    found = differences(cases)
    for name, network, player, model, real in found:
        print(f"{name}, {network}, {player}")
        print(f"  model: {model or 'plays to the end'}")
        print(f"  player: {real or 'plays to the end'}")
    count = sum(case["platform"].startswith("real-") and problem(case) is not None for case in cases)
    print(f"{count} runs of real players, {len(found)} differ from the model")
    if not count:
        return 2
    return 1 if found else 0
