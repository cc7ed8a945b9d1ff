#!/usr/bin/env python3
"""Clicks a title on Segue's page in headless Chromium, and says what came of it.

Usage: play.py http://HOST:PORT/ ID [SCREENSHOT.png]

Prints one JSON object: the state of the video after it has played for a while, after the switch to sound alone, and
after the switch back. Everything is waited for by events in the page; `--remote-debugging-port` carries the commands.
Needs nothing but Python's own library and a Chromium in PATH.
"""

import base64
import json
import sys

from browser import Browser

STATE = """({position: video.currentTime, duration: video.duration, width: video.videoWidth, paused: video.paused,
  error: video.error && video.error.message, source: video.currentSrc, notice: notice.textContent})"""

# Resolves when the video has played on for a second and a half from a position, or has failed for good.
PLAYED = """new Promise(resolve => {
  const from = %s;
  const look = () => { if (video.currentTime > from + 1.5 && !video.seeking) { done(); } };
  const failed = () => { if (notice.textContent) { done(); } };
  const done = () => { video.removeEventListener('timeupdate', look); watcher.disconnect(); resolve(%s); };
  const watcher = new MutationObserver(failed);
  watcher.observe(notice, {childList: true});
  video.addEventListener('timeupdate', look);
  look();
})"""


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    browser = Browser()
    try:
        browser.open(sys.argv[1])
        item = json.dumps(sys.argv[2])
        browser.evaluate(f"document.querySelector('.item[data-id=' + CSS.escape({item}) + ']').click()")
        result = {"full": browser.evaluate(PLAYED % ("0", STATE))}
        if len(sys.argv) == 4:
            shot = browser.command("Page.captureScreenshot")["data"]
            with open(sys.argv[3], "wb") as file:
                file.write(base64.b64decode(shot))
        for name in ["background", "fullAgain"]:
            before = browser.evaluate("video.currentTime")
            browser.evaluate("audioOnly.click()")
            result[name] = browser.evaluate(PLAYED % (before, STATE))
            result[name]["switchedAt"] = before
        print(json.dumps(result, indent=2))
    finally:
        browser.close()


if __name__ == "__main__":
    main()
