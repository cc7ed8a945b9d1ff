#!/usr/bin/env python3
"""A driver for Chromium, by its DevTools protocol: a media element on a page of its own (page.html), without a window.

The sound goes nowhere, and is played. The page is hidden by another tab, as a user of a browser would do it. What comes out
is told by the page's script (page.js), by its own clock, which is set against this program's once.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Refusal, end_programs, start  # noqa: E402
from paged import Files, PagedDriver, served  # noqa: E402
from websocket import WebSocket  # noqa: E402

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]
# Without a window and a sound card; of those that watch it (watched.py), with both, the page over all of the screen.
UNSEEN = ["--headless=new", "--disable-audio-output", "--mute-audio"]
SEEN = ["--kiosk"]


class Chromium(PagedDriver):
    def __init__(self):
        super().__init__()
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            sys.exit("driver: there is no Chromium in PATH")
        self.folder = tempfile.mkdtemp(prefix="segue-chromium-")
        self.process = start(
            [program, *(SEEN if os.environ.get("SEGUE_SHOWN") else UNSEEN), "--no-sandbox", "--disable-gpu",
             "--autoplay-policy=no-user-gesture-required", "--remote-debugging-port=0", "--no-first-run",
             "--enable-blink-features=AudioVideoTracks",
             f"--user-data-dir={self.folder}", *sys.argv[1:], "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        endpoint = next((line.split()[-1] for line in self.process.stderr if "DevTools listening on" in line), None)
        if endpoint is None:
            sys.exit("driver: Chromium does not start")
        # What it says later is let go of: a full pipe would hold it up.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        port = urllib.parse.urlsplit(endpoint).port
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        page = next(page for page in pages if page["type"] == "page")
        self.own, self.other = page["id"], None
        self.socket = WebSocket(port, urllib.parse.urlsplit(page["webSocketDebuggerUrl"]).path)
        self.socket.patience(None)
        self.is_closing = False
        self.called, self.results, self.calling = 0, {}, threading.Lock()
        self.loaded = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Runtime.addBinding", name="segueSaid")
        # What an item before has loaded would keep the network, and its faults, from the next one.
        self.call("Network.enable")
        self.call("Network.setCacheDisabled", cacheDisabled=True)
        self.call("Page.navigate", url=f"http://127.0.0.1:{served(Files)}/")
        if not self.loaded.wait(30):
            sys.exit("driver: the page does not load")
        commands = self.call("Runtime.evaluate", expression="segue.hello().can", returnByValue=True)["result"]["value"]
        self.greet(self.call("Browser.getVersion")["product"].replace("/", " ").replace("Headless", ""), commands)

    # Chromium's side

    def call(self, method, **parameters):
        with self.calling:
            self.called += 1
            number = self.called
            entry = self.results[number] = [threading.Event(), None]
            self.socket.send({"id": number, "method": method, "params": parameters})
        if not entry[0].wait(30):
            raise Refusal(f"Chromium does not answer {method}")
        answer = self.results.pop(number)[1]
        if "error" in answer:
            raise Refusal(answer["error"].get("message", method))
        return answer.get("result", {})

    def send(self, line):
        self.call("Runtime.evaluate", expression=f"segue.take({json.dumps(line)})")

    def listen(self):
        try:
            while True:
                self.take_message(self.socket.receive())
        except (OSError, EOFError, ValueError) as error:
            if self.is_closing:
                return
            try:
                code = self.process.wait(2)
            except subprocess.TimeoutExpired:
                code = None
            what = "it still runs" if code is None else f"it ended with {code}"
            print(f"driver: nothing more comes from Chromium: {error}; {what}", file=sys.stderr, flush=True)
            os._exit(1)

    def take_message(self, message):
        if "id" in message:
            entry = self.results.get(message["id"])
            if entry:
                entry[1] = message
                entry[0].set()
        elif message["method"] == "Page.loadEventFired":
            self.loaded.set()
        elif message["method"] == "Runtime.bindingCalled":
            self.said(json.loads(message["params"]["payload"]))
        elif message["method"] == "Inspector.targetCrashed":
            print("driver: Chromium's page has crashed", file=sys.stderr, flush=True)
            os._exit(1)

    # Commands that are not the page's

    def do_background(self):
        if self.other is None:
            self.other = self.call("Target.createTarget", url="about:blank")["targetId"]

    def do_foreground(self):
        if self.other is not None:
            self.call("Target.closeTarget", targetId=self.other)
            self.call("Target.activateTarget", targetId=self.own)
            self.other = None

    def close(self):
        self.is_closing = True
        end_programs()
        shutil.rmtree(self.folder, ignore_errors=True)


Chromium().run()
