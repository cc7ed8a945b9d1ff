"""Watches live streams of other projects' packagers and servers, then plays a copy of each, and lists all findings.

FFmpeg (its hls, dash, and segment muxers), GStreamer (hlssink2, hlssink), VLC's livehttp, Liquidsoap, the RTMP module
of nginx, and Shaka Packager each make a live stream of a test pattern, which nginx serves. `segue watch` watches all of
them at once; `segue regress` then plays a copy of the last playlists, with EXT-X-ENDLIST added. The tool prints the
findings of each stream by rule. The exit code is 0 whatever is found: the findings are for a person to judge
(docs/others.md). It is 1 if a stream could not be watched or played, and 2 if none was made. What is not installed is
named and left out.

Example: `Tools/run others --for 10min --only 'FFmpeg*'`.
"""

import collections
import concurrent.futures
import contextlib
import fnmatch
import json
import pathlib
import re
import shutil
import subprocess

from segue_tools.launch import program, scratch, until
from segue_tools.nginx import Nginx
from segue_tools.packaging.live import running, servers
from segue_tools.packaging.tools import Failure


def arguments(parser):
    parser.add_argument("--for", dest="time", default="60s", help="the time for which each stream is watched")
    parser.add_argument("--only", default="*", help="a pattern of streams")
    parser.add_argument("--shaka", default=shutil.which("packager") or shutil.which("packager-linux-x64"),
                        help="Shaka Packager")
    parser.add_argument("--profile", default="rfc", help="the profile of rules (default: rfc)")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the streams, which are removed by default")


def main(options):
    segue, wanted = program(), {}
    for name, (make, missing) in servers(options.shaka).items():
        if not fnmatch.fnmatch(name, options.only):
            continue
        if missing:
            print(f"left out: {name}: {missing}")
        else:
            wanted[name] = make
    with contextlib.ExitStack() as stack:
        home = options.keep or stack.enter_context(scratch())
        home.mkdir(parents=True, exist_ok=True)
        nginx = stack.enter_context(Nginx(home, types=True))

        def work(number, make):
            folder = home / f"{number}"
            folder.mkdir()
            try:
                with running(make, folder) as playlist:
                    watched = judged(segue, "watch", f"http://127.0.0.1:{nginx.port}/{number}/{playlist}", folder,
                                     "--for", options.time, "--profile", options.profile)
                    copy = home / f"{number}-end"
                    copied(folder, copy)
                return watched, played(segue, f"http://127.0.0.1:{nginx.port}/{copy.name}/{playlist}", copy, options)
            except (Failure, OSError, ValueError, subprocess.TimeoutExpired) as error:
                return error, None

        with concurrent.futures.ThreadPoolExecutor(max(1, len(wanted))) as pool:
            jobs = {name: pool.submit(work, number, make) for number, (name, make) in enumerate(wanted.items())}
            results = {name: job.result() for name, job in jobs.items()}
    return told(results)


def judged(segue, command, url, folder, *options):
    """Watches a stream; returns the findings and the last lines of the output."""
    report = folder / "findings.jsonl"
    with (folder / "watch.txt").open("w") as output:
        code = subprocess.run([segue, command, url, "--json", report, *options], stdout=output,
                              stderr=subprocess.STDOUT).returncode
    lines = (folder / "watch.txt").read_text().splitlines()
    if code not in (0, 1):
        raise Failure(f"{command}: {lines[-1] if lines else code}")
    entries = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    return [entry for entry in entries if not entry.get("uncounted")], lines[-1] if lines else ""


def copied(folder, copy):
    """Copies a stream at a moment at which all media playlists have the same segments, and ends its playlists."""
    def windows(place):
        texts = [path.read_text() for path in place.glob("*.m3u8")]
        return {(*re.findall(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", text), text.count("#EXTINF")) for text in texts
                if "#EXTINF" in text}

    def taken():
        shutil.rmtree(copy, ignore_errors=True)
        try:
            shutil.copytree(folder, copy)
        except shutil.Error:
            # A file was deleted meanwhile.
            return False
        return len(windows(copy)) == 1
    if not until(taken, 30, 0.3):
        raise Failure(f"its playlists never had the same segments: {sorted(windows(folder))}")
    for path in copy.glob("*.m3u8"):
        text = path.read_text()
        if "#EXTINF" in text and "#EXT-X-ENDLIST" not in text:
            path.write_text(text.rstrip("\n") + "\n#EXT-X-ENDLIST\n")


def played(segue, url, folder, options):
    """Plays a complete stream; returns the findings of its cases."""
    report = folder / "regress.json"
    done = subprocess.run([segue, "regress", url, "--scenario", "play-through", "--network", "wifi,3g", "--platform",
                           "ios-26.4,desktop", "--json", report, "--quiet", "--verified-cache", "none", "--profile",
                           options.profile], capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1):
        raise Failure(f"regress: {(done.stderr or done.stdout).strip()[-300:] or done.returncode}")
    return [finding for case in json.loads(report.read_text())["cases"] for finding in case.get("findings", [])]


def told(results):
    """Prints the results; returns the exit code."""
    failed = 0
    for name, (watched, cases) in results.items():
        if isinstance(watched, Exception):
            failed += 1
            print(f"not made: {name}: {watched}")
            continue
        findings, last = watched
        print(f"{name}: {last}")
        for kind, entries in (("watch", findings), ("regress", cases)):
            rules = collections.Counter(entry["rule"] for entry in entries)
            for rule, count in rules.most_common():
                first = next(entry for entry in entries if entry["rule"] == rule)
                print(f"    {kind}: {first.get('severity', 'failure')}: {rule}, {count} times: {first['message']}")
    made = len(results) - failed
    print(f"{made} of {len(results)} streams were watched and played")
    return 2 if not made else 1 if failed else 0
