"""Checks that the same request returns the same bytes in any order and from any server.

The first of three servers sends every segment of every item in order, in reverse, and at random over several
connections. The second, which does not prefetch, sends them at random and caches them on disk; the third sends them
in order from that cache. The exit code is 1 if responses to one URL differ.

SEGUE_BENCH_AGAINST, another program for the other servers; SEGUE_BENCH_SEGMENTS, the limit of segments of a rendition,
spread over it (all); SEGUE_BENCH_SEED (1).
"""

import concurrent.futures
import hashlib
import os
import pathlib
import random
import threading

from segue_tools.launch import Server, fail, scratch
from segue_tools.media import ffmpeg

MOST = int(os.environ.get("SEGUE_BENCH_SEGMENTS", "0"))
CHANCE = random.Random(int(os.environ.get("SEGUE_BENCH_SEED", "1")))
CONNECTIONS = 4


def make_media(folder):
    """Makes a copied film, a transcoded one, and transcoded music."""
    picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=40"]
    sound = ["-f", "lavfi", "-i", "anoisesrc=r=44100:d=40:seed=7:amplitude=0.2"]
    for name, options in [
        ("copied.mp4", [*picture, *sound, "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-c:a", "aac"]),
        ("copied.ts", [*picture, *sound, "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-c:a", "ac3"]),
        ("transcoded.mkv", [*picture, *sound, "-c:v", "mpeg4", "-g", "50", "-c:a", "flac"]),
        ("music.flac", [*sound, "-c:a", "flac"]),
    ]:
        ffmpeg(*options, str(folder / name))


def spread(urls):
    """At most `MOST` of them: the first, the last, and others evenly spaced."""
    if MOST < 2 or len(urls) <= MOST:
        return urls
    return [urls[place * (len(urls) - 1) // (MOST - 1)] for place in range(MOST)]


class Fetcher:
    """Fetches from one server, each thread on its own connection."""

    def __init__(self, server):
        self.server = server
        self.local = threading.local()

    def digest(self, url):
        if not hasattr(self.local, "connection"):
            self.local.connection = self.server.connect()
        body, _ = self.server.get(url, self.local.connection, wanted=(200, 422, 500, 503))
        return hashlib.sha256(body).hexdigest()

    def in_turn(self, urls):
        return {url: self.digest(url) for url in urls}

    def at_once(self, urls):
        with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
            # Every URL twice, so that some are requested while they are made.
            twice = [url for url in urls for _ in range(2)]
            CHANCE.shuffle(twice)
            found = {}
            for url, digest in zip(twice, pool.map(self.digest, twice)):
                found.setdefault(url, set()).add(digest)
            return found


def differing(first, second, third, urls):
    """The URLs whose bytes differ."""
    one, other = Fetcher(first), Fetcher(second)
    digests = {url: {digest} for url, digest in one.in_turn(urls).items()}
    for url, digest in one.in_turn(reversed(urls)).items():
        digests[url].add(digest)
    for fetcher in [one, other]:
        for url, some in fetcher.at_once(urls).items():
            digests[url] |= some
    for url, digest in Fetcher(third).in_turn(urls).items():
        digests[url].add(digest)
    return [url for url in urls if len(digests[url]) > 1]


def run(folder, parts, cache):
    first = Server(folder)
    against = os.environ.get("SEGUE_BENCH_AGAINST")
    options = [] if against else ["--cache", cache, "--ahead", "0"]
    second, third = [Server(folder, options, program=against or "") for _ in range(2)]
    count = bad = 0
    try:
        items = first.items()
        others = second.items()
        for path, item in sorted(items.items()):
            if parts and not any(part in path for part in parts):
                continue
            if others.get(path) != item:
                fail(f"{path}: the servers have different IDs for it, {item} and {others.get(path)}")
            for container in ["ts", "fmp4"]:
                for query in ["", "&background=1"]:
                    urls = spread(first.segments(item, container, query)[0])
                    if not urls:
                        continue
                    if second.segments(item, container, query)[0] == []:
                        fail(f"{path}: only one of the servers has {container}{query}")
                    count += len(urls)
                    for url in differing(first, second, third, urls):
                        bad += 1
                        print(f"orders: {path}: {url}: the bytes differ")
            print(f"orders: {path}: done; {count} segments so far, {bad} differ", flush=True)
    finally:
        for server in [first, second, third]:
            server.stop()
    if count == 0:
        fail(f"{folder}: no segments")
    print(f"orders: {count} segments, each requested at least 7 times from three servers; {bad} differ")
    return bad


def arguments(parser):
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="media; generated by default")
    parser.add_argument("item", nargs="*", help="parts of the paths of the requested items")


def main(options):
    with scratch("segue-bench-") as work:
        folder = options.folder or work / "media"
        if not options.folder:
            folder.mkdir()
            make_media(folder)
        return int(run(folder, options.item, str(work / "cache")) > 0)
