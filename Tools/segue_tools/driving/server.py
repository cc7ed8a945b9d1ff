"""A server of a folder over loopback that withholds responses, and records when it sent their last byte."""

import collections
import select
import socket
import threading
import time
import urllib.parse

from segue_tools.loopback import TYPES, Loopback, part_of

# The maximum time for which a response is held, in seconds.
LONGEST = 120
# The interval of checks that a waiting client is still connected, in seconds.
LOOK = 0.05


class Server(Loopback):
    """Serves `/NAME/file` from the folder for any NAME; each name has holds of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.holds = {}
        # The number of clients that wait for held bodies, by name.
        self.waiting, self.lock = collections.Counter(), threading.Lock()
        super().__init__()

    def url(self, path="", file="index.m3u8"):
        return super().url(f"{path}/{file}")

    def hold(self, name, *files):
        """Withholds the bodies of these files of a name until they are released."""
        for file in files:
            self.holds[(name, file)] = threading.Event()

    def let_go(self, name, *files):
        """Releases these files of a name; returns the time, by the drivers' clock."""
        at = time.monotonic()
        for file in files:
            self.holds[(name, file)].set()
        return at

    def answer(self, handler):
        _, name, file = (urllib.parse.urlsplit(handler.path).path.split("/", 2) + ["", ""])[:3]
        path = self.folder / file
        if "/" in file or not path.is_file():
            handler.send_error(404)
            return
        body, part = path.read_bytes(), part_of(handler.headers.get("Range"), path.stat().st_size)
        start, end = part or (0, len(body))
        handler.send_response(206 if part else 200)
        if part:
            handler.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(body)}")
        handler.send_header("Content-Type", TYPES.get(path.suffix, "application/octet-stream"))
        handler.send_header("Access-Control-Allow-Origin", "*")
        handler.send_header("Content-Length", str(end - start))
        handler.end_headers()
        held = self.holds.get((name, file))
        if held is not None and not held.is_set():
            # The response has begun, so that a waiting player does not consider the server dead.
            handler.wfile.flush()
            if not self.keep_waiting(name, held, handler.connection):
                handler.close_connection = True
                return
        handler.wfile.write(body[start:end])

    def keep_waiting(self, name, held, connection):
        """Blocks a client until its file is released; returns whether it is still connected then."""
        deadline = time.monotonic() + LONGEST
        with self.lock:
            self.waiting[name] += 1
        try:
            while time.monotonic() < deadline and not held.wait(LOOK):
                if select.select([connection], [], [], 0)[0] and not connection.recv(1, socket.MSG_PEEK):
                    return False
            return True
        finally:
            with self.lock:
                self.waiting[name] -= 1

    def is_left(self, name, seconds):
        deadline = time.monotonic() + seconds
        while self.waiting[name] and time.monotonic() < deadline:
            time.sleep(LOOK)
        return not self.waiting[name]
