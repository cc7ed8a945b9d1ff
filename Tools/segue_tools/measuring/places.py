"""Labels of requests by title: `entry`, `v0 list`, `v0 init`, `v0 3`, `s 3`, and `v0 0 rest`."""

import dataclasses
import pathlib
import re


@dataclasses.dataclass
class Segment:
    file: str
    start: int
    size: int
    seconds: float


class Rendition:
    """A media playlist in its folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = self.folder.name
        self.segments, self.init, self.in_ranges = [], None, False
        seconds, given, end = 0.0, None, 0
        for line in (self.folder / "index.m3u8").read_text().splitlines():
            if line.startswith("#EXTINF:"):
                seconds = float(line[8:].split(",")[0])
            elif line.startswith("#EXT-X-MAP:"):
                self.init = line.split('URI="')[1].split('"')[0]
            elif line.startswith("#EXT-X-BYTERANGE:"):
                length, _, at = line[17:].partition("@")
                given = (int(at) if at else end, int(length))
            elif line and not line.startswith("#"):
                start, size = given or (0, (self.folder / line).stat().st_size)
                self.in_ranges |= given is not None
                end, given = start + size, None
                self.segments.append(Segment(line, start, size, seconds))

    def label(self, file, start):
        if file == "index.m3u8":
            return f"{self.name} list"
        if self.in_ranges:
            number = next((number for number, segment in enumerate(self.segments)
                           if segment.start <= start < segment.start + segment.size), None)
            if number is None or self.init == file and start < self.segments[0].start:
                return f"{self.name} init"
            return f"{self.name} {number}" + (" rest" if start > self.segments[number].start else "")
        if file == self.init:
            return f"{self.name} init"
        numbered = re.match(r"\d+", file)
        return f"{self.name} {numbered[0]}{' rest' if start else ''}" if numbered else f"{self.name} {file}"


class Places:
    """The renditions of a title."""

    def __init__(self, folder):
        self.renditions = {path.parent.name: Rendition(path.parent)
                           for path in pathlib.Path(folder).glob("*/index.m3u8")}

    def label(self, url, start=0):
        parts = url.split("?")[0].rstrip("/").split("/")
        if len(parts) < 2 or parts[-2] not in self.renditions:
            return "entry"
        return self.renditions[parts[-2]].label(parts[-1], start)


def begin_of(range_header):
    """The first byte of a `Range` request."""
    found = re.search(r"(\d+)-", range_header or "")
    return int(found[1]) if found else 0
