"""Measures the wall time to transcode a whole title, compared with FFmpeg.

Video (MPEG-4) and audio (FLAC) must be transcoded. FFmpeg runs `-c:v libx264 -c:a aac -f hls` with the server's
settings on all cores; a client fetches one segment after another from a new `segue serve`. The ratio of the medians
should be at most 1.

SEGUE_BENCH_SECONDS, the length of the film (120); SEGUE_BENCH_RUNS (3); SEGUE_BENCH_X264, the options of libx264.
"""

import os
import shutil
import statistics
import subprocess
import time

from segue_tools.launch import Server, fail, requires, scratch
from segue_tools.measure import ended, report
from segue_tools.media import ffmpeg, lavfi, picture

SECONDS = int(os.environ.get("SEGUE_BENCH_SECONDS", "120"))
RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", "3"))
DEFAULTS = "-preset veryfast -crf 21 -bf 0 -g 100000 -x264-params scenecut=0:mbtree=0"
X264 = os.environ.get("SEGUE_BENCH_X264", DEFAULTS).split()


def make_film(path):
    ffmpeg(*picture("1280x720", 25, SECONDS), *lavfi(f"anoisesrc=r=48000:d={SECONDS}:seed=5:amplitude=0.2"), "-vf",
           "noise=alls=12:allf=t", "-c:v", "mpeg4", "-q:v", "5", "-g", "50", "-c:a", "flac", "-ac", "2", path)


def ffmpeg_title(film, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    began = time.perf_counter()
    process = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-i", str(film), "-c:v", "libx264", *X264, "-pix_fmt", "yuv420p",
         "-force_key_frames", "expr:gte(t,n_forced*6)", "-c:a", "aac", "-q:a", "1", "-aac_pns", "0",
         "-f", "hls", "-hls_time", "6", "-hls_playlist_type", "vod", str(folder / "index.m3u8")])
    cpu, _ = ended(process)
    if process.returncode != 0:
        fail(f"ffmpeg ended with {process.returncode}")
    return {"wall": time.perf_counter() - began, "cpu": cpu,
            "bytes": sum(file.stat().st_size for file in folder.iterdir())}


def segue_title(folder):
    server = Server(folder)
    item = server.items()["film.mkv"]
    began = time.perf_counter()
    urls, _ = server.segments(item, "ts")
    sent = sum(len(server.get(url)[0]) for url in urls)
    wall = time.perf_counter() - began
    cpu, _ = server.stop()
    return {"wall": wall, "cpu": cpu, "bytes": sent}


def main(_):
    requires("ffmpeg")
    with scratch("segue-bench-") as work:
        served = work / "served"
        served.mkdir()
        make_film(served / "film.mkv")
        ours, theirs = [], []
        for _ in range(RUNS):
            theirs.append(ffmpeg_title(served / "film.mkv", work / "ffmpeg"))
            ours.append(segue_title(served))
    median = lambda runs, key: statistics.median(run[key] for run in runs)
    figures: dict = {"seconds": SECONDS, "runs": RUNS}
    for name, runs in [("ffmpeg", theirs), ("segue", ours)]:
        figures[name] = {key: median(runs, key) for key in ["wall", "cpu", "bytes"]}
        print(f"transcode: {name:7}{figures[name]['wall']:8.1f} s wall{figures[name]['cpu']:8.1f} s CPU"
              f"{figures[name]['bytes'] / 1e6:8.1f} MB")
    figures["ratio"] = figures["segue"]["wall"] / figures["ffmpeg"]["wall"]
    print(f"transcode: {SECONDS} s of 720p, wall ratio {figures['ratio']:.2f} (goal: 1)")
    report("transcode", figures)
