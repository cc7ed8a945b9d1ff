"""Plays files from the first to the last second in other players, as TS and fMP4, with video and as audio only.

A play passes if the player exits without an error, at the end of the file. Each wait is limited to four times
the length of the file and a minute. The exit code is 1 if a play fails. PLAYERS names the players, "ffmpeg gstreamer
mpv chromium".
"""

import json
import os
import tempfile
import urllib.error
import urllib.request

from segue_tools.browser.players import PLAYERS
from segue_tools.launch import Server

# The maximum distance from the title's end at which a player's clock may stop, in seconds: it shows the start of the
# last frame, or was read some time before.
SLACK = 1.5


def plays(base, item, players):
    """Runs all plays of an item, one by one."""
    duration = item["duration"]
    limit = 4 * duration + 60
    for container in ("fmp4", "ts"):
        for background in ("", "&background=1"):
            url = f"{base}{item['links']['play'].lstrip('/')}?container={container}{background}"
            try:
                urllib.request.urlopen(url).read()
            except urllib.error.HTTPError as refusal:
                if background and not any(stream["kind"] == "audio" for stream in item["streams"]):
                    continue
                yield container, background, "server", json.load(refusal)["error"]["message"], None
                continue
            for name in players:
                device = "&device=chromium" if name == "chromium" else ""
                trouble, position, _ = PLAYERS[name](url + device, limit)
                if not trouble and (position is None or abs(position - duration) > SLACK):
                    trouble = "stopped early or late"
                yield container, background, name, trouble, position


def arguments(parser):
    parser.add_argument("file", nargs="+")


def main(options):
    players = os.environ.get("PLAYERS", " ".join(PLAYERS)).split()
    bad = 0
    for file in options.file:
        with tempfile.TemporaryDirectory(prefix="segue-players-") as folder:
            os.link(file, os.path.join(folder, os.path.basename(file)))
            with Server(folder) as server:
                item = server.entries()[0]
                item = json.loads(server.get(f"/api/items/{item['id']}")[0])
                for container, background, player, trouble, position in plays(server.url, item, players):
                    bad += bool(trouble)
                    print(f"{os.path.basename(file)} | {item['duration']:.2f} s | {container}"
                          f"{' audio only' if background else ''} | {player} | "
                          f"{trouble or 'ok'}{'' if position is None else f' at {position:.2f} s'}", flush=True)
    print(f"{bad} plays failed", flush=True)
    return 1 if bad else 0
