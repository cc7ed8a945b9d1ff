"""Faults in the media of live streams that only a watch which loads segments can find, and refusals of HEAD."""

from segue_tools.planted.fault import Table
from segue_tools.planted.server import Answer
from segue_tools.planted.stage import answer

TABLE = Table("live-ts")
FAULTS = TABLE.faults
add = TABLE.add
# The second from which on the segments are broken.
FROM = 8


def served(change, pattern=r"\.(ts|m4s)$"):
    """Changes the bytes of segments from some second on."""
    return lambda stage: stage.site.content(
        pattern, lambda request, body: change(body) if stage.site.now > FROM else body)


def turned(body):
    """Inverts two of five bytes."""
    return bytes(byte ^ 0xFF if place % 5 < 2 else byte for place, byte in enumerate(body))


def shuffled(body):
    """Inverts two of five bytes behind the headers of transport stream packets."""
    return bytes(byte ^ 0xFF if place % 188 > 20 and place % 5 < 2 else byte for place, byte in enumerate(body))


def damaged(body):
    """Inverts two of five bytes of the pictures (PID 256), but not their headers, nor the parameter sets."""
    body, since, key = bytearray(body), 0, False
    for start in range(0, len(body) - 187, 188):
        begins, flags = body[start + 1] & 0x40, body[start + 3] & 0x20
        if (body[start + 1] & 0x1F) << 8 | body[start + 2] != 256:
            continue
        place = start + 4 + (1 + body[start + 4] if flags else 0)
        since = 0 if begins else since + 1
        if begins:
            key = bool(flags and body[start + 4] and body[start + 5] & 0x40)
            # The PES header, the delimiter, and the head of the slice.
            place += 33 + body[place + 8]
        if not key or since > 5:
            body[place:start + 188] = turned(body[place:start + 188])
    return bytes(body)


def get(status, *fields):
    """Answers GET with a status from some second on, and HEAD correctly."""
    def plant(stage):
        def change(request, good):
            refused = request.method == "GET" and stage.site.now > FROM
            return Answer(status, [*fields, ("Content-Length", "0")]) if refused else None
        answer(r"\.ts$", change)(stage)
    return plant


def head(status):
    """Answers HEAD with a status, and GET correctly."""
    return answer(r"\.ts$", lambda request, good: Answer(status, [("Content-Length", "0")])
                  if request.method == "HEAD" else None)


def second(request, good):
    """Refuses the first of each two requests for a path."""
    return Answer(404, [("Content-Length", "0")]) if request.method == "GET" and request.count % 2 else None


for base in ("live-ts", "live-fmp4"):
    kind = base.removeprefix("live-")
    add(f"segments-empty-{kind}", "video-dev/hls.js#4817", {"body-kind", "segment-readable"},
        served(lambda body: b""), base=base)
    add(f"segments-cut-to-a-third-{kind}", "ant-media/Ant-Media-Server#4822",
        {"live-segment-whole", "sample-data", "segment-readable"},
        served(lambda body: body[:len(body) // 3]), base=base)
    add(f"bytes-turned-{kind}", "", {"segment-readable", "sample-data", "ts-packets", "segment-damaged"},
        served(turned), base=base)
add("payload-turned", "", {"segment-damaged", "ts-stream-type", "parameters-there", "ts-checksum"}, served(shuffled))
add("pictures-turned", "", "segment-damaged", served(damaged))
add("get-fails-where-head-succeeds", "", "live-segment-there", get(503))
add("head-refused-as-missing", "", "head-equals-get", head(404))
add("head-refused-with-403", "encoredev/encore#1846", "head-equals-get", head(403))
add("too-many-requests-for-media", "", "live-rate-limited", get(429, ("Retry-After", "1")))
add("playlist-only-on-the-second-request", "video-dev/hls.js#2068", "resolves-first",
    answer(r"index\.m3u8$", second))
add("segments-only-on-the-second-request-live", "video-dev/hls.js#5153", "resolves-first",
    answer(r"\.ts$", lambda request, good: Answer(502, [("Content-Length", "0")]) if request.count == 1 else None))
add("connections-reset-at-each-second-use-live", "", "connections-kept",
    answer(r"", lambda request, good: Answer(0, reset=True) if request.turn % 2 == 0 else None))
