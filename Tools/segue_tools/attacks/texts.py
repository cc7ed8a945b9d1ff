"""Text of others that reaches the terminal: names of files, tags, attributes of playlists, and messages of servers with
control sequences. Each command is run over all of them; its output may contain no control character but the line feed.
"""

import http.server
import os
import re
import subprocess
import threading
import urllib.parse

from segue_tools.launch import program
from segue_tools.media import ffmpeg, lavfi

# A new title, a cleared screen, a report that a terminal types, an 8-bit control sequence, and a reversed direction.
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x1b[6n\x9b2J\u202e\r\x08x"
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def media(folder):
    """A song with hostile tags and a hostile name, and files that are skipped with a reason."""
    name = HOSTILE.replace("/", "") + ".mp3"
    ffmpeg(*lavfi("sine=440:d=4"), "-c:a", "libmp3lame", "-metadata", f"title={HOSTILE}", "-metadata",
           f"artist={HOSTILE}", "-metadata", f"album={HOSTILE}", folder / "song.mp3")
    os.rename(folder / "song.mp3", folder / name)
    (folder / f"{HOSTILE}.mp4").write_bytes(b"no film")
    (folder / f"{HOSTILE}.mkv").symlink_to("../elsewhere")
    return folder / name


class Handler(http.server.BaseHTTPRequestHandler):
    """Playlists with hostile attributes, and refusals with a hostile reason."""

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path == "/master.m3u8":
            text = ("#EXTM3U\n"
                    f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="{HOSTILE}",NAME="{HOSTILE}",LANGUAGE="{HOSTILE}",URI="a.m3u8"\n'
                    f'#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="{HOSTILE}",AUDIO="{HOSTILE}",{HOSTILE}=1\nv.m3u8\n'
                    f"#EXT-{HOSTILE}:{HOSTILE}\n")
            return self.answer(200, "OK", text.replace("\r", ""))
        if path.endswith(".m3u8"):
            text = ("#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
                    f'#EXT-X-DATERANGE:ID="{HOSTILE}",START-DATE="{HOSTILE}",X-{HOSTILE}="{HOSTILE}"\n'
                    f"#EXTINF:2,{HOSTILE}\n{HOSTILE}.ts\n#EXTINF:{HOSTILE},\nb.ts\n#EXT-X-ENDLIST\n")
            return self.answer(200, "OK", text.replace("\r", ""))
        return self.answer(404, "x", HOSTILE, {"Content-Type": "a/\x1b[2Jb", "X-A": "\x1b[2J", "Server": "\x1b[2J"})

    def answer(self, status, reason, text, headers=None):
        body = text.encode()
        self.send_response(status, reason)
        for name, value in {"Content-Type": "application/vnd.apple.mpegurl", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


def told(folder):
    served = folder / f"media{HOSTILE.replace('/', '')}"
    served.mkdir()
    song = media(served)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stream = f"http://127.0.0.1:{server.server_port}/master.m3u8"
    scenario = folder / f"{HOSTILE}.yaml"
    scenario.write_text("nonsense: 1\n")
    commands = {
        "probe": ["probe", song, served / f"{HOSTILE}.mp4", served],
        "serve": ["serve", served, "--listen", "127.0.0.1:0"],
        "validate": ["validate", stream],
        "watch": ["watch", stream, "--for", "5"],
        "play": ["play", stream, "--network", "wifi"],
        "regress": ["regress", served, "--network", "wifi"],
        "regress of a stream": ["regress", stream, "--network", "wifi"],
        "an unknown option": ["serve", f"--{HOSTILE}"],
        "a missing file": ["probe", folder / HOSTILE],
        "an invalid scenario": ["play", stream, "--script", scenario],
        "a rejected address": ["validate", f"http://{HOSTILE}/"],
    }
    broken, sizes = [], {}
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
    for name, words in commands.items():
        try:
            limit = 20 if name == "serve" else 180
            done = subprocess.run([program(), *map(str, words)], capture_output=True, timeout=limit, env=environment,
                                  cwd=folder)
            output = done.stdout + done.stderr
        except subprocess.TimeoutExpired as late:
            output = (late.stdout or b"") + (late.stderr or b"")
            if name != "serve":
                broken.append(f"{name}: did not end")
        text = output.decode(errors="replace")
        sizes[name] = len(text)
        if match := FORBIDDEN.search(text):
            around = text[max(0, match.start() - 30):match.start() + 30]
            broken.append(f"{name}: prints {match[0]!r} in {around!r}")
        if not text:
            broken.append(f"{name}: printed nothing")
    server.shutdown()
    return f"characters printed about hostile texts: {sizes}", broken


ATTACKS = {"texts": told}
