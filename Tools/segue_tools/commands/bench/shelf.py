"""Measures a library of 20,000 titles: start, first scan, rescan after one change, search, page size, and memory.

Three fifths are songs with individual tags, one fifth films, one fifth episodes; all are a second of media. The index
cache is new. The bytes read are those that the kernel counts for the process: after one new file, they should not
exceed those of that file.

SEGUE_BENCH_TITLES (20000); SEGUE_BENCH_RUNS, the repetitions of each request (40); SEGUE_BENCH_OPTIONS, further
options of the server.
"""

import gzip
import http.client
import json
import os
import pathlib
import statistics
import time

from segue_tools.launch import Server, fail, requires, scratch
from segue_tools.measure import memory, report
from segue_tools.media import ffmpeg

TITLES = int(os.environ.get("SEGUE_BENCH_TITLES", 20_000))
RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", 40))
OPTIONS = os.environ.get("SEGUE_BENCH_OPTIONS", "").split()
# Goals: the median of a search, and the memory of the idle server per title.
SEARCH_MS, TITLE_KIB = 20, 2
# The maximum seconds of the first scan.
PATIENCE = 600
FIRST = ["Amber", "Boreal", "Cedar", "Düne", "Ember", "Fjord", "Granite", "Harbor", "Île", "Juniper", "Krähe",
         "Lantern", "Meadow", "North", "Olive", "Pine"]
SECOND = ["Avenue", "Bridge", "Carnival", "Dream", "Élan", "Forest", "Garden", "Horizon", "Island", "Journey", "Kings",
          "Light", "Märchen", "Night", "Ocean"]
GENRES = ["Rock", "Jazz", "Klassik", "Electronic", "Folk"]


def made(arguments, path):
    ffmpeg(*arguments, path)
    return path.read_bytes()


def id3(**frames):
    """The ID3v2.3 tag of an MP3 file, with text in UTF-16."""
    def size(count):
        return bytes(count >> shift & 127 for shift in (21, 14, 7, 0))

    body = b""
    for name, text in frames.items():
        value = b"\x01" + text.encode("utf-16")
        body += name.encode() + len(value).to_bytes(4, "big") + b"\0\0" + value
    return b"ID3\x03\0\0" + size(len(body)) + body


def name(number):
    return f"{FIRST[number % len(FIRST)]} {SECOND[number // len(FIRST) % len(SECOND)]} {number}"


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def make(folder, work):
    tone = ["-f", "lavfi", "-i", "sine=440:d=1"]
    song = made([*tone, "-c:a", "libmp3lame", "-b:a", "32k", "-id3v2_version", "0", "-write_xing", "0"],
                work / "song.mp3")
    made(["-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=1", *tone, "-pix_fmt", "yuv420p", "-c:v",
          "libx264",
          "-preset", "ultrafast", "-c:a", "aac"], work / "film.mp4")
    songs, films = TITLES * 3 // 5, TITLES // 5
    for number in range(songs):
        artist, album = name(number // 30), f"{SECOND[number // 10 % 15]} of {FIRST[number // 10 % 16]}"
        tag = id3(TIT2=name(number), TPE1=artist, TALB=album, TCON=GENRES[number % len(GENRES)],
                  TRCK=str(number % 10 + 1))
        write(folder / "music" / artist / album / f"{number % 10 + 1:02} {name(number)}.mp3", tag + song)
    links = [folder / "films" / str(1950 + number % 70) / f"{name(number)} ({1950 + number % 70}).mp4"
             for number in range(films)]
    for number in range(TITLES - songs - films):
        show = name(number // 40)
        links.append(folder / "series" / show / f"Season {number // 10 % 4 + 1}"
                     / f"{show} - S{number // 10 % 4 + 1:02}E{number % 10 + 1:02}.mp4")
    for link in links:
        link.parent.mkdir(parents=True, exist_ok=True)
        os.link(work / "film.mp4", link)
    return song


def bytes_read(server):
    return int(pathlib.Path(f"/proc/{server.process.pid}/io").read_text().split("rchar: ")[1].split()[0])


def figure(server, key):
    for line in server.get("/metrics")[0].decode().splitlines():
        if line.startswith(key + " "):
            return float(line.rsplit(" ", 1)[1])
    return fail(f"/metrics has no {key}")


def known(server, count, patience):
    """Waits until some items have been scanned; returns the seconds."""
    began = time.perf_counter()
    while figure(server, "segue_items_known") < count:
        if time.perf_counter() - began > patience:
            fail(f"{figure(server, 'segue_items_known'):.0f} of {count} items are scanned after {patience} s")
        time.sleep(0.1)
    return time.perf_counter() - began


def asked(server, path):
    """Returns the median and the maximum response time on one connection in milliseconds, and the last body."""
    connection, times = server.connect(), []
    for _ in range(RUNS):
        began = time.perf_counter()
        body, _ = server.get(path, connection)
        times.append((time.perf_counter() - began) * 1000)
    connection.close()
    return statistics.median(times), max(times), body


def compressed(server, path):
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.getheader("Content-Encoding") == "gzip":
        gzip.decompress(body)
    return len(body)


def served(folder, work, name):
    """Starts a server with an index cache; returns it, and the seconds until it was ready."""
    began = time.perf_counter()
    server = Server(folder, ["--index-cache", str(work / name), "--no-announce", *OPTIONS])
    return server, time.perf_counter() - began


QUESTIONS = ["/api/items?wait=0&q=harbor&limit=50", "/api/items?wait=0&q=h&limit=50",
             "/api/items?wait=0&q=dune+elan&limit=50", "/api/items?wait=0&q=none-of-them&limit=50",
             "/api/items?wait=0&q=granite+123&limit=50", "/api/items?wait=0&limit=50",
             "/api/items?wait=0&sort=title&limit=50&offset=10000", "/api/groups?by=artist&limit=100",
             "/api/groups?by=album&limit=100", "/api/groups?by=series&limit=100", "/api/groups?by=folder&limit=100",
             "/api/groups?by=artist&q=fjord&limit=100", "/"]


def main(_):
    requires("ffmpeg")
    figures: dict = {"titles": TITLES, "questions": {}}
    with scratch("segue-bench-") as work:
        folder, one = work / "media", work / "one"
        folder.mkdir()
        one.mkdir()
        song = make(folder, work)
        (one / "song.mp3").write_bytes(song)
        idle, _ = served(one, work, "one-index")
        known(idle, 1, 30)
        figures["idle"] = memory(idle.process, "VmRSS")
        idle.stop()
        server, start = served(folder, work, "index")
        figures["start"], at_start = start, server.cpu()
        beside = asked(server, QUESTIONS[0])
        took, spent = known(server, TITLES, PATIENCE), server.cpu() - at_start
        figures["scan"] = {"seconds": took, "cpu": spent, "search": beside[0], "longest": beside[1]}
        print(f"shelf: {TITLES} titles: ready after {start:.2f} s ({at_start:.2f} s of CPU); all scanned after "
              f"{took:.1f} s, {spent:.1f} s of CPU; a search meanwhile {beside[0]:.1f} ms, at most {beside[1]:.0f}",
              flush=True)
        time.sleep(1)
        for question in QUESTIONS:
            median, most, body = asked(server, question)
            row = figures["questions"][question] = {"median": median, "most": most, "bytes": len(body),
                                                    "gzip": compressed(server, question)}
            if question.startswith("/api"):
                row["total"] = json.loads(body)["total"]
            print(f"shelf: {question}: {median:.1f} ms, {most:.1f} at most; {row.get('total', TITLES)} found, "
                  f"{len(body) / 1024:.1f} KiB, {row['gzip'] / 1024:.1f} compressed", flush=True)
        each = (memory(server.process, "VmRSS") - figures["idle"]) * 1024 / TITLES
        figures["memory"] = {"kib": each, "peak": memory(server.process)}
        slow = [question for question, row in figures["questions"].items() if row["median"] > SEARCH_MS]
        print(f"shelf: slower than {SEARCH_MS} ms: {', '.join(slow) or 'none'}; {each:.2f} KiB per title over the idle "
              f"server's "
              f"{figures['idle']:.0f} MiB (goal: {TITLE_KIB}), {memory(server.process):.0f} MiB at most",
              flush=True)
        # The next scan starts at least five seconds after the previous one, on a request for the list.
        time.sleep(6)
        read, spent, began = bytes_read(server), server.cpu(), time.perf_counter()
        write(folder / "music/New/New/01 Quokka.mp3", id3(TIT2="Quokka", TPE1="New") + song)
        while json.loads(server.get("/api/items?wait=0&limit=1&q=quokka")[0])["total"] != 1:
            if time.perf_counter() - began > 60:
                fail("a new file was not found within 60 s")
            time.sleep(0.05)
        there = time.perf_counter() - began
        known(server, TITLES + 1, 60)
        time.sleep(1)
        figures["rescan"] = {"seconds": there, "cpu": server.cpu() - spent, "bytes": bytes_read(server) - read}
        print(f"shelf: a new file was found after {there:.2f} s; {figures['rescan']['cpu']:.2f} s of CPU and "
              f"{figures['rescan']['bytes'] / 1024:.0f} KiB read, including the requests", flush=True)
        server.stop()
        server, start = served(folder, work, "index")
        at_start = server.cpu()
        took, spent = known(server, TITLES + 1, PATIENCE), server.cpu() - at_start
        figures["again"] = {"start": start, "seconds": took, "cpu": spent}
        print(f"shelf: restarted: ready after {start:.2f} s, all scanned after {took:.1f} s, {spent:.1f} s of CPU",
              flush=True)
        server.stop()
    report("shelf", figures)
