"""HTTP servers on loopback whose responses a tool generates."""

import http.server
import re
import threading
from typing import Any

TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t", ".m4s": "video/mp4", ".mp4": "video/mp4",
         ".vtt": "text/vtt", ".js": "text/javascript", ".html": "text/html"}


class Handler(http.server.BaseHTTPRequestHandler):
    """Passes each request to its server."""

    server: "Loopback"
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    # Closes idle connections eventually.
    timeout = 300

    def do_GET(self) -> None:
        try:
            self.server.answer(self)
        except OSError:
            self.close_connection = True

    do_HEAD = do_OPTIONS = do_GET

    def log_message(self, *_: Any) -> None:
        """Prints nothing."""

    def reply(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        """Sends a response of a known length."""
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)


class Loopback(http.server.ThreadingHTTPServer):
    """A server on a free port, until it is stopped or the `with` block ends."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, context: Any = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.scheme = "https" if context else "http"
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def answer(self, handler: Handler) -> None:
        """Responds to a request."""
        raise NotImplementedError

    def handle_error(self, *_: Any) -> None:
        """Ignores clients that close connections."""

    def url(self, path: str = "") -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_port}/{path}"

    def stop(self) -> None:
        self.shutdown()
        self.server_close()

    def __exit__(self, *_: object) -> None:
        self.stop()


def part_of(text: str | None, size: int) -> tuple[int, int] | None:
    """Returns the first byte of a range and the one after its last; None without a range or for one beyond the body."""
    match = re.fullmatch(r"bytes=(\d+)-(\d*)", text or "")
    if not match or int(match[1]) >= size:
        return None
    return int(match[1]), min(int(match[2] or size - 1) + 1, size)
