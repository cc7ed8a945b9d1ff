"""MP4 boxes, for files that FFmpeg does not write."""

import pathlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts"}


@dataclass
class Box:
    """A box with its content: bytes, or other boxes."""

    type: bytes
    content: bytes = b""
    inner: list["Box"] = field(default_factory=list)

    def written(self) -> bytes:
        """Returns the box as in a file."""
        content = b"".join(box.written() for box in self.inner) if self.inner else self.content
        return struct.pack(">I4s", len(content) + 8, self.type) + content

    def find(self, *path: bytes) -> "Box":
        """Returns the first box at a path of types."""
        box = self
        for name in path:
            box = next(inner for inner in box.inner if inner.type == name)
        return box

    def numbers(self, start: int = 4) -> list[int]:
        """Returns the 32-bit numbers of a table behind its count."""
        return list(struct.unpack(f">{(len(self.content) - start - 4) // 4}I", self.content[start + 4:]))


def parse(content: bytes) -> list[Box]:
    """Parses the boxes of one level."""
    boxes, place = [], 0
    while place + 8 <= len(content):
        size, name = struct.unpack(">I4s", content[place:place + 8])
        body = content[place + 8:place + size]
        boxes.append(Box(name, inner=parse(body)) if name in CONTAINERS else Box(name, body))
        place += max(8, size)
    return boxes


def table(name: bytes, *numbers: int) -> Box:
    """Makes a box with a version and 32-bit numbers."""
    return Box(name, struct.pack(f">{len(numbers) + 1}I", 0, *(number & 0xFFFFFFFF for number in numbers)))


class Movie:
    """A movie whose index comes last, so that changes of its size move no media."""

    def __init__(self, path: pathlib.Path) -> None:
        self.boxes = parse(path.read_bytes())
        assert [box.type for box in self.boxes][-1] == b"moov", "make it without +faststart"

    @property
    def movie(self) -> Box:
        """The movie box."""
        return self.boxes[-1]

    def write(self, path: pathlib.Path) -> None:
        """Writes the movie."""
        path.write_bytes(b"".join(box.written() for box in self.boxes))

    def tracks(self, handler: bytes = b"") -> Iterator[Box]:
        """The tracks with a handler, or all."""
        for track in self.movie.inner:
            if track.type == b"trak" and handler in (b"", track.find(b"mdia", b"hdlr").content[8:12]):
                yield track

    def edit(self, edits: list[tuple[float, float | None]], handler: bytes = b"") -> None:
        """Replaces edit lists: seconds, and the start in the media in seconds or None for a pause."""
        scale = struct.unpack(">I", self.movie.find(b"mvhd").content[12:16])[0]
        for track in self.tracks(handler):
            units = struct.unpack(">I", track.find(b"mdia", b"mdhd").content[12:16])[0]
            lists = [box for box in track.inner if box.type == b"edts"]
            first = struct.unpack(">i", lists[0].find(b"elst").content[-8:-4])[0] if lists else 0
            numbers = [len(edits)]
            for seconds, start in edits:
                numbers += [round(seconds * scale), -1 if start is None else first + round(start * units), 1 << 16]
            track.inner = [box for box in track.inner if box.type != b"edts"]
            track.inner.insert(1, Box(b"edts", inner=[table(b"elst", *numbers)]))

    def add_to_sample_entry(self, box: Box, handler: bytes = b"vide") -> None:
        """Appends a box to the first sample entry of tracks."""
        for track in self.tracks(handler):
            entries = track.find(b"mdia", b"minf", b"stbl", b"stsd")
            size = struct.unpack(">I", entries.content[8:12])[0]
            entry = entries.content[12:8 + size] + box.written()
            rest = entries.content[8 + size:]
            entries.content = entries.content[:8] + struct.pack(">I", len(entry) + 4) + entry + rest

    def append(self, other: "Movie") -> None:
        """Appends the samples of another movie to the only track of this one, with a sample entry of their own."""
        places = [index for index, box in enumerate(self.boxes) if box.type == b"mdat"]
        media = self.boxes[places[0]]
        start = sum(len(box.written()) for box in self.boxes[:places[0]]) + 8
        second = start + len(media.content)
        media.content += next(box for box in other.boxes if box.type == b"mdat").content
        track = next(self.tracks())
        tables = track.find(b"mdia", b"minf", b"stbl")
        added = next(other.tracks()).find(b"mdia", b"minf", b"stbl")
        sizes = [box.find(b"stsz").numbers(8) for box in (tables, added)]
        times = tables.find(b"stts").numbers() + added.find(b"stts").numbers()
        shifts = tables.find(b"ctts").numbers() + added.find(b"ctts").numbers()
        keys = tables.find(b"stss").numbers() + [key + len(sizes[0]) for key in added.find(b"stss").numbers()]
        entries = [box.find(b"stsd").content[8:] for box in (tables, added)]
        tables.inner = [
            Box(b"stsd", struct.pack(">II", 0, 2) + b"".join(entries)),
            table(b"stts", len(times) // 2, *times), table(b"stss", len(keys), *keys),
            table(b"ctts", len(shifts) // 2, *shifts),
            table(b"stsc", 2, 1, len(sizes[0]), 1, 2, len(sizes[1]), 2),
            table(b"stsz", 0, len(sizes[0]) + len(sizes[1]), *sizes[0], *sizes[1]), table(b"stco", 2, start, second),
        ]
        head = track.find(b"mdia", b"mdhd")
        length = sum(times[place] * times[place + 1] for place in range(0, len(times), 2))
        head.content = head.content[:16] + struct.pack(">I", length) + head.content[20:]
        for box in track.inner:
            if box.type == b"edts":
                # The whole media, from the composition offset of the first frame.
                units = struct.unpack(">I", head.content[12:16])[0]
                scale = struct.unpack(">I", self.movie.find(b"mvhd").content[12:16])[0]
                first = box.find(b"elst").numbers()[1]
                box.inner = [table(b"elst", 1, length * scale // units, first, 1 << 16)]


def dolby_vision(profile: int, compatibility: int, has_enhancement: bool = False, level: int = 4) -> Box:
    """Makes the configuration box of Dolby Vision."""
    flags = profile << 9 | level << 3 | 4 | has_enhancement << 1 | 1
    content = struct.pack(">BBHB", 1, 0, flags, compatibility << 4) + bytes(19)
    return Box(b"dvvC" if profile > 7 else b"dvcC", content)
