"""Measures the peak memory of a server that sends a long title, and whether it grows with the title's length.

A film of one hour and one of four, as MP4 and MKV. The tool reads the memory of the idle server, fetches every segment
in order, some at random, and the playlists. The difference of the peak should be under 100 MiB, and equal for both
lengths.

SEGUE_BENCH_HOURS, the lengths (`1 4`).
"""

import os
import random
import shutil

from segue_tools.launch import Server, requires, scratch
from segue_tools.measure import memory, report
from segue_tools.media import H264, ffmpeg, lavfi, picture

HOURS = [int(hours) for hours in os.environ.get("SEGUE_BENCH_HOURS", "1 4").split()]


def make_films(folder):
    minute = folder / "minute.mp4"
    ffmpeg(*picture("1280x720", 25, 60), *lavfi("sine=440:r=48000:d=60"), *H264, "-b:v", "2500k", "-maxrate", "2500k",
           "-bufsize", "5M", "-g", "50", "-c:a", "aac", "-b:a", "128k", minute)
    for hours in HOURS:
        for suffix in ["mp4", "mkv"]:
            ffmpeg("-stream_loop", str(60 * hours - 1), "-i", minute, "-c", "copy", folder / f"{hours}h.{suffix}")
    minute.unlink()


def measure(film):
    """Returns MiB of the idle server, its anonymous part, the peak once the film is open, and after the whole title."""
    folder = film.parent / f"served-{film.name}"
    folder.mkdir()
    os.link(film, folder / film.name)
    server = Server(folder)
    item = server.items()[film.name]
    idle, own = memory(server.process, "VmRSS"), memory(server.process, "RssAnon")
    urls, _ = server.segments(item, "ts")
    opened = memory(server.process)
    server.segments(item, "ts", "&background=1")
    sent = sum(len(server.get(url)[0]) for url in urls)
    fragments, _ = server.segments(item, "fmp4")
    chance = random.Random(1)
    for url in chance.sample(fragments, min(100, len(fragments))):
        sent += len(server.get(url)[0])
    peak = memory(server.process)
    server.stop()
    shutil.rmtree(folder)
    return {"idle": idle, "own": own, "opened": opened - idle, "peak": peak - idle, "sent": sent}


def main(_):
    requires("ffmpeg")
    figures: dict = {}
    with scratch("segue-bench-") as work:
        make_films(work)
        for suffix in ["mp4", "mkv"]:
            for hours in HOURS:
                row = measure(work / f"{hours}h.{suffix}")
                figures[f"{hours}h.{suffix}"] = row
                print(f"memory: {suffix} of {hours} h: idle {row['idle']:.0f} MiB, {row['own']:.0f} of them "
                      f"anonymous; above that, file open "
                      f"{row['opened']:.0f}, after {row['sent'] / 1e9:.1f} GB {row['peak']:.0f} (goal: under 100)",
                      flush=True)
    report("memory", figures)
