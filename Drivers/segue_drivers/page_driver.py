"""Drivers whose player is a media element of a page with page.js: they pass commands and events between the two."""

import argparse
import http.server
import json
import math
import pathlib
import threading

from segue_drivers.door import Door
from segue_drivers.driver import Driver, Refusal

FOLDER = pathlib.Path(__file__).parent / "page"
SCRIPT_TYPE = "text/javascript; charset=utf-8"
# The longest time that a page may take to answer, in seconds.
ANSWER_TIMEOUT = 10
# The page's clock is read until its offset is known to within CLOCK_PRECISION seconds, but at most MAXIMUM_READINGS
# times.
MINIMUM_READINGS, MAXIMUM_READINGS, CLOCK_PRECISION = 9, 60, 0.003


class Answer:
    """An answer that is waited for."""

    def __init__(self):
        self.has_arrived = threading.Event()
        self.message: dict = {}

    def arrive(self, message):
        self.message = message
        self.has_arrived.set()


class PageDriver(Driver):
    """A driver that sends lines to the page by `send`; another thread passes the page's lines to `receive`."""

    TELLS = ["sound", "picture", "buffer"]

    def __init__(self):
        # This program's clock minus the page's; events are held back until it is known.
        self.clock_offset: float | None = None
        self.early_events: list[dict] = []
        self.last_number, self.answers, self.page_commands = 0, {}, []

    def greet(self, player, page_commands):
        """Sends the first line."""
        self.page_commands = page_commands
        self.clock_offset = self.measure_clock_offset()
        super().__init__(player)
        for event in self.early_events:
            self.forward(event)

    def can(self):
        return self.page_commands + super().can()

    def measure_clock_offset(self):
        """Measures how far this program's clock is ahead of the page's: each reading narrows the range."""
        low, high, readings = -math.inf, math.inf, 0
        while readings < MINIMUM_READINGS or (high - low > CLOCK_PRECISION and readings < MAXIMUM_READINGS):
            asked = self.clock()
            page_clock = self.ask("clock", {})["clock"]
            low, high = max(low, asked - page_clock), min(high, self.clock() - page_clock)
            readings += 1
        return (low + high) / 2

    def ask(self, name, fields):
        """Sends a command to the page; returns the answer."""
        self.last_number += 1
        number = self.last_number
        answer = self.answers[number] = Answer()
        self.send(json.dumps({"id": number, "do": name, **fields}))
        if not answer.has_arrived.wait(ANSWER_TIMEOUT):
            self.answers.pop(number, None)
            raise Refusal(f"the page did not answer {name} within {ANSWER_TIMEOUT} s")
        if "cannot" in answer.message:
            raise Refusal(answer.message["cannot"])
        return answer.message

    def send(self, line):
        raise NotImplementedError

    def receive(self, line):
        """Handles a line of the page."""
        if "id" in line:
            if answer := self.answers.pop(line["id"], None):
                answer.arrive(line)
        elif "t" in line:
            if self.clock_offset is None:
                self.early_events.append(line)
            else:
                self.forward(line)

    def forward(self, line):
        line["t"] += self.clock_offset
        self.write(line)

    def perform(self, name, fields):
        if name in self.page_commands:
            self.ask(name, fields)
        else:
            super().perform(name, fields)


class PageHandler(http.server.BaseHTTPRequestHandler):
    """Serves the page and its scripts to pages of any origin that have the token."""

    # The files of --script, which the page loads before page.js.
    scripts: list[pathlib.Path] = []
    door = Door("")

    def do_GET(self):
        if (path := self.door.admit(self)) is not None:
            self.send_file(path)

    def send_file(self, path):
        found = page_file(path, self.scripts)
        if found is None:
            self.send_error(404)
            return
        body, content_type = found
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def page_file(path, scripts):
    """Returns the bytes and the content type for a request path, or None."""
    if path == "/":
        tags = "".join(f'<script src="script-{number}.js"></script>\n' for number in range(len(scripts)))
        own = '<script src="page.js">'
        return (FOLDER / "page.html").read_text().replace(own, tags + own).encode(), "text/html; charset=utf-8"
    if path == "/page.js":
        return b"".join((FOLDER / name).read_bytes() for name in ("libraries.js", "page.js")), SCRIPT_TYPE
    for number, script in enumerate(scripts):
        if path == f"/script-{number}.js":
            return script.read_bytes(), SCRIPT_TYPE
    return None


def serve(handler, port=0, host="127.0.0.1"):
    """Serves HTTP on a thread; returns the port, which is a free one for 0."""
    server = http.server.ThreadingHTTPServer((host, port), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def add_script_option(parser):
    def file(argument):
        path = pathlib.Path(argument)
        if not path.is_file():
            raise argparse.ArgumentTypeError(f"{argument} is not a file")
        return path

    parser.add_argument(
        "--script",
        dest="scripts",
        metavar="FILE",
        type=file,
        action="append",
        default=[],
        help="a script that the page loads first, such as hls.js or Shaka Player; may be repeated",
    )
