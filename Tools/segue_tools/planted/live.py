"""Faults of live streams that a watch must find while they run: forbidden changes of a playlist."""

import re

from segue_tools.planted import livedelivery, livemaster, livemedia
from segue_tools.planted.fault import Table
from segue_tools.planted.listing import stamp
from segue_tools.planted.livestreams import FIRST, WINDOW
from segue_tools.planted.watching import every, listing, look, origin, rendition, said, seconds, segment, written

TABLE = Table("live-ts")
add = TABLE.add
BREAKS, LADDER, BROKEN_LADDER, KEYS = "live-discontinuities", "live-ladder", "live-ladder-discontinuities", "live-keys"
# A segment that is listed ten seconds after the beginning.
LATER = FIRST + WINDOW + 4


def back(by, count):
    """Answers one of every `count` requests with the state of some seconds ago."""
    asked = [0]

    def see(now):
        asked[0] += 1
        return now - by if now > 6 and asked[0] % count == 0 else now
    return see


def restarted(version, now):
    """Restarts the sequence at 0 with the segments made since."""
    version.segments = [segment for segment in version.segments if segment.number >= FIRST + WINDOW + 2]
    version.sequence = version.segments[0].number - FIRST - WINDOW - 2


def counted(by):
    """Changes the media sequence number."""
    return lambda version, now: setattr(version, "sequence", version.sequence + by)


def shifted(version, now):
    """Replaces each segment by the next one."""
    for one, two in zip(version.segments, version.segments[1:]):
        one.uri = two.uri


def asked(version, now):
    """Adds the time of the request to the URI of each segment."""
    for each in version.segments:
        each.uri += f"?nc={now}"


def lacking(version, now):
    """Replaces a segment by a discontinuity."""
    if following := version.find(LATER - 1):
        version.segments.remove(version.find(LATER - 2))
        following.discontinuity = True


def dated(by, after=0, name=None, only=lambda number: True):
    """Changes the dates of segments by their numbers."""
    def change(segment):
        if only(segment.number):
            segment.date += by(segment.number - FIRST)
    return every(change, after, name)


# Sequence numbers

add("sequence-reset-by-restart", "video-dev/hls.js#1090", "live-sequence", listing(restarted))
add("sequence-goes-back-for-good", "video-dev/hls.js#5457", "live-sequence",
    rendition(late=lambda now: 6 if now > 8 else 0))
add("sequence-starts-from-zero", "ossrs/srs#3506", "live-sequence", listing(counted(-FIRST)))
add("sequence-does-not-grow", "grafov/m3u8#37", "live-removed", said(0, sequence=FIRST))
add("sequence-jumps-ahead", "video-dev/hls.js#809", {"live-removed", "live-order", "live-segment-changed"},
    listing(counted(5), 8))
add("another-segment-under-the-same-number", "video-dev/hls.js#2875", "live-segment-changed", listing(shifted, 8))
add("segment-lost-between-two-versions", "", {"live-order", "live-segment-changed", "live-removed"},
    listing(lambda version, now: version.segments.remove(version.find(LATER - 2)), 11))
add("edges-behind-one-another", "Eyevinn/channel-engine#138", {"live-sequence", "live-order"}, origin(see=back(5, 3)))
add("segment-put-in-later", "dbvideostriketeam/wubloader#607", {"live-segment-changed", "live-order"},
    listing(lacking, 0, 11))
add("last-segments-taken-back", "", "live-order",
    listing(lambda version, now: version.segments.__delitem__(slice(-2, None)), 9, 11))
add("segment-listed-twice", "Eyevinn/channel-engine#138",
    {"ts-continuous", "segment-repeated", "live-segment-repeated"},
    segment(LATER - 1, uri=f"index{LATER - 2 - FIRST}.ts"), look(13))
add("gap-in-the-stream", "shaka-project/shaka-player#1308", "live-gap", segment(LATER, gap=True))

# Durations

add("window-of-two-segments", "videojs/videojs-contrib-hls#1318", "live-window-least", rendition(window=2))
add("window-of-three-segments", "videojs/videojs-contrib-hls#565", "live-six", rendition(window=3))
add("target-raised-by-rounding-up", "ErsatzTV/next!186", "live-target", said(8, target=3))
add("target-follows-keyframes", "videojs/videojs-contrib-hls#312", "live-target", said(6, 10, target=5))
add("extinf-over-the-target", "livekit/egress#534", {"target-holds", "live-readable"},
    segment(LATER - 1, seconds=3.1), look())
add("duration-corrected-later", "", "live-segment-changed", segment(LATER - 2, 11, seconds=1.9))

# Discontinuities

add("restart-without-discontinuity", "video-dev/hls.js#4309", {"ts-continuous", "ts-counters-across"},
    every(lambda segment: setattr(segment, "discontinuity", False)), look(16), base=BREAKS)
add("discontinuity-vanishes", "video-dev/hls.js#3438", {"live-segment-changed", "live-discontinuity"},
    segment(FIRST + 10, 9, discontinuity=False), base=BREAKS)
add("discontinuity-put-on-a-listed-segment", "", {"live-segment-changed", "live-discontinuity"},
    segment(LATER, 13, discontinuity=True))
add("discontinuity-sequence-not-given", "google/ExoPlayer#1496", {"live-discontinuity", "live-discontinuities"},
    rendition(discontinuities=None), look(), base=BREAKS)
add("discontinuity-sequence-stays", "ErsatzTV/legacy!2548", "live-discontinuity", said(0, discontinuities=3),
    base=BREAKS)
add("discontinuity-sequence-grows-too-early", "Eyevinn/hls-vodtolive!36", "live-discontinuity", seconds(28),
    listing(lambda version, now: setattr(
        version, "discontinuities", version.discontinuities + version.segments[0].discontinuity), 0), base=BREAKS)
add("discontinuity-sequence-behind-a-segment", "video-dev/hls.js!7750", {"sequence-first", "live-readable"}, look(),
    written(lambda text: re.sub(r"(#EXT-X-DISC.*-SEQUENCE:\d+\n)((?s:.*?)\n[^#\n]+\n)", r"\2\1", text, count=1), 0),
    base=BREAKS)
add("renditions-count-discontinuities-otherwise", "", "live-same-discontinuities", rendition("high", discontinuities=4),
    base=BROKEN_LADDER)

# The end, the type, and tags of the whole playlist

add("end-taken-back", "q191201771/lal!12", "live-end", said(6, 9, ended=True))
add("segments-after-the-end", "videojs/videojs-contrib-hls#1204", "live-end", said(6, ended=True))
add("event-with-a-window", "sergey-dryabzhinsky/nginx-rtmp-module#304", "live-event", said(0, kind="EVENT"))
add("vod-that-grows", "clappr/clappr#1139", {"live-type", "live-event", "vod-end"}, rendition(window=0),
    said(0, kind="VOD"), look())
add("event-becomes-vod", "shaka-project/shaka-packager!1525", "live-type", said(14, kind="VOD"), base="live-event")
add("version-changes", "", "live-header", said(9, version=7))
add("independent-segments-no-longer", "", "live-header", said(9, independent=False))

# Dates

add("no-dates", "shaka-project/shaka-packager#365", "live-date-given",
    every(lambda segment: setattr(segment, "date", None)))
add("dates-with-gaps", "video-dev/hls.js#4984", "live-date-jump",
    dated(lambda number: 2.5, only=lambda number: number >= LATER))
add("dates-go-back", "", "live-date-overlap", dated(lambda number: -4, only=lambda number: number >= LATER))
add("dates-slower-than-durations", "video-dev/hls.js#3473", "live-date-drift", dated(lambda number: -0.25 * number))
add("dates-of-all-moved", "", "live-segment-changed", dated(lambda number: 0.4, 8), dated(lambda number: 0.4, 12))
add("dates-an-hour-ahead", "ZLMediaKit/ZLMediaKit!4831", "live-date-clock", dated(lambda number: 3600))
add("dates-of-1970", "google/ExoPlayer#10305", "live-date-clock",
    lambda stage: dated(lambda number: -stage.site.began)(stage))


def ranges(*versions):
    """A date range, with its attributes and the time in which it is listed."""
    def plant(stage):
        for after, until, text in versions:
            start = stamp(stage.site.began - 2)
            said(after, until, ranges=[f'#EXT-X-DATERANGE:ID="break",START-DATE="{start}",{text}'])(stage)
    return plant


add("date-range-gone-too-soon", "", "live-range-kept", ranges((0, 8, "DURATION=6")))
add("date-range-says-otherwise", "", "live-range-changed",
    ranges((0, 8, "PLANNED-DURATION=6"), (8, float("inf"), "PLANNED-DURATION=9")))

# Renditions

add("transcoded-rendition-lags", "livepeer/go-livepeer#1632", "live-in-step", rendition("high", late=lambda now: 5),
    base=LADDER)
add("one-rendition-stands-still", "awslabs/aws-clustered-video-streams#29", "live-news",
    rendition("high", late=lambda now: max(0, now - 6)), base=LADDER)
add("dates-differ-between-renditions", "shaka-project/shaka-packager!814", {"live-in-step", "same-dates"},
    dated(lambda number: -5, name="high"), base=LADDER)

# Tags of a segment

add("uri-with-a-number-of-the-request", "video-dev/hls.js#3473", "live-segment-changed",
    listing(asked, 0))
add("initialization-renamed", "", "live-segment-changed",
    every(lambda segment: setattr(segment, "map", "init.mp4?2"), 8), base="live-fmp4")
add("key-vanishes-from-a-listed-segment", "", "live-segment-changed",
    every(lambda segment: setattr(segment, "key", None), 9), base=KEYS)

FAULTS = TABLE.faults + livedelivery.FAULTS + livemaster.FAULTS + livemedia.FAULTS
