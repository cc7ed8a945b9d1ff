"""A low-latency channel with numbered frames, and networks in front of it."""

import contextlib
import datetime
import re
import urllib.request

from segue_tools.launch import Link, Server
from segue_tools.media import ffmpeg, lavfi

# The width of the blocks along the top that encode a frame's number, lowest bit first.
BITS, WIDTH, RATE, SECONDS = 14, 20, 25, 300
PATH = "/channel/master.m3u8"


def number(luma, stride):
    """The number in a frame of brightness."""
    return sum(1 << bit for bit in range(BITS) if luma[10 * stride + bit * WIDTH + WIDTH // 2] > 128)


def make(path):
    """Makes the title: black and white blocks, a moving test pattern, and a tone, at about 300 kbit/s."""
    boxes = ",".join(
        f"drawbox=x={bit * WIDTH}:y=0:w={WIDTH}:h=20:t=fill:color=white:enable='gte(mod(floor(n/{1 << bit}),2),1)'"
        for bit in range(BITS))
    picture = (f"testsrc2=size=320x180:rate={RATE}:duration={SECONDS},"
               f"drawbox=x=0:y=0:w=320:h=20:t=fill:color=black,{boxes}")
    ffmpeg(*lavfi(picture), *lavfi(f"sine=frequency=440:sample_rate=48000:duration={SECONDS}"), "-c:v",
           "libx264", "-preset", "veryfast", "-b:v", "250k", "-maxrate", "300k", "-bufsize", "300k", "-g", "50",
           "-keyint_min", "50", "-sc_threshold", "0", "-bf", "0", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k",
           path)


class Channel(Server):
    """The channel of a server on the loopback interface."""

    def __init__(self, folder):
        media = folder / "media"
        media.mkdir()
        make(media / "title.mp4")
        super().__init__(media)
        # The first request opens the title, which has repeated since 1970: each repetition is one discontinuity with
        # segments of six seconds.
        text = self.list()
        sequence, rounds = (int(re.search(rf"#EXT-X-{name}-SEQUENCE:(\d+)", text).group(1))
                            for name in ("MEDIA", "DISCONTINUITY"))
        self.round = self.date(text, f"/{sequence}.m4s") - 6 * (sequence % round(sequence / rounds))

    def list(self):
        """The current media playlist."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/channel/index.m3u8", timeout=60) as answer:
            return answer.read().decode()

    @staticmethod
    def date(text, url):
        """Returns the start of a URL by the dates of a playlist, in seconds since 1970."""
        name, at, start = url.rsplit("/", 1)[1], 0.0, 0.0
        for line in text.splitlines():
            if line.startswith("#EXT-X-PROGRAM-DATE-TIME:"):
                at = datetime.datetime.fromisoformat(line.split(":", 1)[1].replace("Z", "+00:00")).timestamp()
                start = at
            elif part := re.match(r'#EXT-X-PART:DURATION=([\d.]+),URI="([^"]*)"', line):
                if part.group(2).endswith("/" + name):
                    return at
                at += float(part.group(1))
            elif line.endswith("/" + name):
                return start
        raise LookupError(f"{name} is not listed")

    def behind(self, clock, seconds):
        return (clock - self.round - seconds) % SECONDS


@contextlib.contextmanager
def link(network, port):
    """The port of a network in front of a server; for `lan`, the server's port."""
    if network == "lan":
        yield port
        return
    with Link(network, port) as near:
        yield near.port
