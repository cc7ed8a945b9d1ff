"""What drivers share whose player is a media element of a page with page.js in it: commands are handed on to the page, and what
it says is given this program's time."""

import argparse
import http.server
import json
import math
import pathlib
import threading

from segue_drivers.driver import Driver, Refusal

FOLDER = pathlib.Path(__file__).parent / "page"
SCRIPT = "text/javascript; charset=utf-8"
# How long a page may take to answer, in seconds.
ANSWER = 10
# How often its clock is looked at to be set against this one's: until that is known so closely, in seconds.
LEAST_LOOKS, MOST_LOOKS, CLOSE = 9, 60, 0.003


class PagedDriver(Driver):
    """A driver that has `send` to hand a line to the page, and calls `said` with what comes back, from another thread."""

    TELLS = ["sound", "picture", "buffer"]

    def __init__(self):
        # How far this program's clock is ahead of the page's; nothing is passed on until it is known.
        self.ahead = None
        self.number, self.answers, self.early, self.commands = 0, {}, [], []

    def greet(self, player, commands):
        """Says who it is: a player, by its name, which takes the page's commands."""
        self.commands = commands
        self.ahead = self.measured()
        super().__init__(player)
        for line in self.early:
            self.pass_on(line)

    def can(self):
        return self.commands + super().can()

    def measured(self):
        """How far this program's clock is ahead of the page's: each look says between which two figures that is."""
        least, most, looks = -math.inf, math.inf, 0
        while looks < LEAST_LOOKS or (most - least > CLOSE and looks < MOST_LOOKS):
            begun = self.clock()
            there = self.ask("clock", {})["clock"]
            least, most, looks = max(least, begun - there), min(most, self.clock() - there), looks + 1
        return (least + most) / 2

    def ask(self, name, fields):
        """Has the page do something; its answer."""
        self.number += 1
        number, come = self.number, threading.Event()
        self.answers[number] = entry = [come, None]
        self.send(json.dumps({"id": number, "do": name, **fields}))
        if not come.wait(ANSWER):
            self.answers.pop(number)
            raise Refusal("the page does not answer")
        if "cannot" in entry[1]:
            raise Refusal(entry[1]["cannot"])
        return entry[1]

    def said(self, line):
        """Takes a line of the page's."""
        if "id" in line:
            entry = self.answers.pop(line["id"], None)
            if entry:
                entry[1] = line
                entry[0].set()
        elif "t" in line:
            if self.ahead is None:
                self.early.append(line)
            else:
                self.pass_on(line)

    def pass_on(self, line):
        line["t"] += self.ahead
        self.write(line)

    def act(self, name, fields):
        if name in self.commands:
            self.ask(name, fields)
        else:
            super().act(name, fields)


class Files(http.server.BaseHTTPRequestHandler):
    """Serves the page and its scripts, to pages of every origin."""

    # Files that the page loads before page.js: a library that it plays with.
    scripts = []

    def do_GET(self):
        found = self.file()
        if found is None:
            self.send_error(404)
            return
        body, kind = found
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def file(self):
        """What is at an address, and of which kind it is."""
        if self.path == "/":
            tags = "".join(f'<script src="script-{number}.js"></script>\n' for number, _ in enumerate(self.scripts))
            page = (FOLDER / "page.html").read_text().replace('<script src="page.js">', tags + '<script src="page.js">')
            return page.encode(), "text/html; charset=utf-8"
        if self.path == "/page.js":
            return b"".join((FOLDER / name).read_bytes() for name in ("libraries.js", "page.js")), SCRIPT
        own = next((path for number, path in enumerate(self.scripts) if self.path == f"/script-{number}.js"), None)
        return own and (own.read_bytes(), SCRIPT)

    def log_message(self, *_):
        pass


def served(handler, port=0, host="127.0.0.1"):
    """Serves, over loopback where nothing else is said, at a port or one that is free; gives the port."""
    server = http.server.ThreadingHTTPServer((host, port), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def takes_scripts(parser):
    """Has a driver's arguments name what its page loads first."""
    def file(word):
        path = pathlib.Path(word)
        if not path.is_file():
            raise argparse.ArgumentTypeError(f"there is no file {word}")
        return path

    parser.add_argument("--script", dest="scripts", type=file, action="append", default=[],
                        help="a script that the page loads first, such as hls.js or Shaka Player; may be repeated")
