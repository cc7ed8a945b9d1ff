"""Damages copies of media files, and runs `segue regress` and `segue serve` on them, round after round.

A round flips, overwrites, cuts, inserts, and truncates bytes of some files, runs the suite on the copies, and fetches
every playlist, every segment, and the item's page, in both containers. The tool reports crashes, hangs, more than 2 GiB
of memory, responses without a reason, and findings of the suite. Copies that cause one are kept. The same seed causes
the same damage. The exit code is 0 without findings, 1 with some, and 2 if nothing could run.

Example: `Tools/run fuzz media --minutes 20 --keep found media`.
"""

import collections
import concurrent.futures
import http.client
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

from segue_tools.launch import Server, end, fail, program
from segue_tools.measure import memory

PATIENCE = 120
GREATEST_ANSWER = 120
MEMORY = 2048


def damaged(data, chance):
    """Returns the bytes with one to three mostly small kinds of damage, and a description."""
    data, done = bytearray(data), []
    for _ in range(chance.randint(1, 3)):
        size = len(data)
        if not size:
            break
        # Headers are small and important, so half of the damage is in them.
        place = chance.randrange(min(size, 4096)) if chance.random() < 0.5 else chance.randrange(size)
        length = min(size - place, 1 << chance.randint(0, 12))
        kind = chance.choice(["flip", "flip", "overwrite", "zero", "cut", "insert", "truncate", "repeat", "number"])
        if kind == "flip":
            for _ in range(chance.randint(1, 20)):
                data[min(size - 1, place + chance.randrange(max(1, length)))] ^= 1 << chance.randrange(8)
        elif kind == "overwrite":
            data[place:place + length] = chance.randbytes(length)
        elif kind == "zero":
            data[place:place + length] = bytes(length)
        elif kind == "cut":
            del data[place:place + length]
        elif kind == "insert":
            data[place:place] = chance.randbytes(length)
        elif kind == "truncate":
            del data[place:]
        elif kind == "repeat":
            data[place:place] = data[place:place + length]
        elif kind == "number":
            value = chance.choice([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0xFF])
            data[place:place + 4] = value.to_bytes(4, "big")[:size - place]
        done.append(f"{kind} {length} at {place}")
    return bytes(data), ", ".join(done)


class Found:
    """The findings, and the folder for copies that cause them."""

    def __init__(self, keep):
        self.keep, self.lines = keep, collections.Counter()

    def add(self, kind, path, message):
        self.lines[kind] += 1
        print(f"{kind}: {path.name}: {message}", flush=True)
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, self.keep)


def regress(folder, paths, found):
    report = folder.parent / "report.json"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        [program(), "regress", folder, "--jobs", "1", "--verified-cache", "none", "--quiet", "--patience",
         str(PATIENCE),
         "--json", report],
        capture_output=True, text=True, timeout=PATIENCE * len(paths) + 60)
    text = report.read_text() if report.exists() else ""
    # The exit code is also 2 if all cases were skipped or could not run, as their verdicts show.
    if done.returncode not in (0, 1, 2) or not text:
        for path in paths.values():
            found.add("suite", path, f"exit {done.returncode}: {done.stderr.strip()[-300:]}")
        return {}
    verdicts = collections.Counter()
    for case in json.loads(text)["cases"]:
        verdicts[case["verdict"]] += 1
        if case["verdict"] in ("fail", "broken"):
            first = case["findings"][0]
            found.add(first["rule"], paths[case["file"]], first["message"][:300])
    return verdicts


def get(address, target):
    """Status, body, and seconds of a response; the status is 0 if none was complete."""
    begun = time.monotonic()
    try:
        connection = http.client.HTTPConnection(address[0], address[1], timeout=GREATEST_ANSWER)
        connection.request("GET", target)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body, time.monotonic() - begun
    except (OSError, http.client.HTTPException) as error:
        return 0, str(error).encode(), time.monotonic() - begun


def reason(body):
    try:
        return json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return None


def names(playlist):
    """The URIs in the lines and attributes of a playlist."""
    for line in playlist.decode(errors="replace").splitlines():
        if line and not line.startswith("#"):
            yield line
        elif 'URI="' in line:
            yield line.split('URI="')[1].split('"')[0]


def fetch(address, item, path, found):
    """Fetches all resources of an item; returns the number of responses."""
    seen, ahead = set(), [
        f"/api/items/{item['id']}", *(f"/items/{item['id']}/{name}?container={container}{background}"
                                      for name in ("master.m3u8", "index.m3u8") for container in ("ts", "fmp4")
                                      for background in ("", "&background=1"))]
    while ahead:
        target = ahead.pop()
        if target in seen or len(seen) > 300:
            continue
        seen.add(target)
        status, body, seconds = get(address, target)
        if status == 0:
            found.add("no answer", path, f"{target} after {seconds:.0f} s: {body[:200].decode(errors='replace')}")
            return len(seen)
        if seconds > GREATEST_ANSWER / 2:
            found.add("slow", path, f"{target} took {seconds:.0f} s")
        if status != 200 and (status not in (404, 422, 501) or not reason(body)):
            found.add(f"status {status}", path, f"{target}: {body[:200].decode(errors='replace')}")
        if status == 200 and ".m3u8" in target:
            ahead += [urllib.parse.urljoin(target, name) for name in names(body)]
    return len(seen)


def serve(folder, paths, found):
    with open(folder.parent / "server.log", "w+") as errors:
        server = Server(folder, stderr=errors)
        peak = 0.0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = sum(pool.map(lambda item: fetch((server.host, server.port), item, paths[item["path"]], found),
                                   server.entries()))
        if server.process.poll() is None:
            peak = memory(server.process)
            if peak > MEMORY:
                found.add("memory", next(iter(paths.values())), f"the server used {peak:.0f} MiB")
        else:
            errors.seek(0)
            for path in paths.values():
                found.add("server", path, f"the server exited with {server.process.returncode}: {errors.read()[-500:]}")
        if end(server.process) < -signal.SIGTERM or server.process.returncode == -signal.SIGKILL:
            found.add("server", next(iter(paths.values())), "the server does not exit")
    return answers, peak


def arguments(parser):
    parser.add_argument("path", nargs="+", type=pathlib.Path, help="files, and folders with files")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--copies", type=int, default=12, help="copies in a round")
    parser.add_argument("--largest", type=int, default=300_000, help="maximum bytes of a file")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for copies that cause findings")


def main(options):
    files = sorted(
        file for path in options.path for file in ([path] if path.is_file() else path.rglob("*"))
        if file.is_file() and 0 < file.stat().st_size <= options.largest)
    if not files:
        fail(f"no file of at most {options.largest} bytes to damage", 2)
    chance, found = random.Random(options.seed), Found(options.keep)
    begun, rounds, copies, answers, most = time.monotonic(), 0, 0, 0, 0
    verdicts = collections.Counter()
    while time.monotonic() - begun < options.minutes * 60:
        with tempfile.TemporaryDirectory(prefix="segue-fuzz-") as scratch:
            folder, paths = pathlib.Path(scratch) / "media", {}
            folder.mkdir()
            for number in range(options.copies):
                file = chance.choice(files)
                data, done = damaged(file.read_bytes(), chance)
                path = folder / f"{options.seed}-{rounds}-{number}-{file.name}"
                path.write_bytes(data)
                paths[path.name] = path
            verdicts.update(regress(folder, paths, found))
            count, peak = serve(folder, paths, found)
            rounds, copies, answers, most = rounds + 1, copies + len(paths), answers + count, max(most, peak)
        if rounds % 10 == 0:
            print(f"{rounds} rounds, {copies} copies, {dict(verdicts)}, {answers} responses, server at most "
                  f"{most:.0f} MiB, found {dict(found.lines)}", file=sys.stderr, flush=True)
    print(f"{len(files)} files, {copies} damaged copies in {rounds} rounds of {(time.monotonic() - begun) / 60:.0f} "
          f"min: "
          f"{dict(verdicts)}; {answers} responses; the server used at most {most:.0f} MiB; "
          f"found: {dict(found.lines) or 'nothing'}")
    return 1 if found.lines else 0
