"""Validates all output of `segue serve` for folders.

Each item is requested in both containers, with and without video, and for each device. Refusals are counted by reason,
findings by rule. The exit code is 0 without findings, 1 with some, and 2 if nothing could run.

Example: `Tools/run sweep build/testmedia --device chromium,iphone-3g`.
"""

import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from segue_tools.launch import Server, fail, program


def refusal(url):
    """Returns the reason for a refused playlist, or None."""
    try:
        with urllib.request.urlopen(url, timeout=600) as answer:
            answer.read()
        return None
    except urllib.error.HTTPError as error:
        body = error.read()
        try:
            problem = json.loads(body)["error"]
            return error.code, problem["code"], problem["message"]
        except (ValueError, KeyError, TypeError):
            return error.code, "no reason", body[:100].decode(errors="replace")
    except (OSError, TimeoutError) as error:
        return 0, "no answer", str(error)


class Case:
    """One item, requested in one way."""

    def __init__(self, base, item, container, background, device, has_byte_ranges):
        self.path = item["path"]
        self.kind = " ".join(filter(None, [container, "background" if background else "full", device]))
        query = {"container": container}
        if background:
            query["background"] = "1"
        if device:
            query["device"] = device
        if has_byte_ranges:
            query["byterange"] = "1"
        self.url = f"{base}/items/{item['id']}/master.m3u8?{urllib.parse.urlencode(query)}"
        self.refused = self.failure = None
        self.findings, self.seconds, self.segments = [], 0.0, 0

    def run(self, waivers):
        begun = time.monotonic()
        self.refused = refusal(self.url)
        if self.refused is None:
            with tempfile.NamedTemporaryFile(suffix=".json") as report:
                done = subprocess.run(
                    [program(), "validate", self.url, "--json", report.name, "--quiet", "--profile", "all",
                     "--patience", "600", *waivers],
                    capture_output=True, text=True, timeout=1800)
                if done.returncode in (0, 1):
                    document = json.loads(pathlib.Path(report.name).read_text())
                    self.findings = [finding for finding in document["findings"] if not finding["waived"]]
                    self.segments = document["summary"]["segments"]
                else:
                    self.failure = done.stderr.strip() or f"exit code {done.returncode}"
        self.seconds = time.monotonic() - begun
        return self


def table(title, rows, most):
    if not rows:
        return
    print(f"\n{title}:")
    for key, entries in sorted(rows.items(), key=lambda row: -len(row[1])):
        print(f"  {len(entries):5}  {key}")
        for entry in entries[:most]:
            print(f"           {entry}")


def report(cases, most):
    """Prints the findings; returns whether there are none."""
    refused, findings, failures = (collections.defaultdict(list) for _ in range(3))
    for case in cases:
        place = f"{case.path} ({case.kind})"
        if case.refused:
            status, code, message = case.refused
            (refused if 400 <= status < 500 or status == 501 else failures)[f"{status} {code}"].append(
                f"{place}: {message}")
        elif case.failure:
            failures["validate did not run"].append(f"{place}: {case.failure}")
        for finding in case.findings:
            findings[f"{finding['severity']}: {finding['rule']} ({finding['clause']})"].append(
                f"{place}: {finding['message']}" + (
                    f"; segment {finding['place']['segment']}" if "segment" in finding["place"] else ""))
    table("refused", refused, most)
    table("failed", failures, most)
    table("found", findings, most)
    count = lambda rows: sum(len(places) for places in rows.values())
    checked = [case for case in cases if not case.refused and not case.failure]
    print(f"\n{len({case.path for case in cases})} items, {len(cases)} presentations: {len(checked)} checked with "
          f"{sum(case.segments for case in checked)} segments, {count(refused)} refused, "
          f"{count(failures)} failed; {count(findings)} findings in "
          f"{sum(bool(case.findings) for case in checked)} presentations")
    return not findings and not failures


def arguments(parser):
    parser.add_argument("folder", nargs="+", help="a folder with media")
    parser.add_argument("--device", default="", help="devices, separated by commas; none by default")
    parser.add_argument("--container", default="ts,fmp4")
    parser.add_argument("--only", default="", help="only items whose path contains this")
    parser.add_argument("--jobs", type=int, default=2, help="presentations checked at a time")
    parser.add_argument("--examples", type=int, default=4, help="the number of places shown for each finding")
    parser.add_argument("--waivers", help="waivers, as for `segue validate --waivers`")
    parser.add_argument("--byterange", action="store_true", help="request byte ranges of one resource")
    parser.add_argument("--json", help="a file for all findings")


def main(options):
    with Server(options.folder[0], options.folder[1:]) as server:
        waivers = ["--waivers", options.waivers] if options.waivers else []
        cases = [
            Case(server.url.rstrip("/"), item, container, background, device, options.byterange)
            for item in sorted(server.entries(), key=lambda item: item["path"]) if options.only in item["path"]
            for device in options.device.split(",")
            for container in options.container.split(",")
            for background in (False, True)
        ]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for number, done in enumerate(pool.map(lambda case: case.run(waivers), cases), 1):
                if done.seconds > 60:
                    print(f"slow: {done.path} ({done.kind}) took {done.seconds:.0f} s", file=sys.stderr)
                if sys.stderr.isatty():
                    print(f"\r{number}/{len(cases)}", end="", file=sys.stderr)
        if server.process.poll() is not None:
            fail(f"the server exited with {server.process.returncode}", 2)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps([
            {"path": case.path, "kind": case.kind, "refused": case.refused, "failure": case.failure,
             "findings": case.findings} for case in cases], indent=1))
    return 0 if report(cases, options.examples) else 1
