"""Full disks, and folders that disappear and return: other players are not affected, and returning content is
unchanged."""

import hashlib
import http.client
import shlex
import time

from segue_tools.attacks.blocking import ending, make_film
from segue_tools.launch import Server, program
from segue_tools.media import ffmpeg, lavfi

# The size of the full disk, and the maximum seconds until a change of the folder is noticed.
DISK, SEEN = "600k", 30


def answer(server, path):
    """Returns status and body, on a new connection."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    connection.request("GET", path)
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply.status, body


def playlist(server, item, query=""):
    urls, _ = server.segments(item, "ts", query)
    return urls


def digests(server, urls):
    return [(status, hashlib.sha256(body).hexdigest()) for status, body in (answer(server, url) for url in urls)]


def vanishing(folder):
    served, away = folder / "served", folder / "away"
    (served / "one").mkdir(parents=True)
    (served / "two").mkdir()
    make_film(served / "one/film.mp4", 20, "320x180")
    make_film(served / "two/other.mp4", 20, "320x180")
    server = Server(served)
    items = server.items()
    urls = {path: playlist(server, item) for path, item in items.items()}
    right = {path: digests(server, names) for path, names in urls.items()}
    broken, statuses = [], {}
    (served / "one").rename(away)
    for number, url in enumerate(urls["one/film.mp4"]):
        status, body = answer(server, url)
        statuses[status] = statuses.get(status, 0) + 1
        if status == 200 and hashlib.sha256(body).hexdigest() != right["one/film.mp4"][number][1]:
            broken.append(f"{url}: other bytes while its folder is away")
        if status >= 500 and status != 503:
            broken.append(f"{url}: {status} while its folder is away")
    if digests(server, urls["two/other.mp4"]) != right["two/other.mp4"]:
        broken.append("another film is affected")
    end = time.monotonic() + SEEN
    while len(server.items()) != 1 and time.monotonic() < end:
        time.sleep(0.5)
    if len(server.items()) != 1:
        broken.append(f"the film is still listed after {SEEN} s")
    away.rename(served / "one")
    end = time.monotonic() + SEEN
    while len(server.items()) != 2 and time.monotonic() < end:
        time.sleep(0.5)
    if server.items() != items:
        broken.append(f"the film has not returned under its ID after {SEEN} s")
    elif digests(server, urls["one/film.mp4"]) != right["one/film.mp4"]:
        broken.append("the film is different after its return")
    taken = ending(server, broken)
    return (f"a film whose folder disappears during playback: responses {dict(sorted(statuses.items()))}, another film "
            f"is unchanged, and so is the film after its return; SIGTERM ended it in {taken:.2f} s", broken)


def full(folder):
    served, disk = folder / "served", folder / "disk"
    served.mkdir()
    disk.mkdir()
    make_film(served / "film.mp4", 30, "320x180")
    ffmpeg(*lavfi("sine=440:d=60"), served / "song.flac")
    # In its own namespace, so that the disk disappears with the server.
    start = folder / "start"
    start.write_text(f"#!/bin/sh\nexec unshare --map-root-user --mount sh -c 'mount -t tmpfs -o size={DISK} tmpfs "
                     f"{shlex.quote(str(disk))} && exec \"$0\" \"$@\"' {shlex.quote(program())} \"$@\"\n")
    start.chmod(0o755)
    kinds = ["?background=1", "?device=iphone-3g", ""]
    errors = folder / "errors"
    results, broken = [], []
    for options in ([], ["--cache", str(disk / "cache"), "--log", str(disk / "log"), "--data", str(disk / "data"),
                         "--access-log", str(disk / "access")]):
        with open(errors, "w") as said:
            server = Server(served, options, program=str(start), stderr=said)
        seen = []
        for _ in range(3):
            for item in server.items().values():
                for kind in kinds:
                    seen += digests(server, playlist(server, item, kind.replace("?", "&")))
        # It continues, and reports itself healthy.
        if answer(server, "/health")[0] != 200:
            broken.append("/health reports a failure")
        taken = time.perf_counter()
        server.stop()
        taken = time.perf_counter() - taken
        results.append(seen)
    lines = [line for line in errors.read_text().splitlines() if "No space" in line or "room" in line]
    if results[0] != results[1]:
        broken.append("responses differ with a full disk")
    if any(status != 200 for status, _ in results[1]):
        broken.append("a request failed")
    if not lines:
        broken.append("nothing is logged about it")
    if len(lines) > 10:
        broken.append(f"{len(lines)} lines are logged about it")
    return (f"with caches, keys, and logs on a full disk of {DISK}, {len(results[1])} segments equal those of a server "
            f"without it; {len(lines)} lines report it, the first: {lines[0] if lines else ''!r}; SIGTERM ended it in "
            f"{taken:.2f} s",
            broken)


ATTACKS = {"vanishing-folder": vanishing, "full-disk": full}
