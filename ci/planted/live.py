"""Faults of live streams, which a watch has to name while they go on; a look names those that one version shows."""

import re

from .fault import Table
from .listing import stamp
from .livestreams import FIRST, KEYS, WINDOW, key
from .server import Answer
from .stage import answer
from .watching import listing, look, origin, rendition, said, seconds, segment, there, written

TABLE = Table("live-ts")
FAULTS = TABLE.faults
add = TABLE.add
BREAKS, LADDER, BROKEN_LADDER = "live-discontinuities", "live-ladder", "live-ladder-discontinuities"
# A segment that is listed ten seconds after the beginning, and one with which the content begins again.
LATER, BREAK = FIRST + WINDOW + 4, FIRST + 15
PLAYLIST = r"index\.m3u8$"


def back(by, every):
    """Has each of so many requests see what was seen some seconds ago."""
    count = [0]

    def see(now):
        count[0] += 1
        return now - by if now > 6 and count[0] % every == 0 else now
    return see


def restarted(version, now):
    """Begins with the number 0 and what has come since."""
    version.segments = [segment for segment in version.segments if segment.number >= FIRST + WINDOW + 2]
    version.sequence = version.segments[0].number - FIRST - WINDOW - 2


def during(begin, end, status):
    """Has the playlist be answered with a status for a while."""
    def plant(stage):
        answer(PLAYLIST, lambda request, answer: Answer(status, [("Content-Length", "0")])
               if begin <= stage.site.now < end else None)(stage)
    return plant


def field(name, value):
    return answer(PLAYLIST, lambda request, answer: answer.__setitem__(name, value))


# Sequence numbers

add("sequence-reset-by-restart", "video-dev/hls.js#4309", "live-sequence", listing(restarted))
add("sequence-goes-back-for-good", "video-dev/hls.js#5457", "live-sequence",
    rendition(late=lambda now: 6 if now > 8 else 0))
add("sequence-starts-from-zero", "ossrs/srs#3506", "live-sequence",
    listing(lambda version, now: setattr(version, "sequence", version.sequence - FIRST)))
add("sequence-does-not-grow", "grafov/m3u8#37", "live-removed", said(0, sequence=FIRST))
add("sequence-jumps-ahead", "video-dev/hls.js#809", {"live-removed", "live-order", "live-segment-changed"},
    listing(lambda version, now: setattr(version, "sequence", version.sequence + 5), 8))
add("segment-lost-between-two-versions", "Eyevinn/hls-recorder#24", {"live-order", "live-segment-changed", "live-removed"},
    listing(lambda version, now: version.segments.remove(version.find(LATER - 2)), 11))
add("edges-behind-one-another", "Eyevinn/channel-engine#138", {"live-sequence", "live-order"}, origin(see=back(5, 3)))
add("segment-put-in-later", "dbvideostriketeam/wubloader#607", {"live-segment-changed", "live-order"},
    listing(lambda version, now: [version.segments.remove(version.find(LATER - 2)),
                                  setattr(version.find(LATER - 1), "discontinuity", True)] if version.find(LATER - 1) else None,
            0, 11))
add("last-segments-taken-back", "", "live-order",
    listing(lambda version, now: version.segments.__delitem__(slice(-2, None)), 9, 11))

# News

add("playlist-stands-still", "google/ExoPlayer#9364", "live-news", origin(see=lambda now: min(now, 7)))
add("edge-answers-the-same-again", "ant-media/Ant-Media-Server#6930", "live-news",
    origin(see=lambda now: now - now % 6 if now > 6 else now))
add("segments-come-in-bursts", "livepeer/go-livepeer#1633", {"live-news", "live-stall"},
    rendition(late=lambda now: now % 6 if now > 6 else 0))
add("edge-caches-for-hours", "owncast/owncast#1781", "live-cached-long", field("Cache-Control", "max-age=14400"))
add("copy-of-an-old-cache", "Ivorisnoob/Koda!281", {"live-cached-long"}, field("Age", "300"))
add("last-modified-of-the-beginning", "", "live-last-modified",
    answer(PLAYLIST, lambda request, answer: answer.__setitem__("Last-Modified", "Tue, 19 Nov 2024 12:00:00 GMT")))
add("plain-reload-is-held", "bluenviron/mediamtx#1028", "live-slow", origin(slow=2.6))

# What cannot be read

add("playlist-cut-behind-extinf", "i4tv/gstreamill#46", {"live-readable", "playlist-readable"},
    written(lambda text: text[:text.rindex("\n", 0, -1) + 1]), look())
add("playlist-cut-within-a-tag", "tomeshnet/ipfs-live-streaming#52", {"live-readable", "playlist-readable"},
    written(lambda text: text[:text.index("#EXT-X-MEDIA-SEQUENCE") + 12], until=9))
add("playlist-empty-for-a-moment", "videojs/videojs-contrib-hls#952", "live-readable", written(lambda text: "", until=9))
add("playlist-gone-for-a-moment", "video-dev/hls.js#1182", "live-reload", during(6, 9, 404))
add("gateway-times-out", "video-dev/hls.js#1096", "live-reload", during(6, 9, 504))

# Segments

add("segment-refused-when-listed", "kaltura/nginx-vod-module#1297", "live-segment-there",
    lambda stage: answer(r"\.ts$", lambda request, answer: Answer(400, [("Content-Length", "0")])
                         if stage.site.now - stage.site.times[request.path] < 1.5 else None)(stage))
add("first-segments-deleted-while-listed", "arut/nginx-rtmp-module#518", {"live-segment-there", "live-segment-kept"},
    there(lambda age: age < 11))
add("segments-deleted-when-not-listed", "arut/nginx-rtmp-module#775", {"live-segment-kept", "live-segment-kept-long"},
    there(lambda age: age < 16.5), seconds(30))
add("segments-kept-for-one-target-alone", "tsduck/tsduck#1128", {"live-segment-kept", "live-segment-kept-long"},
    there(lambda age: age < 18.5), seconds(30))
add("newest-segment-half-written", "Chocobozzz/PeerTube!7333", {"ts-packets", "segment-readable", "duration-true"},
    lambda stage: stage.site.content(r"\.ts$", lambda request, body: body[:len(body) // 2 + 50]
                                     if stage.site.now - stage.site.times[request.path] < 2 else body), look())
add("segment-listed-twice", "shaka-project/shaka-player!8084", {"ts-continuous", "segment-repeated", "live-segment-repeated"},
    segment(LATER - 1, uri=f"index{LATER - 2 - FIRST}.ts"), look(13))
add("segment-names-come-again", "arut/nginx-rtmp-module#738", {"live-segment-kept", "live-segment-repeated"},
    listing(lambda version, now: [setattr(segment, "uri", f"index{segment.number % 10}.ts") for segment in version.segments], 0),
    there(lambda age: True))
add("gap-in-the-stream", "shaka-project/shaka-player#1308", "live-gap", segment(LATER, gap=True))

# How long

add("window-of-two-segments", "videojs/videojs-contrib-hls#1318", "live-window-least", rendition(window=2))
add("window-of-three-segments", "videojs/videojs-contrib-hls#565", "live-six", rendition(window=3))
add("target-raised-by-rounding-up", "ErsatzTV/next!186", "live-target", said(8, target=3))
add("target-follows-keyframes", "videojs/videojs-contrib-hls#312", "live-target", said(6, 10, target=5))
add("extinf-over-the-target", "livekit/egress#534", {"target-holds", "live-readable"},
    segment(LATER - 1, seconds=3.1), look())
add("duration-corrected-later", "", "live-segment-changed", segment(LATER - 2, 11, seconds=1.9))

# Discontinuities

add("restart-without-discontinuity", "video-dev/hls.js#1090", {"ts-continuous", "ts-counters-across"},
    listing(lambda version, now: [setattr(segment, "discontinuity", False) for segment in version.segments], 0), look(16),
    base=BREAKS)
add("discontinuity-vanishes", "video-dev/hls.js#3438", {"live-segment-changed", "live-discontinuity"},
    segment(FIRST + 10, 9, discontinuity=False), base=BREAKS)
add("discontinuity-put-on-a-listed-segment", "", {"live-segment-changed", "live-discontinuity"},
    segment(LATER, 13, discontinuity=True))
add("discontinuity-sequence-not-given", "google/ExoPlayer#1496", {"live-discontinuity", "live-discontinuities"},
    rendition(discontinuities=None), look(), base=BREAKS)
add("discontinuity-sequence-stays", "google/ExoPlayer#1789", "live-discontinuity", said(0, discontinuities=3), base=BREAKS)
add("discontinuity-sequence-grows-too-early", "Eyevinn/hls-vodtolive!36", "live-discontinuity",
    listing(lambda version, now: setattr(version, "discontinuities", version.discontinuities + version.segments[0].discontinuity),
            0), seconds(28), base=BREAKS)
add("discontinuity-sequence-behind-a-segment", "video-dev/hls.js!7750", {"sequence-first", "live-readable"},
    written(lambda text: re.sub(r"(#EXT-X-DISCONTINUITY-SEQUENCE:\d+\n)((?s:.*?)\n[^#\n]+\n)", r"\2\1", text, count=1), 0),
    look(), base=BREAKS)
add("renditions-count-discontinuities-otherwise", "videojs/http-streaming#1302", "live-same-discontinuities",
    rendition("high", discontinuities=4), base=BROKEN_LADDER)

# The end, and the type

add("end-taken-back", "q191201771/lal!12", "live-end", said(6, 9, ended=True))
add("segments-after-the-end", "videojs/videojs-contrib-hls#1204", "live-end", said(6, ended=True))
add("event-with-a-window", "sergey-dryabzhinsky/nginx-rtmp-module#304", "live-event", said(0, kind="EVENT"))
add("vod-that-grows", "clappr/clappr#1139", {"live-type", "live-event", "vod-end"}, rendition(window=0), said(0, kind="VOD"),
    look())
add("event-becomes-vod", "shaka-project/shaka-packager!1525", "live-type", said(14, kind="VOD"), base="live-event")
add("version-changes", "", "live-header", said(9, version=7))
add("independent-segments-no-longer", "", "live-header", said(9, independent=False))

# Dates

add("no-dates", "shaka-project/shaka-packager#365", "live-date-given",
    listing(lambda version, now: [setattr(segment, "date", None) for segment in version.segments], 0))
add("dates-with-gaps", "video-dev/hls.js#4984", "live-date-jump",
    listing(lambda version, now: [setattr(segment, "date", segment.date + 2.5) for segment in version.segments
                                  if segment.number >= LATER], 0))
add("dates-go-back", "shaka-project/shaka-player#4589", {"live-date-overlap"},
    listing(lambda version, now: [setattr(segment, "date", segment.date - 4) for segment in version.segments
                                  if segment.number >= LATER], 0))
add("dates-slower-than-durations", "video-dev/hls.js#3473", "live-date-drift",
    listing(lambda version, now: [setattr(segment, "date", segment.date - 0.25 * (segment.number - FIRST))
                                  for segment in version.segments], 0))
add("dates-of-all-moved", "videojs/http-streaming!45", "live-segment-changed",
    listing(lambda version, now: [setattr(segment, "date", segment.date + 0.2 * int(now)) for segment in version.segments], 8))
add("dates-an-hour-ahead", "ZLMediaKit/ZLMediaKit!4831", "live-date-clock",
    listing(lambda version, now: [setattr(segment, "date", segment.date + 3600) for segment in version.segments], 0))
add("dates-of-1970", "google/ExoPlayer#10305", "live-date-clock",
    lambda stage: listing(lambda version, now: [setattr(segment, "date", segment.date - stage.site.began)
                                                for segment in version.segments], 0)(stage))


def ranges(*ends):
    """A date range from some second on, and what it says then."""
    def plant(stage):
        for after, until, text in ends:
            start = stage.site.began - 2
            line = f'#EXT-X-DATERANGE:ID="break",START-DATE="{stamp(start)}",{text}'
            said(after, until, ranges=[line])(stage)
    return plant


add("date-range-gone-too-soon", "", "live-range-kept", ranges((0, 8, "DURATION=6")))
add("date-range-says-otherwise", "androidx/media!2427", "live-range-changed",
    ranges((0, 8, "PLANNED-DURATION=6"), (8, 99, "PLANNED-DURATION=9")))

# Renditions

add("transcoded-rendition-lags", "livepeer/go-livepeer#1632", "live-in-step", rendition("high", late=lambda now: 5), base=LADDER)
add("one-rendition-stands-still", "awslabs/aws-clustered-video-streams#29", "live-news",
    rendition("high", late=lambda now: max(0, now - 6)), base=LADDER)
add("dates-differ-between-renditions", "shaka-project/shaka-packager!814", {"live-in-step", "live-same-dates", "same-dates"},
    listing(lambda version, now: [setattr(segment, "date", segment.date - 5) for segment in version.segments], 0, name="high"),
    base=LADDER)

# What stands beside a segment

add("uri-with-a-number-of-the-request", "video-dev/hls.js#3473", "live-segment-changed",
    listing(lambda version, now: [setattr(segment, "uri", f"{segment.uri}?nc={now}") for segment in version.segments], 0))
add("initialization-renamed", "", "live-segment-changed",
    listing(lambda version, now: [setattr(segment, "map", "init.mp4?2") for segment in version.segments], 8), base="live-fmp4")
add("new-key-under-the-old-uri", "", {"cipher-padding", "segment-readable"},
    listing(lambda version, now: [setattr(segment, "key", 'METHOD=AES-128,URI="key.bin"') for segment in version.segments], 0),
    lambda stage: [stage.site.files.update({"key.bin": bytes(16)}), stage.site.content(
        r"^key\.bin$", lambda request, body: key((int(stage.site.now) // 2 + WINDOW) // KEYS))],
    look(), base="live-keys")
add("key-vanishes-from-a-listed-segment", "", "live-segment-changed",
    listing(lambda version, now: [setattr(segment, "key", None) for segment in version.segments], 9), base="live-keys")
