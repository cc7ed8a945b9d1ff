"""Measures the first byte of a segment in the middle of an unknown title, compared with a new FFmpeg process.

For each container and run, a new copy of a film. The time of `segue serve`, which runs already, is that of the media
playlist and of the segment after it, from request to first byte; FFmpeg's is that of `ffmpeg -ss … -t 6 -c copy`
writing a transport stream to a pipe. The ratio of the medians should be at most 0.25. The time of the playlist is shown
as well: it contains the opening of the file, which a player requires once.

SEGUE_BENCH_MINUTES, the length of the film (60); SEGUE_BENCH_RUNS (7).
"""

import os
import shutil
import statistics
import subprocess
import time

from segue_tools.launch import Server, fail, requires, scratch
from segue_tools.measure import report
from segue_tools.media import H264, ffmpeg, lavfi, picture

MINUTES = int(os.environ.get("SEGUE_BENCH_MINUTES", "60"))
RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", "7"))


def make_films(folder):
    """Makes a film as MP4 and MKV: a minute, encoded once, and repeated without re-encoding."""
    minute = folder / "minute.mp4"
    ffmpeg(*picture("640x360", 25, 60), *lavfi("sine=440:r=48000:d=60"), *H264, "-b:v", "800k", "-g", "50", "-c:a",
           "aac", "-b:a", "96k", minute)
    for name in ["film.mp4", "film.mkv"]:
        ffmpeg("-stream_loop", str(MINUTES - 1), "-i", minute, "-c", "copy", str(folder / name))
    minute.unlink()


def ffmpeg_first_byte(film):
    began = time.perf_counter()
    process = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-ss", str(MINUTES * 30), "-i", str(film), "-t", "6", "-c", "copy", "-f", "mpegts",
         "-"], stdout=subprocess.PIPE)
    if not process.stdout.read(1):
        fail("ffmpeg produced no output")
    seconds = time.perf_counter() - began
    process.stdout.read()
    process.wait()
    return seconds


def main(_):
    requires("ffmpeg")
    figures: dict = {"minutes": MINUTES, "runs": RUNS}
    with scratch("segue-bench-") as work:
        make_films(work)
        for suffix in ["mp4", "mkv"]:
            served = work / f"served-{suffix}"
            served.mkdir()
            names = [f"{run}.{suffix}" for run in range(RUNS)]
            for name in names:
                shutil.copy(work / f"film.{suffix}", served / name)
            server = Server(served)
            items = server.items()
            rows = {"ffmpeg": [], "playlist": [], "segment": []}
            for name in names:
                rows["ffmpeg"].append(ffmpeg_first_byte(served / name))
                urls, playlist = server.segments(items[name], "ts")
                rows["playlist"].append(playlist)
                rows["segment"].append(server.get(urls[len(urls) // 2])[1])
            server.stop()
            row = {key: 1000 * statistics.median(values) for key, values in rows.items()}
            row["ratio"] = row["segment"] / row["ffmpeg"]
            row["ratioWithPlaylist"] = (row["segment"] + row["playlist"]) / row["ffmpeg"]
            figures[suffix] = row
            print(f"middle: {suffix} of {MINUTES} min, ms: segment {row['segment']:.1f}, ffmpeg {row['ffmpeg']:.1f}, "
                  f"ratio {row['ratio']:.2f} (goal: 0.25); the playlist before it {row['playlist']:.1f}, "
                  f"with it {row['ratioWithPlaylist']:.2f}", flush=True)
    report("middle", figures)
