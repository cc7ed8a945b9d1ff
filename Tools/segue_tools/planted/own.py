"""Unreported faults: one for each of many rules, in its simplest form."""

from segue_tools.planted.bits import box, packets, pid, tfdt, without
from segue_tools.planted.fault import Table
from segue_tools.planted.stage import binary, pattern, text

TABLE = Table("ts")
FAULTS = TABLE.faults
add = TABLE.add
STREAM = "#EXT-X-STREAM-INF:"


def rate(name, said):
    """Changes or removes a bit rate of a variant."""
    return pattern(rf"(?<![A-Z-]){name}=[0-9]+,", said, "master.m3u8")


def reordered(stage):
    """Swaps the second and the third segment."""
    (stage.home / "index1.ts").rename(stage.home / "x")
    (stage.home / "index2.ts").rename(stage.home / "index1.ts")
    (stage.home / "x").rename(stage.home / "index2.ts")


add("no-extm3u", "", "first-line", text("#EXTM3U\n", ""))
add("a-byte-order-mark", "", "byte-order-mark", binary("index.m3u8", lambda data: b"\xef\xbb\xbf" + data))
add("bytes-that-are-no-utf-8", "", "utf-8", binary("index.m3u8", lambda data: data + b"#\xff\n"))
add("a-tab", "", "control-characters", text("#EXT-X-ENDLIST", "#a\tb\n#EXT-X-ENDLIST"))
add("two-versions", "", "version-once", text("#EXT-X-VERSION:6", "#EXT-X-VERSION:6\n#EXT-X-VERSION:6"))
add("a-version-too-low", "", "version-enough", text("#EXT-X-VERSION:6", "#EXT-X-VERSION:2"))
add("fmp4-ext-x-map-with-version-3", "", "version-enough", text("#EXT-X-VERSION:7", "#EXT-X-VERSION:3"), base="fmp4")
add("tags-of-both-kinds", "", "mixed-tags", text("#EXT-X-ENDLIST", f"{STREAM}BANDWIDTH=1\n#EXT-X-ENDLIST"))
add("an-attribute-twice", "", "duplicate-attribute",
    text("#EXT-X-MEDIA-SEQ", "#EXT-X-START:TIME-OFFSET=1,TIME-OFFSET=2\n#EXT-X-MEDIA-SEQ"))
add("an-attribute-without-a-value", "", "attribute-list",
    text("#EXT-X-MEDIA-SEQ", "#EXT-X-START:TIME-OFFSET\n#EXT-X-MEDIA-SEQ"))
add("no-target-duration", "", "target-once", text("#EXT-X-TARGETDURATION:6\n", ""))
add("a-target-duration-too-short", "", "target-holds", text("TARGETDURATION:6", "TARGETDURATION:5"))
add("a-segment-without-extinf", "", "duration-given", text("#EXTINF:6.000000,\nindex1", "index1"))
add("a-duration-of-zero", "", "duration-positive", text("#EXTINF:6.000000", "#EXTINF:0.000000"))
add("a-duration-20-ms-too-long", "", "duration-exact", text("#EXTINF:6.000000,\nindex1", "#EXTINF:6.020000,\nindex1"))
add("a-duration-20-ms-too-short", "", "duration-exact", text("#EXTINF:6.000000", "#EXTINF:5.980000"))
add("fmp4-a-duration-20-ms-too-long", "", "duration-exact",
    text("#EXTINF:6.000000,\nindex1", "#EXTINF:6.020000,\nindex1"), base="fmp4")
add("a-sequence-number-at-the-end", "", "sequence-first",
    text("#EXT-X-ENDLIST", "#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-ENDLIST"))
add("no-playlist-type", "", "vod-type", text("#EXT-X-PLAYLIST-TYPE:VOD\n", ""))
add("no-end", "", "vod-end", text("#EXT-X-ENDLIST\n", ""))
add("a-start-beyond-the-end", "", "start-inside",
    text("#EXT-X-MEDIA-SEQ", "#EXT-X-START:TIME-OFFSET=90\n#EXT-X-MEDIA-SEQ"))
add("a-date-range-without-dates", "", "date-range", text("#EXT-X-ENDLIST", '#EXT-X-DATERANGE:ID="a"\n#EXT-X-ENDLIST'))
add("a-date-that-is-none", "", "date-time", text("#EXTINF", "#EXT-X-PROGRAM-DATE-TIME:noon\n#EXTINF"))
add("a-version-that-nobody-knows", "", {"playlist-readable", "tag-value"},
    text("#EXT-X-VERSION:6", "#EXT-X-VERSION:99"))
add("a-byte-range-beyond-its-file", "", "range-bounds",
    text("#EXTINF:6.000000,\nindex1", "#EXTINF:6.000000,\n#EXT-X-BYTERANGE:99999999@0\nindex1"))
add("a-segment-that-is-missing", "", "uri-resolves", lambda stage: (stage.home / "index1.ts").unlink())
add("an-empty-segment", "", "body-kind", binary("index1.ts", lambda data: b""))
add("a-segment-twice", "", "ts-continuous", text("index1.ts", "index0.ts"))
add("segments-in-another-order", "", "ts-continuous", reordered)
add("a-lost-packet-of-video", "", "ts-counters", binary("index1.ts", packets(without(256))))
add("a-lost-packet-of-sound", "", "ts-counters", binary("index1.ts", packets(without(257))))
add("no-tables", "", "ts-tables",
    binary("index1.ts", packets( lambda all: [packet for packet in all if pid(packet) > 17][:4] + all)))
add("half-a-packet-at-the-end", "", "ts-packets", binary("index1.ts", lambda data: data[:-90]))
add("a-segment-cut-within-a-group-of-pictures", "", "starts-with-idr",
    binary("index1.ts", box(b"\x00\x00\x01\x65", b"\x00\x00\x01\x41")))
add("fmp4-no-ext-x-map", "", "map-needed", text('#EXT-X-MAP:URI="init.mp4"\n', ""), base="fmp4")
add("fmp4-an-initialization-that-is-none", "", "init-readable",
    binary("init.mp4", lambda data: b"nothing at all"), base="fmp4")
add("fmp4-brands-too-old", "", "init-brand",
    binary("init.mp4", lambda data: bytes(data).replace( b"iso5",
                                                        b"isom").replace(b"iso6", b"isom").replace(b"cmfc", b"isom")),
                                                        base="fmp4")
add("fmp4-no-mvex", "", "init-mvex", binary("init.mp4", box(b"mvex", b"free")), base="fmp4")
add("fmp4-a-fragment-that-begins-too-late", "", "tfdt-continuous", binary("index1.m4s", tfdt(100)), base="fmp4")
add("fmp4-a-fragment-twice", "", "tfdt-continuous", text("index1.m4s", "index0.m4s"), base="fmp4")
add("fmp4-a-fragment-without-moof", "", "segment-readable", binary("index1.m4s", box(b"moof", b"free")), base="fmp4")
add("no-bandwidth", "", "bandwidth", rate("BANDWIDTH", ""))
add("bandwidth-far-too-low", "", "bandwidth-true", rate("BANDWIDTH", "BANDWIDTH=1000,"))
add("average-bandwidth-far-too-low", "", "average-true", rate("AVERAGE-BANDWIDTH", "AVERAGE-BANDWIDTH=1000,"))
add("no-average-bandwidth", "", "average-bandwidth", rate("AVERAGE-BANDWIDTH", ""))
add("another-profile-in-codecs", "", "codecs-true", text("avc1.64", "avc1.42", "master.m3u8"))
add("no-resolution", "", "resolution", text("RESOLUTION=320x180,", "", "master.m3u8"))
add("no-frame-rate", "", "frame-rate", text(",FRAME-RATE=25.000", "", "master.m3u8"))
add("a-group-that-is-not-there", "", "group-exists", text("RESOLUTION", 'AUDIO="a",RESOLUTION', "master.m3u8"))
add("no-uri-after-a-variant", "", "variant-uri", text("index.m3u8\n", "", "master.m3u8"))
add("i-frames-without-a-uri", "", "iframe-uri",
    text("#EXT-X-STREAM", "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9\n#EXT-X-STREAM", "master.m3u8"))
add("a-whole-film-as-i-frames", "", "iframe-only",
    text("#EXT-X-STREAM", '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,URI="index.m3u8"\n#EXT-X-STREAM', "master.m3u8"))
