"""A driver for Chromium, by its DevTools protocol: a media element on a page of its own (page.html), without a window.

The sound goes nowhere, and is played. The page is hidden by another tab, as a user of a browser would do it. What comes out
is told by the page's script (page.js), by its own clock, which is set against this program's once.
"""

import json
import os
import sys
import threading
import urllib.parse
import urllib.request

from segue_drivers.browser import ANSWER, Browser
from segue_drivers.driver import Refusal

# Without a window and a sound card; of those that watch it (watched.py), with both, the page over all of the screen.
UNSEEN = ["--headless=new", "--disable-audio-output", "--mute-audio"]
SEEN = ["--kiosk"]


class Chromium(Browser):
    NAME = "Chromium"
    PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]
    ANNOUNCES = "DevTools listening on"

    def words(self, is_shown):
        return [*(SEEN if is_shown else UNSEEN), "--no-sandbox", "--disable-gpu",
                "--autoplay-policy=no-user-gesture-required", "--remote-debugging-port=0", "--no-first-run",
                "--enable-blink-features=AudioVideoTracks", f"--user-data-dir={self.folder}"]

    def connect(self, port):
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        page = next(page for page in pages if page["type"] == "page")
        self.own, self.other = page["id"], None
        self.loaded = threading.Event()
        self.listen_at(port, urllib.parse.urlsplit(page["webSocketDebuggerUrl"]).path)

    def show(self, url):
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Runtime.addBinding", name="segueSaid")
        self.call("Page.navigate", url=url)
        if not self.loaded.wait(ANSWER):
            sys.exit("driver: the page does not load")
        return self.call("Browser.getVersion")["product"].replace("/", " ").replace("Headless", "")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise Refusal(f"the page: {answer['exceptionDetails'].get('text')}")
        return answer["result"].get("value")

    def fault(self, answer):
        return answer["error"].get("message")

    def take_event(self, message):
        if message["method"] == "Page.loadEventFired":
            self.loaded.set()
        elif message["method"] == "Runtime.bindingCalled":
            self.said(json.loads(message["params"]["payload"]))
        elif message["method"] == "Inspector.targetCrashed":
            self.is_gone("Chromium's page has crashed")

    def act(self, name, fields):
        if name == "open":
            # What an item before has loaded would keep the network, and its faults, from this one. Without a cache Chromium asks
            # twice for what it has begun to read.
            self.call("Network.clearBrowserCache")
        super().act(name, fields)

    # Commands that are not the page's

    def do_background(self):
        if self.other is None:
            self.other = self.call("Target.createTarget", url="about:blank")["targetId"]

    def do_foreground(self):
        if self.other is not None:
            self.call("Target.closeTarget", targetId=self.other)
            self.call("Target.activateTarget", targetId=self.own)
            self.other = None


def main():
    Chromium().run()
