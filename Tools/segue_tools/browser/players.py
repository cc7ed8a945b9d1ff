"""Third-party players: each plays a URL to its end, and returns its errors and the final position."""

import json
import re
import subprocess
import urllib.parse

from segue_tools.browser.chromium import Browser
from segue_tools.browser.scripts import script


def call(command, limit):
    """Runs a player; returns its standard output and error, after a failure if there was one."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=limit, text=True, errors="replace")
    except subprocess.TimeoutExpired as late:
        return f"did not end in {limit:.0f} s", (late.stdout or b"").decode(errors="replace")
    return ("" if done.returncode == 0 else f"exit {done.returncode}"), done.stdout


def words(said):
    """The first error messages of a player, and the number of further ones."""
    return "; ".join(said[:3]) + (f"; and {len(said) - 3} more lines" if len(said) > 3 else "")


def complaints(text, is_progress):
    """The lines that do not report a player's progress."""
    return [line for line in re.split(r"[\r\n]|\x1b\[K", text) if line.strip() and not re.search(is_progress, line)]


def ffmpeg(url, limit, *options):
    trouble, text = call(["ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-xerror", "-stats", *options, "-i", url,
                          "-f", "null", "-"], limit)
    times, frames = re.findall(r"time=([\d:.]+)", text), re.findall(r"frame=\s*(\d+)", text)
    return (trouble or words(complaints(text, "time=")), seconds(times[-1]) if times else None,
            int(frames[-1]) if frames else None)


def seconds(clock):
    return sum(float(part) * unit for part, unit in zip(clock.split(":"), (3600, 60, 1)))


def gstreamer(url, limit, is_paced=True):
    """Returns the error, the time that reached the sinks, and the frames."""
    sink = f"fakesink sync={str(is_paced).lower()} silent=false"
    trouble, text = call(["gst-launch-1.0", "--no-fault", "-v", "playbin", f"uri={url}", f"video-sink={sink}",
                          f"audio-sink={sink}"], limit)
    said = [line for line in text.splitlines()
            if re.search("ERROR|WARN|CRITICAL" if is_paced else "ERROR|CRITICAL", line)
            and "last-message = chain" not in line]
    shown = re.findall(r" pts: ([\d:.]+), duration: ([\d:.]+|none)", text)
    times = [(seconds(start), seconds(length) if length != "none" else 0) for start, length in shown]
    position = max(start + length for start, length in times) - min(start for start, _ in times) if times else None
    return trouble or words(said), position, len(shown)


def mpv(url, limit, *options):
    trouble, text = call(["mpv", "--no-config", "--vo=null", "--ao=null", *options,
                          "--msg-level=all=warn,statusline=status",
                          "--term-status-msg=at ${=time-pos} ${=estimated-frame-number}", url], limit)
    times = re.findall(r"at (-?[\d.]+) ?(\d*)", text)
    return (trouble or words(complaints(text, r"at -?[\d.]* ?\S*$")), float(times[-1][0]) if times else None,
            int(times[-1][1]) + 1 if times and times[-1][1] else None)


def chromium(url, limit):
    browser = Browser()
    try:
        browser.open(urllib.parse.urljoin(url, "/"))
        # The page times out first, and reports that.
        result = browser.evaluate(script("play-to-end") % (limit * 1000, json.dumps(url)), patience=limit + 30)
    finally:
        browser.close()
    trouble = "" if result["what"] == "ended" else f"{result['what']}: {result['message']}"
    return trouble, result["position"], None


PLAYERS = {"ffmpeg": ffmpeg, "gstreamer": gstreamer, "mpv": mpv, "chromium": chromium}
