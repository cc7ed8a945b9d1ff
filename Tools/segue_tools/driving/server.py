"""A server of a folder over loopback that holds answers back, and knows when it let their last byte go."""

import collections
import http.server
import select
import socket
import threading
import time
import urllib.parse

TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".js": "text/javascript", ".html": "text/html"}
# No answer is held for longer, in seconds.
LONGEST = 120
# How often it is looked whether a client that is kept waiting is still there, in seconds.
LOOK = 0.05


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Players leave as they like."""


class Server:
    """Serves `/NAME/file` from the folder, whatever NAME is: each name has holds of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.holds = {}
        # How many clients wait for what is held, by name.
        self.waiting, self.lock = collections.Counter(), threading.Lock()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.answer(self)

            def log_message(self, *_):
                pass

        self.http = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def url(self, name, file="index.m3u8"):
        return f"http://127.0.0.1:{self.http.server_port}/{name}/{file}"

    def hold(self, name, *files):
        """Keeps the bodies of these files of a name back, until they are let go."""
        for file in files:
            self.holds[(name, file)] = threading.Event()

    def let_go(self, name, *files):
        """Lets these files of a name go; when that was, by the clock that drivers have."""
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
        body = path.read_bytes()
        start, end = self.range(handler.headers.get("Range"), len(body))
        handler.send_response(206 if handler.headers.get("Range") else 200)
        if handler.headers.get("Range"):
            handler.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(body)}")
        handler.send_header("Content-Type", TYPES.get(path.suffix, "application/octet-stream"))
        handler.send_header("Access-Control-Allow-Origin", "*")
        handler.send_header("Content-Length", str(end - start))
        handler.end_headers()
        held = self.holds.get((name, file))
        try:
            if held is not None and not held.is_set():
                # The answer has begun: a player that waits for it is not one whose server is gone.
                handler.wfile.flush()
                if not self.keep_waiting(name, held, handler.connection):
                    handler.close_connection = True
                    return
            handler.wfile.write(body[start:end])
        except OSError:
            handler.close_connection = True

    def keep_waiting(self, name, held, connection):
        """Keeps a client waiting until what it wants is let go; whether it is still there then."""
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
        """Whether nobody waits for anything of a name any more, so many seconds from now at the latest."""
        deadline = time.monotonic() + seconds
        while self.waiting[name] and time.monotonic() < deadline:
            time.sleep(LOOK)
        return not self.waiting[name]

    @staticmethod
    def range(text, length):
        if not text or not text.startswith("bytes="):
            return 0, length
        first, _, last = text[6:].partition("-")
        return int(first or 0), min(int(last) + 1 if last else length, length)
