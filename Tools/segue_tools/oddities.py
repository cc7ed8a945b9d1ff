"""Media as phones, recorders, broadcasters, and books have them: three files of each kind."""

import pathlib
import struct
import wave
from collections.abc import Callable
from dataclasses import dataclass

from segue_tools.boxes import Movie, dolby_vision
from segue_tools.media import H264, ffmpeg, lavfi, noise, picture

AAC = ["-c:a", "aac", "-b:a", "96k"]
GOP = ["-g", "50", "-bf", "2"]
HDR = ["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
       "log-level=none:keyint=50:hdr10=1:repeat-headers=1"]


@dataclass
class Oddity:
    """A file of a kind, and the function that makes it."""

    kind: str
    name: str
    make: Callable[[pathlib.Path], None]


ALL: list[Oddity] = []


def file(kind: str, name: str) -> Callable[[Callable[[pathlib.Path], None]], Callable[[pathlib.Path], None]]:
    """Registers the function that makes a file."""

    def register(make: Callable[[pathlib.Path], None]) -> Callable[[pathlib.Path], None]:
        ALL.append(Oddity(kind, name, make))
        return make

    return register


def film(path: pathlib.Path, *output: object, seconds: float = 14, size: str = "320x180", rate: object = 25) -> None:
    """Makes a film with audio; `output` are further options."""
    ffmpeg(*picture(size, rate, seconds), *noise(7, seconds), *H264, *GOP, *AAC, *output, path)


def beside(path: pathlib.Path, name: str) -> pathlib.Path:
    """Returns a file for an intermediate result."""
    return path.parent / f".{path.stem}-{name}"


def rotated(path: pathlib.Path, degrees: int, *output: object) -> None:
    """Makes a film and copies it with a rotation."""
    plain = beside(path, "plain.mp4")
    film(plain)
    ffmpeg("-i", plain, "-c", "copy", "-metadata:s:v:0", f"rotate={degrees}", *output, path)
    plain.unlink()


@file("orientation", "upside-down.mov")
def _(path: pathlib.Path) -> None:
    rotated(path, 180)


@file("orientation", "left.mp4")
def _(path: pathlib.Path) -> None:
    rotated(path, 270)


@file("orientation", "mirrored.mp4")
def _(path: pathlib.Path) -> None:
    plain = beside(path, "plain.mp4")
    film(plain)
    movie = Movie(plain)
    for track in movie.tracks(b"vide"):
        head = track.find(b"tkhd")
        matrix = struct.pack(">9i", -1 << 16, 0, 0, 0, 1 << 16, 0, 320 << 16, 0, 1 << 30)
        head.content = head.content[:40] + matrix + head.content[76:]
    movie.write(path)
    plain.unlink()


@file("holes", "audio-first.ts")
def _(path: pathlib.Path) -> None:
    maps = ["-map", "1:v", "-map", "0:a"]
    ffmpeg(*noise(3, 20), "-itsoffset", "7", *picture(seconds=13), *H264, *GOP, *AAC, *maps, path)


@file("holes", "audio-ends.mp4")
def _(path: pathlib.Path) -> None:
    ffmpeg(*picture(seconds=20), *noise(3, 6), *H264, *GOP, *AAC, path)


@file("holes", "pause.mp4")
def _(path: pathlib.Path) -> None:
    plain = beside(path, "plain.mp4")
    film(plain)
    movie = Movie(plain)
    movie.edit([(5, 0), (4, None), (9, 5)])
    movie.write(path)
    plain.unlink()


@file("coding", "two-entries.mp4")
def _(path: pathlib.Path) -> None:
    parts = [beside(path, f"{number}.mp4") for number in range(2)]
    for part, size in zip(parts, ["320x180", "480x360"], strict=True):
        ffmpeg(*picture(size, seconds=8), *H264, *GOP, part)
    movie = Movie(parts[0])
    movie.append(Movie(parts[1]))
    movie.write(path)
    for part in parts:
        part.unlink()


@file("coding", "surround-begins.ts")
def _(path: pathlib.Path) -> None:
    parts = [beside(path, f"{number}.ts") for number in range(2)]
    for part, channels in zip(parts, (2, 6), strict=True):
        ffmpeg(*picture(seconds=8), *noise(channels, 8), *H264, *GOP, "-c:a", "ac3", "-ac", channels, part)
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    for part in parts:
        part.unlink()


@file("coding", "wider.mkv")
def _(path: pathlib.Path) -> None:
    parts = [beside(path, f"{number}.h264") for number in range(2)]
    for part, size in zip(parts, ["320x180", "240x180"], strict=True):
        ffmpeg(*picture(size, seconds=8), *H264, "-g", 50, "-bf", 0, part)
    whole = beside(path, "whole.h264")
    whole.write_bytes(b"".join(part.read_bytes() for part in parts))
    ffmpeg("-fflags", "+genpts", "-r", 25, "-i", whole, "-c", "copy", path)
    for part in [*parts, whole]:
        part.unlink()


@file("samples", "delimiters.mp4")
def _(path: pathlib.Path) -> None:
    film(path, "-bsf:v", "h264_metadata=aud=insert")


@file("samples", "user-data.mkv")
def _(path: pathlib.Path) -> None:
    film(path, "-bsf:v", "h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+drone")


@file("samples", "delimiters-apart.mp4")
def _(path: pathlib.Path) -> None:
    plain = beside(path, "plain.mp4")
    ffmpeg(*picture(seconds=10), *H264, "-g", 50, "-bf", 0, plain)
    movie = Movie(plain)
    tables = next(movie.tracks()).find(b"mdia", b"minf", b"stbl")
    media = next(box for box in movie.boxes if box.type == b"mdat")
    sizes = tables.find(b"stsz").numbers(8)
    content, place = b"", 0
    for size in sizes:
        content += struct.pack(">IBB", 2, 9, 0xF0) + media.content[place:place + size]
        place += size
    start = sum(len(box.written()) for box in movie.boxes[:movie.boxes.index(media)]) + 8
    media.content = content
    step = tables.find(b"stts").numbers()[1]
    replaced = {
        b"stts": [1, 2 * len(sizes), step // 2], b"stss": [len(tables.find(b"stss").numbers()),
                                                         *(2 * key for key in tables.find(b"stss").numbers())],
        b"stsc": [1, 1, 2 * len(sizes), 1], b"stco": [1, start],
        b"stsz": [0, 2 * len(sizes), *(number for size in sizes for number in (6, size))],
    }
    for box in tables.inner:
        if box.type in replaced:
            box.content = struct.pack(f">{len(replaced[box.type]) + 1}I", 0, *replaced[box.type])
    tables.inner = [box for box in tables.inner if box.type in {b"stsd", *replaced}]
    movie.write(path)
    plain.unlink()


def cut(path: pathlib.Path, share: float, *output: object) -> None:
    """Makes the beginning of a recording."""
    whole = beside(path, "whole" + path.suffix)
    film(whole, *output, seconds=20)
    content = whole.read_bytes()
    path.write_bytes(content[:int(len(content) * share)])
    whole.unlink()


@file("growing", "cut-off.ts")
def _(path: pathlib.Path) -> None:
    cut(path, 0.71)


@file("growing", "cut-off.mkv")
def _(path: pathlib.Path) -> None:
    cut(path, 0.63, "-f", "matroska", "-live", "1", "-cluster_time_limit", "700")


@file("growing", "cut-off.mp4")
def _(path: pathlib.Path) -> None:
    cut(path, 0.8, "-movflags", "+frag_keyframe+empty_moov+default_base_moof")


def high_range(path: pathlib.Path, transfer: str, *output: object) -> None:
    """Makes a film in HEVC with a transfer function of high dynamic range."""
    words = ["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", "-tag:v", "hvc1"]
    ffmpeg(*picture(seconds=12), *noise(5, 12), *HDR, *words, *AAC, *output, path)


@file("range", "hlg.mov")
def _(path: pathlib.Path) -> None:
    high_range(path, "arib-std-b67")


def dolby(path: pathlib.Path, transfer: str, profile: int, compatibility: int, has_enhancement: bool = False) -> None:
    """Makes a film that declares Dolby Vision."""
    plain = beside(path, "plain.mp4")
    high_range(plain, transfer)
    movie = Movie(plain)
    movie.add_to_sample_entry(dolby_vision(profile, compatibility, has_enhancement))
    movie.write(path)
    plain.unlink()


@file("range", "dolby-8-4.mp4")
def _(path: pathlib.Path) -> None:
    dolby(path, "arib-std-b67", 8, 4)


@file("range", "dolby-7.mp4")
def _(path: pathlib.Path) -> None:
    dolby(path, "smpte2084", 7, 6, has_enhancement=True)


def renamed(path: pathlib.Path, entry: bytes, configuration: bytes) -> None:
    """Makes a film whose audio has another sample entry, which FFmpeg does not know."""
    plain = beside(path, "plain.mp4")
    film(plain)
    content = plain.read_bytes()
    place = content.index(b"mp4a", content.index(b"stsd", content.index(b"soun")))
    inner = content.index(b"esds", place)
    path.write_bytes(content[:place] + entry + content[place + 4:inner] + configuration + content[inner + 4:])
    plain.unlink()


@file("undecodable", "ac-4.mp4")
def _(path: pathlib.Path) -> None:
    renamed(path, b"ac-4", b"dac4")


@file("undecodable", "mpeg-h.mp4")
def _(path: pathlib.Path) -> None:
    renamed(path, b"mhm1", b"mhaC")


@file("undecodable", "one-of-two.mp4")
def _(path: pathlib.Path) -> None:
    plain = beside(path, "plain.mp4")
    ffmpeg(*picture(seconds=12), *noise(5, 12), *noise(6, 12), "-map", "0:v", "-map", "1:a", "-map", "2:a", *H264, *GOP,
           *AAC, plain)
    content = plain.read_bytes()
    first = content.index(b"mp4a", content.index(b"soun"))
    inner = content.index(b"esds", first)
    path.write_bytes(content[:first] + b"dtsx" + content[first + 4:inner] + b"udts" + content[inner + 4:])
    plain.unlink()


def words(path: pathlib.Path, name: str, content: str) -> pathlib.Path:
    """Writes a subtitle file."""
    made = beside(path, name)
    made.write_text(content)
    return made


ASS = """[Script Info]
PlayResX: 640
PlayResY: 360

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Underline, Alignment
Style: Default,Arial,20,&H00FFFFFF,0,0,0,2
Style: Sign,Arial,20,&H0000FFFF,-1,0,0,8

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:04.00,Default,,0,0,0,,One {\\i1}two{\\i0}
Dialogue: 0,0:00:03.00,0:00:09.00,Sign,,0,0,0,,{\\pos(320,40)}Station
"""


@file("subtitles", "styles.mkv")
def _(path: pathlib.Path) -> None:
    made = words(path, "words.ass", ASS)
    ffmpeg(*picture(seconds=14), *noise(5, 14), "-i", made, "-map", "0", "-map", "1", "-map", "2", *H264, *GOP, *AAC,
           "-c:s", "ass", path)
    made.unlink()


def graphics(boxes: list[tuple[float, bool]]) -> bytes:
    """Makes a file of PGS subtitles: a white box from each time on, or nothing."""
    content = b""
    for number, (seconds, is_shown) in enumerate(boxes):

        def segment(kind: int, body: bytes, seconds: float = seconds) -> bytes:
            return b"PG" + struct.pack(">IIBH", int(seconds * 90000), 0, kind, len(body)) + body

        head = struct.pack(">HHBH", 640, 360, 0x10, number)
        if not is_shown:
            content += segment(0x16, head + bytes(4)) + segment(0x80, b"")
            continue
        content += segment(0x16, head + bytes([0x80, 0, 0, 1, 0, 0, 0, 0]) + struct.pack(">HH", 160, 280))
        content += segment(0x17, bytes([1, 0]) + struct.pack(">HHHH", 160, 280, 320, 40))
        content += segment(0x14, bytes([0, 0, 1, 235, 128, 128, 255]))
        lines = bytes([0, 0xC1, 0x40, 1, 0, 0]) * 40
        content += segment(0x15, bytes([0, 0, 0, 0xC0]) + struct.pack(">I", len(lines) + 4)[1:] + struct.pack(
            ">HH", 320, 40) + lines)
        content += segment(0x80, b"")
    return content


def pictures(path: pathlib.Path, codec: str, *output: object) -> None:
    """Makes a film with bitmap subtitles."""
    made = beside(path, "words.sup")
    made.write_bytes(graphics([(1, True), (4, False), (7.5, True), (13, False)]))
    maps = ["-map", "0", "-map", "1", "-map", "2"]
    ffmpeg(*picture("640x360", seconds=14), *noise(5, 14), "-fix_sub_duration", "-i", made, *maps, *H264, *GOP, *AAC,
           "-c:s", codec, *output, path)
    made.unlink()


@file("subtitles", "dvb.ts")
def _(path: pathlib.Path) -> None:
    pictures(path, "dvbsub")


@file("subtitles", "pgs.mkv")
def _(path: pathlib.Path) -> None:
    pictures(path, "copy")


@file("pcm", "floats.caf")
def _(path: pathlib.Path) -> None:
    ffmpeg(*noise(2, 30), "-c:a", "pcm_f32le", path)


@file("pcm", "long.w64")
def _(path: pathlib.Path) -> None:
    ffmpeg(*noise(2, 30), "-c:a", "pcm_s24le", "-ac", "2", path)


@file("pcm", "plain.aiff")
def _(path: pathlib.Path) -> None:
    ffmpeg(*noise(2, 30, 48000), "-c:a", "pcm_s16be", path)


@file("jumps", "forward.ts")
def _(path: pathlib.Path) -> None:
    parts = [beside(path, f"{number}.ts") for number in range(2)]
    for part, offset in zip(parts, (0, 4000), strict=True):
        film(part, "-output_ts_offset", offset, seconds=9)
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    for part in parts:
        part.unlink()


@file("jumps", "wrap.ts")
def _(path: pathlib.Path) -> None:
    film(path, "-output_ts_offset", 2**33 / 90000 - 6)


@file("jumps", "back.m2ts")
def _(path: pathlib.Path) -> None:
    parts = [beside(path, f"{number}.m2ts") for number in range(2)]
    for part, offset in zip(parts, (300, 20), strict=True):
        film(part, "-output_ts_offset", offset, seconds=9)
    path.write_bytes(b"".join(part.read_bytes() for part in parts))
    for part in parts:
        part.unlink()


def fields(path: pathlib.Path, *output: object) -> None:
    """Makes interlaced film."""
    ffmpeg(*lavfi("testsrc2=size=320x240:rate=50:duration=12"), *noise(4, 12), "-vf", "interlace", *AAC, *output, path)


@file("fields", "h264.ts")
def _(path: pathlib.Path) -> None:
    fields(path, *H264, *GOP, "-flags", "+ildct+ilme", "-x264-params", "tff=1")


@file("fields", "mpeg2.ts")
def _(path: pathlib.Path) -> None:
    fields(path, "-c:v", "mpeg2video", "-b:v", "2M", "-flags", "+ildct+ilme", "-g", "12", "-bf", "2")


@file("fields", "bottom-first.mkv")
def _(path: pathlib.Path) -> None:
    fields(path, *H264, *GOP, "-flags", "+ildct+ilme", "-x264-params", "bff=1")


TAGS = ["-metadata", "title=Größe", "-metadata", "artist=Ö", "-metadata", "album=One", "-metadata", "track=3"]


@file("tags", "opus.ogg")
def _(path: pathlib.Path) -> None:
    ffmpeg(*noise(2, 20), "-c:a", "libopus", "-b:a", "64k", *TAGS, path)


@file("tags", "vorbis.ogg")
def _(path: pathlib.Path) -> None:
    ffmpeg(*noise(2, 20), "-c:a", "libvorbis", *TAGS, path)


@file("tags", "latin-1.wav")
def _(path: pathlib.Path) -> None:
    with wave.open(str(path), "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(2)
        made.setframerate(8000)
        made.writeframes(bytes(8000 * 2 * 10))
    with path.open("r+b") as made:
        made.seek(0, 2)
        text = "Gr\u00f6\u00dfe".encode("latin-1")
        body = b"INFOINAM" + struct.pack("<I", len(text)) + text
        made.write(b"LIST" + struct.pack("<I", len(body)) + body + bytes(len(body) % 2))
        size = made.tell()
        made.seek(4)
        made.write(struct.pack("<I", size - 8))


def make(folder: pathlib.Path, kinds: list[str]) -> list[Oddity]:
    """Makes the files of kinds, or all; each kind has a folder."""
    chosen = [oddity for oddity in ALL if not kinds or oddity.kind in kinds]
    for oddity in chosen:
        (folder / oddity.kind).mkdir(parents=True, exist_ok=True)
        oddity.make(folder / oddity.kind / oddity.name)
    return chosen
