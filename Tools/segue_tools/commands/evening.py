"""Runs the suite on HLS of your own films before and after four faults, as docs/titles.md describes.

FFmpeg makes HLS of at least four films in four shapes (TS, fragmented MP4, separate audio, variants), nginx serves it,
and the suite runs with the films as sources. Then the server is changed in four ways, the suite runs again, and
`segue compare` reports the regressions.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from segue_tools.launch import free_ports, program, requires
from segue_tools.media import ffmpeg

ONE = ["-map", "0:V:0", "-map", "1:a:0", "-b:v", "600k"]
FMP4 = ["-hls_segment_type", "fmp4"]
SHAPES = {
    "ts": [*ONE, "-var_stream_map", "v:0,a:0"],
    "fmp4": [*ONE, "-var_stream_map", "v:0,a:0", *FMP4],
    "apart": [*ONE, *FMP4, "-var_stream_map", "v:0,agroup:s a:0,agroup:s,default:yes"],
    "ladder": ["-map", "0:V:0", "-map", "0:V:0", "-map", "1:a:0", "-map", "1:a:0", "-b:v:0", "250k", "-b:v:1", "800k",
               "-var_stream_map", "v:0,a:0 v:1,a:1"],
}
AUDIO = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"]
HLS = ["-f", "hls", "-hls_time", "4", "-hls_playlist_type", "vod"]
NGINX = """daemon off; pid nginx.pid;
events {{ }}
http {{
    types {{ application/vnd.apple.mpegurl m3u8; video/mp2t ts; video/mp4 mp4 m4s; }}
    access_log off; client_body_temp_path a; proxy_temp_path b;
    fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;
    server {{ listen 127.0.0.1:{port}; root www; include slow.conf*; }}
}}
"""
TITLES = """base: http://127.0.0.1:{port}/
server: {{ start: exec nginx -e error -p . -c nginx.conf, ready: ready }}
background: "{{url}}/../sound.m3u8"
titles:
"""


def package(folder, shape, film, delay=0.0):
    """Makes a stream of a film, with an optional delay of the audio in seconds."""
    folder.mkdir(parents=True, exist_ok=True)
    ffmpeg("-i", film, "-itsoffset", delay, "-i", film, "-sn", "-dn", "-map_metadata", "-1", "-c:v", "libx264",
           "-preset", "veryfast", "-pix_fmt", "yuv420p", "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2",
           "-fps_mode", "passthrough", "-force_key_frames", "expr:gte(t,n_forced*4)", "-sc_threshold", 0, *AUDIO, *HLS,
           "-master_pl_name", "index.m3u8", *SHAPES[shape], "%v.m3u8", "-map", "1:a:0", *AUDIO, *HLS, "sound.m3u8",
           cwd=folder)


def spoil(www, names, films, slow):
    """Replaces a segment by another, delays audio by 80 ms, slows a playlist by two seconds, and removes a variant."""
    shutil.copy(www / names[0] / "01.ts", www / names[0] / "00.ts")
    package(www / names[1], "fmp4", films[1], 0.08)
    size = (www / names[2] / "0.m3u8").stat().st_size
    slow.write_text(f"location = /{names[2]}/0.m3u8 {{ limit_rate {size // 2}; }}\n")
    master = www / names[3] / "index.m3u8"
    master.write_text(re.sub(r"#EXT-X-STREAM-INF[^\n]*\n1\.m3u8\n", "", master.read_text()))


def arguments(parser):
    parser.add_argument("film", nargs="+", type=pathlib.Path, help="four films or more")
    parser.add_argument("--keep", type=pathlib.Path, default=os.environ.get("KEEP"),
                        help="a folder in which all files stay (KEEP)")


def main(options):
    requires("ffmpeg", "nginx")
    films = [film.resolve() for film in options.film]
    if len(films) < 4:
        print("evening: give at least four films")
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch).resolve()
        (folder / "www").mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        (port,) = free_ports()
        names, titles = [], TITLES.format(port=port)
        for number, film in enumerate(films):
            shape = [*SHAPES][number % 4]
            names.append(f"{number + 1}-{shape}")
            package(folder / "www" / names[-1], shape, film)
            titles += f"  - {{ name: {names[-1]}, url: {names[-1]}/index.m3u8, source: '{film}', tags: {shape} }}\n"
            print(f"made {names[-1]} from {film.name}", flush=True)
        (folder / "titles.yaml").write_text(titles)
        (folder / "www" / "ready").touch()
        (folder / "nginx.conf").write_text(NGINX.format(port=port))

        def run(*words):
            code = subprocess.run([program(), *words, "--history", folder / "history.sqlite"]).returncode
            if code:
                print(f"exit code {code}", flush=True)

        def suite(name):
            run("regress", folder / "titles.yaml", "--network", "wifi,cable,4g,dsl,3g", "--platform",
                "desktop,ios-4.3,ios-26.4", "--html", folder / f"{name}.html", "--json", folder / f"{name}.json",
                "--quiet")

        suite("before")
        spoil(folder / "www", names, films, folder / "slow.conf")
        suite("after")
        run("compare", "last-green", "last")
    return 0
