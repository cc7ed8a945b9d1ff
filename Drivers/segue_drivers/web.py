"""A driver for any page with page.js: it waits for the page's WebSocket and passes lines both ways.

    web.py [--host ADDRESS] [--port PORT] [--token TOKEN] [--script FILE]… [COMMAND…]

It listens on loopback and a free port by default; --host names the address of this machine that the browser of a
television or a phone reaches. Standard error shows the script tag that a page needs; `/` is a page that has it, after
the scripts of --script. COMMAND, such as a browser, is started when the driver listens, with `{}` replaced by the URL
of that page. A page that stays open connects to the driver of the next case if the port is the same. The token in the
address keeps other pages away; it stays the same for a user.
"""

import argparse
import http
import os
import subprocess
import sys
import threading
from typing import Any

from segue_drivers.door import Door, user_token
from segue_drivers.driver import Refusal
from segue_drivers.page_driver import PageDriver, PageHandler, add_script_option, serve
from segue_drivers.processes import kill_children, start
from segue_drivers.websocket import WebSocket, upgrade

# The longest wait for a page, in seconds; Segue waits slightly longer for a driver's first line.
PAGE_TIMEOUT = 55


class Web(PageDriver):
    def __init__(self, host, port, door, scripts, command):
        super().__init__()
        self.socket: Any = None
        self.hello: dict = {}
        self.has_page, self.is_closing = threading.Event(), False
        driver = self

        class Handler(PageHandler):
            def do_GET(self):
                if (path := self.door.admit(self)) is None:
                    return
                if self.headers.get("Upgrade", "").lower() == "websocket":
                    driver.serve_page(self)
                else:
                    self.send_file(path)

        Handler.scripts, Handler.door = scripts, door
        try:
            url = f"http://{host}:{serve(Handler, port, host)}{door.path}"
        except (OSError, OverflowError) as error:
            sys.exit(f"driver: cannot listen on {host}:{port}: {error}")
        print(f'driver: add <script src="{url}page.js"></script> to a page, or open {url}', file=sys.stderr, flush=True)
        if command:
            start(
                [argument.replace("{}", url) for argument in command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        if not self.has_page.wait(PAGE_TIMEOUT):
            sys.exit(f"driver: no page connected within {PAGE_TIMEOUT} s")
        self.greet(self.hello["hello"], self.hello["can"])

    def serve_page(self, handler):
        """Receives the lines of a page; the first page that connects is the player."""
        if self.socket is not None or not upgrade(handler):
            handler.send_error(http.HTTPStatus.CONFLICT, "another page is connected")
            return
        self.socket = WebSocket(connection=handler.connection)
        try:
            while True:
                message = self.socket.receive()
                if "hello" in message:
                    self.hello = message
                    self.has_page.set()
                else:
                    self.receive(message)
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            if not self.is_closing:
                print(f"driver: the connection to the page ended: {error}", file=sys.stderr, flush=True)
                os._exit(1)

    def send(self, line):
        try:
            self.socket.send_text(line)
        except OSError as error:
            raise Refusal(f"the connection to the page ended: {error}") from None

    def close(self):
        # The page unloads its items when the socket closes.
        self.is_closing = True
        kill_children()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1", help="the IPv4 address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on (a free one)")
    parser.add_argument("--token", help="the secret in the address (one that is kept for the user)")
    add_script_option(parser)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="a command to start, such as a browser")
    options = parser.parse_args()
    door = Door(options.token or user_token(), [options.host], admits_pages=True)
    Web(options.host, options.port, door, options.scripts, options.command).run()
