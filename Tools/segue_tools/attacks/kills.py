"""A server that is killed repeatedly during playback: after a restart, it has all data that it acknowledged."""

import http.client
import json
import os
import pathlib
import random
import signal
import subprocess
import threading
import time

from segue_tools.attacks.connections import make_songs
from segue_tools.launch import Server, program

ROUNDS, PLAYERS = 20, 4


def put(connection, item, position, at):
    body = json.dumps({"position": position, "duration": 5400, "finished": False, "at": at})
    connection.request("PUT", f"/api/resume/{item}", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def killed(folder):
    data, chance = folder / "data", random.Random(1)
    served = folder / "served"
    served.mkdir()
    make_songs(served)
    options = ["--data", str(data), "--cache", str(folder / "cache"), "--access-log", str(folder / "access.log")]
    kept, keys, broken, acknowledged, segment = {}, [], [], 0, None
    clock = iter(range(1, 10_000_000))
    for round_ in range(ROUNDS):
        server = Server(served, options, stderr=subprocess.DEVNULL)
        items = sorted(server.items().values())
        urls, _ = server.segments(items[0], "ts", "&background=1")
        body, _ = server.get(urls[0])
        if segment not in (None, body):
            broken.append(f"kill {round_}: a segment differs from before")
        segment = body
        found = {point["id"]: point["position"] for point in json.loads(server.get("/api/resume")[0])["points"]}
        for item, (least, most) in kept.items():
            if not least <= found.get(item, -1) <= most:
                broken.append(f"kill {round_}: {item} is at {found.get(item)}, acknowledged at {least}")
        shown = subprocess.run([program(), "access", "keys", "list", "--data", str(data)], text=True, check=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        broken += [f"kill {round_}: key {name} is lost" for name in keys if name not in shown]
        lock, is_over = threading.Lock(), threading.Event()

        def play(number):
            """Sends playback positions of its own items as fast as possible, until the server is killed."""
            nonlocal acknowledged
            connection = http.client.HTTPConnection(server.host, server.port, timeout=30)
            mine = items[number::PLAYERS]
            try:
                while not is_over.is_set():
                    for item in mine:
                        with lock:
                            moment = next(clock)
                        least = kept.get(item, (0, 0))[0]
                        kept[item] = (least, moment / 10)
                        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000 + moment))
                        if put(connection, item, moment / 10, at) in (200, 204):
                            kept[item] = (moment / 10, moment / 10)
                            with lock:
                                acknowledged += 1
            except (OSError, http.client.HTTPException):
                connection.close()

        threads = [threading.Thread(target=play, args=(number,)) for number in range(PLAYERS)]
        for thread in threads:
            thread.start()
        subprocess.run([program(), "access", "keys", "add", f"guest{round_}", "--data", str(data)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        keys.append(f"guest{round_}")
        time.sleep(chance.uniform(0.05, 0.6))
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        is_over.set()
        for thread in threads:
            thread.join()
    lines = (folder / "access.log").read_text().splitlines()
    torn = sum(" HTTP/1.1\" " not in line for line in lines)
    if torn > ROUNDS:
        broken.append(f"{torn} lines of the access log are incomplete")
    left = [file.name for file in pathlib.Path(folder / "cache").rglob("*") if file.is_file()
            and file.stat().st_size == 0]
    if left:
        broken.append(f"empty files are left in the cache: {left[:3]}")
    return (f"{ROUNDS} kills with {PLAYERS} players: {acknowledged} positions and {len(keys)} keys were "
            f"acknowledged, all are "
            f"there; {torn} of {len(lines)} lines of the access log are incomplete", broken)


ATTACKS = {"kills": killed}
