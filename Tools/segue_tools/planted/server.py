"""A server on loopback that does what it should with the files of a folder, but for what a fault has it do."""

import dataclasses
import gzip
import hashlib
import http.server
import pathlib
import re
import socket
import struct
import threading
import time
import urllib.parse

TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".m4s": "video/mp4", ".mp4": "video/mp4",
         ".vtt": "text/vtt", ".bin": "application/octet-stream"}
DAY = 86400


def date(seconds):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(seconds))


@dataclasses.dataclass
class Request:
    """What was asked for; `count` is how many times its path has been, this time included."""

    method: str
    path: str
    query: str
    headers: dict
    count: int


@dataclasses.dataclass
class Answer:
    """What is answered. A fault may have it cut off after some bytes, reset, kept back, or sent slowly."""

    status: int
    headers: list = dataclasses.field(default_factory=list)
    body: bytes = b""
    cut: int | None = None
    reset: bool = False
    wait: float = 0
    pace: float = 0

    def __getitem__(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def __setitem__(self, name, value):
        del self[name]
        self.headers.append((name, value))

    def __delitem__(self, name):
        self.headers = [(key, value) for key, value in self.headers if key.lower() != name.lower()]


class Site:
    """What there is to be had: a folder, and what is otherwise."""

    def __init__(self, folder):
        self.folder = folder
        self.contents, self.faults = [], []
        self.counts = {}
        self.lock = threading.Lock()

    def content(self, pattern, change):
        """Has the bytes of what a pattern matches be what `change` makes of them, by the request."""
        self.contents.append((re.compile(pattern), change))

    def answer(self, pattern, change):
        """Has `change` change the answers to what a pattern matches; what it returns, if anything, is answered."""
        self.faults.append((re.compile(pattern), change))

    def respond(self, method, target, headers):
        parts = urllib.parse.urlsplit(target)
        with self.lock:
            count = self.counts[method, parts.path] = self.counts.get((method, parts.path), 0) + 1
        request = Request(method, urllib.parse.unquote(parts.path).lstrip("/"), parts.query, headers, count)
        answer = self.good(request)
        for pattern, change in self.faults:
            if pattern.search(request.path):
                answer = change(request, answer) or answer
        if method == "HEAD" or answer.status in (204, 304):
            answer.body = b""
        return answer

    def good(self, request):
        always = [("Date", date(time.time())), ("Access-Control-Allow-Origin", "*")]
        if request.method == "OPTIONS":
            return Answer(204, [*always, ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")])
        found = self.find(request)
        if found is None:
            return Answer(404, [*always, ("Content-Length", "0")])
        body, modified = found
        for pattern, change in self.contents:
            if pattern.search(request.path):
                body = change(request, body)
        suffix = pathlib.PurePath(request.path).suffix
        answer = Answer(200, [*always, ("Content-Type", TYPES.get(suffix, "text/plain"))], body)
        tag = hashlib.sha256(body).hexdigest()[:16]
        live = suffix == ".m3u8" and b"#EXTINF" in body and b"#EXT-X-ENDLIST" not in body
        answer["Last-Modified"] = date(time.time() - 1 if live else modified)
        answer["Cache-Control"] = "max-age=1" if live else "max-age=3600"
        if suffix in (".m3u8", ".vtt"):
            answer["Vary"] = "Accept-Encoding"
            if "gzip" in request.headers.get("accept-encoding", "") and "range" not in request.headers:
                answer["Content-Encoding"] = "gzip"
                answer.body, tag = gzip.compress(body), tag + "-gzip"
        answer["ETag"] = f'"{tag}"'
        if request.headers.get("if-none-match") == answer["ETag"]:
            answer.status = 304
            return answer
        if request.headers.get("if-range", answer["ETag"]) == answer["ETag"]:
            self.cut(request, answer)
        answer["Content-Length"] = str(len(answer.body))
        return answer

    def find(self, request):
        """The bytes that are asked for, and when they were changed; nothing where there are none."""
        path = self.folder / request.path
        if not path.is_file() or self.folder.resolve() not in path.resolve().parents:
            return None
        return path.read_bytes(), path.stat().st_mtime - DAY

    @staticmethod
    def cut(request, answer):
        """Makes of an answer the part that is asked for; of several parts, the whole."""
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
        if not asked:
            return
        size, first = len(answer.body), int(asked[1])
        last = min(int(asked[2] or size), size - 1)
        if first > last:
            answer.status, answer.body = 416, b""
            answer["Content-Range"] = f"bytes */{size}"
            return
        answer.status, answer.body = 206, answer.body[first:last + 1]
        answer["Content-Range"] = f"bytes {first}-{last}/{size}"


class Handler(http.server.BaseHTTPRequestHandler):
    server: "Server"
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        answer = self.server.site.respond(self.command, self.path, {k.lower(): v for k, v in self.headers.items()})
        if answer.wait:
            self.server.ended.wait(answer.wait)
        if answer.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return
        self.send_response_only(answer.status)
        for name, value in answer.headers:
            self.send_header(name, value)
        self.end_headers()
        try:
            self.send(answer)
        except OSError:
            self.close_connection = True

    do_HEAD = do_OPTIONS = do_GET

    def send(self, answer):
        body = answer.body if answer.cut is None else answer.body[:answer.cut]
        if not answer.pace:
            self.wfile.write(body)
        for place in range(len(body) if answer.pace else 0):
            self.wfile.write(body[place:place + 1])
            if self.server.ended.wait(1 / answer.pace):
                break
        if answer.cut is not None:
            self.close_connection = True

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """A site that is served until the block ends."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, site, context=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.site, self.ended = site, threading.Event()
        self.scheme = "https" if context else "http"
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def handle_error(self, request, client_address):
        """A client that goes is none of the server's business."""

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.shutdown()
        self.server_close()

    def url(self, path=""):
        return f"{self.scheme}://127.0.0.1:{self.server_address[1]}/{path}"
