"""Runs the week of tests that the article describes, in one command with one report.

The week is every file of a folder from its start to its end, every command of each server, and the client script, on
each server and client. The script and the change to the background use one film and one song of each server, those of
the lowest bit rates, on every network; the other files use the first network. The clients are iOS 3.1, 3.2, and 4.2 on
the devices that ran them: iPhone 3G, 3GS, and 4, and the iPad.

`--server NAME=PROGRAM` adds a release of segue, which serves the folder, and `--server NAME=URL` a running server of
that folder. Without either, the servers are variants of the present program: with its defaults, without worker
processes, with a cache on disk, and without prefetching. They are one version, so they show no differences between
releases.

Without `--media`, the files are those of TestMedia, and made songs and films up to `--files`. Files that a server
cannot serve are left out and counted, as are clients that cannot be. The results are in the folder `--output`: the
reports in `run`, with the event log of each case, and `table.txt`. The exit code is 1 if a command or a case failed.
"""

import json
import os
import pathlib
import subprocess
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from segue_tools.launch import Server, fail, program, read_json, segue
from segue_tools.media import songs_and_films
from segue_tools.places import HARNESS, ROOT

PLATFORMS = ["ios-3.1", "ios-3.2-ipad", "ios-4.2"]
DEVICES = ["iphone-3g", "iphone-3gs", "iphone-4", "ipad"]
# The release for each kind of player; a platform without that player leaves it out.
APPS = ["layer-trick", "switch-when-ready"]
# Seconds: what a server sends counts here, and not how busy the machine is.
PATIENCE = 600
PLAY = "play-through"
SCENARIOS = [PLAY, "background-and-return", "client-script"]
# The script needs 24 s.
SCRIPT_SECONDS = 30
VARIANTS = {"default": [], "no-workers": ["--workers", "0"], "disk-cache": ["--cache", "{}/cache"],
            "no-prefetch": ["--ahead", "0"]}
# The article's release for iOS 4.0 no longer worked on 4.2; only the later release is expected to.
KNOWN = """  - name: layer-trick-{rule}
    about: "The article, of iOS 4.2: “the layer manipulation would no longer work”; the queue player replaced it."
    rule: {rule}
    apps: [layer-trick]
    platforms: [ios-4.2]
    standing: true
"""


def say(began, words):
    print(f"week: {time.monotonic() - began:4.0f} s  {words}", flush=True)


def make_media(folder, count):
    """Makes files up to a number: those of TestMedia if there is room for all, then songs and films."""
    folder.mkdir(parents=True, exist_ok=True)
    made = 0
    if count >= len(list((ROOT / "TestMedia").glob("*.yaml"))) * 20:
        segue("testmedia", folder)
        for path in (folder / "broken").glob("*"):
            path.unlink()
        made = sum(len(files) for _, _, files in os.walk(folder))
    songs_and_films(folder / "made", 0, max(0, count - made), lambda number: SCRIPT_SECONDS + number % 7,
                    lambda number: number % 2 == 0, name=lambda number: f"{number:03}")


def check_commands(servers, folder):
    """Sends every command to a server of each release with the media that the commands need.

    Returns the number of servers that failed one.
    """
    segue("testmedia", folder, "--recipes", HARNESS / "commands")
    failed = 0
    for name, (path, options, url) in servers.items():
        if url:
            done = segue("commands", url, "--patience", PATIENCE, may_find=True)
        else:
            with Server(folder, options, program=path) as server:
                done = segue("commands", server.url, "--patience", PATIENCE, may_find=True)
        failed += done.returncode
        *lines, summary = done.stdout.strip().splitlines()
        print(f"  {name}: {summary}", flush=True)
        # A line for each failure, and then one for each route.
        for line in lines if done.returncode else []:
            print(f"    {line}", flush=True)
    return failed


def served(url, item):
    """Returns whether a server serves an item."""
    try:
        with urllib.request.urlopen(f"{url.rstrip('/')}/items/{item}/index.m3u8", timeout=600) as response:
            return response.status == 200
    except urllib.error.HTTPError as error:
        if error.code == 422:
            return False
        raise


def all_items(base):
    """Returns all items of a server, as far as they are known."""
    items = []
    while page := read_json(f"{base}/api/items?wait=0&offset={len(items)}")["items"]:
        items += page
    return items


def titles(name, url, media, network):
    """Returns the titles of a server, and the number of files that it cannot serve."""
    base = url.rstrip("/")
    items = all_items(base)
    with ThreadPoolExecutor(4) as pool:
        good = set(pool.map(lambda item: item["id"] if served(url, item["id"]) else None, items))
    # Kinds and durations are known now.
    items_served = [item for item in all_items(base) if item["id"] in good]
    # The lowest bit rates, which every network can carry.
    slowest = sorted(filter(is_long, items_served),
                     key=lambda item: ((media / item["path"]).stat().st_size / item["duration"], item["path"]))
    scripted = {item["id"] for kind in (True, False)
                for item in [item for item in slowest if is_film(item) == kind][:1]}
    found = []
    for item in items_served:
        title = {"name": f"{name}/{item['path']}", "url": f"{base}/items/{item['id']}/index.m3u8", "tags": [name],
                 "source": str(media / item["path"])}
        if item["id"] not in scripted:
            title |= {"scenarios": PLAY, "networks": network}
        found.append(title)
    return found, len(items) - len(found)


def is_film(item):
    return item["kind"] == "movie"


def is_long(item):
    """Returns whether an item is long enough for the client script."""
    return (item.get("duration") or 0) >= SCRIPT_SECONDS


def chosen(options, folder):
    """Returns each server's program, options, and URL by name."""
    if not options.server:
        names = list(VARIANTS)[:options.variants]
        return {name: (program(), [word.format(folder) for word in VARIANTS[name]], None) for name in names}
    servers = {}
    for given in options.server:
        name, _, place = given.partition("=")
        if not name or not place:
            fail(f"--server {given}: must be NAME=PROGRAM or NAME=URL", 2)
        is_url = place.startswith(("http://", "https://"))
        servers[name] = ("", [], place) if is_url else (place, [], None)
    return servers


def arguments(parser):
    parser.add_argument("--media", type=pathlib.Path, help="the folder of files, instead of made ones")
    parser.add_argument("--files", type=int, default=280, help="the number of files to make (280)")
    parser.add_argument("--server", action="append", default=[], metavar="NAME=PROGRAM|URL")
    parser.add_argument("--variants", type=int, default=len(VARIANTS), help="the number of variants without --server")
    parser.add_argument("--network", default="wifi,3g", help="the networks (wifi,3g)")
    parser.add_argument("--platform", default=",".join(PLATFORMS))
    parser.add_argument("--device", default=",".join(DEVICES))
    parser.add_argument("--app", default=",".join(APPS))
    parser.add_argument("--scenario", default=",".join(SCENARIOS))
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/week", help="the folder (build/week)")


def main(options):
    began = time.monotonic()
    output = options.output.resolve()
    output.mkdir(parents=True, exist_ok=True)
    if (output / "run").exists():
        fail(f"{output}/run exists already; remove it, or resume it with segue regress --resume {output}/run", 2)
    media = (options.media or output / "media").resolve()
    if not options.media:
        say(began, f"making {options.files} files in {media}")
        make_media(media, options.files)
    servers = chosen(options, output)
    say(began, f"{len(servers)} servers: " + ", ".join(f"{name} ({' '.join([path or url, *words])})"
                                                       for name, (path, words, url) in servers.items()))
    say(began, "every command of each server")
    failed = check_commands(servers, output / "commands")
    running, listed, unserved = [], [], 0
    try:
        for name, (path, words, url) in servers.items():
            if not url:
                running.append(Server(media, words, program=path))
                url = running[-1].url
            found, left = titles(name, url, media, options.network.split(",")[0])
            listed, unserved = listed + found, unserved + left
        (output / "titles.yaml").write_text(json.dumps({"titles": listed}))
        issues = [KNOWN.format(rule=rule) for rule in ("step-failed", "background-sound")]
        (output / "known.yaml").write_text("known-issues:\n" + "".join(issues))
        say(began, f"{len(listed)} titles; {unserved} left out, since a server cannot serve them")
        words = [program(), "regress", "titles.yaml", "--scenario", options.scenario, "--platform", options.platform,
                 "--device", options.device, "--app", options.app, "--network", options.network, "--run", "run",
                 "--known-issues", "known.yaml", "--think", "0.01"]
        done = subprocess.run(words, cwd=output, stdout=subprocess.PIPE, text=True)
    finally:
        for server in running:
            server.stop()
    lines = done.stdout.splitlines()
    (output / "table.txt").write_text(done.stdout)
    end = next((number for number, line in enumerate(lines) if " heard in " in line), 0)
    print("\n".join(lines[end:]))
    if done.returncode not in (0, 1):
        return 2
    cases = json.loads((output / "run/report.json").read_text())["cases"]
    for line in table(cases):
        print(line)
    say(began, f"{len(cases)} cases; the report is {output}/run/report.html")
    return 1 if failed or done.returncode else 0


def table(cases):
    """Returns the verdicts of each server and client."""
    counts = {}
    for case in cases:
        server = case["file"].split("/", 1)[0]
        client = f"{case['platform']} {case.get('device', '')} {case['app']}"
        row = counts.setdefault((client, server), {})
        row[case["verdict"]] = row.get(case["verdict"], 0) + 1
    names = sorted({server for _, server in counts})
    lines = [f"{'client':44}" + "".join(f"{name:>26}" for name in names)]
    for client in sorted({client for client, _ in counts}):
        cells = [counts.get((client, name), {}) for name in names]
        words = [", ".join(f"{cell[verdict]} {verdict}" for verdict in sorted(cell, reverse=True)) for cell in cells]
        lines.append(f"{client:44}" + "".join(f"{word:>26}" for word in words))
    return lines

