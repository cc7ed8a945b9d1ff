"""Faults of low-latency streams, in their playlists and in the server's responses."""

import re

from segue_tools.planted.fault import Table
from segue_tools.planted.livestreams import FIRST
from segue_tools.planted.watching import (
    content,
    control,
    listing,
    look,
    origin,
    playlist,
    rendition,
    said,
    seconds,
    waiting,
    written,
)

TABLE = Table("ll")
FAULTS = TABLE.faults
add = TABLE.add
DELTA, LADDER = "ll-delta", "ll-ladder"
PARTS = r"\.\d\.m4s$"


def parts(change, after=0, name=None):
    """Changes each listed part; a returned list replaces the parts of the segment."""
    def apply(version, now):
        for segment in [*version.segments, version.open]:
            segment.parts = [part for part in segment.parts if change(part, segment) is not False]
    return listing(apply, after, name=name)


def of_part(**values):
    """Changes attributes of each part."""
    return parts(lambda part, segment: [setattr(part, key, value) for key, value in values.items()])


def requests(change):
    """Changes the request that the server receives."""
    def plant(stage):
        good = stage.site.good
        stage.site.good = lambda request: good(change(request) or request)
    return plant


def plain(request):
    """Removes the query."""
    request.query = ""


def next_alone(origin, name, asked, wait):
    """Responds immediately to a reload for the next segment without a part."""
    last = origin.renditions[name].listing(origin.now).segments[-1].number
    return asked.get("_HLS_msn") == str(last + 1) and "_HLS_part" not in asked or wait(name, asked)


def part_never(origin, name, asked, wait):
    """Withholds parts."""
    return origin.ended.wait(60) if "_HLS_part" in asked else wait(name, asked)


def former_late(origin, name, asked, wait):
    """Blocks a reload for a segment that is already available."""
    if "_HLS_msn" in asked and "_HLS_part" not in asked:
        origin.ended.wait(3)
    return wait(name, asked)


def earlier(stage):
    """Serves the first part of the previous segment for each part."""
    def change(request, body):
        other = re.sub(r"(\d+)\.\d\.", lambda found: f"{int(found[1]) - 1}.0.", request.path)
        return stage.site.files.get(other, body)
    stage.site.content(PARTS, change)


def report(change):
    """Changes the rendition reports."""
    return listing(lambda version, now: setattr(version, "reports", [change(line) for line in version.reports]), 0)


def number(by):
    """Shifts the segment numbers of rendition reports."""
    return report(lambda line: re.sub(r"LAST-MSN=(\d+)", lambda found: f"LAST-MSN={int(found[1]) + by}", line))


# Blocking reloads

add("blocking-reload-answered-at-once", "androidx/media!2317", "live-block-answer", origin(hold=lambda seconds: 0))
add("blocking-reload-without-part-answered-at-once", "OvenMediaLabs/OvenMediaEngine!2207", "live-block-answer",
    waiting(next_alone))
add("blocking-reload-never-answered", "v0l/zap-stream-core!96", "live-block-end", waiting(part_never), seconds(30))
add("far-ahead-is-not-refused", "", "live-block-ahead", origin(far=200))
add("part-without-a-segment-is-answered", "", "live-block-part", origin(alone=200))
add("what-is-there-is-waited-for", "", "live-block-past", waiting(former_late))
add("query-is-not-passed-on", "cta-wave/dash-hls#50", {"live-block-answer", "live-delta-given"}, requests(plain))
add("blocking-reload-not-offered", "video-dev/hls.js#6975", "block-reload", control(CAN_BLOCK_RELOAD=None), look())
add("blocking-reload-refused", "", "live-reload", waiting(lambda origin, name, asked, wait: not asked))

# Announced features

add("part-hold-back-of-two-parts", "membraneframework/membrane_http_adaptive_stream_plugin!85", "part-hold-back-enough",
    control(PART_HOLD_BACK="1.0"), look())
add("part-hold-back-of-less-than-two-parts", "", "part-hold-back-least", control(PART_HOLD_BACK="0.8"), look())
add("no-part-hold-back", "video-dev/hls.js#4453", "part-hold-back", control(PART_HOLD_BACK=None), look())
add("hold-back-of-two-segments", "", "hold-back-least", control(HOLD_BACK="4.0"), look())
add("part-hold-back-changes", "bluenviron/mediamtx#6237", "live-control", control(8, PART_HOLD_BACK="3.0"))
add("part-target-changes", "bluenviron/gohlslib!189", "live-part-target", said(8, part_target=0.52))
add("no-part-target", "shaka-project/shaka-player!4258", "part-inf", said(0, part_target=None), look())
add("start-within-the-hold-back", "home-assistant/core!72547", "start-live", look(),
    written(lambda text: text.replace("#EXT-X-MEDIA-S", "#EXT-X-START:TIME-OFFSET=-1.0\n#EXT-X-MEDIA-S"), 0))

# Parts

add("parts-over-the-part-target", "v0l/zap-stream-core!96", {"part-longest", "live-part-length"},
    of_part(seconds=0.533))
add("parts-of-half-the-part-target", "video-dev/hls.js#5028", {"part-shortest", "live-part-length"},
    said(0, part_target=1.0))
add("no-part-is-independent", "home-assistant/core!49608", {"part-independent", "live-part-independent"},
    of_part(independent=False), look())
add("every-part-is-independent", "home-assistant/core!49608", {"part-independent", "live-part-independent"},
    of_part(independent=True), look())
add("announced-but-no-parts", "jonathaneoliver/infinite-streaming!870", "parts-announced",
    parts(lambda part, segment: False), said(0, hint=None), look())
add("date-behind-the-parts", "home-assistant/core!72547", "part-order", look(),
    written(lambda text: re.sub(r"(#EXT-X-PROGRAM-DATE-TIME.*\n)((?:#EXT-X-PART:.*\n)+)(?=#EXTINF)", r"\2\1", text), 0))
add("parts-behind-their-segment", "bluenviron/mediamtx#997", {"part-sum", "live-part-sum", "part-order"},
    written(lambda text: re.sub(r"((?:#EXT-X-PART:.*\n)+)(#EXTINF.*\n.*\n)", r"\2\1", text), 0), look())
add("part-lost-at-a-segments-end", "", {"part-sum", "live-part-sum"},
    parts(lambda part, segment: False if part.uri.endswith(".3.m4s") else None), look())
add("parts-removed-with-their-segment", "", {"live-parts-removed", "live-part-changed"}, rendition("low", parts_for=-1))
add("parts-never-removed", "", "live-parts-old", rendition("low", parts_for=1000))
add("part-renamed", "", "live-part-changed", parts(lambda part, segment: setattr(part, "uri", f"{part.uri}?2"), 8))
add("part-listed-before-it-is-there", "gpac/gpac#2299", "live-part-there",
    lambda stage: setattr(stage.site, "there", lambda name, now: now - stage.site.times[name] > 1
                          if re.search(PARTS, name) else None))
add("part-flushed-later-than-listed", "video-dev/hls.js#6976", {"part-bytes", "live-part-bytes"},
    content(PARTS, lambda age, request, body: body[:len(body) // 2] if age < 1 else body), look())
add("parts-come-in-bursts", "home-assistant/core!72547", {"live-part-news", "live-hold-back"},
    rendition("low", late=lambda now: now % 3 if now > 6 else 0))
add("ranges-of-parts-all-begin-at-zero", "Eyevinn/hls-m3u8!93", {"part-ranges", "part-range", "range-bounds"},
    parts(lambda part, segment: [setattr(part, "extra", ',BYTERANGE="1000@0"'), setattr(part, "uri", segment.uri)]),
    written(lambda text: re.sub(r'(HINT:TYPE=PART,URI=".*?)\.\d(\.m4s")', r"\1\2,BYTERANGE-START=0", text), 0), look())
add("parts-are-not-what-the-segment-is", "v0l/zap-stream-core!96", {"part-bytes", "live-part-bytes"}, earlier, look())

# Hints

add("hint-of-another-part", "", "live-hint",
    listing(lambda version, now: setattr(version, "hint", version.hint.replace(".m4s", "-next.m4s")), 0))
add("hint-of-the-part-after-the-next", "", "live-hint",
    listing(lambda version, now: setattr(version, "hint", re.sub(
        r"\.(\d)\.", lambda found: f".{(int(found[1]) + 1) % 4}.", version.hint)), 0))
add("no-hint", "", "hint-given", said(0, hint=None), look())
add("hint-before-the-segment", "OvenMediaLabs/OvenMediaEngine!2037", {"hint-last", "live-readable"}, look(),
    written(lambda text: re.sub(r"(#EXTINF.*\n.*\n)((?:#EXT-X-P.*\n)*?)(#EXT-X-PRELOAD-HINT.*\n)", r"\3\1\2", text), 0))
add("hint-of-a-part-that-is-not-there-in-time", "", {"live-hint", "live-hint-there"},
    lambda stage: setattr(stage.site, "there", lambda name, now: now >= stage.site.times[name]
                          if re.search(PARTS, name) else None))

# Rendition reports

add("no-reports", "bluenviron/gohlslib!278", "reports-given", said(0, reports=[]), look(), base=LADDER)
add("report-left-out-where-it-is-the-same", "kaltura/media-framework!100", "reports-given", look(),
    said(0, name="high", reports=[]), base=LADDER)
add("report-behind", "", "live-report", number(-3), base=LADDER)
add("report-ahead", "", "live-report", number(3), base=LADDER)
add("report-with-a-host", "", "report-relative",
    report(lambda line: line.replace('URI="', 'URI="http://player.invalid/')), look(), base=LADDER)
add("report-of-a-playlist-that-is-not-named", "", "report-known",
    report(lambda line: line.replace('URI="', 'URI="other-')), look(), base=LADDER)
add("report-of-a-part-that-is-none", "", {"live-report"},
    report(lambda line: re.sub(r"LAST-PART=\d", "LAST-PART=9", line)), base=LADDER)

# Delta updates

add("skip-of-three-targets", "membraneframework/membrane_http_adaptive_stream_plugin!88", "skip-window",
    control(CAN_SKIP_UNTIL="6.0"), look(), base=DELTA)
add("skipped-segments-counted-by-seconds", "Eyevinn/hls-m3u8!47", "live-delta",
    listing(lambda version, now: setattr(version, "skipped_said", 2 * version.skipped), 0), base=DELTA)
add("sequence-of-what-is-not-skipped", "video-dev/hls.js#2861", {"live-delta", "live-delta-given"},
    listing(lambda version, now: setattr(version, "sequence", version.sequence + version.skipped), 0), base=DELTA)
add("skipped-beyond-the-boundary", "bluenviron/mediamtx#6237", {"live-delta", "live-delta-boundary"},
    listing(lambda version, now: setattr(version, "skipped", version.skipped and version.skipped + 3), 0), base=DELTA)
add("update-for-who-did-not-ask", "", {"live-delta", "live-readable"}, origin(skips=lambda request: True), base=DELTA)
add("whole-playlist-for-who-asks", "", "live-delta-given", origin(skips=lambda request: False), base=DELTA)
add("update-without-version-9", "membraneframework/membrane_http_adaptive_stream_plugin!88",
    {"version-enough", "live-delta", "live-readable"},
    said(0, version=7), playlist("low.m3u8?_HLS_skip=YES"), look(), base=DELTA)
add("sequence-behind-the-skip", "video-dev/hls.js!7905", "skip-place",
    written(lambda text: re.sub(r"(#EXT-X-MEDIA-SEQUENCE.*\n)((?s:.*?)#EXT-X-SKIP.*\n)", r"\2\1", text), 0),
    playlist("low.m3u8?_HLS_skip=YES"), look(), base=DELTA)
add("update-loses-a-discontinuity", "", {"live-delta", "live-segment-changed", "live-discontinuity"},
    listing(lambda version, now: [setattr(segment, "discontinuity", segment.number == FIRST + 8 and not version.skipped)
                                  for segment in version.segments], 0), base=DELTA)
