"""Measures the CPU time that cover art costs before a song begins.

A song of a minute (Ogg Vorbis, so that its audio is transcoded) exists with and without a JPEG image. For each, a new
server receives a request for the multivariant playlist, and in a second row for every media playlist and its first
segment. The difference of the medians of the server's whole CPU time counts. `audio only` requests the song with art
as in the background, without any of its image.

SEGUE_BENCH_RUNS (5); SEGUE_BENCH_SIDE, the sides of the art in pixels (720).
"""

import base64
import os
import pathlib
import statistics
import struct
import tempfile

from segue_tools.launch import Server, fail
from segue_tools.measure import report
from segue_tools.media import ffmpeg, lavfi

RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", "5"))
SIDE = int(os.environ.get("SEGUE_BENCH_SIDE", "720"))
MUSIC = ("aevalsrc=0.3*sin(2*PI*220*t)*(1+sin(2*PI*2*t))+0.2*sin(2*PI*(440+3*sin(5*t))*t)"
         "|0.3*sin(2*PI*330*t)+0.1*random(0):s=44100:d=61")


def make_songs(folder):
    """Makes a folder for each song, by name, so that each server has one file."""
    plain, art, tags = folder / "plain.ogg", folder / "art.jpg", folder / "tags.txt"
    ffmpeg("-f", "lavfi", "-i", MUSIC, "-c:a", "libvorbis", "-q:a", "5", plain)
    ffmpeg(*lavfi(f"mandelbrot=size={SIDE}x{SIDE}:rate=1"), "-frames:v", "1", "-q:v", "3", art)
    picture = art.read_bytes()
    # A FLAC picture block (RFC 9639, 8.8), which Ogg stores as a tag.
    block = struct.pack(">II", 3, 10) + b"image/jpeg" + struct.pack(">IIIII", 0, SIDE, SIDE, 24, 0)
    block += struct.pack(">I", len(picture)) + picture
    coded = base64.b64encode(block).decode().replace("=", "\\=")
    tags.write_text(f";FFMETADATA1\nMETADATA_BLOCK_PICTURE={coded}\n")
    songs = {}
    for name in ("plain", "art"):
        songs[name] = folder / name
        songs[name].mkdir()
        tagged = ["-f", "ffmetadata", "-i", tags, "-map_metadata", "1"] if name == "art" else []
        ffmpeg("-i", plain, *tagged, "-map", "0:a", "-c", "copy", songs[name] / "song.ogg")
    return songs


def cost(folder, query, goes_on, has_picture):
    """The CPU seconds of a server from its start to its responses."""
    server = Server(folder)
    base = f"/items/{server.items()['song.ogg']}/"
    text = server.get(f"{base}master.m3u8?{query}")[0].decode()
    if ("RESOLUTION=" in text) != has_picture:
        fail(f"{folder.name}: a picture in the playlist is {'missing' if has_picture else 'unexpected'}")
    lists = [line for line in text.splitlines() if line and not line.startswith("#")]
    lists += [line.split('URI="')[1].split('"')[0] for line in text.splitlines() if 'URI="' in line]
    for address in lists if goes_on else []:
        at = base + address
        names = [line for line in server.get(at)[0].decode().splitlines() if line and not line.startswith("#")]
        server.get(f"{at.split('?')[0].rsplit('/', 1)[0]}/{names[0]}")
    return server.stop()[0]


def main(_):
    figures: dict = {"runs": RUNS, "side": SIDE}
    with tempfile.TemporaryDirectory() as folder:
        songs = make_songs(pathlib.Path(folder))
        for name, goes_on in (("multivariant playlist", False), ("and the first segments", True)):
            kinds = {"plain": ("plain", "", False), "art": ("art", "", True), "alone": ("art", "background=1", False)}
            taken = {kind: [] for kind in kinds}
            for _ in range(RUNS):
                for kind, (song, query, has_picture) in kinds.items():
                    taken[kind].append(cost(songs[song], query, goes_on, has_picture))
            plain, art, alone = (statistics.median(taken[kind]) * 1000 for kind in kinds)
            figures[name] = {"plain": plain, "art": art, "difference": art - plain, "alone": alone - plain}
            print(f"{name + ':':24} {plain:6.0f} ms without art, {art:6.0f} ms with it: {art - plain:+.0f} ms;"
                  f" audio only {alone - plain:+.0f} ms")
    report("cover-art", figures)
