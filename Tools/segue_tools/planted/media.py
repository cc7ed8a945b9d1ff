"""Faults in the bytes of segments, initialization sections and keys."""

import re

from segue_tools.media import ffmpeg
from segue_tools.planted.bits import bit, box, each, each_tfdt, field, is_table, packets, pid, tfdt, without
from segue_tools.planted.fault import Table
from segue_tools.planted.stage import binary, pattern, text

TABLE = Table("ts")
FAULTS = TABLE.faults
add = TABLE.add
FMP4, RANGE, AES, LADDER, FRAGMENTS = "fmp4", "range", "aes", "ladder-ts", "ladder-fmp4"
MASTER = "master.m3u8"


def segment(change, number=1, kind="ts"):
    """Changes a segment's bytes."""
    return binary(f"index{number}.{kind}", change)


def all_segments(change, kind="ts", name="index"):
    return lambda stage: [binary(f"{name}{number}.{kind}", change)(stage) for number in range(4)]


def init(change):
    return binary("init.mp4", change)


# Keys

add("key-response-17-bytes", "streamlink/streamlink#4554", "key-length",
    binary("key.bin", lambda data: data + b"\n"), base=AES)
add("key-response-short-text", "orestonce/m3u8d#20", "key-length",
    binary("key.bin", lambda data: b"forbidden"), base=AES)
add("aes-not-multiple-of-16", "google/ExoPlayer#3917", {"cipher-blocks", "cipher-used", "cipher-padding"},
    segment(lambda data: data[:-5]), base=AES)
add("aes-extra-bytes-after-ciphertext", "streamlink/streamlink!4532",
    {"cipher-blocks", "cipher-used", "cipher-padding"},
    segment(lambda data: data + b"\0\1\2\3\4"), base=AES)
add("aes-missing-padding-block", "xbmc/inputstream.adaptive!998", {"cipher-padding", "cipher-used"},
    segment(lambda data: data[:-16]), base=AES)
add("init-clear-though-key-applies", "shaka-project/shaka-player!3880",
    {"cipher-padding", "cipher-blocks", "cipher-used", "init-readable"},

    lambda stage: (stage.home / "key.bin").write_bytes(bytes(range(16))),
    text("#EXT-X-MAP", '#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x000102030405060708090a0b0c0d0e0f\n#EXT-X-MAP'),
    base=FMP4)

# Rates and durations

add("bandwidth-far-above-measured", "axiomatic-systems/Bento4#531", "bandwidth-true",
    pattern("(?<=INF:BANDWIDTH=)([0-9]+)", lambda m: str(8 * int(m[1])), MASTER))
add("bandwidth-below-measured-peak", "kaltura/nginx-vod-module#946", "bandwidth-true",
    pattern("(?<=INF:BANDWIDTH=)([0-9]+)", lambda m: str(int(m[1]) * 7 // 10), MASTER))
add("average-bandwidth-off", "kaltura/nginx-vod-module#1029", "average-true",
    pattern("(?<=AVERAGE-BANDWIDTH=)([0-9]+)", lambda m: str(int(m[1]) // 2), MASTER))
add("muxed-variant-with-uri-less-audio-mixed", "shaka-project/shaka-player#1875", "member-inside",
    text(',URI="en.m3u8"', "", MASTER), base=LADDER)
add("loopback-targetduration-under-real-segments", "superuser404notfound/AetherEngine#189",
    {"duration-true", "duration-bound"},
    text("#EXTINF:6.000000", "#EXTINF:3.000000", count=0),
    text("TARGETDURATION:6", "TARGETDURATION:3"))
add("extinf-one-frame-instead-of-segment", "shaka-project/shaka-packager#1503", "duration-true",
    text("#EXTINF:6.000000", "#EXTINF:0.033", count=0))
add("extinf-unrelated-to-media-length", "video-dev/hls.js#1265", "duration-true",
    text("#EXTINF:6.000000", "#EXTINF:3.000000", count=2))
add("extinf-short-of-pts-drifting", "video-dev/hls.js#24", {"duration-exact", "duration-sum"},
    text("#EXTINF:6.000000", "#EXTINF:5.990000", count=0))
add("extinf-constant-nominal", "nschlia/ffmpegfs#94", {"duration-true", "duration-sum"},
    pattern("#EXTINF:.*", "#EXTINF:6.500000,"), text("TARGETDURATION:6", "TARGETDURATION:7"))

# CODECS, RESOLUTION, and FRAME-RATE

add("resolution-not-as-in-bitstream", "pulibrary/figgy!7367", "resolution-true",
    text("RESOLUTION=320x180", "RESOLUTION=1280x720", MASTER))
add("frame-rate-not-of-stream", "shaka-project/shaka-packager#1440", "frame-rate-true",
    text("FRAME-RATE=25.000", "FRAME-RATE=29.412", MASTER))
add("frame-rate-absurd", "kaltura/nginx-vod-module!1558", {"frame-rate-true", "frame-rate-most"},
    text("FRAME-RATE=25.000", "FRAME-RATE=573.248", MASTER))
add("codecs-constraint-flags-zeroed", "superuser404notfound/AetherEngine!439", "codecs-true",
    text("avc1.64001e", "avc1.64401e", MASTER))
add("codecs-level-too-low-for-resolution", "shaka-project/shaka-player#4901", "codecs-true",
    text("avc1.64001e", "avc1.64000a", MASTER))
add("he-aac-declared-aac-lc-carried", "savonet/liquidsoap#925", "codecs-true", text("mp4a.40.2", "mp4a.40.29", MASTER))
add("codecs-aac-for-opus", "fliks-app/fliks!361", "codecs-true", text("mp4a.40.2", "Opus", MASTER), base=FMP4)
add("channels-wrong-for-surround", "shaka-project/shaka-packager#313", "channels-true",
    text('CHANNELS="1"', 'CHANNELS="6"', MASTER, count=0), base=LADDER)
add("joc-not-signalled", "shaka-project/shaka-packager!775", {"channels-true", "channels-joc", "channels-joc-form"},
    text('CHANNELS="1"', 'CHANNELS="16/JOC"', MASTER), base=LADDER)

# Transport streams

add("segment-nearly-empty-376-bytes", "kaltura/nginx-vod-module#288",
    {"segment-readable", "duration-true", "segment-media"},
    segment(lambda data: data[:376]))
add("ts-packets-not-0x47", "video-dev/hls.js#6379", {"ts-packets", "segment-readable"},
    segment(lambda data: data[:188 * 9] + data[188 * 9 + 7:]))
add("ts-not-188-aligned-length", "video-dev/hls.js#4503", {"ts-packets", "segment-readable"},
    segment(lambda data: bytes(16) + data))
add("cc-packets-lost", "OwnZones/mpegts!16", "ts-counters", segment(packets(without(256, 3))))
add("cc-static-for-pat-pmt", "sergey-dryabzhinsky/nginx-rtmp-module#64", {"ts-counters", "ts-counters-across"},
    all_segments(each(is_table, lambda packet: zeroed(packet))))
add("cc-reset-at-segment-start", "DDVTECH/mistserver#14", "ts-counters-across",
    all_segments(packets(lambda all: recounted(all))))
add("pat-only-once-missing-in-segment", "tsduck/tsduck#114", {"ts-tables", "segment-readable"},
    segment(each(lambda packet: pid(packet) == 0, lambda packet: null(packet))))
add("pat-crc-wrong", "sergey-dryabzhinsky/nginx-rtmp-module!51", {"ts-tables", "ts-checksum"},
    segment(each(lambda packet: pid(packet) == 0, bit(5 + 3, 2))))
add("pmt-crc-wrong", "sergey-dryabzhinsky/nginx-rtmp-module#108", {"ts-tables", "ts-checksum", "segment-readable"},
    segment(each(lambda packet: pid(packet) == 4096, bit(5 + 16, 32))))
add("pcr-missing", "tsduck/tsduck#252", {"ts-clock", "ts-clock-interval"},
    segment(each(lambda packet: packet[3] & 0x20 and packet[4], lambda packet: clockless(packet))))
add("segment-without-keyframe-start", "nschlia/ffmpegfs#90", "starts-with-idr",
    segment(box(b"\x00\x00\x01\x65", b"\x00\x00\x01\x41")))
add("same-uri-repeated-in-playlist", "video-dev/hls.js#5745", "ts-continuous", pattern("index[123].ts", "index0.ts"))
add("segment-duplicates-previous-content", "video-dev/hls.js#2224", "ts-continuous",
    lambda stage: (stage.home / "index2.ts").write_bytes((stage.home / "index1.ts").read_bytes()))
add("extinf-inconsistent-with-pts-step", "mangui/flashls#264", "ts-continuous",
    text("index1.ts", "x"), text("index2.ts", "index1.ts"), text("\nx\n", "\nindex2.ts\n"))
add("byterange-zero-offset-on-every-segment", "Eyevinn/hls-m3u8!86",
    {"tfdt-continuous", "segment-repeated", "segment-readable"},

    pattern(r"(#EXT-X-BYTERANGE:\d+)@\d+", r"\1@0"), base=RANGE)


def zeroed(packet):
    packet[3] &= 0xF0
    return packet


def null(packet):
    packet[1], packet[2] = 0x1F, 0xFF
    return packet


def clockless(packet):
    packet[5] &= 0xEF
    return packet


def recounted(all):
    """The packets with counters that begin at 0."""
    counts, result = {}, []
    for packet in all:
        packet = bytearray(packet)
        if packet[3] & 0x10:
            packet[3] = packet[3] & 0xF0 | counts.get(pid(packet), 0) & 15
            counts[pid(packet)] = counts.get(pid(packet), 0) + 1
        result.append(packet)
    return result


# Fragmented MP4

add("init-avcc-profile-zero", "video-dev/hls.js!6077", {"codecs-true", "parameters-agree"},
    init(field(b"avcC", 1, bytes(3))), base=FMP4)
add("track-id-zero", "videojs/http-streaming!1018", {"track-known", "init-readable", "segment-readable", "init-tracks"},
    init(field(b"tkhd", 12, bytes(4))), base=FMP4)
add("timescale-zero-in-init", "bluenviron/mediacommon!192", {"init-readable", "segment-readable", "duration-true"},
    init(field(b"mdhd", 12, bytes(4))), base=FMP4)
add("cmaf-brands-missing", "dio-az/nginx-vod-module!61", "init-brand",
    init(lambda data: re.sub(rb"iso[56]|cmfc", b"isom", bytes(data))), base=FMP4)
add("tfdt-zero-everywhere", "videojs/mux.js#6", "tfdt-continuous",
    all_segments(each_tfdt(lambda time: 0), "m4s"), base=FMP4)
add("tfdt-signed-64", "video-dev/hls.js!5333", {"tfdt-continuous", "segment-readable", "tfdt-there"},
    segment(each_tfdt(lambda time: -4096), 0, "m4s"), base=FMP4)
add("tfdt-less-than-previous-end", "MPEGGroup/FileFormat#3", "tfdt-continuous",
    segment(tfdt(-256), 1, "m4s"), base=FMP4)
add("all-segments-start-at-zero", "video-dev/hls.js#5745", "tfdt-continuous",
    segment(each_tfdt(lambda time: 0), 2, "m4s"), base=FMP4)
add("pts-restart-after-encoder-restart-untagged", "video-dev/hls.js#325", "tfdt-continuous",
    segment(each_tfdt(lambda time: time + 3600 * 12800), 2, "m4s"), base=FMP4)
add("audio-rendition-starts-three-seconds-late", "video-dev/hls.js#7432", "same-start",
    all_segments(each_tfdt(lambda time: time + 3 * 48000), "m4s", "en"), base=FRAGMENTS)
add("audio-list-one-segment-off", "Eyevinn/hls-vodtolive!103", {"same-range", "same-start"},
    pattern(r"#EXTINF.*\nen0.m4s\n", "", "en.m3u8"), base=FRAGMENTS)
add("trun-data-offset-off-by-eight", "moq-dev/moq!1341", {"sample-units", "sample-data"},
    segment(lambda data: moved(data), 1, "m4s"), base=FMP4)
add("default-base-is-moof-flag-lost", "kixelated/mp4-atom#185", {"segment-readable", "moof-addressing"},
    segment(field(b"tfhd", 1, b"\0"), 1, "m4s"), base=FMP4)
add("segment-without-moof", "", "segment-readable", segment(box(b"moof", b"free"), 1, "m4s"), base=FMP4)


def moved(data):
    place = data.index(b"trun") + 12
    data[place:place + 4] = (int.from_bytes(data[place:place + 4], "big") + 8).to_bytes(4, "big")
    return data


# WebVTT

add("vtt-without-timestamp-map", "videojs/http-streaming#1216", "webvtt-map",
    lambda stage: stage.bytes("words1.vtt", lambda data: re.sub(
    rb"X-TIMESTAMP-MAP.*\n", b"", bytes(data))), base=LADDER)
add("vtt-header-missing-in-later-segments", "videojs/video.js#6178", {"segment-readable", "webvtt-cues"},
    binary("words1.vtt", lambda data: data[7:]), base=LADDER)
add("vtt-map-negative-after-wrap", "google/ExoPlayer#10330", "webvtt-map",
    lambda stage: stage.bytes("words1.vtt", lambda data: re.sub(
    rb"MPEGTS:\d+", b"MPEGTS:-3600", bytes(data))), base=LADDER)
add("vtt-map-default-900000", "video-dev/hls.js#6302", "webvtt-time",
    lambda stage: [stage.bytes(f"words{number}.vtt", lambda data: re.sub(
    rb"MPEGTS:\d+", b"MPEGTS:9000000", bytes(data))) for number in range(4)], base=LADDER)
add("vtt-cue-outside-segment", "shaka-project/shaka-packager#1135", {"webvtt-time", "webvtt-complete"}, binary(
    "words0.vtt", lambda data: data + b"00:00:20.000 --> 00:00:22.000\nLate\n\n"), base=LADDER)
add("vtt-no-blank-line-after-header", "jwplayer/jwplayer#990", "webvtt-cues",
    binary("words1.vtt", lambda data: data.replace(b"\n\n", b"\n", 1)), base=LADDER)


# Faults that only decoding reveals


def sounding(filter, name="de"):
    """Encodes the audio of a rendition again, through an FFmpeg filter."""
    def change(stage):
        whole = stage.home / "whole.m4a"
        ffmpeg("-i", stage.home / f"{name}.m3u8", "-af", filter, "-c:a", "aac", whole)
        ffmpeg("-i", whole, "-c", "copy", "-f", "hls", "-hls_time", 6, "-hls_list_size", 0, "-hls_playlist_type", "vod",
               "-hls_flags", "independent_segments", "-hls_segment_filename", f"{name}%d.ts", f"{name}.m3u8",
               cwd=stage.home)
    return change


def scrambled(data):
    """Fragments whose samples keep their sizes but not their content."""
    place = data.index(b"mdat") + 4
    data[place:] = bytes((number * 197 + 91) % 251 for number in range(len(data) - place))
    return data


add("language-quieter-than-the-others", "JakeWharton/mkvdts2ac3#70", "loudness-equal", sounding("volume=-6dB"),
    base=LADDER)
add("language-without-its-downmix-gain", "Silo-Server/silo-server#746", "loudness-equal", sounding("volume=6dB", "en"),
    base=LADDER)
add("language-that-is-silent", "", "loudness-equal", sounding("volume=0"), base=LADDER)
add("samples-scrambled", "", "segment-decodes", segment(scrambled, 0, "m4s"), base=FMP4)
add("initialization-of-other-pictures", "video-dev/hls.js#4231",
    {"segment-decodes", "parameters-agree", "resolution-true"},
    lambda stage: stage.bytes("low-init.mp4", lambda data: (stage.home / "high-init.mp4").read_bytes()), base=FRAGMENTS)
