"""Finds the network delay at which a switch in the background is rejected, and its dependence on other parameters.

The film plays on ios-4.3 with switch-and-resume-audio, which calls play before the new item is ready, over links with a
delay of 0 to 1000 ms each way in steps of 10, at the rate of Wi-Fi. There should be exactly one delay at which
`continues` becomes `rejected`; then the same for other rates, lengths of segments, and values of `judges-after` and
`lingers`. The exit code is 1 if a sweep has several thresholds.
"""

import json
import os
import subprocess
import sys

from segue_tools.launch import program, scratch, segue
from segue_tools.nginx import Nginx
from segue_tools.places import HISTORY

APP = "switch-and-resume-audio"
SCENARIO = "background-and-return"
STEP = 10
DELAYS = range(0, 1001, STEP)
RATE = 20000
# The values of ios-4.3.
JUDGES = 250
LINGERS = 1000


def network(folder, delay, rate):
    """Writes a network file with this delay each way (ms) and this rate both ways (kbit/s)."""
    path = os.path.join(folder, f"d{delay:04}-{rate}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        line = f"{{ rate: {rate} kbit/s, delay: {delay} ms, loss: 0 % }}"
        file.write(f"name: d{delay:04}-{rate}\nsource: a sweep\ndown: {line}\nup: {line}\nqueue: 1000 packets\n")
    return path


def platform(folder, judges, lingers):
    """Writes a platform file for iOS 4.3 with other times (ms) of the media service."""
    path = os.path.join(folder, f"j{judges}-l{lingers}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"name: j{judges}-l{lingers}\nbased-on: ios-4.3\nservice:\n")
        file.write(f"  judges-after: {{ value: {judges} ms, source: a sweep }}\n")
        file.write(f"  lingers: {{ value: {lingers} ms, source: a sweep }}\n")
    return path


def sweep(folder, movie, rate=RATE, judges=JUDGES, lingers=LINGERS):
    """Returns the outcome at each delay."""
    report = os.path.join(folder, "report.json")
    networks = ",".join(network(folder, delay, rate) for delay in DELAYS)
    command = [program(), "regress", movie, "--verified-cache", "none", "--scenario", SCENARIO, "--app", APP,
               "--network", networks, "--quiet"]
    command += ["--platform", platform(folder, judges, lingers), "--json", report]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 2:
        sys.exit(2)
    with open(report, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    found = {case["network"]: case["metrics"]["background"] for case in cases}
    return [found[f"d{delay:04}-{rate}"] for delay in DELAYS]


def lengths(folder, movie, seconds):
    """Returns the outcome at each delay for FFmpeg's playlists with segments of a duration, served as files."""
    place = os.path.join(folder, f"hls{seconds}")
    os.makedirs(place)
    for name, streams in (("full", ["-map", "0"]), ("sound", ["-map", "0:a"])):
        command = ["ffmpeg", "-v", "error", "-i", movie, *streams, "-c", "copy", "-f", "hls", "-hls_time", str(seconds)]
        command += ["-hls_playlist_type", "vod", f"{place}/{name}.m3u8"]
        subprocess.run(command, check=True)
    outcomes, report = [], os.path.join(folder, "play.json")
    with Nginx(place, types=True) as nginx:
        base = f"http://127.0.0.1:{nginx.port}"
        for delay in DELAYS:
            subprocess.run([program(), "play", f"{base}/full.m3u8", "--background", f"{base}/sound.m3u8", "--virtual",
                            "--quiet", "--network", network(folder, delay, RATE), "--platform", "ios-4.3", "--app", APP,
                            "--scenario", SCENARIO, "--json", report],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
            with open(report, encoding="utf-8") as file:
                outcomes.append(json.load(file)["background"])
    return outcomes


def say(title, outcomes):
    """Prints the threshold; returns whether there is at most one."""
    changes = [index for index in range(1, len(outcomes)) if outcomes[index] != outcomes[index - 1]]
    kinds = " then ".join([str(outcomes[0])] + [str(outcomes[index]) for index in changes])
    where = ", ".join(f"between {(index - 1) * STEP} and {index * STEP} ms" for index in changes) or "nowhere"
    print(f"threshold: {title}: {kinds}, changing {where}", flush=True)
    return len(changes) <= 1


def arguments(parser):
    parser.add_argument("movie", nargs="?", help="a film; made from Tests/History by default")


def main(options):
    with scratch() as folder:
        movie = options.movie or os.path.join(folder, "movie.mp4")
        if not options.movie:
            segue("testmedia", folder, "--recipes", HISTORY, "--quiet")
        good = say(f"{RATE} kbit/s", sweep(folder, movie))
        for rate in (780, 1500, 2000, 3000, 5000, 8000):
            good &= say(f"{rate} kbit/s", sweep(folder, movie, rate=rate))
        for judges in (100, 500, 1000):
            good &= say(f"{RATE} kbit/s, judged after {judges} ms", sweep(folder, movie, judges=judges))
        for lingers in (0, 200, 300, 5000):
            good &= say(f"{RATE} kbit/s, lingering {lingers} ms", sweep(folder, movie, lingers=lingers))
        for seconds in (2, 4, 8, 10):
            good &= say(f"{RATE} kbit/s, segments of {seconds} s by ffmpeg", lengths(folder, movie, seconds))
    return 0 if good else 1
