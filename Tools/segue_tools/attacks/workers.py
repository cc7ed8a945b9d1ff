"""Files that make libav crash, hang, or exhaust memory, damaged files, and randomly killed workers: players of another
film are not affected, and the server continues.

SEGUE_ATTACK_FILES is the number of damaged copies (300).
"""

import concurrent.futures
import hashlib
import http.client
import json
import os
import random
import signal
import subprocess
import threading
import time

from segue_tools.attacks.blocking import ending, make_film
from segue_tools.commands.fuzz.media import damaged
from segue_tools.launch import Server
from segue_tools.measure import children
from segue_tools.media import ffmpeg

FILES = int(os.environ.get("SEGUE_ATTACK_FILES", "300"))
KINDS = ["crash-on-open", "abort-on-open", "exit-on-look", "crash-on-segment", "hang-on-open", "spin-on-look",
         "bomb-on-open"]


def get(server, path, patience=120):
    """Status and body; the status is 0 without a complete response."""
    try:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=patience)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body
    except (OSError, http.client.HTTPException):
        return 0, b""


def workers(folder):
    chance = random.Random(1)
    make_film(folder / "film.mp4", 60, "320x180")
    ffmpeg("-i", folder / "film.mp4", "-t", "12", "-c", "copy", folder / "short.mkv")
    sources = [(folder / name).read_bytes()[:2_000_000] for name in ("film.mp4", "short.mkv")]
    for kind in KINDS:
        (folder / f"planted-{kind}.mkv").write_bytes(sources[1])
    # Copying from Matroska needs no worker.
    ffmpeg("-i", folder / "short.mkv", "-c:v", "mpeg2video", "-c:a", "mp2", folder / "planted-crash-on-segment.mkv")
    for number in range(FILES):
        name = f"damaged{number}" + (".mp4", ".mkv")[number % 2]
        (folder / name).write_bytes(damaged(sources[number % 2], chance)[0])
    options = ["--workers", "4", "--planted-faults", "--worker-memory", "512M", "--worker-patience", "2"]
    server = Server(folder, options, stderr=subprocess.DEVNULL)
    items = {item["path"]: item["id"] for item in json.loads(get(server, "/api/items?limit=10000")[1])["items"]}
    broken, statuses, kills, played = [], {}, 0, 0
    base = f"/items/{items['film.mp4']}/"
    playlist = get(server, base + "index.m3u8")[1].decode().splitlines()
    segments = [line for line in playlist if line and not line.startswith("#")]
    right = {name: hashlib.sha256(get(server, base + name)[1]).digest() for name in segments}
    over = threading.Event()

    def play():
        nonlocal played
        container = 0
        while not over.is_set():
            container += 1
            # Another container each time, so that segments must be made.
            query = "?container=ts" if container % 2 else ""
            names = [line for line in get(server, base + "index.m3u8" + query)[1].decode().splitlines()
                     if line and not line.startswith("#")]
            for name in names:
                status, body = get(server, base + name)
                played += 1
                if status != 200 or right.setdefault(name, hashlib.sha256(body).digest()) != \
                        hashlib.sha256(body).digest():
                    broken.append(f"a segment of the intact film returned {status}")
                    return

    def kill():
        nonlocal kills
        while not over.wait(1):
            found = children(server.process.pid)
            if found:
                os.kill(chance.choice(found), signal.SIGKILL)
                kills += 1

    def fetch(path):
        item, told = items[path], []
        for target in (f"/api/items/{item}", f"/items/{item}/index.m3u8", f"/items/{item}/master.m3u8"):
            told.append(get(server, target))
        if told[1][0] == 200:
            names = [line for line in told[1][1].decode(errors="replace").splitlines()
                     if line and not line.startswith("#")]
            told += [get(server, f"/items/{item}/{name}") for name in names[:3]]
        return path, told

    threads = [threading.Thread(target=play), threading.Thread(target=kill)]
    for thread in threads:
        thread.start()
    aside = set()
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        for path, told in pool.map(fetch, [path for path in items if path not in ("film.mp4", "short.mkv")]):
            for status, body in told:
                statuses[status] = statuses.get(status, 0) + 1
                if status == 422 and b"setAside" in body:
                    aside.add(path)
                if status in (0, 500):
                    broken.append(f"{path} returned {status}")
    over.set()
    for thread in threads:
        thread.join()
    missing = {f"planted-{kind}.mkv" for kind in KINDS if "look" not in kind} - aside
    if missing:
        broken.append(f"not quarantined: {sorted(missing)}")
    found = sorted(path for path in aside if not path.startswith("planted"))
    end = time.monotonic() + 20
    while len(children(server.process.pid)) < 4 and time.monotonic() < end:
        time.sleep(0.1)
    if len(children(server.process.pid)) < 4:
        broken.append("killed workers were not replaced")
    said = [line for line in get(server, "/health")[1].decode().splitlines() if line.startswith("libav")]
    ended = ending(server, broken)
    return (f"{FILES} damaged files and {len(KINDS)} with planted faults, {kills} workers killed meanwhile: responses "
            f"{dict(sorted(statuses.items()))}, quarantined {len(aside)}, of the damaged ones {found or 'none'}; a "
            f"player of "
            f"another film had {played} segments; {said}; SIGTERM ended it in {ended:.2f} s", broken)


ATTACKS = {"workers": workers}
