"""A driver for any web page that has page.js in it: listens for the page's WebSocket, and hands lines to and fro.

    web.py [--host ADDRESS] [--port PORT] [--script FILE]… [COMMAND…]

Without a port it takes a free one; it listens on loopback, or at the address of this machine that is named, for the browser of a
television or a phone. It says on standard error what a page has to have in it, and waits for a page; `/` is a page
of its own that has it, behind the scripts that are named. A command is started once it listens, with its address in place of
`{}`: a browser, say. A page that stays open finds the driver of the next case by itself where that has the same port.
"""

import argparse
import http
import os
import subprocess
import sys
import threading

from segue_drivers.driver import Refusal, end_programs, start
from segue_drivers.page_driver import Files, PagedDriver, served, takes_scripts
from segue_drivers.websocket import WebSocket, greeted

# How long a page is waited for, in seconds: as long as Segue waits for a driver's first line.
PATIENCE = 55


class Web(PagedDriver):
    def __init__(self, host, port, scripts, command):
        super().__init__()
        self.socket, self.hello, self.come, self.is_closing = None, None, threading.Event(), False
        driver = self

        class Handler(Files):
            def do_GET(self):
                if self.headers.get("Upgrade", "").lower() != "websocket":
                    super().do_GET()
                else:
                    driver.meet(self)

        Handler.scripts = scripts
        try:
            own = f"http://{host}:{served(Handler, port, host)}/"
        except (OSError, OverflowError) as error:
            sys.exit(f"driver: it cannot listen at {host}:{port}: {error}")
        print(f'driver: <script src="{own}page.js"></script> makes a page a player; {own} is one', file=sys.stderr, flush=True)
        if command:
            start([word.replace("{}", own) for word in command],
                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not self.come.wait(PATIENCE):
            sys.exit("driver: no page has come")
        self.greet(self.hello["hello"], self.hello["can"])

    def meet(self, handler):
        """A page wants to be the player: the first one that does is."""
        if self.socket is not None or not greeted(handler):
            handler.send_error(http.HTTPStatus.CONFLICT, "there is a page already")
            return
        self.socket = WebSocket(None, None, handler.connection)
        try:
            while True:
                self.take_message(self.socket.receive())
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            if self.is_closing:
                return
            print(f"driver: the page has gone: {error}", file=sys.stderr, flush=True)
            os._exit(1)

    def take_message(self, message):
        if "hello" in message:
            self.hello = message
            self.come.set()
        else:
            self.said(message)

    def send(self, line):
        try:
            self.socket.send_text(line)
        except OSError as error:
            raise Refusal(f"the page has gone: {error}") from None

    def close(self):
        # The page lets go of what it plays when its socket is closed.
        self.is_closing = True
        end_programs()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1", help="the address at which it listens, of IPv4 (%(default)s)")
    parser.add_argument("--port", type=int, default=0, help="the port (any that is free)")
    takes_scripts(parser)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what is started once it does")
    options = parser.parse_args()
    Web(options.host, options.port, options.scripts, options.command).run()
