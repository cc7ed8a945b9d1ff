"""Measures the CPU and the memory to remux a whole title, compared with FFmpeg, and the time to the first byte.

`ffmpeg -c copy -f hls` and `segue serve` cut the same ten-minute film in turn; all segments are fetched over loopback.
CPU seconds and peak memory are those of the whole process. The ratio of the medians counts.

SEGUE_BENCH_MINUTES, the length of the film (10); SEGUE_BENCH_RUNS (3).
"""

import os
import shutil
import statistics
import subprocess
import time

from segue_tools.launch import Server, fail, requires, scratch
from segue_tools.measure import ended, report
from segue_tools.media import H264, ffmpeg, lavfi, picture

MINUTES = int(os.environ.get("SEGUE_BENCH_MINUTES", "10"))
RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", "3"))


def make_film(path):
    """Makes a film of a length: one minute, encoded once, and repeated without re-encoding."""
    minute = path.with_name("minute.mp4")
    ffmpeg(*picture("1280x720", 30, 60), *lavfi("aevalsrc=0.3*sin(440*2*PI*t)|0.3*sin(554*2*PI*t):s=48000:d=60"), *H264,
           "-b:v", "4M", "-g", "60", "-c:a", "aac", "-b:a", "160k", minute)
    ffmpeg("-stream_loop", str(MINUTES - 1), "-i", minute, "-c", "copy", "-movflags", "+faststart", path)
    minute.unlink()


def serve_title(folder, container):
    began = time.perf_counter()
    server = Server(folder)
    urls, _ = server.segments(server.items()["film.mp4"], container)
    sent = sum(len(server.get(url)[0]) for url in urls)
    seconds = time.perf_counter() - began
    cpu, memory = server.stop()
    return {"cpu": cpu, "memory": memory, "wall": seconds, "bytes": sent, "segments": len(urls)}


def ffmpeg_title(film, folder, container):
    kind = {"ts": "mpegts", "fmp4": "fmp4"}[container]
    out = folder / f"ffmpeg-{container}"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    began = time.perf_counter()
    process = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-i", str(film), "-c", "copy", "-f", "hls", "-hls_time", "6",
         "-hls_playlist_type", "vod", "-hls_segment_type", kind, str(out / "index.m3u8")])
    cpu, memory = ended(process)
    seconds = time.perf_counter() - began
    if process.returncode != 0:
        fail(f"ffmpeg ended with {process.returncode}")
    sent = sum(file.stat().st_size for file in out.iterdir())
    shutil.rmtree(out)
    return {"cpu": cpu, "memory": memory, "wall": seconds, "bytes": sent}


def first_bytes(film, folder):
    """Returns the seconds to the first byte of a new file's playlist, of its first segment, and of one in its middle.

    Each is measured on its own copy, so that no index and no segment exists beforehand.
    """
    names = ["first.mp4", "middle.mp4"]
    for name in names:
        shutil.copy(film, folder / name)
    server = Server(folder)
    items = server.items()
    result = {}
    for name in names:
        urls, playlist = server.segments(items[name], "ts")
        number = 0 if name == "first.mp4" else len(urls) // 2
        result[name.removesuffix(".mp4")] = {"playlist": playlist, "segment": server.get(urls[number])[1]}
    server.stop()
    for name in names:
        (folder / name).unlink()
    return result


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def main(_):
    requires("ffmpeg")
    figures: dict = {"minutes": MINUTES, "runs": RUNS, "containers": {}}
    with scratch("segue-bench-") as work:
        served = work / "served"
        served.mkdir()
        film = served / "film.mp4"
        print(f"serve: making a film of {MINUTES} minutes", flush=True)
        make_film(film)
        print(f"serve: {film.stat().st_size / 1e6:.0f} MB; the whole title, {RUNS} alternating runs each", flush=True)
        print(f"{'':14}{'CPU s':>8}{'MiB':>8}{'wall s':>8}{'MB':>8}")
        for container in ["ts", "fmp4"]:
            ours, theirs = [], []
            for _ in range(RUNS):
                theirs.append(ffmpeg_title(film, work, container))
                ours.append(serve_title(served, container))
            row = {}
            for name, runs in [("ffmpeg", theirs), ("segue", ours)]:
                row[name] = {key: median(runs, key) for key in ["cpu", "memory", "wall", "bytes"]}
                print(f"{container + ' ' + name:14}{row[name]['cpu']:8.2f}{row[name]['memory']:8.0f}"
                      f"{row[name]['wall']:8.2f}{row[name]['bytes'] / 1e6:8.0f}")
            row["cpuRatio"] = row["segue"]["cpu"] / row["ffmpeg"]["cpu"]
            row["memoryRatio"] = row["segue"]["memory"] / row["ffmpeg"]["memory"]
            print(f"{container + ' ratio':14}{row['cpuRatio']:8.2f}{row['memoryRatio']:8.2f}", flush=True)
            figures["containers"][container] = row
        runs = [first_bytes(film, served) for _ in range(RUNS)]
        figures["firstByteMilliseconds"] = {}
        print(f"first byte of a new file, {film.stat().st_size / 1e6:.0f} MB, in milliseconds")
        for place in ["first", "middle"]:
            parts = {part: 1000 * statistics.median(run[place][part] for run in runs)
                     for part in ["playlist", "segment"]}
            figures["firstByteMilliseconds"][place] = parts
            print(f"{place + ' segment':14}{parts['segment']:8.1f}   (playlist before it {parts['playlist']:.1f})")
    report("serve", figures)
