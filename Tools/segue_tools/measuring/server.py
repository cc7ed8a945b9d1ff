"""A server of a title for one run: HTTP/1.1 with keep-alive and ranges, and a window that moves where the title is
live.
"""

import http.server
import pathlib
import re
import threading
import time

WINDOW = 5
KINDS = {".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".m4s": "video/iso.segment",
         ".mp4": "video/mp4"}


class TitleServer:
    """Serves a folder under the title's name from when it is made, until it is stopped."""

    def __init__(self, title, folder):
        self.title, self.folder = title, pathlib.Path(folder).resolve()
        self.begun = time.monotonic()
        self.requests, self.lock = [], threading.Lock()
        served = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            # A connection on which nothing comes is let go of in the end.
            timeout = 300

            def do_GET(self):
                served.answer(self)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """Players let go of connections whenever they like."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def port(self):
        return self.server.server_port

    @property
    def path(self):
        return f"{self.title.name}/{self.title.entry}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def body(self, path, now=None):
        """The bytes under a path, at a moment since it began that may be told; None where there is nothing."""
        if not path.startswith(f"/{self.title.name}/"):
            return None
        file = (self.folder / path.split("/", 2)[2]).resolve()
        if not file.is_relative_to(self.folder) or not file.is_file():
            return None
        if self.title.is_live and file.name == "index.m3u8" and file.parent != self.folder:
            return self.window(file.read_text(), time.monotonic() - self.begun if now is None else now).encode()
        return file.read_bytes()

    def window(self, playlist, now):
        """What of a playlist is there at a moment, with as many segments as a window has at the start."""
        head, *segments = re.split(r"(?=#EXTINF)", playlist.replace("#EXT-X-ENDLIST", ""))
        head = re.sub(r"#EXT-X-(PLAYLIST-TYPE|MEDIA-SEQUENCE):.*\n", "", head)
        first = min(int(now / self.title.segment), len(segments) - WINDOW)
        there = "".join(segments[first:first + WINDOW]).rstrip()
        return f"{head}#EXT-X-MEDIA-SEQUENCE:{first}\n{there}\n"

    def answer(self, handler):
        path = handler.path.split("?")[0]
        asked = handler.headers.get("Range")
        with self.lock:
            self.requests.append((path, asked or ""))
        # The model says what time it is in its own.
        now = handler.headers.get("Segue-Time")
        body = self.body(path, now and float(now))
        if body is None:
            handler.send_response(404)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
        part = re.fullmatch(r"bytes=(\d+)-(\d*)", asked or "")
        first, last = 0, len(body) - 1
        if part and int(part[1]) <= last:
            first, last = int(part[1]), min(last, int(part[2] or last))
        handler.send_response(206 if part else 200)
        handler.send_header("Content-Type", KINDS.get(pathlib.PurePath(path).suffix, "application/octet-stream"))
        handler.send_header("Accept-Ranges", "bytes")
        # A player's page is of another origin.
        handler.send_header("Access-Control-Allow-Origin", "*")
        if part:
            handler.send_header("Content-Range", f"bytes {first}-{last}/{len(body)}")
        handler.send_header("Content-Length", str(last - first + 1))
        handler.end_headers()
        if handler.command == "GET":
            try:
                handler.wfile.write(body[first:last + 1])
            except OSError:
                handler.close_connection = True
