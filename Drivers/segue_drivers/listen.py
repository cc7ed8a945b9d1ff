"""Serves a driver over a WebSocket, for a player on another machine.

    listen [--listen HOST:PORT] [--token TOKEN] DRIVER [ARGUMENT…]

There: `listen --listen 0.0.0.0:7000 ./mpv.py`, which prints its address with a token. Here: `segue regress film.mp4
--player ws://that-machine:7000/TOKEN/ --link-at ADDRESS`, where ADDRESS is the address of this machine that the other
one reaches. Each connection starts a driver and ends it; one at a time. Whoever has the address can make the player
open any URL. Web pages are refused.
"""

import argparse
import contextlib
import http
import http.server
import json
import signal
import subprocess
import sys
import threading
from typing import Any

from segue_drivers.door import Door, user_token
from segue_drivers.websocket import CLOSE, WebSocket, upgrade

# The longest time that a driver may take to exit, in seconds.
EXIT_TIMEOUT = 6


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address, command, door):
        super().__init__(address, Handler)
        self.command, self.door, self.in_use = command, door, threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self):
        if self.server.door.admit(self) is None:
            return None
        # The driver of the previous connection may still be exiting.
        if not self.server.in_use.acquire(timeout=EXIT_TIMEOUT):
            return self.send_error(http.HTTPStatus.CONFLICT, "the player is in use")
        try:
            if upgrade(self):
                self.connect(WebSocket(connection=self.connection))
            else:
                self.send_error(http.HTTPStatus.UPGRADE_REQUIRED, "the request must open a WebSocket")
        finally:
            self.server.in_use.release()

    def connect(self, websocket):
        """Runs a driver, and passes lines both ways until either end closes."""
        driver: Any = subprocess.Popen(self.server.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with driver:
            sender = threading.Thread(target=send_lines, args=(driver.stdout, websocket), daemon=True)
            sender.start()
            try:
                # Ends when either side closes; the driver reports its errors on standard error.
                with contextlib.suppress(OSError, EOFError, ValueError):
                    while True:
                        driver.stdin.write(json.dumps(websocket.receive()).encode() + b"\n")
                        driver.stdin.flush()
            finally:
                end(driver)
                sender.join()

    def log_message(self, *_):
        pass


def send_lines(lines, websocket):
    with contextlib.suppress(OSError):
        for line in lines:
            websocket.send_text(line.decode().rstrip("\n"))
        websocket.send_frame(CLOSE, b"")
        websocket.shut_down()


def end(driver):
    """Ends a driver by closing its input, or by force."""
    with contextlib.suppress(OSError):
        driver.stdin.close()
    try:
        driver.wait(EXIT_TIMEOUT)
    except subprocess.TimeoutExpired:
        driver.kill()
        driver.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listen", default="127.0.0.1:0", help="the address to listen on (%(default)s)")
    parser.add_argument("--token", help="the secret in the address (one that is kept for the user)")
    parser.add_argument("--allow-host", action="append", default=[], metavar="NAME",
                        help="a further name of this machine; may be repeated")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command that starts the driver")
    options = parser.parse_args()
    host, _, port = options.listen.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535 or not options.command:
        parser.error("give --listen HOST:PORT and the command of a driver")
    door = Door(options.token or user_token(), options.allow_host)
    server = Server((host, int(port)), options.command, door)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"driver: ws://{host}:{server.server_port}{door.path}", flush=True)
    server.serve_forever()
