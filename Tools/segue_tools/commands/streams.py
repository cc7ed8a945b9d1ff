"""Plays streams of FFmpeg and GStreamer that nginx serves, each to its end.

Static streams play in real time and in virtual time, live ones in real time while they are made. A play passes if
`segue play` exits without an error and plays the whole stream, or the rest of a live one. The exit code is
1 if a play fails, and 2 if nothing could run. SECONDS is the length of the streams (12), KEEP a folder in which they
stay.
"""

import json
import os
import pathlib
import subprocess

from segue_tools.launch import fail, program, requires, scratch, until
from segue_tools.nginx import Nginx

SECONDS = int(os.environ.get("SECONDS", "12"))
RATE = 25

SOURCE = ["-f", "lavfi", "-i", f"testsrc2=size=320x180:rate={RATE}", "-f", "lavfi", "-i",
          "sine=frequency=440:sample_rate=48000"]
CODED = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", str(2 * RATE), "-c:a", "aac",
         "-t", str(SECONDS)]
HLS = ["-f", "hls", "-hls_time", "2"]
WHOLE = [*HLS, "-hls_playlist_type", "vod"]
KEY = bytes(range(16))


def ffmpeg(*options, live=False):
    pace = ["-re"] if live else []
    inputs = [argument for source in (SOURCE[:4], SOURCE[4:]) for argument in (*pace, *source)]
    return ["ffmpeg", "-v", "error", "-nostdin", "-y", *inputs, *CODED, *options]


def gstreamer(live, length):
    """hlssink2 with H.264 and AAC; `length` segments in the playlist, 0 for all."""
    is_live = "true" if live else "false"
    return ["gst-launch-1.0", "-e", "-q",
            "hlssink2", "name=sink", "target-duration=2", f"playlist-length={length}", "max-files=0",
            "location=%05d.ts", "playlist-location=index.m3u8",
            "videotestsrc", f"num-buffers={SECONDS * RATE}", f"is-live={is_live}", "!",
            f"video/x-raw,width=320,height=192,framerate={RATE}/1", "!", "openh264enc", f"gop-size={2 * RATE}", "!",
            "h264parse", "!", "queue", "!", "sink.video",
            "audiotestsrc", f"num-buffers={SECONDS * 48000 // 1024}", "samplesperbuffer=1024", f"is-live={is_live}",
            "!",
            "audio/x-raw,rate=48000,channels=2", "!", "avenc_aac", "!", "aacparse", "!", "queue", "!", "sink.audio"]


STATIC = {
    "ffmpeg-ts": ffmpeg(*WHOLE, "index.m3u8"),
    "ffmpeg-fmp4": ffmpeg(*WHOLE, "-hls_segment_type", "fmp4", "index.m3u8"),
    "ffmpeg-ts-ranges": ffmpeg(*WHOLE, "-hls_flags", "single_file", "index.m3u8"),
    "ffmpeg-fmp4-ranges": ffmpeg(*WHOLE, "-hls_segment_type", "fmp4", "-hls_flags", "single_file", "index.m3u8"),
    "ffmpeg-aes-128": ffmpeg(*WHOLE, "-hls_key_info_file", "key.info", "index.m3u8"),
    "ffmpeg-mp3": ["ffmpeg", "-v", "error", "-nostdin", "-y", *SOURCE[4:], "-c:a", "libmp3lame", "-t", str(SECONDS),
                   *WHOLE,
                   "index.m3u8"],
    "ffmpeg-variants": ffmpeg(
        "-map", "0:v", "-map", "0:v", "-map", "1:a", "-b:v:0", "200k", "-b:v:1", "800k", *WHOLE,
        "-hls_segment_type", "fmp4", "-master_pl_name", "index.m3u8",
        "-var_stream_map", "v:0,agroup:a v:1,agroup:a a:0,agroup:a,default:yes,language:en", "v%v.m3u8"),
    "hlssink2": gstreamer(False, 0),
}
LIVE = {
    "ffmpeg-live": ffmpeg(*HLS, "-hls_list_size", "4", "-hls_flags", "delete_segments+append_list+program_date_time",
                          "index.m3u8", live=True),
    "ffmpeg-live-fmp4": ffmpeg(*HLS, "-hls_list_size", "5", "-hls_segment_type", "fmp4", "-hls_flags",
                               "delete_segments",
                               "index.m3u8", live=True),
    "ffmpeg-live-variants": ffmpeg(
        "-map", "0:v", "-map", "0:v", "-map", "1:a", "-b:v:0", "200k", "-b:v:1", "800k", *HLS, "-hls_list_size", "5",
        "-hls_flags", "delete_segments+program_date_time", "-master_pl_name", "index.m3u8",
        "-var_stream_map", "v:0,agroup:a v:1,agroup:a a:0,agroup:a,default:yes,language:en", "v%v.m3u8", live=True),
    "ffmpeg-live-aes-128": ffmpeg(*HLS, "-hls_list_size", "5", "-hls_key_info_file", "key.info", "-hls_flags",
                                  "delete_segments+periodic_rekey", "index.m3u8", live=True),
    "ffmpeg-event": ffmpeg(*HLS, "-hls_playlist_type", "event", "index.m3u8", live=True),
    "hlssink2-live": gstreamer(True, 5),
}


def play(url, work, virtual):
    """Plays a stream; returns the seconds played, the stalls, the errors, and the failure."""
    figures = work / "figures.json"
    log = work / "log.jsonl"
    command = [program(), "play", url, "--quiet", "--platform", "desktop", "--json", str(figures), "--log", str(log)]
    try:
        done = subprocess.run(command + (["--virtual"] if virtual else []), timeout=SECONDS * 4 + 60,
                              capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return 0.0, 0, 0, "it did not exit"
    if done.returncode == 2:
        return 0.0, 0, 0, done.stderr.strip()
    events = [json.loads(line) for line in log.read_text().splitlines()]
    ended = any(event["kind"] == "item.playedToEnd" for event in events)
    stalls = sum(event["kind"] == "item.stalled" for event in events)
    played = seconds_played(events)
    failures = sum(event["kind"] == "errorLog.entry" for event in events)
    wrong = done.stderr.strip() or ("" if ended else "it did not reach the end")
    return played, stalls, failures, wrong


def seconds_played(events):
    total, began = 0.0, None
    for event in events:
        if event["kind"] == "sound.began":
            began = event["position"]
        elif event["kind"] == "sound.ended" and began is not None:
            total += event["position"] - began
            began = None
    return total


def show(name, how, outcome, least):
    played, stalls, failures, wrong = outcome
    if not wrong and played < least:
        wrong = f"only {played:.1f} of {least:.1f} s were audible"
    print(f"{'FAIL' if wrong else 'ok  '}  {name:20} {how:8} {played:6.2f} s played, {stalls} stalls, "
          f"{failures} errors{': ' + wrong if wrong else ''}", flush=True)
    return not wrong


def make(command, folder):
    (folder / "key").write_bytes(KEY)
    (folder / "key.info").write_text("key\nkey\n")
    with open(folder / "made.log", "wb") as log:
        return subprocess.Popen(command, cwd=folder, stderr=log)


def is_made(maker, folder):
    """Waits for the maker of a stream; returns whether it finished. hlssink2 occasionally hangs after that."""
    try:
        return maker.wait(timeout=30) == 0
    except subprocess.TimeoutExpired:
        return "#EXT-X-ENDLIST" in (folder / "index.m3u8").read_text()
    finally:
        if maker.poll() is None:
            maker.kill()
            maker.wait()


def play_live(name, command, folder, url, work):
    maker = make(command, folder)
    if not until((folder / "index.m3u8").exists, 20):
        return show(name, "live", (0.0, 0, 0, "no playlist was made"), 0) and is_made(maker, folder)
    # Joined at the first segment, everything is played except segments that left the window; the start may take time.
    good = show(name, "live", play(url, work, virtual=False), SECONDS - 4.5)
    return is_made(maker, folder) and good


def arguments(parser):
    parser.add_argument("name", nargs="*", help="of " + ", ".join([*STATIC, *LIVE]))


def main(options):
    requires("ffmpeg", "gst-launch-1.0", "nginx")
    wanted = options.name or [*STATIC, *LIVE]
    unknown = [name for name in wanted if name not in STATIC and name not in LIVE]
    if unknown:
        fail(f"no such stream: {', '.join(unknown)}. Streams: {', '.join([*STATIC, *LIVE])}", 2)
    with scratch("segue-streams-") as work:
        root = pathlib.Path(os.environ.get("KEEP", work / "root"))
        root.mkdir(exist_ok=True)
        good = True
        with Nginx(root, types=True) as nginx:
            for name in wanted:
                folder = root / name
                folder.mkdir(exist_ok=True)
                url = f"http://127.0.0.1:{nginx.port}/{name}/index.m3u8"
                if name in LIVE:
                    good = play_live(name, LIVE[name], folder, url, work) and good
                elif not is_made(make(STATIC[name], folder), folder):
                    good = show(name, "made",
                                (0.0, 0, 0, f"the stream could not be made, see {folder}/made.log (KEEP)"), 0)
                else:
                    good = show(name, "real", play(url, work, virtual=False), SECONDS - 0.3) and good
                    good = show(name, "virtual", play(url, work, virtual=True), SECONDS - 0.3) and good
    return 0 if good else 1
