"""Plays a file in other players over a slow network, and draws the rate that each received.

Each player has its own server and `segue link`. A play passes if the player exits without an error.
The chart shows the delivered rate in each half second, and the rate of the network. The exit code is 1 if a play
fails. PLAYERS names the players, "ffmpeg mpv chromium"; QUERY is the query of the playlist's URL.
"""

import json
import os
import shutil
import tempfile
import threading
import time

from segue_tools.browser.players import PLAYERS
from segue_tools.drawing import head, line, text, whole
from segue_tools.launch import Link, Server

GRAIN = 0.5
WIDTH, ROW, LEFT, RIGHT, TOP = 960, 130, 90, 24, 56


class Sampler(threading.Thread):
    """Reads the bytes that a link has delivered to the client every half second, until it is stopped."""

    def __init__(self, link):
        super().__init__(daemon=True)
        self.link, self.over = link, threading.Event()
        self.samples = []
        self.rate = None

    def run(self):
        begun = time.monotonic()
        turn = 0
        while not self.over.wait(max(0, begun + turn * GRAIN - time.monotonic())):
            turn += 1
            down = self.link.status()["down"]
            self.rate = down["rate"]
            self.samples.append((time.monotonic() - begun, down["deliveredBytes"]))

    def rates(self):
        """Times and bit rates between samples."""
        pairs = zip(self.samples, self.samples[1:])
        return [(end, 8 * (more - less) / (end - start)) for (start, less), (end, more) in pairs]


def play(network, file, name):
    with tempfile.TemporaryDirectory(prefix="segue-over-") as folder:
        shutil.copy(file, folder)
        with Server(folder) as server, Link(network, server.port) as link:
            item = json.loads(server.get(f"/api/items/{server.entries()[0]['id']}")[0])
            query = os.environ.get("QUERY", "container=fmp4")
            sampler = Sampler(link)
            sampler.start()
            trouble, position, _ = PLAYERS[name](f"http://127.0.0.1:{link.port}{item['links']['play']}?{query}",
                                                 20 * item["duration"] + 60)
            sampler.over.set()
            sampler.join()
            return trouble, position, sampler


def draw(network, title, runs):
    """A row for each player: the rate in each half second."""
    seconds = max(sampler.samples[-1][0] for _, sampler in runs)
    height = TOP + ROW * len(runs) + 40
    x = lambda at: LEFT + at / seconds * (WIDTH - LEFT - RIGHT)
    parts = [*head(WIDTH, height), text(LEFT, 26, f"{title} over {network}: rate in each half second", size=16,
                                        colour="#111")]
    step = next(step for step in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600) if seconds / step <= 12)
    for tick in range(0, int(seconds) + 1, step):
        parts.append(line(x(tick), TOP, x(tick), height - 40, "#eee"))
        parts.append(text(x(tick), height - 22, f"{tick} s", "middle"))
    for row, (name, sampler) in enumerate(runs):
        bottom = TOP + ROW * (row + 1) - 14
        most = 1.15 * max([sampler.rate or 0] + [rate for _, rate in sampler.rates()])
        y = lambda rate: bottom - rate / most * (ROW - 30)
        parts.append(text(LEFT - 10, bottom - (ROW - 30) / 2, name, "end", 13, "#111"))
        points = [f"{x(0):.1f},{bottom}"]
        for (start, _), (end, rate) in zip(sampler.samples, sampler.rates()):
            points += [f"{x(start):.1f},{y(rate):.1f}", f"{x(end):.1f},{y(rate):.1f}"]
        points.append(f"{x(sampler.samples[-1][0]):.1f},{bottom}")
        parts.append(f'<polygon points="{" ".join(points)}" fill="#1f6feb" fill-opacity="0.6"/>')
        if sampler.rate:
            limit = y(sampler.rate)
            parts.append(line(LEFT, limit, WIDTH - RIGHT, limit, "#d1720a", ' stroke-dasharray="5 4"'))
            parts.append(text(WIDTH - RIGHT, limit - 5, f"{sampler.rate / 1000:g} kbit/s", "end", 11, "#d1720a"))
        parts.append(line(LEFT, bottom, WIDTH - RIGHT, bottom, "#888"))
    return whole(parts)


def arguments(parser):
    parser.add_argument("network")
    parser.add_argument("file")
    parser.add_argument("chart", help="the SVG file to write")


def main(options):
    network, file, chart = options.network, options.file, options.chart
    runs, bad = [], 0
    for name in os.environ.get("PLAYERS", "ffmpeg mpv chromium").split():
        trouble, position, sampler = play(network, file, name)
        bad += bool(trouble)
        mean = 8 * sampler.samples[-1][1] / sampler.samples[-1][0]
        print(f"{os.path.basename(file)} over {network} | {name} | {trouble or 'ok'}"
              f"{'' if position is None else f' at {position:.2f} s'} | {sampler.samples[-1][0]:.1f} s, "
              f"{sampler.samples[-1][1]} bytes, {mean / 1000:.0f} kbit/s on average", flush=True)
        runs.append((name, sampler))
    with open(chart, "w", encoding="utf-8") as out:
        out.write(draw(network, os.path.basename(file), runs))
    return 1 if bad else 0
