"""A server on loopback that serves the files of a folder correctly, except for the planted faults."""

import dataclasses
import gzip
import hashlib
import pathlib
import re
import socket
import struct
import threading
import time
import urllib.parse

from segue_tools.loopback import TYPES, Loopback, part_of

DAY = 86400


def date(seconds):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(seconds))


@dataclasses.dataclass
class Request:
    """A request; `count` is the number of requests for its path, and `turn` that on its connection, it included."""

    method: str
    path: str
    query: str
    headers: dict
    count: int
    turn: int


@dataclasses.dataclass
class Answer:
    """A response. A fault may truncate, reset, delay, or slow it."""

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
    """The content of a folder, with changes."""

    def __init__(self, folder):
        self.folder = folder
        self.contents, self.faults = [], []
        self.counts = {}
        self.lock = threading.Lock()

    def content(self, pattern, change):
        """Has `change` replace the bytes of paths that a pattern matches, by the request."""
        self.contents.append((re.compile(pattern), change))

    def answer(self, pattern, change):
        """Has `change` change the responses for paths that a pattern matches, or return others."""
        self.faults.append((re.compile(pattern), change))

    def respond(self, method, target, headers, turn=1):
        parts = urllib.parse.urlsplit(target)
        with self.lock:
            count = self.counts[method, parts.path] = self.counts.get((method, parts.path), 0) + 1
        request = Request(method, urllib.parse.unquote(parts.path).lstrip("/"), parts.query, headers, count, turn)
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
        """The requested bytes and their modification time; None if there is no such file."""
        path = self.folder / request.path
        if not path.is_file() or self.folder.resolve() not in path.resolve().parents:
            return None
        return path.read_bytes(), path.stat().st_mtime - DAY

    @staticmethod
    def cut(request, answer):
        """Cuts a response to the range of the request; several ranges receive the whole."""
        text, size = request.headers.get("range", ""), len(answer.body)
        part = part_of(text, size)
        if part:
            answer.status, answer.body = 206, answer.body[part[0]:part[1]]
            answer["Content-Range"] = f"bytes {part[0]}-{part[1] - 1}/{size}"
        elif re.fullmatch(r"bytes=\d+-\d*", text):
            answer.status, answer.body = 416, b""
            answer["Content-Range"] = f"bytes */{size}"


class Server(Loopback):
    """Serves a site until the block ends."""

    def __init__(self, site, context=None):
        self.site, self.ended = site, threading.Event()
        super().__init__(context)

    def answer(self, handler):
        headers = {name.lower(): value for name, value in handler.headers.items()}
        handler.turn = getattr(handler, "turn", 0) + 1
        answer = self.site.respond(handler.command, handler.path, headers, handler.turn)
        if answer.wait:
            self.ended.wait(answer.wait)
        if answer.reset:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.close_connection = True
            return
        handler.send_response_only(answer.status)
        for name, value in answer.headers:
            handler.send_header(name, value)
        handler.end_headers()
        body = answer.body if answer.cut is None else answer.body[:answer.cut]
        if not answer.pace:
            handler.wfile.write(body)
        for place in range(len(body) if answer.pace else 0):
            handler.wfile.write(body[place:place + 1])
            if self.ended.wait(1 / answer.pace):
                break
        if answer.cut is not None:
            handler.close_connection = True

    def stop(self):
        self.ended.set()
        super().stop()
