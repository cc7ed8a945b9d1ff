"""A driver for Chromium, through the DevTools protocol: a media element on a page of its own, without a window.

Audio is played to no device. Another tab hides the page, as a user would. page.js reports the events by the page's
clock, whose offset from this program's is measured once.
"""

import json
import sys
import threading
import urllib.parse
import urllib.request

from segue_drivers.browser import BROWSER_TIMEOUT, Browser
from segue_drivers.driver import Refusal

HIDDEN_OPTIONS = ["--headless=new", "--disable-audio-output", "--mute-audio"]
SHOWN_OPTIONS = ["--kiosk"]


class Chromium(Browser):
    NAME = "Chromium"
    PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]
    ANNOUNCEMENT = "DevTools listening on"

    def options(self, is_shown):
        return [
            *(SHOWN_OPTIONS if is_shown else HIDDEN_OPTIONS),
            "--no-sandbox",
            "--disable-gpu",
            "--autoplay-policy=no-user-gesture-required",
            "--remote-debugging-port=0",
            "--no-first-run",
            "--enable-blink-features=AudioVideoTracks",
            f"--user-data-dir={self.folder}",
        ]

    def connect(self, port):
        targets = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        page = page_target(targets)
        self.own, self.other = page["id"], None
        self.is_loaded = threading.Event()
        self.open_socket(port, urllib.parse.urlsplit(page["webSocketDebuggerUrl"]).path)

    def open_page(self, url):
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Runtime.addBinding", name="segueSaid")
        self.call("Page.navigate", url=url)
        if not self.is_loaded.wait(BROWSER_TIMEOUT):
            sys.exit(f"driver: Chromium did not load the page within {BROWSER_TIMEOUT} s")
        return self.call("Browser.getVersion")["product"].replace("/", " ").replace("Headless", "")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise Refusal(f"JavaScript on the page failed: {answer['exceptionDetails'].get('text')}")
        return answer["result"].get("value")

    def error_text(self, answer):
        return answer["error"].get("message")

    def handle_event(self, message):
        if message["method"] == "Page.loadEventFired":
            self.is_loaded.set()
        elif message["method"] == "Runtime.bindingCalled":
            self.receive(json.loads(message["params"]["payload"]))
        elif message["method"] == "Inspector.targetCrashed":
            self.exit("Chromium's page crashed")

    def perform(self, name, fields):
        if name == "open":
            # A cached segment would not cross the network with its faults. With the cache disabled, Chromium requests
            # some data twice.
            self.call("Network.clearBrowserCache")
        super().perform(name, fields)

    def do_background(self):
        if self.other is None:
            self.other = self.call("Target.createTarget", url="about:blank")["targetId"]

    def do_foreground(self):
        if self.other is not None:
            self.call("Target.closeTarget", targetId=self.other)
            self.call("Target.activateTarget", targetId=self.own)
            self.other = None


def page_target(targets):
    """Returns the first page of DevTools' targets; others are workers and extensions."""
    return next(target for target in targets if target["type"] == "page")


def main():
    Chromium().run()
