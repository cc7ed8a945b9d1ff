"""Serves a folder for hours, and checks that memory, descriptors, threads, processes, and responses stay the same.

The clients seek, switch to audio only, request transcoded video, list, search, and disconnect, while workers are
killed. The default is two hours with the files of `segue testmedia`. The exit code is 1 if something grew or a response
changed.
"""

import collections
import hashlib
import http.client
import os
import pathlib
import random
import signal
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.parse

from segue_tools.launch import Server, segue
from segue_tools.measure import descendants

# Seconds between samples of the server's processes, kills of a worker, and lines of progress.
LOOK, KILL, TELL = 5, 30, 300
# The allowed growth from the second quarter to the last: a share, and the noise of malloc and caches in
# MiB.
GROWTH, NOISE = 0.10, 12
LISTS = ["api/items?limit=50&offset={n}", "api/items?q={word}", "api/groups?by=artist", "api/groups?by=folder",
         "metrics",
         "health", "", "?q={word}"]
RENDITIONS = [""] * 6 + ["?background=1"] * 3 + ["?device=iphone-3g", "?container=fmp4"]


class Figures:
    """The total resources of a server's processes."""

    def __init__(self, server):
        processes = [server.process.pid] + descendants(server.process.pid)
        self.processes = len(processes)
        self.memory, self.descriptors, self.threads = 0.0, 0, 0
        for number in processes:
            folder = pathlib.Path(f"/proc/{number}")
            try:
                rollup = (folder / "smaps_rollup").read_text()
                self.memory += next(int(line.split()[1]) for line in rollup.splitlines()
                                    if line.startswith("Pss:")) / 1024
                self.descriptors += len(list((folder / "fd").iterdir()))
                self.threads += len(list((folder / "task").iterdir()))
            except (FileNotFoundError, ProcessLookupError, StopIteration):
                # A process that has ended counts until it is waited for.
                continue


class Soak:
    def __init__(self, server, items, seed):
        self.server, self.items, self.seed = server, items, seed
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.answers = {}
        self.statuses = collections.Counter()
        self.kinds = collections.Counter()
        self.wrong = []
        self.bytes = self.kills = 0
        self.samples = []

    def note(self, path, status, body, is_same):
        """Counts a response, and compares it with the previous one of the URL."""
        with self.lock:
            self.statuses[status] += 1
            self.bytes += len(body)
            if status >= 500 or status == 0:
                self.wrong.append(f"{path}: {status} {body[:200]!r}")
            elif is_same:
                answer = (status, hashlib.sha256(body).digest())
                if self.answers.setdefault(path, answer) != answer:
                    self.wrong.append(f"{path}: {status}, other bytes than before ({self.answers[path][0]})")

    def get(self, connection, path, is_same=True):
        """Status and body of a complete response."""
        for attempt in (1, 2):
            try:
                connection.request("GET", path)
                answer = connection.getresponse()
                body = answer.read()
                break
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError) as error:
                # The server closes idle connections, but not twice.
                connection.close()
                if attempt == 2:
                    self.note(path, 0, str(error).encode(), is_same)
                    return 0, b""
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                self.note(path, 0, str(error).encode(), is_same)
                return 0, b""
        self.note(path, answer.status, body, is_same)
        return answer.status, body

    def entries(self, connection, path):
        status, body = self.get(connection, path)
        if status != 200:
            return []
        lines = [line for line in body.decode().splitlines() if line and not line.startswith("#")]
        return [urllib.parse.urljoin(path, line) for line in lines]

    def play(self, connection, chance):
        path = f"/items/{chance.choice(self.items)}/index.m3u8{chance.choice(RENDITIONS)}"
        entries = self.entries(connection, path)
        if entries and ".m3u8" in entries[0]:
            entries = self.entries(connection, chance.choice(entries))
        if not entries:
            return
        self.kinds["plays"] += 1
        for _ in range(chance.randint(1, 3)):
            self.kinds["seeks"] += 1
            place = chance.randrange(len(entries))
            for entry in entries[place:place + chance.randint(1, 3)]:
                self.get(connection, entry)
                if self.over.wait(chance.uniform(0.2, 1)):
                    return

    def list(self, connection, chance):
        self.kinds["lists"] += 1
        path = chance.choice(LISTS).format(n=chance.randrange(len(self.items)), word=chance.choice("aeiost"))
        self.get(connection, "/" + path, is_same=False)
        self.get(connection, f"/items/{chance.choice(self.items)}/artwork.jpg?width=320", is_same=False)

    def leave(self, chance):
        """Sends a request, and disconnects before or during the response."""
        self.kinds["leaves"] += 1
        connection = self.server.connect()
        try:
            connection.request("GET", f"/items/{chance.choice(self.items)}/original")
            if chance.random() < 0.5:
                connection.getresponse().read(1000)
        except (OSError, http.client.HTTPException):
            self.kinds["leaves refused"] += 1
        connection.close()

    def client(self, number):
        chance = random.Random(f"{self.seed} {number}")
        connection = self.server.connect()
        while not self.over.is_set():
            deed = chance.random()
            if deed < 0.7:
                self.play(connection, chance)
            elif deed < 0.95:
                self.list(connection, chance)
            else:
                self.leave(chance)
            self.over.wait(chance.uniform(0.1, 1))
        connection.close()

    def kill(self):
        """Kills one worker."""
        chance = random.Random(f"{self.seed} kills")
        while not self.over.wait(KILL):
            workers = descendants(self.server.process.pid)
            if workers:
                try:
                    os.kill(chance.choice(workers), signal.SIGKILL)
                    self.kills += 1
                except ProcessLookupError:
                    continue

    def told(self, began):
        now = self.samples[-1]
        return (f"{(time.monotonic() - began) / 60:4.0f} min  {sum(self.statuses.values()):8,} answers  "
                f"{self.bytes / 1e9:6.2f} GB  {now.memory:5.0f} MiB  {now.descriptors:3} descriptors  {now.threads:3} "
                f"threads  "
                f"{now.processes} processes  {self.kills:3} kills  {len(self.wrong)} wrong")

    def run(self, minutes, clients):
        began = time.monotonic()
        threads = [threading.Thread(target=self.client, args=(number,)) for number in range(clients)]
        threads.append(threading.Thread(target=self.kill))
        for thread in threads:
            thread.start()
        told = 0
        while time.monotonic() - began < minutes * 60 and self.server.process.poll() is None:
            time.sleep(LOOK)
            if self.server.process.poll() is None:
                self.samples.append(Figures(self.server))
            if time.monotonic() - began >= told + TELL:
                told += TELL
                print(self.told(began), flush=True)
        self.over.set()
        for thread in threads:
            thread.join()
        print(self.told(began), flush=True)

    def judge(self):
        """Prints a line for each figure; returns whether all stayed the same."""
        quarter = len(self.samples) // 4
        if quarter < 5:
            print("FAIL too short for a result")
            return False
        good = True
        for name, noise in (("memory", NOISE), ("descriptors", 8), ("threads", 4), ("processes", 1)):
            before, after = (statistics.median(getattr(sample, name) for sample in part)
                             for part in (self.samples[quarter:2 * quarter], self.samples[-quarter:]))
            holds = after <= before * (1 + GROWTH) + noise
            good &= holds
            peak = max(getattr(sample, name) for sample in self.samples)
            print(f"{'ok  ' if holds else 'FAIL'} {name}: {before:.0f} in the second quarter, {after:.0f} in the last; "
                  f"{peak:.0f} at most")
        same = len(self.answers)
        print(f"{'FAIL' if self.wrong else 'ok  '} {same:,} URLs always returned the same; {len(self.wrong)} wrong "
              f"responses")
        for line in self.wrong[:10]:
            print(f"     {line}")
        print(f"     {dict(self.kinds)}, statuses {dict(sorted(self.statuses.items()))}")
        return good and not self.wrong


def arguments(parser):
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("folder", nargs="?", metavar="FOLDER")


def main(options):
    with tempfile.TemporaryDirectory(prefix="segue-soak-") as folder:
        media = options.folder
        if not media:
            media = f"{folder}/media"
            segue("testmedia", media)
        settings = ["--workers", "4", "--cache", f"{folder}/cache", "--cache-size", "64M", "--data", f"{folder}/data",
                    "--address-encodings", "64"]
        server = Server(media, settings, stderr=subprocess.DEVNULL)
        soak = Soak(server, sorted(server.items().values()), options.seed)
        print(f"soak: {len(soak.items)} items, {options.clients} clients, {options.minutes:g} minutes, seed "
              f"{options.seed}",
              flush=True)
        try:
            soak.run(options.minutes, options.clients)
        finally:
            soak.over.set()
            has_ended = server.process.poll()
            if has_ended is None:
                server.stop()
        good = soak.judge()
        if has_ended is not None:
            print(f"FAIL the server exited with {has_ended}")
        cache = sum(file.stat().st_size for file in pathlib.Path(f"{folder}/cache").rglob("*") if file.is_file())
        holds = cache <= 72 << 20
        print(f"{'ok  ' if holds else 'FAIL'} the cache folder has {cache / 1e6:.0f} MB of 67")
        return 0 if good and has_ended is None and holds else 1
