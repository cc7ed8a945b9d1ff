#!/usr/bin/env python3
"""A driver for Chromium, by its DevTools protocol: a media element on a page of its own (page.html), without a window.

The sound goes nowhere, and is played. The page is hidden by another tab, as a user of a browser would do it. Its events are
of its own clock, which is set against this program's once.
"""

import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from driver import Driver, Queue, Refusal  # noqa: E402
from websocket import WebSocket  # noqa: E402

PROGRAMS = ["chromium", "chromium-browser", "google-chrome"]
PAGE = pathlib.Path(__file__).with_name("page.html")
LOOKS = 5


class PageServer(http.server.BaseHTTPRequestHandler):
    """Serves the page, so that it has an origin as other pages have."""

    def do_GET(self):
        body = PAGE.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Chromium(Driver):
    TELLS = ["sound", "picture", "buffer"]

    def __init__(self):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            sys.exit("driver: there is no Chromium in PATH")
        self.folder = tempfile.mkdtemp(prefix="segue-chromium-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-audio-output", "--mute-audio",
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
        self.number, self.answers, self.sending = 0, {}, threading.Lock()
        self.loaded = threading.Event()
        self.ahead, self.rate = None, 1.0
        self.queue = Queue(self)
        threading.Thread(target=self.listen, daemon=True).start()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PageServer)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.command("Page.enable")
        self.command("Runtime.enable")
        self.command("Runtime.addBinding", name="said")
        self.command("Page.navigate", url=f"http://127.0.0.1:{server.server_port}/")
        if not self.loaded.wait(30):
            sys.exit("driver: the page does not load")
        self.ahead = self.measured()
        version = self.command("Browser.getVersion")["product"].replace("/", " ").replace("Headless", "")
        super().__init__(version)

    # Chromium's side

    def command(self, method, **parameters):
        with self.sending:
            self.number += 1
            number = self.number
            self.answers[number] = [threading.Event(), None]
            self.socket.send({"id": number, "method": method, "params": parameters})
        come, _ = self.answers[number]
        if not come.wait(30):
            raise Refusal(f"Chromium does not answer {method}")
        answer = self.answers.pop(number)[1]
        if "error" in answer:
            raise Refusal(answer["error"].get("message", method))
        return answer.get("result", {})

    def evaluate(self, expression):
        result = self.command("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise Refusal(result["exceptionDetails"].get("exception", {}).get("description", "")[:200])
        return result["result"].get("value")

    def measured(self):
        """How far this program's clock is ahead of the page's: by the look that took least."""
        looks = []
        for _ in range(LOOKS):
            begun = self.clock()
            there = self.evaluate("performance.now() / 1000")
            took = self.clock() - begun
            looks.append((took, begun + took / 2 - there))
        return min(looks)[1]

    def listen(self):
        try:
            while True:
                self.take_message(self.socket.receive())
        except (OSError, SystemExit, ValueError) as error:
            try:
                code = self.process.wait(2)
            except subprocess.TimeoutExpired:
                code = None
            what = "it still runs" if code is None else f"it ended with {code}"
            print(f"driver: nothing more comes from Chromium: {error}; {what}", file=sys.stderr, flush=True)
            os._exit(1)

    def take_message(self, message):
        if "id" in message:
            entry = self.answers.get(message["id"])
            if entry:
                entry[1] = message
                entry[0].set()
        elif message["method"] == "Page.loadEventFired":
            self.loaded.set()
        elif message["method"] == "Runtime.bindingCalled":
            self.take_line(json.loads(message["params"]["payload"]))
        elif message["method"] == "Inspector.targetCrashed":
            self.tell("item.failed", item=self.queue.name, domain="Chromium", code=0, message="the page has crashed")

    def take_line(self, line):
        if "over" in line:
            threading.Thread(target=self.over, args=[line["over"]], daemon=True).start()
        elif self.ahead is not None:
            line["t"] = round(line["t"] + self.ahead, 6)
            self.write(line)

    def over(self, item):
        if self.queue.name == item:
            self.load(self.queue.drop("played to its end"))

    def load(self, item):
        if item:
            self.evaluate(f"player.load({json.dumps(item['item'])}, {json.dumps(item['url'])}, {self.rate})")

    # Commands

    def do_open(self, items):
        if self.queue.add(items):
            self.load(self.queue.current)

    def do_play(self):
        self.evaluate("player.play()")

    def do_pause(self):
        self.evaluate("player.pause()")

    def do_rate(self, rate):
        self.rate = rate
        self.evaluate(f"player.rate({rate})")

    def do_seek(self, to):
        self.evaluate(f"player.seek({to})")

    def do_next(self):
        if self.queue.current:
            self.evaluate("player.stop('next')")
            self.load(self.queue.drop("advanced"))

    def do_remove_all(self):
        self.evaluate("player.stop('removed')")
        self.queue.clear()

    def do_background(self):
        self.other = self.command("Target.createTarget", url="about:blank")["targetId"]

    def do_foreground(self):
        if self.other:
            self.command("Target.closeTarget", targetId=self.other)
            self.command("Target.activateTarget", targetId=self.own)
            self.other = None

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


Chromium().run()
