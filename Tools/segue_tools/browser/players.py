"""Other people's players: each plays a URL to its end and says what went wrong, and how far it came."""

import json
import re
import subprocess
import urllib.parse

from segue_tools.browser.chromium import Browser
from segue_tools.browser.scripts import script


def call(command, limit):
    """Runs a player; its standard output and error, or what went wrong in front of them."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=limit, text=True, errors="replace")
    except subprocess.TimeoutExpired as late:
        return f"did not end in {limit:.0f} s", (late.stdout or b"").decode(errors="replace")
    return ("" if done.returncode == 0 else f"exit {done.returncode}"), done.stdout


def words(said):
    """The first lines of what a player complained of, and how many more there are."""
    return "; ".join(said[:3]) + (f"; and {len(said) - 3} more lines" if len(said) > 3 else "")


def ffmpeg(url, duration, limit):
    trouble, text = call(["ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-xerror", "-stats", "-i", url,
                          "-f", "null", "-"], limit)
    times = re.findall(r"time=(\d+):(\d+):([\d.]+)", text)
    position = sum(float(part) * unit for part, unit in zip(times[-1], (3600, 60, 1))) if times else None
    said = [line for line in re.split(r"[\r\n]", text) if line.strip() and "time=" not in line]
    return trouble or words(said), position


def seconds(clock):
    """What GStreamer writes as hours, minutes and seconds."""
    return sum(float(part) * unit for part, unit in zip(clock.split(":"), (3600, 60, 1)))


def gstreamer(url, duration, limit):
    # What reaches the sinks tells how far it played; the time that the program took has the machine's load in it.
    sink = "fakesink sync=true silent=false"
    trouble, text = call(["gst-launch-1.0", "--no-fault", "-v", "playbin", f"uri={url}", f"video-sink={sink}",
                          f"audio-sink={sink}"], limit)
    said = [line for line in text.splitlines()
            if re.search("ERROR|WARN|CRITICAL", line) and "last-message = chain" not in line]
    shown = re.findall(r" pts: ([\d:.]+), duration: ([\d:.]+|none)", text)
    times = [(seconds(start), seconds(length) if length != "none" else 0) for start, length in shown]
    position = max(start + length for start, length in times) - min(start for start, _ in times) if times else None
    return trouble or words(said), position


def mpv(url, duration, limit):
    trouble, text = call(["mpv", "--no-config", "--vo=null", "--ao=null",
                          "--msg-level=all=warn,statusline=status", "--term-status-msg=at ${=time-pos}", url], limit)
    times = re.findall(r"at (-?[\d.]+)", text)
    said = [line for line in re.split(r"[\r\n]|\x1b\[K", text) if line.strip()
            and not re.search(r"at -?[\d.]*\s*$", line)]
    return trouble or words(said), float(times[-1]) if times else None


def chromium(url, duration, limit):
    browser = Browser()
    try:
        browser.open(urllib.parse.urljoin(url, "/"))
        # The page gives up first, and says so.
        result = browser.evaluate(script("play-to-end") % (limit * 1000, json.dumps(url)), patience=limit + 30)
    finally:
        browser.close()
    trouble = "" if result["what"] == "ended" else f"{result['what']}: {result['message']}"
    return trouble, result["position"]


PLAYERS = {"ffmpeg": ffmpeg, "gstreamer": gstreamer, "mpv": mpv, "chromium": chromium}
