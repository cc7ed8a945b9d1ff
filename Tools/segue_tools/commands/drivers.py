"""Measures the accuracy of the reports of real players' drivers.

FFmpeg makes a title, and a server withholds bytes until known times, so that the true times of starts, stalls, seeks,
and ends are known. The table shows the median and the maximum error for each player: seconds from the bytes to the
first audio; milliseconds for the position of stalls, drift, seeks, and the end; and seconds to quit. Then it shows
unexpected stalls and the load of the machine. Players that are not installed are skipped. A player takes about 40 s.

Examples: `Tools/run drivers mpv vlc`, `Tools/run drivers --player "my=./my-driver"`.
"""

import argparse
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from segue_tools.driving import title
from segue_tools.driving.server import Server
from segue_tools.driving.talk import Broken, Driver
from segue_tools.driving.trial import Limits, Seen, Trial, judge, middle
from segue_tools.launch import fail, scratch
from segue_tools.places import DRIVERS

BROWSER = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-audio-output", "--no-first-run",
           "--autoplay-policy=no-user-gesture-required"]
# Checks for installed players, and the limits of their errors.
PLAYERS = {
    "chromium": (["chromium", "--version"], Limits()),
    "web": (["chromium", "--version"], Limits()),
    "gstreamer": (["/usr/bin/python3", "-c",
                   "import gi; gi.require_version('Gst', '1.0'); from gi.repository import Gst"], Limits(stall=1.2)),
    "mpv": (["mpv", "--version"], Limits(end=0.1, stall=0.5)),
    "vlc": ([sys.executable, "-c", "import ctypes; ctypes.CDLL('libvlc.so.5')"],
            Limits(place=0.05, end=0.2, stall=1.2)),
}


def is_there(words):
    try:
        return subprocess.run(words, capture_output=True).returncode == 0
    except OSError:
        return False


def words_of(name, folder, profile):
    words = [str(folder / f"{name}.py")]
    if name == "web":
        words += ["chromium", *BROWSER, f"--user-data-dir={profile}", "{}"]
    return words


def named(word):
    """A player of a name with the command that starts its driver."""
    name, is_there, command = word.partition("=")
    try:
        words = shlex.split(command)
    except ValueError as why:
        raise argparse.ArgumentTypeError(f"{word}: {why}") from None
    if not (name and is_there and words):
        raise argparse.ArgumentTypeError(f"{word} is not NAME=COMMAND")
    return name, words


def measured(name, words_in, rounds, limits, work):
    """Tries a driver in several rounds; `words_in` returns the command for a profile folder."""
    seen = Seen()
    for number in range(rounds):
        with tempfile.TemporaryDirectory(dir=work, ignore_cleanup_errors=True) as profile:
            server = Server(work)
            # Segue's drivers hide their players, except for a page, which its user hides; other drivers declare it.
            is_hidden = name in PLAYERS and name != "web"
            trial = Trial(words_in(profile), server, seen, limits, is_hidden, f"{re.sub('[^a-z]', '', name)}{number}")
            trial.run()
            driver = Driver(words_in(profile))
            driver.do("open", items=[{"item": "one", "url": server.url("end")}])
            driver.do("play")
            driver.event("sound.began", 10)
            trial.leave(driver, False)
    judge(seen, limits)
    return seen


def column(values, factor):
    """The median and the maximum."""
    if not values:
        return "-"
    worst = max(map(abs, values))
    return f"{factor * middle(values):.{0 if factor > 1 else 2}f} {factor * worst:.{0 if factor > 1 else 2}f}"


def arguments(parser):
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="of " + ", ".join(PLAYERS))
    parser.add_argument("--rounds", type=int, default=1, help="the number of runs of each player")
    parser.add_argument("--drivers", type=pathlib.Path, default=DRIVERS, help="the folder of the drivers")
    parser.add_argument("--player", type=named, action="append", default=[], metavar="NAME=COMMAND",
                        help="a driver by its command, in which {profile} stands for a new folder; may be repeated")


def main(options):
    unknown = [name for name in options.players if name not in PLAYERS]
    if unknown:
        fail(f"unknown player: {', '.join(unknown)}. Players: {', '.join(PLAYERS)}", 2)
    is_good, tried = True, 0
    with scratch("segue-drivers-") as work:
        title.make(work)
        print(f"{'player':44}{'start':>12}{'stall':>12}{'drift':>10}{'seek':>10}{'end':>10}{'exit':>12}{'others':>7} "
              f" load")
        wanted = {name: functools.partial(words_of, name, options.drivers)
                  for name in options.players or ([] if options.player else PLAYERS)}
        wanted |= {name: lambda profile, words=words: [word.replace("{profile}", profile) for word in words]
                   for name, words in options.player}
        for name, words_in in wanted.items():
            needed, limits = PLAYERS.get(name, (["true"], Limits()))
            if not is_there(needed):
                print(f"{name:44}  skipped: it is not installed", flush=True)
                continue
            tried += 1
            try:
                seen = measured(name, words_in, options.rounds, limits, work)
            except Broken as why:
                seen = Seen(faults=[f"protocol: {why}"])
            heading = f"{name}, {seen.player.removeprefix('a page in ')[:28]}"
            print(f"{heading:44}{column(seen.starts, 1):>12}{column(seen.stalls, 1000):>12}"
                  f"{column(seen.drifts, 1000):>10}{column(seen.places, 1000):>10}{column(seen.ends, 1000):>10}"
                  f"{column(seen.leaves, 1):>12}{seen.others:>7}  {os.getloadavg()[0]:.1f}", flush=True)
            for fault in seen.faults:
                is_good = False
                print(f"  {fault}", flush=True)
    if not tried:
        fail("no player is installed")
    if not is_good:
        fail("the reports of the drivers are wrong")
    print("drivers: all reports are correct")
