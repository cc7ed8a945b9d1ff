"""Measures the capacity of a server for idle, playing, and starting clients, compared with nginx.

Idle: 10,000 connections from ten addresses after one request each; the memory per connection. Playing: clients that
fetch a segment of a film of 3 Mbit/s every six seconds; late segments, and CPU per client. Starting: clients that
request the playlist and the first segment of new titles concurrently, just after the start of the server; the
time to the first segment. nginx serves the same bytes as files. The clients are one process on the same machine.

SEGUE_BENCH_IDLE (10000); SEGUE_BENCH_CLIENTS (500 1000 2000); SEGUE_BENCH_TITLES, the starting clients (100);
SEGUE_BENCH_SECONDS, the playing time (18).
"""

import heapq
import http.client
import os
import select
import shutil
import socket
import statistics
import threading
import time

from segue_tools.launch import Server, fail, requires, scratch
from segue_tools.measure import cpu_seconds, memory, raise_descriptor_limit, report
from segue_tools.media import H264, ffmpeg, picture
from segue_tools.nginx import Nginx

IDLE = int(os.environ.get("SEGUE_BENCH_IDLE", 10_000))
CLIENTS = [int(count) for count in os.environ.get("SEGUE_BENCH_CLIENTS", "500 1000 2000").split()]
TITLES = int(os.environ.get("SEGUE_BENCH_TITLES", 100))
SECONDS = float(os.environ.get("SEGUE_BENCH_SECONDS", 18))
LENGTH, RATE = 6, 3_000_000


def make_film(path):
    ffmpeg(*picture(seconds=LENGTH * 10), *H264, "-b:v", RATE, "-maxrate", RATE, "-bufsize", RATE, "-x264-params",
           "nal-hrd=cbr:force-cfr=1", "-g", "150", path)


def idle(server):
    """Returns the memory of the process per idle connection after one response, in KiB."""
    text = f"GET /health HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode()
    before, held = memory(server.process, "VmRSS"), []
    for number in range(IDLE):
        client = socket.socket()
        client.bind((f"127.0.1.{number % 10 + 1}", 0))
        client.settimeout(30)
        client.connect((server.host, server.port))
        client.sendall(text)
        if not client.recv(4096).startswith(b"HTTP/1.1 200"):
            fail("an idle client was refused")
        held.append(client)
    each = (memory(server.process, "VmRSS") - before) * 1024 / IDLE
    began = time.perf_counter()
    server.get("/health", server.connect())
    waited = time.perf_counter() - began
    for client in held:
        client.close()
    return each, waited


class Player:
    """A client that fetches a segment when the previous one has played."""

    def __init__(self, number, address):
        self.number, self.address, self.left, self.head = number, address, 0, b""
        self.client = socket.socket()
        self.client.bind((f"127.0.{number // 250 + 2}.{number % 250 + 1}", 0))
        self.client.connect(address)
        self.client.setblocking(False)


def play(process, port, paths, count):
    """Returns the segments received, the late ones, and the CPU seconds of the process per client and second."""
    address, poll, players, due = ("127.0.0.1", port), select.epoll(), {}, []
    texts = [f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() for path in paths]
    for number in range(count):
        player = Player(number, address)
        players[player.client.fileno()] = player
        poll.register(player.client, select.EPOLLIN)
    began, came, late, slowest = time.monotonic(), 0, 0, 0.0
    before = cpu_seconds(process)
    for place, number in enumerate(players):
        # The clients start one after another.
        heapq.heappush(due, (began + LENGTH * place / count, number, 0))
    asked, drain = {}, bytearray(1 << 20)
    while time.monotonic() - began < SECONDS:
        now = time.monotonic()
        while due and due[0][0] <= now:
            when, number, place = heapq.heappop(due)
            player = players[number]
            player.client.send(texts[(player.number + place) % len(texts)])
            player.left, player.head = -1, b""
            asked[number] = (when, place)
        for number, _ in poll.poll(max(0, min(0.05, due[0][0] - now)) if due else 0.05):
            player = players[number]
            if player.left < 0:
                data = player.client.recv(4096)
                player.head += data
                end = player.head.find(b"\r\n\r\n")
                if not data or not player.head.startswith(b"HTTP/1.1 200"):
                    fail(f"a client received {player.head[:60]!r}")
                if end < 0:
                    continue
                head = player.head[:end].lower()
                player.left = int(head.split(b"content-length: ")[1].split(b"\r\n")[0]) - (len(player.head) - end - 4)
            else:
                # The system discards it without a copy.
                player.left -= player.client.recv_into(drain, min(player.left, len(drain)), socket.MSG_TRUNC)
            if player.left == 0:
                when, place = asked.pop(number)
                took = time.monotonic() - when
                came, late, slowest = came + 1, late + (took > LENGTH), max(slowest, took)
                heapq.heappush(due, (when + LENGTH, number, place + 1))
    spent = cpu_seconds(process) - before
    late += sum(time.monotonic() - when > LENGTH for when, _ in asked.values())
    for player in players.values():
        player.client.close()
    return {"came": came, "late": late, "slowest": slowest, "cpu": spent / SECONDS}


def make_titles(folder):
    """Makes films in two containers, each with its own bytes."""
    sound = ["-f", "lavfi", "-i", "sine=440:d=60", "-c:a", "aac", "-shortest"]
    for suffix in ["mp4", "mkv"]:
        ffmpeg("-i", str(folder.parent / "media/film.mp4"), *sound, "-c:v", "copy",
               str(folder.parent / f"title.{suffix}"))
    for number in range(TITLES):
        suffix = ["mp4", "mkv"][number % 2]
        shutil.copyfile(folder.parent / f"title.{suffix}", folder / f"{number}.{suffix}")


def begin(port, playlists, first):
    """Returns the seconds until each of some concurrent clients has its first segment, and the failures."""
    together, took, failed = threading.Barrier(len(playlists)), [], []

    def ask(number, playlist):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60,
                                                    source_address=(f"127.0.2.{number + 1}", 0))
            together.wait()
            began, body = time.monotonic(), b""
            for path in [playlist, None]:
                connection.request("GET", path or first(playlist, body))
                answer = connection.getresponse()
                body = answer.read()
                if answer.status != 200:
                    raise OSError(f"{answer.status} {body[:100]!r}")
            took.append(time.monotonic() - began)
        except (OSError, http.client.HTTPException) as error:
            failed.append(f"{playlist}: {error}")

    threads = [threading.Thread(target=ask, args=pair) for pair in enumerate(playlists)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"median": statistics.median(took) if took else None, "worst": max(took, default=None), "failed": failed}


def first_of(playlist, body):
    name = next(line for line in body.decode().splitlines() if line and not line.startswith("#"))
    return playlist.split("?")[0].rsplit("/", 1)[0] + "/" + name


def start(folder, files):
    """Measures clients that start on unknown titles, and nginx with the same bytes as files."""
    make_titles(folder)
    known = Server(folder)
    playlists = [f"/items/{item}/index.m3u8?container=ts" for item in known.items().values()]
    for playlist in playlists:
        body, _ = known.get(playlist)
        segment = first_of(playlist, body)
        (files / segment[1:]).parent.mkdir(parents=True, exist_ok=True)
        (files / playlist[1:].split("?")[0]).write_bytes(body)
        (files / segment[1:].split("?")[0]).write_bytes(known.get(segment)[0])
    known.stop()
    server = Server(folder)
    ours = begin(server.port, playlists, first_of)
    ours["cpu"] = server.cpu()
    server.stop()
    with Nginx(files) as nginx:
        theirs = begin(nginx.port, playlists, first_of)
    for row in [ours, theirs]:
        if row["failed"]:
            fail(f"{len(row['failed'])} of {TITLES} clients failed to start, the first: {row['failed'][0]}")
    print(f"load: {TITLES} concurrent clients on new titles: first segment after {ours['median'] * 1000:.0f} ms, "
          f"at most {ours['worst'] * 1000:.0f}, none failed; {ours['cpu']:.2f} s of CPU since the server's start; "
          f"{ours['median'] / theirs['median']:.1f} times nginx's with files ({theirs['median'] * 1000:.0f} ms, "
          f"{theirs['worst'] * 1000:.0f})", flush=True)
    return [ours, theirs]


def main(_):
    requires("ffmpeg", "nginx")
    raise_descriptor_limit(IDLE + 1000)
    figures: dict = {"idle": {}, "playing": {}}
    with scratch("segue-bench-") as folder:
        for name in ["media", "titles", "files"]:
            (folder / name).mkdir()
        make_film(folder / "media/film.mp4")
        figures["beginning"] = start(folder / "titles", folder / "files")
        server = Server(folder / "media", ["--address-connections", str(IDLE)])
        each, waited = idle(server)
        figures["idle"] = {"connections": IDLE, "kib": each, "waited": waited}
        print(f"load: {IDLE} idle connections use {each:.1f} KiB each; another client waited {waited * 1000:.1f} ms",
              flush=True)
        paths = server.segments(server.items()["film.mp4"], "ts")[0]
        for number, path in enumerate(paths):
            (folder / f"{number}.ts").write_bytes(server.get(path)[0])
        with Nginx(folder) as nginx:
            for count in CLIENTS:
                rows = [play(server.process, server.port, paths, count),
                        play(nginx.process, nginx.port, [f"/{number}.ts" for number in range(len(paths))], count)]
                figures["playing"][count] = rows
                ours, theirs = rows
                print(f"load: {count} clients at 3 Mbit/s: {ours['late']} of {ours['came']} segments late (goal: 0), "
                      f"the slowest took {ours['slowest']:.2f} s; {ours['cpu']:.2f} of a processor, "
                      f"{ours['cpu'] / max(0.01, theirs['cpu']):.1f} times nginx's ({theirs['late']} late, "
                      f"{theirs['slowest']:.2f} s); at most {memory(server.process):.0f} MiB", flush=True)
        server.stop()
    report("load", figures)
