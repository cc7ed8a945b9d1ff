"""Puts a driver on the other end of a WebSocket: for a player on another machine, as an app there would listen itself.

    listening [--listen HOST:PORT] DRIVER [ARGUMENT…]

There: `listening --listen 0.0.0.0:7000 ./mpv.py`. Here: `segue regress film.mp4 --player ws://that-machine:7000/
--link-at ADDRESS`, with this machine's address that the other one reaches. Each connection starts a driver of its own, and
ends it; one at a time. Whoever reaches the port can have the player open what they like: it is for a network of one's own.
"""

import argparse
import http
import http.server
import json
import os
import signal
import subprocess
import sys
import threading

from segue_drivers.websocket import WebSocket, greeted

# How long a driver has to let go of its player, in seconds.
PATIENCE = 6


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        # Whoever has just left may still be letting go of the player.
        if not self.server.turn.acquire(timeout=PATIENCE):
            return self.send_error(http.HTTPStatus.CONFLICT, "the player is another's")
        try:
            if greeted(self):
                self.carry(WebSocket(None, None, self.connection))
            else:
                self.send_error(http.HTTPStatus.UPGRADE_REQUIRED, "this is for a WebSocket")
        finally:
            self.server.turn.release()

    def carry(self, line):
        """Carries lines both ways until one end has none."""
        process = subprocess.Popen(self.server.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        hearing = threading.Thread(target=self.hear, args=(process, line), daemon=True)
        hearing.start()
        try:
            while True:
                process.stdin.write(json.dumps(line.receive()).encode() + b"\n")
                process.stdin.flush()
        except (OSError, EOFError, ValueError):
            # It is closed from either end; the driver's own reason is on standard error.
            pass
        finally:
            end(process)
            hearing.join()

    def hear(self, process, line):
        try:
            for said in process.stdout:
                line.send_text(said.decode().rstrip("\n"))
        except OSError:
            return
        try:
            # The other end sees that nothing more comes.
            line.send_frame(8, b"")
            line.shut()
        except OSError:
            pass

    def log_message(self, *_):
        pass


def end(process):
    """Has a driver let go of its player."""
    try:
        process.stdin.close()
    except OSError:
        pass
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listen", default="127.0.0.1:0", help="where it listens (%(default)s)")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the driver")
    options = parser.parse_args()
    host, _, port = options.listen.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535 or not options.command:
        parser.error("give --listen HOST:PORT and a driver")
    server = http.server.ThreadingHTTPServer((host, int(port)), Handler)
    server.daemon_threads = True
    server.command, server.turn = options.command, threading.Lock()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"driver: ws://{host}:{server.server_port}/", flush=True)
    server.serve_forever()
