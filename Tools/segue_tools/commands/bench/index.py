"""Measures the time and the bytes read to open a film of two hours.

The film is an MP4, a Matroska, and a transport stream. `segue probe` opens each without a store, with an empty store,
and with the store that the previous run filled. The milliseconds are those of opening and planning inside of the
process; the bytes are those read to find the packets. The files are in the page cache.

SEGUE_BENCH_MINUTES, the length of the film (120); SEGUE_BENCH_RUNS (3).
"""

import json
import os
import statistics
import subprocess

from segue_tools.launch import fail, program, scratch
from segue_tools.measure import ended, report
from segue_tools.media import H264, ffmpeg, lavfi, picture

MINUTES = int(os.environ.get("SEGUE_BENCH_MINUTES", "120"))
RUNS = int(os.environ.get("SEGUE_BENCH_RUNS", "3"))


def make_films(folder):
    """The film in three containers: two minutes, encoded once, and repeated without re-encoding."""
    part = folder / "part.mkv"
    ffmpeg(*picture("320x180", "24000/1001", 120),
           *lavfi("aevalsrc=0.3*sin(440*2*PI*t)|0.3*sin(554*2*PI*t):s=48000:d=120"), *H264, "-b:v", "1500k", "-g", "48",
           "-c:a", "aac", "-b:a", "128k", part)
    films = [folder / f"film.{ending}" for ending in ["mp4", "mkv", "ts"]]
    for film in films:
        ffmpeg("-stream_loop", str(max(0, MINUTES // 2 - 1)), "-i", part, "-c", "copy", film)
    part.unlink()
    return films


def opened(film, store):
    told = film.with_suffix(".json")
    process = subprocess.Popen([program(), "probe", film, "--quiet", "--json", told, "--index-cache", store or "none"])
    cpu, memory = ended(process)
    if process.returncode != 0:
        fail(f"segue probe ended with {process.returncode}")
    index = json.loads(told.read_text())[0]["index"]
    return {**index, "cpu": cpu, "memory": memory}


def main(_):
    figures: dict = {"minutes": MINUTES, "runs": RUNS, "files": {}}
    with scratch("segue-bench-") as work:
        print(f"index: making a film of {MINUTES} minutes", flush=True)
        films = make_films(work)
        print(f"{'':16}{'ms':>9}{'MB read':>10}{'of MB':>8}{'CPU s':>8}{'MiB':>7}  index from")
        for film in films:
            rows = {"no store": [], "empty store": [], "full store": []}
            for number in range(RUNS):
                store = work / f"store-{film.suffix[1:]}-{number}"
                rows["no store"].append(opened(film, None))
                rows["empty store"].append(opened(film, store))
                rows["full store"].append(opened(film, store))
            figures["files"][film.name] = {}
            for name, runs in rows.items():
                keys = ["milliseconds", "bytesRead", "fileBytes", "cpu", "memory"]
                row = {key: statistics.median(run[key] for run in runs) for key in keys}
                row["source"] = runs[0]["source"]
                figures["files"][film.name][name] = row
                print(f"{film.suffix[1:] + ' ' + name:16}{row['milliseconds']:9.1f}{row['bytesRead'] / 1e6:10.2f}"
                      f"{row['fileBytes'] / 1e6:8.0f}{row['cpu']:8.2f}{row['memory']:7.0f}  {row['source']}",
                      flush=True)
    report("index", figures)
