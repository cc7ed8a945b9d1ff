"""Faults in the availability of the playlists, segments, and keys of live streams."""

from segue_tools.planted.fault import Table
from segue_tools.planted.livestreams import FIRST, KEYS, WINDOW, key
from segue_tools.planted.server import Answer
from segue_tools.planted.stage import answer
from segue_tools.planted.watching import content, every, look, origin, rendition, seconds, there, written

TABLE = Table("live-ts")
FAULTS = TABLE.faults
add = TABLE.add
PLAYLIST = r"index\.m3u8$"


def refused(status):
    return Answer(status, [("Content-Length", "0")])


def during(begin, end, status):
    """Answers requests for the playlist with a status for a while."""
    return lambda stage: answer(
        PLAYLIST, lambda request, answer: refused(status) if begin <= stage.site.now < end else None)(stage)


def field(name, value):
    return answer(PLAYLIST, lambda request, answer: answer.__setitem__(name, value))


def named_again(segment):
    """One of ten names, which repeat."""
    segment.uri = f"index{segment.number % 10}.ts"


def newest(stage):
    """Serves the newest segment under each of ten names."""
    def change(request, body):
        last = FIRST + WINDOW - 1 + int(stage.site.now) // 2
        number = last - (last - int(request.path[5])) % 10
        return stage.site.files[f"index{number - FIRST}.ts"]
    stage.site.content(r"^index\d\.ts$", change)


def renewed(stage):
    """Serves the key of the newest segment for all segments."""
    stage.site.files["key.bin"] = bytes(16)
    stage.site.content(r"^key\.bin$", lambda request, body: key((int(stage.site.now) // 2 + WINDOW) // KEYS))


def forgotten(stage):
    """Removes keys while the segments that need them are still listed."""
    def change(request, answer):
        return refused(404) if int(request.path[3:-4]) * KEYS < int(stage.site.now) // 2 + KEYS else None
    answer(r"^key\d+\.bin$", change)(stage)


# Updates

add("playlist-stands-still", "google/ExoPlayer#9364", "live-news", origin(see=lambda now: min(now, 7)))
add("edge-answers-the-same-again", "ant-media/Ant-Media-Server#6930", "live-news",
    origin(see=lambda now: now - now % 6 if now > 6 else now))
add("segments-come-in-bursts", "livepeer/go-livepeer#1633", {"live-news", "live-stall"},
    rendition(late=lambda now: now % 6 if now > 6 else 0))
add("edge-caches-for-hours", "owncast/owncast#1781", "live-cached-long", field("Cache-Control", "max-age=14400"))
add("copy-of-an-old-cache", "WWBN/AVideo#4999", "live-cached-long", field("Age", "300"))
add("last-modified-of-the-beginning", "", "live-last-modified", field("Last-Modified", "Tue, 19 Nov 2024 12:00:00 GMT"))
add("plain-reload-is-held", "bluenviron/mediamtx#1028", "live-slow", origin(slow=2.6))

# Unreadable content

add("playlist-cut-behind-extinf", "i4tv/gstreamill#46", {"live-readable", "playlist-readable"},
    written(lambda text: text[:text.rindex("\n", 0, -1) + 1]), look())
add("playlist-cut-within-a-tag", "", {"live-readable", "playlist-readable"},
    written(lambda text: text[:text.index("#EXT-X-MEDIA-SEQUENCE") + 12], until=9))
add("playlist-empty-for-a-moment", "videojs/videojs-contrib-hls#952", "live-readable",
    written(lambda text: "", until=9))
add("playlist-gone-for-a-moment", "video-dev/hls.js#1182", "live-reload", during(6, 9, 404))
add("gateway-times-out", "video-dev/hls.js#1096", "live-reload", during(6, 9, 504))

# Segments

add("segment-refused-when-listed", "kaltura/nginx-vod-module#1297", "live-segment-there",
    lambda stage: answer(r"\.ts$", lambda request, answer: refused(400)
                         if stage.site.now - stage.site.times[request.path] < 1.5 else None)(stage))
add("first-segments-deleted-while-listed", "arut/nginx-rtmp-module#518", {"live-segment-there", "live-segment-kept"},
    there(lambda age: age < 11))
add("segments-deleted-when-not-listed", "arut/nginx-rtmp-module#775", {"live-segment-kept", "live-segment-kept-long"},
    there(lambda age: age < 16.5), seconds(30))
add("segments-kept-for-one-target-alone", "tsduck/tsduck#1128", {"live-segment-kept", "live-segment-kept-long"},
    there(lambda age: age < 18.5), seconds(30))
add("newest-segment-half-written", "Chocobozzz/PeerTube!7333", {"ts-packets", "segment-readable", "duration-true"},
    content(r"\.ts$", lambda age, request, body: body[:len(body) // 2 + 50] if age < 2 else body), look())
add("segment-names-come-again", "Chocobozzz/PeerTube#7438", {"live-segment-kept", "live-segment-repeated"},
    every(named_again), there(lambda age: True), newest)

# Keys

add("new-key-under-the-old-uri", "", {"cipher-padding", "segment-readable"}, renewed, look(),
    every(lambda segment: setattr(segment, "key", 'METHOD=AES-128,URI="key.bin"')), base="live-keys")
add("keys-deleted-while-their-segments-are-listed", "arut/nginx-rtmp-module#1111", "uri-resolves", forgotten, look(),
    base="live-keys")
