"""An origin of live streams: a window that moves over segments, with blocking reloads and delta updates."""

import pathlib
import re
import threading
import time
import urllib.parse

from segue_tools.planted.listing import Listing
from segue_tools.planted.server import Answer, Site, date

# The default time in seconds after which a stream changes.
SOON = 6
MASTER = "master.m3u8"


class Rendition:
    """A media playlist of a live stream: all its segments, and their listing over time.

    `window` is the number of listed segments, 0 for all; that many exist when the stream begins. `parts_for` is the
    time before the end, in seconds, in which parts are listed.
    """

    def __init__(self, segments, target, window, version=6, **said):
        self.segments, self.target, self.window, self.version, self.said = segments, target, window, version, said
        self.history = (window or 6) * segments[0].seconds
        self.discontinuities = 3 if any(segment.discontinuity for segment in segments) else None
        self.parts_for = 3 * target
        self.ends_at = None
        self.late = lambda now: 0

    def end(self, now):
        return self.history + (now if self.ends_at is None else min(now, self.ends_at)) - self.late(now)

    def listing(self, now):
        """Returns the listing at a time."""
        end = self.end(now) + 1e-6
        whole = [segment for segment in self.segments if segment.end <= end]
        first = max(0, len(whole) - self.window) if self.window else 0
        gone = sum(segment.discontinuity for segment in whole[:first])
        listing = Listing(self.version, self.target, self.segments[first].number,
                          None if self.discontinuities is None else self.discontinuities + gone,
                          [segment.copy() for segment in whole[first:]])
        for name, value in self.said.items():
            setattr(listing, name, dict(value) if isinstance(value, dict) else value)
        listing.ended = self.ends_at is not None and now >= self.ends_at
        if listing.part_target:
            self.parts(listing, end)
        return listing

    def parts(self, listing, end):
        """Keeps the parts near the end, adds those of the unfinished segment, and hints at the next part."""
        last = listing.segments[-1]
        listing.open = self.segments[last.number - self.segments[0].number + 1].copy()
        place, there = listing.open.begin, []
        for part in listing.open.parts:
            place += part.seconds
            if place > end:
                break
            there.append(part)
        following = self.segments[listing.open.number - self.segments[0].number + 1]
        hinted = [*listing.open.parts, *following.parts][len(there)]
        listing.hint, listing.hint_start = hinted.uri, hinted.range and hinted.range[0]
        listing.open.parts = there
        edge = last.end + sum(part.seconds for part in there)
        for segment in listing.segments:
            if edge - segment.end > self.parts_for + 1e-6:
                segment.parts = []

    def comes(self, number, part, now):
        """The seconds until a segment or its part is listed; negative if it already is."""
        segment = self.segments[number - self.segments[0].number]
        length = segment.seconds if part is None else sum(one.seconds for one in segment.parts[:part + 1])
        return segment.begin + length - self.end(now)


class Origin(Site):
    """Serves renditions in real time, with their media."""

    def __init__(self, renditions, files, master=None):
        super().__init__(pathlib.Path("."))
        self.renditions, self.files, self.master = renditions, files, master
        self.began = time.time()
        self.ended = threading.Event()
        self.changes, self.texts, self.masters = [], [], []
        # Overrides the availability of a file, by its name and the seconds since the start.
        self.there = lambda name, now: None
        # The time whose state a request receives; the seconds that a plain request and a blocking one wait.
        self.see = lambda now: now
        self.slow = 0
        self.hold = lambda seconds: seconds
        # The responses to a reload far ahead, and to one with a part only.
        self.far = self.alone = 400
        self.skips = lambda request: "_HLS_skip" in request.query
        self.times = {}
        # The first byte of each part, the one after its last, and its time, for parts that are byte ranges.
        self.ranges = {}
        for rendition in renditions.values():
            for segment in rendition.segments:
                segment.date = None if segment.date is None else self.began - rendition.history + segment.begin
                self.times[segment.uri] = segment.end - rendition.history
                place = segment.begin - rendition.history
                for part in segment.parts:
                    place += part.seconds
                    if part.range:
                        start, length = part.range
                        self.ranges.setdefault(part.uri, []).append((start, start + length, place))
                    else:
                        self.times[part.uri] = place

    @property
    def now(self):
        """The seconds since the start."""
        return time.time() - self.began

    def listed(self, name, request=None):
        """A version of a playlist with the planted faults."""
        now = self.see(self.now)
        rendition = self.renditions[name]
        listing = rendition.listing(now)
        for other in self.renditions:
            if other != name and listing.part_target:
                listing.reports.append(self.report(other, now))
        asks = request is not None and self.skips(request)
        if asks and "CAN-SKIP-UNTIL" in listing.control:
            end = listing.segments[-1].end + sum(part.seconds for part in listing.open.parts)
            until = float(listing.control["CAN-SKIP-UNTIL"])
            listing.skipped = sum(end - segment.end > until for segment in listing.segments)
            listing.version = max(listing.version, 9) if listing.skipped else listing.version
        for change, after, until, only in self.changes:
            if after <= now < until and only in (None, name):
                change(listing, now)
        return listing

    def report(self, name, now):
        other = self.renditions[name].listing(now)
        last = other.open if other.open.parts else other.segments[-1]
        number, part = last.number, len(last.parts) - 1
        return f'#EXT-X-RENDITION-REPORT:URI="{name}.m3u8",LAST-MSN={number},LAST-PART={part}'

    def good(self, request):
        name = pathlib.PurePath(request.path).stem
        asked = dict(urllib.parse.parse_qsl(request.query))
        if name in self.renditions and request.path.endswith(".m3u8") and not self.wait(name, asked):
            status = self.alone if "_HLS_msn" not in asked else self.far
            return Answer(status, [("Date", date(time.time())), ("Content-Length", "0")])
        return super().good(request)

    def wait(self, name, asked):
        """Blocks a reload; returns True if the response is the playlist."""
        rendition = self.renditions[name]
        if rendition.said.get("control", {}).get("CAN-BLOCK-RELOAD") != "YES" or not asked:
            self.ended.wait(self.slow)
            return True
        if "_HLS_msn" not in asked:
            return "_HLS_part" not in asked or self.alone == 200
        number, part = int(asked["_HLS_msn"]), int(asked["_HLS_part"]) if "_HLS_part" in asked else None
        next_number = rendition.listing(self.now).segments[-1].number + 1
        if number > next_number + 1:
            return self.far == 200
        until = self.now + 3 * rendition.target
        while (seconds := self.hold(rendition.comes(number, part, self.now))) > 0 and self.now < until:
            self.ended.wait(seconds)
        return True

    def find(self, request):
        now, name = self.now, pathlib.PurePath(request.path).stem
        if request.path == MASTER:
            text = self.master
            for change, after, until in self.masters:
                if after <= now < until:
                    text = change(text)
            return (text.encode(), self.began) if text else None
        if request.path.endswith(".m3u8") and name in self.renditions:
            text = self.listed(name, request).text
            for change, after, until in self.texts:
                if after <= now < until:
                    text = change(text)
            return text.encode(), time.time()
        there = self.there(request.path, now)
        if there is None:
            # A request for a hinted resource blocks until it is available.
            wait = self.due(request) - now
            # A hint at the start of a resource may be requested without a range, which then comes as a whole.
            there = wait <= (3 if request.path in self.ranges else 1)
            self.ended.wait(max(0, wait if there else 0))
        return (self.files[request.path], self.began) if there and request.path in self.files else None

    def due(self, request):
        """The time at which the requested bytes are available; a range without an end is cut to its part."""
        whole, parts = self.times.get(request.path, 0), self.ranges.get(request.path)
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
        if not asked or not parts:
            return whole
        last = int(asked[2] or asked[1])
        end, time = next(((end, time) for _, end, time in parts if last < end), (0, whole))
        if end and not asked[2]:
            request.headers["range"] = f"bytes={asked[1]}-{end - 1}"
        return time
