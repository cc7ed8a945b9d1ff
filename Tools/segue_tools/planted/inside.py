"""Faults inside frames, samples, captions, and subtitles, and at discontinuities. The unchanged presentations are their
clean twins.
"""

import re

from segue_tools.planted import timedtext
from segue_tools.planted.bits import PACKET, each_tfdt, field, packets, pid
from segue_tools.planted.fault import Table
from segue_tools.planted.frames import DELIMITER, carried, frames, kind, number, runs, units
from segue_tools.planted.stage import binary, pattern, text

TABLE = Table("ts")
FAULTS = TABLE.faults
add = TABLE.add
FMP4, LADDER, FRAGMENTS = "fmp4", "ladder-ts", "ladder-fmp4"
MASTER = "master.m3u8"


def without_units(*kinds):
    return lambda content: b"".join(unit for unit in units(content) if kind(unit) not in kinds)


# Frames of transport streams

add("ts-no-delimiters", "shaka-project/shaka-packager#47", "ts-delimiters",
    frames(lambda index, content: without_units(9)(content)))
add("ts-one-delimiter-missing", "", "ts-delimiters",
    frames(lambda index, content: without_units(9)(content) if index == 40 else content))
add("ts-delimiters-doubled", "axiomatic-systems/Bento4!94", "ts-delimiters",
    frames(lambda index, content: DELIMITER + content))
add("ts-parameter-sets-at-the-end-of-the-previous-frame", "", {"parameters-placed", "parameters-there"},
    carried(50, lambda content: (b"".join(unit for unit in units(content) if kind(unit) in (7, 8)),
                                 without_units(7, 8)(content))))


def other_level(index, content):
    """The sequence parameter set of the second keyframe of each segment has another level."""
    if index % 150 != 50:
        return content
    place = content.index(b"\x00\x00\x01\x67")
    return content[:place + 6] + bytes([content[place + 6] + 1]) + content[place + 7:]


add("ts-parameter-set-changes-within-a-segment", "wacky6/hikaru#33", "parameters-change", frames(other_level))


def map_section(packet):
    """The PMT in a packet that starts with it."""
    start = 5 + packet[4]
    return packet[start:start + 3 + ((packet[start + 1] & 15) << 8 | packet[start + 2])]


def map_entries(section):
    """The header of a PMT and its streams."""
    place = 12 + ((section[10] & 15) << 8 | section[11])
    head, entries = section[:place], []
    while place < len(section) - 4:
        length = 5 + ((section[place + 3] & 15) << 8 | section[place + 4])
        entries.append(section[place:place + length])
        place += length
    return head, entries


def other_map(change):
    """Changes the streams of each PMT of a segment; the version remains."""
    def changed(packet):
        if pid(packet) != 4096 or not packet[1] & 0x40:
            return packet
        start, section = 5 + packet[4], map_section(packet)
        head, entries = map_entries(section)
        body = bytes(head) + b"".join(map(bytes, change(entries)))
        return bytes(packet[:start]) + body + checksum(body).to_bytes(4, "big") + bytes(packet[start + len(section):])
    return packets(lambda all: [changed(packet) for packet in all])


def repeated_map(data):
    """A PMT without the audio stream in the middle of a segment, of the same version."""
    table = next(packet for packet in data if pid(packet) == 4096)
    head, entries = map_entries(map_section(table))
    section = bytearray(head + entries[0])
    section[2] = len(section) + 4 - 3
    section += checksum(section).to_bytes(4, "big")
    packet = bytes(table[:3]) + bytes([0x10 | table[3] & 15]) + b"\x00" + bytes(section)
    packet += b"\xff" * (PACKET - len(packet))
    middle = len(data) // 2
    return [*data[:middle], packet, *data[middle:]]


def checksum(section):
    value = 0xFFFFFFFF
    for byte in section:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ 0x04C11DB7 if value & 0x80000000 else value << 1) & 0xFFFFFFFF
    return value


def moved(old, new):
    """Moves the packets of a PID to another one."""
    def change(all):
        for packet in all:
            if pid(packet) == old:
                packet[1:3] = (packet[1] & 0xE0 | new >> 8, new & 0xFF)
        return all
    return packets(change)


def moved_entries(entries):
    return [entry[:1] + bytes([0xE1, 0x2C]) + entry[3:] if entry[1:3] == b"\xe1\x01" else entry for entry in entries]


add("ts-pmt-changes-between-segments", "", "ts-map-across",
    binary("index2.ts", other_map(lambda entries: entries[::-1])))
add("ts-pids-change-between-segments", "", "discontinuity-needed",
    binary("index2.ts", moved(257, 300)), binary("index2.ts", other_map(moved_entries)))
add("ts-pmt-changes-without-version", "ossrs/srs!4731", "ts-map-version", binary("index1.ts", packets(repeated_map)))


# Samples


def samples(change, track=1, name="index1.m4s"):
    """Changes the fields of a track's samples in a segment."""
    def apply(data):
        for run in runs(data, track):
            change(data, run)
        return data
    return binary(name, apply)


def at_one_time(data, run):
    """The third sample has the presentation time of the fourth."""
    step = 512
    place = run[2]["offset"]
    number(data, place, number(data, run[3]["offset"]) + step)


add("fmp4-two-samples-at-one-time", "", "sample-times", samples(at_one_time), base=FMP4)
def marked(flags, *places):
    """Sets the flags of samples of the video; of all without places."""
    def change(data, run):
        for sample in [run[place] for place in places] or run:
            number(data, sample["flags"], flags)
    return samples(change)


add("fmp4-all-samples-marked-as-sync", "Dash-Industry-Forum/dash-live-source-simulator#48", "sync-flags",
    marked(0x2000000), base=FMP4)
add("fmp4-keyframe-not-marked", "w3c/media-source#221", "sync-flags", marked(0x1010000, 0), base=FMP4)
add("fmp4-tfdt-wraps-at-32-bits", "videojs/mux.js!118", "tfdt-continuous", lambda stage: [
    binary(f"index{number}.m4s", each_tfdt(lambda time: (time + (1 << 32) - 100000) % (1 << 32)))(stage)
    for number in range(4)], base=FMP4)
add("fmp4-audio-timescale-not-of-its-rate", "", {"sound-pace", "audio-timescale"},
    binary("en-init.mp4", field(b"mdhd", 12, (44100).to_bytes(4, "big"))), base=FRAGMENTS)


# Subtitles

add("vtt-map-above-33-bits", "", "webvtt-clock", lambda stage: [stage.bytes(f"words{number}.vtt", lambda data: re.sub(
    rb"MPEGTS:(\d+)", lambda match: b"MPEGTS:%d" % (int(match[1]) + (1 << 33)), bytes(data)))
    for number in range(4)], base=LADDER)
add("vtt-map-one-and-a-half-seconds-late", "", "webvtt-origin", lambda stage: [stage.bytes(
    f"words{number}.vtt", lambda data: re.sub(rb"MPEGTS:(\d+)", lambda match: b"MPEGTS:%d" % (int(match[1]) + 135000),
                                              bytes(data))) for number in range(4)], base=LADDER)
add("vtt-map-six-seconds-off", "", "webvtt-time", lambda stage: [stage.bytes(
    f"words{number}.vtt", lambda data: re.sub(rb"MPEGTS:(\d+)", lambda match: b"MPEGTS:%d" % (int(match[1]) + 540000),
                                              bytes(data))) for number in range(4)], base=LADDER)


add("imsc-times-relative-to-the-segment", "rbouqueau/TTML_in_MP4_DASH_statement#10", "ttml-time",
    lambda stage: timedtext.write(stage.home, lambda start: 0), base="imsc")
add("imsc-clock-an-hour-off", "", "ttml-time",
    lambda stage: timedtext.write(stage.home, lambda start: start + 3600), base="imsc")
add("imsc-smpte-time-base", "", "ttml-clock",
    lambda stage: timedtext.write(stage.home, lambda start: start, root=' ttp:timeBase="smpte"'), base="imsc")
add("imsc-frames-without-a-rate", "", "ttml-clock", lambda stage: timedtext.write(
    stage.home, lambda start: start, time=lambda seconds: f"{timedtext.clock(seconds)[:8]}:12"), base="imsc")


# Captions


def captioned(index, content):
    """A frame with two letters of CC1."""
    triplets = bytes([0xFC, 0x94, 0x20, 0xFC, 0xC8, 0xE5])
    data = b"\xb5\x00\x31GA94\x03" + bytes([0x42, 0xFF]) + triplets + b"\xff"
    message = b"\x00\x00\x01\x06\x04" + bytes([len(data)]) + data + b"\x80"
    place = next(place for place, unit in enumerate(units(content)) if kind(unit) in (1, 5))
    parts = units(content)
    return b"".join([*parts[:place], message, *parts[place:]])


NONE = text(",FRAME-RATE", ",CLOSED-CAPTIONS=NONE,FRAME-RATE", MASTER)
GROUP = '#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="English",LANGUAGE="en",INSTREAM-ID="%s"\n#EXT-X-STREAM'
add("captions-although-none", "google/ExoPlayer#6499", "captions-denied", frames(captioned), NONE)
add("captions-declared-and-absent", "androidx/media#1446", "captions-absent",
    text("#EXT-X-STREAM", GROUP % "CC1", MASTER), text(",FRAME-RATE", ',CLOSED-CAPTIONS="cc",FRAME-RATE', MASTER))
add("captions-of-another-channel", "", "captions-absent", frames(captioned),
    text("#EXT-X-STREAM", GROUP % "CC3", MASTER), text(",FRAME-RATE", ',CLOSED-CAPTIONS="cc",FRAME-RATE', MASTER))


# Discontinuities and lengths

add("discontinuity-at-each-segment", "", "discontinuity-needless",
    pattern(r"(?<=\.ts\n)#EXTINF", "#EXT-X-DISCONTINUITY\n#EXTINF"))
add("audio-missing-at-a-discontinuity", "", "sound-at-discontinuity",
    text("\nindex1.ts\n", "\nindex1.ts\n#EXT-X-DISCONTINUITY\n"),
    binary("index1.ts", packets(lambda all: [
        packet for place, packet in enumerate(all) if pid(packet) != 257 or place < len(all) * 3 // 4])))
add("i-frames-of-half-the-title", "", "same-range",
    pattern(r"(#EXTINF.*\npictures[6-9]\.ts\n|#EXTINF.*\npictures1\d\.ts\n)", "", "pictures.m3u8"), base=LADDER)
add("audio-ends-four-seconds-early", "", {"same-length", "duration-true"},
    pattern(r"#EXTINF:5\.\d+(?=,\nde3)", "#EXTINF:1.970000", "de.m3u8"), base=LADDER)
