"""A server of a title for one run: HTTP/1.1 with keep-alive and ranges, and a sliding window for a live title.
"""

import pathlib
import re
import threading
import time

from segue_tools.loopback import TYPES, Loopback, part_of

WINDOW = 5


class TitleServer(Loopback):
    """Serves a folder under the title's name until it is stopped."""

    def __init__(self, title, folder):
        self.title, self.folder = title, pathlib.Path(folder).resolve()
        self.begun = time.monotonic()
        self.requests, self.lock = [], threading.Lock()
        super().__init__()

    @property
    def port(self):
        return self.server_port

    @property
    def path(self):
        return f"{self.title.name}/{self.title.entry}"

    def body(self, path, now=None):
        """The bytes of a path, optionally at a given time since the start; None if there are none."""
        if not path.startswith(f"/{self.title.name}/"):
            return None
        file = (self.folder / path.split("/", 2)[2]).resolve()
        if not file.is_relative_to(self.folder) or not file.is_file():
            return None
        if self.title.is_live and file.name == "index.m3u8" and file.parent != self.folder:
            return self.window(file.read_text(), time.monotonic() - self.begun if now is None else now).encode()
        return file.read_bytes()

    def window(self, playlist, now):
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
        # The model sends its virtual time.
        now = handler.headers.get("Segue-Time")
        body = self.body(path, now and float(now))
        if body is None:
            handler.reply(404, {})
            return
        part = part_of(asked, len(body))
        first, end = part or (0, len(body))
        # A player's page has another origin.
        headers = {"Content-Type": TYPES.get(pathlib.PurePath(path).suffix, "application/octet-stream"),
                   "Accept-Ranges": "bytes", "Access-Control-Allow-Origin": "*"}
        if part:
            headers["Content-Range"] = f"bytes {first}-{end - 1}/{len(body)}"
        handler.reply(206 if part else 200, headers, body[first:end])
