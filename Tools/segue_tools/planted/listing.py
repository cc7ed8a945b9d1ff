"""A live playlist at one time, and its text."""

import dataclasses
import time


def stamp(seconds):
    """A date in the format of playlists."""
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000):03}Z"


@dataclasses.dataclass
class Part:
    """A part of a segment; `range` is its offset and length in the resource, if it is not the whole of it."""

    uri: str
    seconds: float
    independent: bool = False
    extra: str = ""
    range: tuple | None = None

    @property
    def line(self):
        independent = ",INDEPENDENT=YES" if self.independent else ""
        place = f',BYTERANGE="{self.range[1]}@{self.range[0]}"' if self.range else ""
        return f'#EXT-X-PART:DURATION={self.seconds:.5f},URI="{self.uri}"{place}{independent}{self.extra}'


@dataclasses.dataclass
class Segment:
    """A segment with its attributes; `begin` is in seconds since the start of the stream."""

    number: int
    uri: str
    seconds: float
    begin: float
    date: float | None = None
    map: str | None = None
    key: str | None = None
    discontinuity: bool = False
    gap: bool = False
    tags: list = dataclasses.field(default_factory=list)
    parts: list = dataclasses.field(default_factory=list)

    @property
    def end(self):
        return self.begin + self.seconds

    def copy(self):
        return dataclasses.replace(self, tags=list(self.tags), parts=[dataclasses.replace(part) for part in self.parts])

    def head(self, before):
        """The lines before its parts, without lasting tags that the previous segment has as well."""
        lines = ["#EXT-X-DISCONTINUITY"] if self.discontinuity else []
        if self.key and (before is None or before.key != self.key):
            lines.append(f"#EXT-X-KEY:{self.key}")
        if self.map and (before is None or before.map != self.map):
            lines.append(f'#EXT-X-MAP:URI="{self.map}"')
        if self.date is not None:
            lines.append(f"#EXT-X-PROGRAM-DATE-TIME:{stamp(self.date)}")
        return lines + self.tags


@dataclasses.dataclass
class Listing:
    """The content of a version of a playlist."""

    version: int
    target: int
    sequence: int
    discontinuities: int | None
    segments: list
    kind: str | None = None
    independent: bool = True
    iframes: bool = False
    control: dict = dataclasses.field(default_factory=dict)
    part_target: float | None = None
    open: Segment | None = None
    hint: str | None = None
    hint_start: int | None = None
    reports: list = dataclasses.field(default_factory=list)
    ranges: list = dataclasses.field(default_factory=list)
    skipped: int = 0
    # The stated number of skipped segments, if it is wrong.
    skipped_said: int = 0
    ended: bool = False

    def find(self, number):
        return next((segment for segment in self.segments if segment.number == number), None)

    @property
    def header(self):
        lines = ["#EXTM3U", f"#EXT-X-VERSION:{self.version}", f"#EXT-X-TARGETDURATION:{self.target}"]
        if self.kind:
            lines.append(f"#EXT-X-PLAYLIST-TYPE:{self.kind}")
        if self.control:
            lines.append("#EXT-X-SERVER-CONTROL:" + ",".join(f"{key}={value}" for key, value in self.control.items()))
        if self.part_target is not None:
            lines.append(f"#EXT-X-PART-INF:PART-TARGET={self.part_target:.5f}")
        lines.append(f"#EXT-X-MEDIA-SEQUENCE:{self.sequence}")
        if self.discontinuities is not None:
            lines.append(f"#EXT-X-DISCONTINUITY-SEQUENCE:{self.discontinuities}")
        if self.independent:
            lines.append("#EXT-X-INDEPENDENT-SEGMENTS")
        if self.iframes:
            lines.append("#EXT-X-I-FRAMES-ONLY")
        return lines

    @property
    def text(self):
        lines, before = self.header, None
        if self.skipped:
            lines.append(f"#EXT-X-SKIP:SKIPPED-SEGMENTS={self.skipped_said or self.skipped}")
            # Lasting tags were listed with the skipped segments.
            before = self.segments[self.skipped - 1] if self.skipped <= len(self.segments) else None
        for segment in self.segments[self.skipped:]:
            lines += segment.head(before)
            lines += [part.line for part in segment.parts]
            if segment.gap:
                lines.append("#EXT-X-GAP")
            lines += [f"#EXTINF:{segment.seconds:.5f},", segment.uri]
            before = segment
        if self.open and self.open.parts:
            lines += self.open.head(before) + [part.line for part in self.open.parts]
        lines += self.ranges
        if self.hint:
            start = "" if self.hint_start is None else f",BYTERANGE-START={self.hint_start}"
            lines.append(f'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="{self.hint}"{start}')
        lines += self.reports
        if self.ended:
            lines.append("#EXT-X-ENDLIST")
        return "\n".join([*lines, ""])
