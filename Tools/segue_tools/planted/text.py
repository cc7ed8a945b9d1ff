"""Faults in the text of playlists."""

from segue_tools.planted.fault import Table
from segue_tools.planted.stage import before, binary, lines, pattern, text

TABLE = Table("ts")
FAULTS = TABLE.faults
add = TABLE.add
LADDER, FMP4, RANGE, AES = "ladder-ts", "fmp4", "range", "aes"
MASTER, STREAM, MEDIA = "master.m3u8", "#EXT-X-STREAM-INF:", "#EXT-X-MEDIA:"
DATE = "#EXT-X-PROGRAM-DATE-TIME:2024-11-19T12:30:00.000Z"


def live(stage):
    """Appends to the playlist."""
    stage.text("index.m3u8", lambda text: text.replace("#EXT-X-ENDLIST\n",
                                                       "").replace("#EXT-X-PLAYLIST-TYPE:VOD\n", ""))


def dated(*names):
    """Gives the first segment of playlists a date."""
    return lambda stage: [before("#EXTINF", DATE, name)(stage) for name in names or ["index.m3u8"]]


def master(old, new, count=1):
    return text(old, new, MASTER, count)


def ranges(*tags, name="index.m3u8"):
    return before("#EXTINF", "\n".join("#EXT-X-DATERANGE:" + tag for tag in tags), name)


# Dates and date ranges

add("daterange-end-without-start-date", "videojs/m3u8-parser#186", {"date-range", "date-range-start"}, dated(),
    ranges('ID="splice-1",END-DATE="2024-11-19T12:30:10.334Z",DURATION=130.0'))
add("daterange-same-id-conflicting-values", "androidx/media#2428", {"date-range-same", "date-range"}, dated(),
    ranges('ID="a",START-DATE="2024-11-19T12:30:05.000Z",DURATION=5',
           'ID="a",START-DATE="2024-11-19T12:30:05.000Z",DURATION=6'))
add("daterange-out-in-pair-different-ids", "futzu/SCTE-35_HLS_x9k3#19", "splice-pair", dated(),
    ranges('ID="a",START-DATE="2024-11-19T12:30:05.000Z",PLANNED-DURATION=5,SCTE35-OUT=0xFC30',
           'ID="b",START-DATE="2024-11-19T12:30:05.000Z",DURATION=5,SCTE35-IN=0xFC30'))
add("daterange-sets-differ-between-renditions", "shaka-project/shaka-player!6793", "same-date-ranges",
    dated("low.m3u8", "high.m3u8", "en.m3u8", "de.m3u8"),
    *[ranges('ID="a",START-DATE="2024-11-19T12:30:05.000Z",DURATION=5', name=f"{name}.m3u8")
      for name in ("low", "high", "de")],
    ranges('ID="a",START-DATE="2024-11-19T12:30:05.000Z",DURATION=6', name="en.m3u8"), base=LADDER)
add("daterange-after-last-segment-of-vod", "Eyevinn/hls-vodtolive!21", "date-range-beyond", dated(),
    before("#EXT-X-ENDLIST", '#EXT-X-DATERANGE:ID="late",START-DATE="2024-11-19T13:30:00.000Z",DURATION=5'))
add("pdt-without-seconds", "carlanton/m3u8-parser#23", {"date-time", "date-time-zone"},
    before("#EXTINF", "#EXT-X-PROGRAM-DATE-TIME:2024-11-19T12:30Z"))
add("pdt-without-milliseconds-and-zone", "globocom/m3u8!282", {"date-time", "date-time-zone"},
    before("#EXTINF", "#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:06"))
add("pdt-tag-name-lost-date-as-uri", "sethdeckard/m3u8#29", {"duration-given", "uri-resolves"},
    before("#EXTINF", "2024-11-19T12:30:00.000Z"))
add("discontinuity-without-pdt", "sergey-dryabzhinsky/nginx-rtmp-module!270", "date-time-again",
    dated(), text("#EXTINF:6.000000,\nindex1", "#EXT-X-DISCONTINUITY\n#EXTINF:6.000000,\nindex1"))

# Keys

add("key-none-with-other-attributes", "globocom/m3u8#58", "key-none",
    before("#EXTINF", '#EXT-X-KEY:METHOD=NONE,URI="key.bin",IV=0x00000000000000000000000000000001'))
add("key-iv-reused-from-other-segment", "nilaoda/N_m3u8DL-RE!823", {"cipher-padding", "segment-readable", "ts-packets"},
    text("#EXTINF:6.000000,\nindex1", '#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x0102030405060708090a0b0c0d0e0f00\n'
         "#EXTINF:6.000000,\nindex1"), base=AES)
add("key-tag-without-iv-for-encrypted-map", "kaltura/nginx-vod-module#1026", "map-vector",
    before("#EXT-X-MAP", '#EXT-X-KEY:METHOD=AES-128,URI="key.bin"'),
    lambda stage: (stage.home / "key.bin").write_bytes(bytes(16)), base=FMP4)
add("session-key-duplicate", "rutgersc/m3u8-rs#20", "session-key-once",
    before(STREAM,
           '\n'.join(['#EXT-X-SESSION-KEY:METHOD=AES-128,URI="key.bin",IV=0x000102030405060708090a0b0c0d0e0f'] * 2),
           MASTER), base=AES)
add("session-key-does-not-match-media-keys", "kaltura/nginx-vod-module#674", {"session-key-same", "session-key-used"},
    before(STREAM, '#EXT-X-SESSION-KEY:METHOD=AES-128,URI="other.bin"', MASTER), base=AES)

# Initialization sections and byte ranges

add("map-byterange-unquoted", "kuu/hls-parser!63", {"attribute-list", "playlist-readable", "map-attributes"},
    pattern(r'BYTERANGE="(\d+@0)"', r"BYTERANGE=\1"), base=RANGE)
add("map-byterange-without-offset", "streamlink/streamlink!4302", "map-range-offset",
    pattern(r'BYTERANGE="(\d+)@0"', r'BYTERANGE="\1"'), base=RANGE)
add("byterange-first-segment-without-offset", "Eyevinn/hls-vodtolive#100", "range-offset",
    pattern(r"(#EXT-X-BYTERANGE:\d+)@\d+", r"\1", count=1), base=RANGE)
add("byterange-continues-other-resource", "Eyevinn/hls-m3u8!92", "range-offset",
    lambda stage: (stage.home / "other.m4s").write_bytes((stage.home / "index.m4s").read_bytes()),
    lines(lambda all: [line.split("@")[0] if line.startswith("#EXT-X-BYTERANGE") and all[at + 1:at + 2] == ["index.m4s"]
                       and at > 12 else line for at, line in enumerate(all)]),
    pattern(r"index\.m4s(?=\n#EXT-X-ENDLIST)", "other.m4s"), base=RANGE)
add("byterange-past-end-of-file", "google/ExoPlayer#8947", {"range-bounds", "content-range"},
    lambda stage: stage.text("index.m3u8", lambda all: enlarged(all)), base=RANGE)
add("map-uri-unquoted", "videojs/videojs-contrib-hls#991", {"attribute-list", "playlist-readable", "map-attributes"},
    text('URI="init.mp4"', "URI=init.mp4"), base=FMP4)
add("version-too-low-for-map", "Eyevinn/hls-m3u8#95", "version-enough",
    text("#EXT-X-VERSION:7", "#EXT-X-VERSION:3"), base=FMP4)


def enlarged(text):
    """Extends the last byte range by 1000 bytes."""
    head, tail = text.rsplit("#EXT-X-BYTERANGE:", 1)
    length, rest = tail.split("@", 1)
    return f"{head}#EXT-X-BYTERANGE:{int(length) + 1000}@{rest}"


# Segments and their durations

add("extinf-without-comma", "gpac/gpac#1869", "duration-comma", pattern(r"^(#EXTINF:[\d.]+),$", r"\1"))
add("extinf-without-uri-before-map", "Eyevinn/hls-m3u8#79", "duration-given",
    before("#EXT-X-MAP", "#EXTINF:0.000,"), base=FMP4)
add("extinf-rounded-to-zero", "shaka-project/shaka-packager#1496", {"duration-positive", "segment-readable"},
    lambda stage: (stage.home / "x.ts").write_bytes(b""),
    before("#EXT-X-ENDLIST", "#EXTINF:0.000,\nx.ts"))
add("zero-length-segment", "kaltura/nginx-vod-module#322", {"duration-positive", "body-kind"},
    lambda stage: (stage.home / "x.ts").write_bytes(b""),
    before("#EXT-X-ENDLIST", "#EXTINF:0.000,\nx.ts"))
add("extinf-negative", "video-dev/hls.js#2238", {"duration-positive", "duration-form"},
    text("#EXTINF:6.000000", "#EXTINF:-23334.411"))
add("targetduration-below-extinf", "livekit/egress#534", "target-holds", text("TARGETDURATION:6", "TARGETDURATION:4"))
add("live-segment-longer-than-target", "bluenviron/mediamtx#448", "target-holds",
    live, pattern(r"#EXTINF:6.000000,(?=\nindex3)", "#EXTINF:12.000000,"))
add("version-too-low-for-float-extinf", "globocom/m3u8#220", "version-enough",
    text("#EXT-X-VERSION:6", "#EXT-X-VERSION:2"))
add("vod-without-endlist", "tedconf/node-m3u8!17", "vod-end", text("#EXT-X-ENDLIST\n", ""))
add("bitrate-tag-off", "carlanton/m3u8-parser#22", "bitrate-true", before("#EXTINF", "#EXT-X-BITRATE:400000"))

# Lines and tags

add("bom-before-extm3u", "qbast/java-m3u8-parser#2", "byte-order-mark",
    binary("index.m3u8", lambda data: b"\xef\xbb\xbf" + data))
add("extm3u-not-on-first-line", "rutgersc/m3u8-rs#17", "first-line", text("#EXTM3U", "\n#EXTM3U"))
add("extm3u-missing", "rutgersc/m3u8-rs!37", "first-line", text("#EXTM3U\n", ""))
add("extm3u-after-version", "ietf-tools/datatracker#8403", "first-line", pattern(r"\A(#EXTM3U)\n(.*)\n", r"\2\n\1\n"))
add("version-tag-twice", "globocom/m3u8!405", "version-once",
    text("#EXT-X-VERSION:6", "#EXT-X-VERSION:6\n#EXT-X-VERSION:6"))
add("version-line-joined-with-next-tag", "cta-wave/dash-hls#49", {"version-once", "tag-value", "target-once"},
    pattern(r"(#EXT-X-VERSION:6)\n", r"\1"))
add("tag-value-with-leading-space", "HaishinKit/HaishinKit.swift#413",
    {"white-space", "tag-value", "playlist-readable"},

    pattern("^(#EXT-X-VERSION|#EXT-X-TARGETDURATION|#EXTINF):", r"\1: "))
add("media-playlist-tag-twice", "video-dev/hls.js!7119", {"tag-once", "target-once"},
    before("#EXTINF", "#EXT-X-TARGETDURATION:7\n#EXT-X-PLAYLIST-TYPE:VOD"))
add("media-sequence-after-first-segment", "video-dev/hls.js!7119", "sequence-first",
    text("#EXT-X-MEDIA-SEQUENCE:0\n", ""),
    text("index0.ts\n", "index0.ts\n#EXT-X-MEDIA-SEQUENCE:0\n"))
add("discontinuity-sequence-after-segments", "video-dev/hls.js!7750", "sequence-first",
    text("index0.ts\n", "index0.ts\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n"))
add("server-control-needs-version-9", "jonathaneoliver/infinite-streaming#151",
    {"version-enough", "skip-window", "playlist-readable"},
    live,
    text("#EXT-X-VERSION:6", "#EXT-X-VERSION:7"),
    before("#EXTINF", "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3"))
add("iframe-version-too-low", "videojs/m3u8-parser!173", "version-enough",
    pattern("#EXT-X-VERSION:[0-9]+", "#EXT-X-VERSION:3", "pictures.m3u8"), base=LADDER)
add("start-offset-near-live-edge", "video-dev/hls.js#4111", "start-live",
    live, before("#EXTINF", "#EXT-X-START:TIME-OFFSET=-2.0"))
add("start-offset-beyond-playlist", "Eyevinn/hls-m3u8!31", "start-inside",
    before("#EXTINF", "#EXT-X-START:TIME-OFFSET=99999"))
add("line-ending-cr-only", "sethdeckard/m3u8!34",
    {"first-line", "control-characters", "line-ends", "playlist-readable"},

    binary("index.m3u8", lambda data: data.replace(b"\n", b"\r")))
add("last-line-not-terminated", "globocom/m3u8!154", "last-line", binary("index.m3u8", lambda data: data.rstrip(b"\n")))
add("last-uri-without-newline", "rutgersc/m3u8-rs#12", "last-line",
    live, binary("index.m3u8", lambda data: data.rstrip(b"\n")))
add("whitespace-only-lines", "videojs/videojs-contrib-hls!282", {"white-space", "duration-given"},
    text("#EXTINF", " \n#EXTINF"))
add("tag-broken-over-two-lines", "videojs/videojs-contrib-hls#550",
    {"duration-given", "variant-uri", "playlist-names", "playlist-readable"},

    master(STREAM, "#EXT-X-STREAM\n-INF:"), base=LADDER)

# URIs

add("segment-uri-with-space", "video-dev/hls.js#1439", {"white-space", "uri-form"},
    lambda stage: (stage.home / "index1.ts").rename(stage.home / "seg 1.ts"), text("index1.ts", "seg 1.ts"))
add("segment-uri-with-hash", "video-dev/hls.js#498", {"uri-resolves", "uri-form"},
    lambda stage: ((stage.home / "my episode #9").mkdir(),
                   [path.rename(stage.home / "my episode #9" / path.name) for path in stage.home.glob("index*")]),
    master("index.m3u8", "my episode #9/index.m3u8"))
add("segment-uri-ideographic-space", "video-dev/hls.js!6396", {"white-space", "uri-form"},
    lambda stage: (stage.home / "index1.ts").rename(stage.home / "seg\u30001.ts"), text("index1.ts", "seg\u30001.ts"))
add("variant-uri-is-a-master-playlist", "avalonmediasystem/avalon!2918", {"mixed-tags", "target-once", "child-media"},
    lambda stage: (stage.home / "low.m3u8").write_text((stage.home / MASTER).read_text()), base=LADDER)
add("variant-uri-twice-other-bandwidth", "quasarstream/PHP-FFmpeg-video-streaming#34",
    {"variant-once", "bandwidth-largest"},

    lambda stage: stage.text(MASTER, lambda all: all + repeated(all, 1)), base=LADDER)
add("variants-listed-twice", "livepeer/go-livepeer#346", "variant-once",
    lambda stage: stage.text(MASTER, lambda all: all + repeated(all, 0)), base=LADDER)


def repeated(text, changed):
    """Repeats the variants of a playlist, optionally with another bit rate."""
    all = text.splitlines()
    tail = [line for at, line in enumerate(all) if line.startswith(STREAM) or at and all[at - 1].startswith(STREAM)]
    if changed:
        tail = [line.replace(":BANDWIDTH=", ":BANDWIDTH=9") for line in tail[:2]]
    return "\n".join(tail) + "\n"


# Variables

add("define-queryparam-missing-in-uri", "shaka-project/shaka-player#5333",
    {"query-known", "variable-defined", "playlist-readable"},

    before("#EXTINF", '#EXT-X-DEFINE:QUERYPARAM="token"'), text("#EXT-X-VERSION:6", "#EXT-X-VERSION:11"))
add("define-duplicate-name", "video-dev/hls.js!5161", {"variable-once", "playlist-readable"},
    master("#EXT-X-VERSION:7", "#EXT-X-VERSION:8"),
    before(STREAM, '#EXT-X-DEFINE:NAME="path",VALUE="a"\n#EXT-X-DEFINE:NAME="path",VALUE="b"', MASTER))
add("define-import-of-undefined-variable", "shaka-project/shaka-player#1561", {"import-known", "playlist-readable"},
    text("#EXT-X-VERSION:6", "#EXT-X-VERSION:8"),
    before("#EXTINF", '#EXT-X-DEFINE:IMPORT="auth"'), text("index1.ts", "index1.ts?{$auth}"))
add("define-reference-to-undefined-variable", "video-dev/hls.js!5161", {"variable-defined", "playlist-readable"},
    text("#EXT-X-VERSION:6", "#EXT-X-VERSION:8"), text("index1.ts", "{$host}/index1.ts"))

# Groups and their members

add("media-default-yes-autoselect-no", "grafov/m3u8#110", "member-autoselect",
    master("DEFAULT=YES,AUTOSELECT=YES", "DEFAULT=YES,AUTOSELECT=NO"), base=LADDER)
add("media-duplicate-name-in-group", "google/ExoPlayer!4911", "member-names",
    master('NAME="Deutsch"', 'NAME="English"'), base=LADDER)
add("media-two-defaults-in-group", "google/ExoPlayer!4910", "member-default",
    master('LANGUAGE="de",DEFAULT=NO', 'LANGUAGE="de",DEFAULT=YES'), base=LADDER)
add("media-attribute-name-with-space", "Vanilagy/mediabunny!520",
    {"attribute-list", "playlist-readable", "white-space"},

    master('GROUP-ID="sound",NAME="Deutsch"', 'GROUP ID="sound",NAME="Deutsch"'), base=LADDER)
add("variant-names-group-of-wrong-type", "Vanilagy/mediabunny!520", "group-exists",
    master("TYPE=AUDIO", "TYPE=VIDEO", 0), base=LADDER)
add("subtitles-media-without-uri", "videojs/http-streaming!1152", "member-uri",
    master(',URI="words.m3u8"', ""), base=LADDER)
add("master-with-media-but-no-stream-inf", "shaka-project/shaka-packager#461", {"playlist-names", "playlist-readable"},
    pattern(STREAM + r".*\n.*\n", "", MASTER), pattern("#EXT-X-I-FRAME-STREAM-INF.*\n", "", MASTER), base=LADDER)
add("media-language-garbage", "shaka-project/shaka-packager#461", "language-form",
    master('LANGUAGE="de"', 'LANGUAGE="```"'), base=LADDER)
add("channels-attribute-missing", "shaka-project/shaka-packager#299", "member-channels",
    master(',CHANNELS="1"', "", 0), base=LADDER)
add("instream-id-on-audio-old-version", "Eyevinn/hls-m3u8#50", {"version-enough", "member-captions"},
    master('LANGUAGE="de"', 'LANGUAGE="de",INSTREAM-ID="a1"'), base=LADDER)
add("closed-captions-none-mixed", "xavierlaffargue/m3u8parser-csharp#1", "captions-none",
    master(",CLOSED-CAPTIONS=NONE", ""), base=LADDER)


def second_group(members):
    """Gives the second variant an audio group of its own, with these members of the first group."""
    def change(before):
        media = [line for line in before.splitlines() if line.startswith(MEDIA + "TYPE=AUDIO")]
        added = [change(media[at]).replace('GROUP-ID="sound"', 'GROUP-ID="more"') for at, change in members]
        head, tail = before.split(STREAM, 1)
        low, high = tail.split(STREAM, 1)
        return head + "\n".join(added) + "\n" + STREAM + low + STREAM + high.replace('AUDIO="sound"', 'AUDIO="more"')
    return lambda stage: stage.text(MASTER, change)


def same(line):
    return line


def never(line):
    return line.replace("DEFAULT=YES", "DEFAULT=NO")


add("audio-groups-members-differ", "video-dev/hls.js#3729", "group-members", second_group([(0, same)]), base=LADDER)
add("media-group-without-default", "kaltura/nginx-vod-module!1580", {"group-members", "group-attributes"},
    second_group([(0, never), (1, never)]), base=LADDER)

# Variants

add("stream-inf-without-bandwidth", "shaka-project/shaka-player#2270", "bandwidth",
    pattern(":BANDWIDTH=[0-9]+,", ":", MASTER), base=LADDER)
add("average-bandwidth-above-bandwidth", "shaka-project/shaka-packager#1046",
    {"average-above", "average-true", "average-largest"},

    pattern("BANDWIDTH=([0-9]+),AVERAGE-BANDWIDTH=([0-9]+)", r"BANDWIDTH=\1,AVERAGE-BANDWIDTH=9\1", MASTER),
    base=LADDER)
add("iframe-bandwidth-zero", "shaka-project/shaka-packager#610", "iframe-bandwidth",
    pattern("(FRAME-STREAM-INF:BANDWIDTH)=[0-9]+", r"\1=0", MASTER), base=LADDER)
add("no-iframe-playlists", "kaltura/nginx-vod-module#946", "iframe-given",
    pattern("#EXT-X-I-FRAME-STREAM-INF.*\n", "", MASTER), base=LADDER)
add("stream-inf-colon-instead-of-equals", "ietf-tools/datatracker#8403", {"attribute-list", "bandwidth"},
    master(":BANDWIDTH=", ":BANDWIDTH:"), base=LADDER)
add("stream-inf-without-attributes", "videojs/videojs-contrib-hls!1214", {"bandwidth", "attribute-list"},
    pattern(STREAM + ".*", STREAM, MASTER, 1), base=LADDER)
add("stream-inf-without-uri-line", "Vanilagy/mediabunny#512", "variant-uri",
    text("high.m3u8\n", "", MASTER), base=LADDER)
add("quote-inside-quoted-string", "xavierlaffargue/m3u8parser-csharp#18", {"attribute-list", "playlist-readable"},
    master('NAME="Deutsch"', 'NAME="Audio with a "quote"!"'), base=LADDER)
add("attribute-name-lowercase", "streamlink/streamlink!5307", {"attribute-list", "bandwidth"},
    master(":BANDWIDTH=", ":bandwidth="), base=LADDER)
add("attribute-list-space-after-comma", "videojs/videojs-contrib-hls#343", {"white-space", "attribute-list"},
    pattern(r"(?<=STREAM-INF:)(.*)", lambda match: match[1].replace(",", ", "), MASTER, 1), base=LADDER)
add("frame-rate-as-quoted-string", "jellyfin/jellyfin!3252",
    {"attribute-list", "frame-rate", "resolution", "playlist-readable", "variant-attributes"},

    master("FRAME-RATE=25.000", 'FRAME-RATE="25.000"', 0), master("RESOLUTION=640x360", 'RESOLUTION="640x360"'),
    base=LADDER)
add("frame-rate-missing-60fps", "shaka-project/shaka-packager#634", "frame-rate",
    master(",FRAME-RATE=25.000", "", 0), base=LADDER)
add("codecs-attribute-missing", "video-dev/hls.js#931", "codecs",
    master('CODECS="avc1.64001e,mp4a.40.2",', "", 0), base=LADDER)
add("codecs-avc-five-digits", "video-dev/hls.js#132", {"codecs-true", "codecs-form"},
    master("avc1.64001e", "avc1.6400e", 0), base=LADDER)
add("codecs-avc-old-decimal-form", "video-dev/hls.js#132", {"codecs-true", "codecs-form"},
    master("avc1.64001e", "avc1.100.30", 0), base=LADDER)
add("codecs-avc-seven-digits", "superuser404notfound/AetherEngine!439", {"codecs-true", "codecs-form"},
    master("avc1.64001e", "avc1.6420028", 0), base=LADDER)
add("codecs-duplicate-entry", "video-dev/hls.js#6337", "codecs-once",
    master("mp4a.40.2", "mp4a.40.2,mp4a.40.2", 0), base=LADDER)
add("codecs-flac-lower-case", "jellyfin/jellyfin#10066", {"codecs-true", "codecs-complete", "codecs-form"},
    master("mp4a.40.2", "flac", 0), base=LADDER)
add("codecs-opus-case", "shaka-project/shaka-player!5454", {"codecs-true", "codecs-complete", "codecs-form"},
    master("mp4a.40.2", "opus", 0), base=LADDER)
add("av1-level-without-leading-zero", "video-dev/hls.js#4876", "codecs-true",
    master("avc1.64001e", "av01.0.9M.08", 0), base=LADDER)
add("codecs-omits-group-member-codec", "shaka-project/shaka-player#3584", {"codecs-complete", "codecs-true"},
    master("avc1.64001e,mp4a.40.2", "avc1.64001e", 0), base=LADDER)
add("session-data-duplicate", "rutgersc/m3u8-rs#20", "session-data-once", before(STREAM, "\n".join(
    f'#EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="{word}",LANGUAGE="en"' for word in ("a", "b")), MASTER),
    base=LADDER)
add("stable-rendition-id-differs-between-pathways", "video-dev/hls.js#5361", "stable-id-same",
    master('NAME="English",LANGUAGE="en",DEFAULT=YES',
           'NAME="English",LANGUAGE="en",STABLE-RENDITION-ID="a",DEFAULT=YES'),
    master('NAME="Deutsch",LANGUAGE="de",DEFAULT=NO',
           'NAME="Deutsch",LANGUAGE="de",STABLE-RENDITION-ID="a",DEFAULT=NO'), base=LADDER)
add("steering-manifest-wrong-version", "video-dev/hls.js#5074", "steering-manifest",
    before(STREAM, '#EXT-X-CONTENT-STEERING:SERVER-URI="steer.json",PATHWAY-ID="."', MASTER),
    lambda stage: (stage.home / "steer.json").write_text('{"VERSION": 2, "TTL": 300, "PATHWAY-PRIORITY": ["."]}'),
    base=LADDER)
add("steering-priority-names-unknown-pathway", "video-dev/hls.js#5074", "steering-manifest",
    before(STREAM, '#EXT-X-CONTENT-STEERING:SERVER-URI="steer.json",PATHWAY-ID="."', MASTER),
    lambda stage: (stage.home / "steer.json").write_text('{"VERSION": 1, "TTL": 300, "PATHWAY-PRIORITY": ["CDN-Z"]}'),
    base=LADDER)
