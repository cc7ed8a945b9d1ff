"""Programs that run with a time limit, and the messages of their failures."""

import json
import subprocess
import threading

LIMIT = 120
HLS = ["-f", "hls", "-hls_time", "4", "-hls_list_size", "0", "-hls_playlist_type", "vod"]
# FFmpeg would otherwise drop and repeat frames for a constant rate, and round timestamps.
X264 = ["-fps_mode", "passthrough", "-enc_time_base", "-1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
        "yuv420p",
        "-g", "50", "-keyint_min", "50", "-sc_threshold", "0"]
AAC = ["-c:a", "aac", "-b:a", "128k"]


class Failure(Exception):
    """The failure of a program, with its own message."""


def run(*command, limit=LIMIT):
    """Runs a program with a time limit; returns its output."""
    name = str(command[0]).rsplit("/", 1)[-1]
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace",
                              timeout=limit,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise Failure(f"{name}: timed out after {limit} s") from None
    if done.returncode != 0:
        lines = [line.strip() for line in (done.stderr + "\n" + done.stdout).splitlines() if line.strip()]
        raise Failure(f"{name}: {reason(lines) or f'exit code {done.returncode}'}")
    return done.stdout


def launch(*pipe, limit=60):
    """Runs a GStreamer pipeline; a failed link ends it, because the sink would wait forever for the stream.
    """
    process = subprocess.Popen(["gst-launch-1.0", *map(str, pipe)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace")
    timer = threading.Timer(limit, process.kill)
    timer.start()
    lines = []
    try:
        for line in process.stdout:
            lines.append(line.strip())
            if "failed delayed linking" in line:
                raise Failure(f"gst-launch-1.0: {line.strip()}")
        if process.wait() != 0:
            why = f"timed out after {limit} s" if process.returncode < 0 else reason(lines)
            raise Failure(f"gst-launch-1.0: {why}")
    finally:
        timer.cancel()
        process.kill()
        process.wait()


def reason(lines):
    """The line with the reason: the last line of output is often only a summary of the failure."""
    wanted = [line for line in lines if "error" in line.lower() or "failed" in line.lower()
              or "invalid" in line.lower()]
    return (wanted or lines)[0][-300:] if lines else ""


def ffmpeg(*arguments, program="ffmpeg"):
    """Writes a file with FFmpeg."""
    return run(program, "-v", "error", "-nostdin", "-y", *arguments)


def probed(path):
    streams = json.loads(run("ffprobe", "-v", "error", "-show_streams", "-of", "json", path)).get("streams", [])

    def first(kind):
        found = [s for s in streams if s.get("codec_type") == kind and not s.get("disposition", {}).get("attached_pic")]
        return found[0] if found else None
    return first("video"), first("audio")


def seconds(path):
    try:
        return float(run("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path).strip())
    except (Failure, ValueError):
        return 0.0


def compared(segue, source, *playlists):
    reports = json.loads(run(segue, "content", "--foreign", source, *playlists))
    return [finding for report in reports for finding in report["findings"]]
