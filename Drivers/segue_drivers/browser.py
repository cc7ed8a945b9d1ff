"""Drivers of browsers: each starts with a profile of its own, is controlled over a WebSocket, and shows page.html."""

import argparse
import atexit
import inspect
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from segue_drivers.door import TOKEN_LENGTH, Door
from segue_drivers.driver import Refusal
from segue_drivers.page_driver import Answer, PageDriver, PageHandler, add_script_option, serve
from segue_drivers.processes import kill_children, start
from segue_drivers.websocket import WebSocket

# The longest time that a browser may take to answer, and to load the page, in seconds.
BROWSER_TIMEOUT = 30


class Browser(PageDriver):
    NAME = ""
    PROGRAMS: list[str] = []
    # The words before the WebSocket's URL on the browser's standard error.
    ANNOUNCEMENT = ""

    def __init__(self):
        super().__init__()
        parser = argparse.ArgumentParser(
            description=inspect.getmodule(type(self)).__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            epilog="All other arguments are passed to the browser.",
        )
        add_script_option(parser)
        options, arguments = parser.parse_known_args()
        PageHandler.scripts = options.scripts
        PageHandler.door = Door(secrets.token_urlsafe(TOKEN_LENGTH), admits_pages=True)
        program = next(filter(None, map(shutil.which, self.PROGRAMS)), None)
        if program is None:
            sys.exit(f"driver: {self.NAME} is not in PATH; looked for {', '.join(self.PROGRAMS)}")
        self.is_closing = False
        self.last_call, self.results, self.calling = 0, {}, threading.Lock()
        self.folder = tempfile.mkdtemp(prefix=f"segue-{self.NAME.lower()}-")
        atexit.register(self.close)
        self.process, endpoint = self.launch([program, *arguments])
        self.connect(urllib.parse.urlsplit(endpoint).port)
        version = self.open_page(f"http://127.0.0.1:{serve(PageHandler)}{PageHandler.door.path}")
        hello = json.loads(self.evaluate("JSON.stringify(segue.hello())"))
        if not hello["playsHLS"]:
            sys.exit(f"driver: {version} does not play HLS; give hls.js or Shaka Player by --script FILE")
        self.greet(f"{hello['library']} in {version}" if hello.get("library") else version, hello["can"])

    def launch(self, command):
        """Starts the browser; returns its process and the URL of its WebSocket."""
        is_shown = bool(os.environ.get("SEGUE_SHOWN"))
        process = start(
            [command[0], *self.options(is_shown), *command[1:], "about:blank"],
            text=True,
            env=os.environ | self.environment(is_shown),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        endpoint = next((line.split()[-1] for line in process.stderr if self.ANNOUNCEMENT in line), None)
        if endpoint is None:
            sys.exit(f"driver: {self.NAME} did not start: it closed standard error before '{self.ANNOUNCEMENT}'")
        # A full pipe would block the browser.
        threading.Thread(target=process.stderr.read, daemon=True).start()
        return process, endpoint

    def options(self, is_shown):
        """Returns the command-line options: with a window and audio for `record`, otherwise without."""
        raise NotImplementedError

    def environment(self, is_shown):
        """Returns additional environment variables."""
        return {}

    def connect(self, port):
        """Connects to the browser by `open_socket`."""
        raise NotImplementedError

    def open_page(self, url):
        """Opens a page and waits until it is loaded; returns the browser's name and version."""
        raise NotImplementedError

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression on the page."""
        raise NotImplementedError

    def handle_event(self, message):
        raise NotImplementedError

    def error_text(self, answer):
        raise NotImplementedError

    # The browser's WebSocket

    def open_socket(self, port, path):
        self.socket = WebSocket(port, path)
        self.socket.patience(None)
        threading.Thread(target=self.receive_messages, daemon=True).start()

    def call(self, method, **parameters):
        with self.calling:
            self.last_call += 1
            number = self.last_call
            answer = self.results[number] = Answer()
            self.socket.send({"id": number, "method": method, "params": parameters})
        if not answer.has_arrived.wait(BROWSER_TIMEOUT):
            raise Refusal(f"{self.NAME} did not answer {method} within {BROWSER_TIMEOUT} s")
        message = self.results.pop(number).message
        if "error" in message:
            raise Refusal(f"{self.NAME}: {method}: {self.error_text(message)}")
        return message.get("result", {})

    def send(self, line):
        self.evaluate(f"segue.take({json.dumps(line)})")

    def receive_messages(self):
        try:
            while True:
                message = self.socket.receive()
                if message.get("id") is None:
                    self.handle_event(message)
                elif answer := self.results.get(message["id"]):
                    answer.arrive(message)
        except (OSError, EOFError, ValueError) as error:
            if self.is_closing:
                return
            try:
                state = f"exited with {self.process.wait(2)}"
            except subprocess.TimeoutExpired:
                state = "still runs"
            self.exit(f"the WebSocket of {self.NAME} ended ({error}); {self.NAME} {state}")

    def exit(self, reason):
        print(f"driver: {reason}", file=sys.stderr, flush=True)
        self.close()
        os._exit(1)

    def close(self):
        self.is_closing = True
        kill_children()
        shutil.rmtree(self.folder, ignore_errors=True)
