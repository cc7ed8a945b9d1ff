"""Compares the model's background playback on old iOS releases with the history of a real app.

The scenario background-and-return runs with five app policies on three platforms over Wi-Fi, slow Wi-Fi, and 3G, with
a film, music with artwork, and music (made from Tests/History/recipes.yaml by default). The outcomes are printed as a
table and compared with Tests/History/history.json. The exit code is 1 if they differ.
"""

import json
import os
import subprocess
import sys
import tempfile

from segue_tools.launch import fail, program, segue
from segue_tools.places import HISTORY

SCENARIO = "background-and-return"
APPS = ["layer-trick", "switch-if-rate", "switch-if-was-playing", "switch-and-resume-audio", "switch-when-ready"]
PLATFORMS = ["ios-4.0", "ios-4.2", "ios-4.3"]
KINDS = ["movie", "musicWithArtwork", "music"]
RECIPES = ["movie.mp4", "musicWithArtwork.m4a", "music.m4a"]
OUTCOMES = {
    "continues": "audio is audible again within 15 s of entering the background, and until the end of the stay",
    "paused": "playback stays paused and no item fails",
    "rejected": "the item fails with an error and playback ends",
    "unavailable": "the app policy cannot run on that platform; left out, and counted as such",
}
MARKS = {"continues": "plays", "paused": "paused", "rejected": "REJECTED", "unavailable": "-", None: "?"}


def outcomes(kinds, networks, folder):
    """The outcome of each (app, platform, kind, network)."""
    report = os.path.join(folder, "report.json")
    command = [program(), "regress", *kinds, "--scenario", SCENARIO, "--app", ",".join(APPS), "--quiet"]
    command += ["--platform", ",".join(PLATFORMS), "--network", ",".join(networks), "--json", report]
    # Rejected cases fail, so the suite's exit code is ignored, except for 2, a suite that could not run.
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 2:
        sys.exit(2)
    found: dict[tuple[str, str, str, str], str | None] = {}
    with open(report, encoding="utf-8") as file:
        read = json.load(file)
    for left in read.get("leftOut", []):
        for kind in kinds.values():
            for network in networks:
                found[left["app"], left["platform"], kind, network] = "unavailable"
    for case in read["cases"]:
        kind = kinds[next(path for path in kinds if path.endswith(case["file"]))]
        outcome = (case["metrics"] or {}).get("background")
        found[case["app"], case["platform"], kind, case["network"]] = outcome
    return found


def cell(outcomes):
    """The outcomes of one kind over all networks as text: one if they agree, else the fewest by the names."""
    networks = {}
    for network, outcome in outcomes.items():
        networks.setdefault(MARKS[outcome], []).append(network)
    fewest_first = sorted(networks.items(), key=lambda group: len(group[1]))
    *named, (others, _) = fewest_first
    return ", ".join([f"{'/'.join(names)} {mark}" for mark, names in named] + [f"others {others}" if named else others])


def table(found, networks):
    """The outcomes as text: a line for each policy and platform."""
    rows = [
        [app, platform, *(cell({network: found.get((app, platform, kind, network)) for network in networks})
                          for kind in KINDS)]
        for app in APPS
        for platform in PLATFORMS
    ]
    rows.insert(0, ["", "", *KINDS])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows)


def arguments(parser):
    parser.add_argument("--json", help="a file for the outcomes")
    parser.add_argument("--against", default=HISTORY / "history.json", help="the expected outcomes")
    parser.add_argument("--network", default="wifi,wifi-high-latency,wifi-slow,3g", help="the networks")
    parser.add_argument("media", nargs="*", help="a film, music with artwork, and music")


def main(options):
    if len(options.media) not in (0, 3):
        fail("give three files: a film, music with artwork, and music; or none", 2)
    networks = options.network.split(",")
    with tempfile.TemporaryDirectory() as folder:
        media = options.media
        if not media:
            segue("testmedia", folder, "--recipes", HISTORY)
            media = [os.path.join(folder, name) for name in RECIPES]
        found = outcomes(dict(zip(media, KINDS)), networks, folder)
    print(table(found, networks))
    cells = [
        {"app": app, "platform": platform, "kind": kind, "network": network,
         "outcome": found[app, platform, kind, network]}
        for app in APPS
        for platform in PLATFORMS
        for kind in KINDS
        for network in networks
    ]
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"scenario": SCENARIO, "outcomes": OUTCOMES, "cells": cells}, file, indent=1)
            file.write("\n")
    with open(options.against, encoding="utf-8") as file:
        history = json.load(file)
    expected = {(c["app"], c["platform"], c["kind"], c["network"]): c for c in history["cells"]}
    wrong = 0
    bases = {"told": 0, "inferred": 0}
    for key, outcome in found.items():
        if key not in expected:
            continue
        source = history["sources"][expected[key]["source"]]
        bases[source["basis"]] += 1
        if expected[key]["outcome"] != outcome:
            wrong += 1
            print(f"{' '.join(key)}: {outcome}, expected {expected[key]['outcome']} ({source['text']})")
    print(f"{len(cells)} cells: the article tells {bases['told']}, {bases['inferred']} are inferred, {wrong} differ")
    return 1 if wrong or not sum(bases.values()) else 0
