"""The correct live streams: FFmpeg makes their segments of 2 s, and an origin lists them in real time."""

import subprocess

from segue_tools.media import ffmpeg, lavfi, picture
from segue_tools.planted.listing import Part, Segment
from segue_tools.planted.origin import Origin, Rendition
from segue_tools.planted.streams import X264, rates, segments

SECONDS, TARGET, FIRST = 70, 2, 40
WINDOW, LONG = 8, 10
PART = 0.5
MASTER = """#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH={0[0]},AVERAGE-BANDWIDTH={0[1]},CODECS="{2}",RESOLUTION=160x90,FRAME-RATE={3},CLOSED-CAPTIONS=NONE
low.m3u8
#EXT-X-STREAM-INF:BANDWIDTH={1[0]},AVERAGE-BANDWIDTH={1[1]},CODECS="{2}",RESOLUTION=320x180,FRAME-RATE={3},CLOSED-CAPTIONS=NONE
high.m3u8
"""
PICTURES = '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH={},CODECS="{}",RESOLUTION=320x180,URI="pictures.m3u8"\n'
AVC, AAC = "avc1.64001e", "mp4a.40.2"
CONTROL = {"CAN-BLOCK-RELOAD": "YES", "HOLD-BACK": "6.0", "PART-HOLD-BACK": "2.0"}
KEYS = 3


def cut(clip, home, kind, seconds=TARGET):
    """Cuts a clip into segments of 2 s, or of another duration."""
    home.mkdir()
    fragmented = ["-hls_segment_type", "fmp4"] if kind == "fmp4" else []
    ffmpeg("-i", clip, "-c", "copy", "-f", "hls", "-hls_time", seconds, "-hls_list_size", 0, "-hls_playlist_type",
           "vod",
           *fragmented, "index.m3u8", cwd=home)


def boxes(data):
    """The boxes of a file with their names."""
    place = 0
    while place < len(data):
        size = int.from_bytes(data[place:place + 4], "big")
        yield data[place + 4:place + 8], data[place:place + size]
        place += size


def fragments(clip, home, name):
    """Cuts a clip into fragments of half a second, the parts of segments of 2 s."""
    ffmpeg("-i", clip, "-c", "copy", "-an", "-f", "mp4", "-movflags", "empty_moov+default_base_moof+separate_moof",
           "-frag_duration", int(PART * 1e6), "-brand", "iso6", home / f"{name}.mp4")
    init, parts = b"", []
    for kind, box in boxes((home / f"{name}.mp4").read_bytes()):
        if kind == b"moof":
            parts.append(box)
        elif kind == b"mdat":
            parts[-1] += box
        elif not parts:
            init += box
    (home / f"{name}-init.mp4").write_bytes(init)
    each = round(TARGET / PART)
    lines = ["#EXTM3U"]
    for number in range(len(parts) // each):
        for index, data in enumerate(parts[number * each:(number + 1) * each]):
            (home / f"{name}{number}.{index}.m4s").write_bytes(data)
        (home / f"{name}{number}.m4s").write_bytes(b"".join(parts[number * each:(number + 1) * each]))
        lines += [f"#EXTINF:{TARGET},", f"{name}{number}.m4s"]
    (home / f"{name}.m3u8").write_text("\n".join([*lines, ""]))


def make(folder):
    """Makes the segments of all streams."""
    for name, size in (("small", "160x90"), ("large", "320x180")):
        ffmpeg(*picture(size, 30, SECONDS), *lavfi(f"sine=frequency=440:sample_rate=48000:duration={SECONDS}"), *X264,
               "-g", 30, "-keyint_min", 30, "-bf", 0, "-c:a", "aac", folder / f"{name}.mp4")
        cut(folder / f"{name}.mp4", folder / f"live-{name}", "ts")
    cut(folder / "small.mp4", folder / "live-small-fmp4", "fmp4")
    ffmpeg(*picture("320x180", 1, SECONDS), *X264, "-g", 1, "-bf", 0, folder / "still.mp4")
    cut(folder / "still.mp4", folder / "live-still", "ts", 1)
    home = folder / "live-parts"
    home.mkdir()
    for name, clip in (("low", "small"), ("high", "large")):
        fragments(folder / f"{clip}.mp4", home, name)
    home = folder / "live-keys"
    home.mkdir()
    (home / "index.m3u8").write_text((folder / "live-small" / "index.m3u8").read_text())
    for path in sorted((folder / "live-small").glob("*.ts")):
        number = int(path.stem.removeprefix("index"))
        subprocess.run(["openssl", "enc", "-aes-128-cbc", "-K", key(number // KEYS).hex(),
                        "-iv", f"{number + FIRST:032x}", "-in", path, "-out", home / path.name], check=True)


def key(number):
    return bytes([number] * 16)


def files(home, prefix=""):
    return {prefix + path.name: path.read_bytes() for path in home.iterdir() if path.suffix != ".m3u8"}


def run(home, prefix="", playlist="index", loop=None, count=SECONDS // TARGET - 1, **said):
    """The segments of a playlist in order, repeated after `loop` segments."""
    listed = segments(home / f"{playlist}.m3u8")
    suffix = ".m4s" if playlist != "index" or (home / "init.mp4").exists() else ".ts"
    found, begin = [], 0.0
    for number in range(count):
        place = number % loop if loop else number
        seconds = listed[place][0]
        found.append(Segment(FIRST + number, f"{prefix}{playlist}{number}{suffix}", seconds, begin, 0.0,
                             discontinuity=bool(loop) and number > 0 and place == 0, **said))
        begin += seconds
    return found


def looped(home, prefix, found, loop):
    """The bytes of segments that repeat."""
    have = files(home)
    return {segment.uri: have[f"index{number % loop}.ts"] for number, segment in enumerate(found)}


def live_ts(folder):
    found = run(folder / "live-small")
    return Origin({"index": Rendition(found, TARGET, WINDOW)}, files(folder / "live-small"))


def live_fmp4(folder):
    found = run(folder / "live-small-fmp4", map="init.mp4")
    return Origin({"index": Rendition(found, TARGET, WINDOW, version=7)}, files(folder / "live-small-fmp4"))


def live_discontinuities(folder):
    found = run(folder / "live-small", loop=5)
    return Origin({"index": Rendition(found, TARGET, WINDOW)}, looped(folder / "live-small", "", found, 5))


def live_dates(folder):
    """A date for the first listed segment only."""
    origin = live_ts(folder)

    def first(listing, now):
        for segment in listing.segments[1:]:
            segment.date = None
    origin.changes.append((first, 0, float("inf"), None))
    return origin


def live_event(folder):
    origin = live_ts(folder)
    rendition = origin.renditions["index"]
    rendition.window, rendition.said["kind"], rendition.ends_at = 0, "EVENT", 14
    return origin


def live_gap(folder):
    """Two segments are missing, and the playlist marks them as gaps."""
    origin = live_ts(folder)
    for segment in origin.renditions["index"].segments[11:13]:
        segment.gap = True
        del origin.files[segment.uri]
    return origin


def live_keys(folder):
    """An encrypted stream whose key changes every three segments."""
    found = run(folder / "live-keys")
    for number, segment in enumerate(found):
        segment.key = f'METHOD=AES-128,URI="key{number // KEYS}.bin"'
    keys = {f"key{number}.bin": key(number) for number in range(len(found) // KEYS + 1)}
    return Origin({"index": Rendition(found, TARGET, WINDOW, version=3)}, files(folder / "live-keys") | keys)


def live_ladder(folder, loop=None, pictures=False):
    renditions, have, rate = {}, {}, []
    for name, home in (("low", folder / "live-small"), ("high", folder / "live-large")):
        found = run(home, f"{name}-", loop=loop)
        renditions[name] = Rendition(found, TARGET, WINDOW)
        own = files(home)
        have |= {segment.uri: own[f"index{number % (loop or 1000)}.ts"] for number, segment in enumerate(found)}
        rate.append(rates(home / "index.m3u8"))
    master = MASTER.format(*rate, f"{AVC},{AAC}", "30.000")
    if pictures:
        home = folder / "live-still"
        found = run(home, "pictures-", count=SECONDS - 2)
        renditions["pictures"] = Rendition(found, TARGET, 2 * WINDOW, independent=False, iframes=True)
        have |= files(home, "pictures-")
        master += PICTURES.format(rates(home / "index.m3u8")[0], AVC)
    return Origin(renditions, have, master)


def live_pictures(folder):
    """A stream with an I-frame playlist, two I-frames per segment."""
    return live_ladder(folder, pictures=True)


def live_ladder_discontinuities(folder):
    return live_ladder(folder, 5)


def parts(folder, name, window=WINDOW, control=()):
    """A rendition with parts."""
    found = run(folder / "live-parts", playlist=name, map=f"{name}-init.mp4")
    each = round(TARGET / PART)
    for number, segment in enumerate(found):
        segment.parts = [Part(f"{name}{number}.{index}.m4s", PART, index % 2 == 0) for index in range(each)]
    return Rendition(found, TARGET, window, version=9, part_target=PART, control=CONTROL | dict(control))


def low_latency(folder):
    return Origin({"low": parts(folder, "low")}, files(folder / "live-parts"))


def low_latency_ranges(folder):
    """Parts that are byte ranges of their segments."""
    rendition = parts(folder, "low")
    have = files(folder / "live-parts")
    for segment in rendition.segments:
        start = 0
        for part in segment.parts:
            part.range = (start, len(have[part.uri]))
            part.uri, start = segment.uri, start + len(have[part.uri])
    return Origin({"low": rendition}, have)


def low_latency_delta(folder):
    rendition = parts(folder, "low", LONG, [("CAN-SKIP-UNTIL", "12.0")])
    return Origin({"low": rendition}, files(folder / "live-parts"))


def low_latency_ladder(folder):
    home = folder / "live-parts"
    return Origin({name: parts(folder, name) for name in ("low", "high")}, files(home),
                  MASTER.format(rates(home / "low.m3u8"), rates(home / "high.m3u8"), AVC, "30.000"))


# Name, function, playlist, and the rules that report the stream although it is correct.
BASES = {
    "live-ts": (live_ts, "index.m3u8", set()),
    "live-fmp4": (live_fmp4, "index.m3u8", set()),
    "live-discontinuities": (live_discontinuities, "index.m3u8", set()),
    "live-dates": (live_dates, "index.m3u8", set()),
    "live-event": (live_event, "index.m3u8", set()),
    # Version 8 is stated for gaps, and the first window contains none.
    "live-gap": (live_gap, "index.m3u8", {"live-gap", "version-unneeded"}),
    "live-keys": (live_keys, "index.m3u8", set()),
    "live-ladder": (live_ladder, "master.m3u8", set()),
    "live-ladder-discontinuities": (live_ladder_discontinuities, "master.m3u8", set()),
    "live-pictures": (live_pictures, "master.m3u8", set()),
    "ll": (low_latency, "low.m3u8", set()),
    "ll-ranges": (low_latency_ranges, "low.m3u8", set()),
    "ll-delta": (low_latency_delta, "low.m3u8", set()),
    "ll-ladder": (low_latency_ladder, "master.m3u8", set()),
}
