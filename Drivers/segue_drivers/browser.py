"""What the drivers of browsers share: one is started with a folder of its own and steered by its WebSocket, and what page.js
says on a page of its own (page.html) is passed on. It goes with its folder at the end."""

import argparse
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from segue_drivers.driver import Refusal, end_programs, start
from segue_drivers.page_driver import Files, PagedDriver, served, takes_scripts
from segue_drivers.websocket import WebSocket

# How long a browser may take to answer, and to load the page, in seconds.
ANSWER = 30


class Browser(PagedDriver):
    """A browser: a subclass says what it is called, how it is started, and how it is spoken with."""

    NAME = ""
    PROGRAMS = []
    # What it says on standard error before the address of its WebSocket.
    ANNOUNCES = ""

    def __init__(self):
        super().__init__()
        parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__, allow_abbrev=False,
                                         epilog="What else is given goes to the browser.")
        takes_scripts(parser)
        options, arguments = parser.parse_known_args()
        program = next(filter(None, map(shutil.which, self.PROGRAMS)), None)
        if program is None:
            sys.exit(f"driver: there is no {self.NAME} in PATH")
        self.is_closing = False
        self.called, self.results, self.calling = 0, {}, threading.Lock()
        self.folder = tempfile.mkdtemp(prefix=f"segue-{self.NAME.lower()}-")
        # However it ends before it runs.
        atexit.register(self.close)
        is_shown = bool(os.environ.get("SEGUE_SHOWN"))
        self.process = start([program, *self.words(is_shown), *arguments, "about:blank"], text=True,
                             env=os.environ | self.environment(is_shown),
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        endpoint = next((line.split()[-1] for line in self.process.stderr if self.ANNOUNCES in line), None)
        if endpoint is None:
            sys.exit(f"driver: {self.NAME} does not start")
        # What it says later is let go of: a full pipe would hold it up.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.connect(urllib.parse.urlsplit(endpoint).port)
        Files.scripts = options.scripts
        version = self.show(f"http://127.0.0.1:{served(Files)}/")
        hello = json.loads(self.evaluate("JSON.stringify(segue.hello())"))
        if not hello["playsHLS"]:
            sys.exit(f"driver: {version} plays no HLS by itself; --script FILE names hls.js or Shaka Player for it")
        self.greet(f"{hello['library']} in {version}" if hello.get("library") else version, hello["can"])

    def words(self, is_shown):
        """The arguments with which it is started: to be watched, or without a window and a sound card."""
        raise NotImplementedError

    def environment(self, is_shown):
        """What it finds in its environment besides this program's."""
        return {}

    def connect(self, port):
        """Finds what it is steered by, and calls `listen_at`."""
        raise NotImplementedError

    def show(self, url):
        """Opens the page, and waits until it is there; says what the browser is."""
        raise NotImplementedError

    def evaluate(self, expression):
        """What an expression, which is a string, is on the page."""
        raise NotImplementedError

    def take_event(self, message):
        """Something that it says by itself."""
        raise NotImplementedError

    def fault(self, answer):
        """What is wrong where an answer says that something is."""
        raise NotImplementedError

    # What it is steered by

    def listen_at(self, port, path):
        self.socket = WebSocket(port, path)
        self.socket.patience(None)
        threading.Thread(target=self.listen, daemon=True).start()

    def call(self, method, **parameters):
        with self.calling:
            self.called += 1
            number = self.called
            entry = self.results[number] = [threading.Event(), None]
            self.socket.send({"id": number, "method": method, "params": parameters})
        if not entry[0].wait(ANSWER):
            raise Refusal(f"{self.NAME} does not answer {method}")
        answer = self.results.pop(number)[1]
        if "error" in answer:
            raise Refusal(self.fault(answer) or method)
        return answer.get("result", {})

    def send(self, line):
        self.evaluate(f"segue.take({json.dumps(line)})")

    def listen(self):
        try:
            while True:
                message = self.socket.receive()
                if message.get("id") is None:
                    self.take_event(message)
                elif entry := self.results.get(message["id"]):
                    entry[1] = message
                    entry[0].set()
        except (OSError, EOFError, ValueError) as error:
            if self.is_closing:
                return
            try:
                code = self.process.wait(2)
            except subprocess.TimeoutExpired:
                code = None
            what = "it still runs" if code is None else f"it ended with {code}"
            self.is_gone(f"nothing more comes from {self.NAME}: {error}; {what}")

    def is_gone(self, why):
        print(f"driver: {why}", file=sys.stderr, flush=True)
        self.close()
        os._exit(1)

    def close(self):
        self.is_closing = True
        end_programs()
        shutil.rmtree(self.folder, ignore_errors=True)
