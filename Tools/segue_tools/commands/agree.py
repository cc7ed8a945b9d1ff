"""Compares virtual with real time: plays playlists over wifi, 3g, and 4g both ways and lists the differences.

FFmpeg makes streams that nginx serves: one with separate audio, one with variants, one of byte ranges, one of all
three, one of short segments, and one of long ones in fragmented MP4 with separate audio. Each FILE is served by `segue
serve`. AGREE="--jobs 4 --network edge" passes options on. Where the system allows, everything runs with real-time
priority; a case that differs reports how late the proxy was.
"""

import contextlib
import os
import pathlib
import shlex
import shutil
import subprocess

from segue_tools.launch import Server, program, requires, scratch
from segue_tools.media import ffmpeg, noise, picture
from segue_tools.nginx import Nginx

ONE = ["-map", "0:v", "-b:v", "240k", "-maxrate", "240k", "-bufsize", "480k"]
THREE = ["-map", "0:v", "-map", "0:v", "-map", "0:v"] + [
    word for number, rate in enumerate((120, 300, 1200))
    for word in (f"-b:v:{number}", f"{rate}k", f"-maxrate:v:{number}", f"{rate}k", f"-bufsize:v:{number}",
                 f"{2 * rate}k")]
SINGLE_FILE, FMP4 = ["-hls_flags", "single_file"], ["-hls_segment_type", "fmp4"]
SEPARATE = "v:0,agroup:s a:0,agroup:s,default:yes"
# By name: segments, their seconds, FFmpeg's options, and the map of streams.
STREAMS = {
    "sound": (8, 4, [*ONE, "-map", "1:a"], SEPARATE),
    "variants": (8, 4, [*THREE, *["-map", "1:a"] * 3], "v:0,a:0 v:1,a:1 v:2,a:2"),
    "ranges": (8, 4, [*ONE, "-map", "1:a", *SINGLE_FILE], "v:0,a:0"),
    "all": (8, 4, [*THREE, "-map", "1:a", *SINGLE_FILE, *FMP4],
            "v:0,agroup:s v:1,agroup:s v:2,agroup:s a:0,agroup:s,default:yes"),
    "short": (30, 1, [*ONE, "-map", "1:a"], "v:0,a:0"),
    "long": (6, 10, [*ONE, "-map", "1:a", *FMP4], SEPARATE),
}


def make(folder: pathlib.Path) -> None:
    for name, (count, seconds, options, streams) in STREAMS.items():
        (folder / name).mkdir(parents=True)
        length, interval = count * seconds, 25 * seconds
        ffmpeg(*picture(seconds=length), *noise(1, length, 48000), "-c:v", "libx264", "-preset", "veryfast", "-threads",
               1,
               "-g", interval, "-keyint_min", interval, "-sc_threshold", 0, "-c:a", "aac", "-b:a", "64k",
               "-f", "hls", "-hls_time", seconds, "-hls_playlist_type", "vod", "-master_pl_name", "index.m3u8",
               *options, "-var_stream_map", streams, "%v.m3u8", cwd=folder / name)


def arguments(parser):
    parser.add_argument("file", nargs="*", type=pathlib.Path, help="further media to play, a file or a folder")


def main(options):
    requires("ffmpeg", "nginx")
    with contextlib.suppress(OSError):
        # The nginx and the servers inherit it.
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    with scratch() as folder, contextlib.ExitStack() as running:
        make(folder / "streams")
        nginx = running.enter_context(Nginx(folder / "streams"))
        urls = [f"http://127.0.0.1:{nginx.port}/{name}/index.m3u8" for name in STREAMS]
        if options.file:
            (folder / "media").mkdir()
            for file in options.file:
                copy = shutil.copytree if file.is_dir() else shutil.copy
                copy(file, folder / "media" / file.name)
            server = running.enter_context(Server(folder / "media"))
            urls += [f"{server.url}items/{item}/index.m3u8" for item in server.items().values()]
        return subprocess.run([program(), "agree", *urls, *shlex.split(os.environ.get("AGREE", ""))]).returncode
