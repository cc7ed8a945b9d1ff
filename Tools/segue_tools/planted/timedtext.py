"""IMSC text in fragmented MP4, which FFmpeg does not write."""

SCALE = 1000


def number(value, size=4):
    return value.to_bytes(size, "big")


def box(name, *parts):
    body = b"".join(parts)
    return number(len(body) + 8) + name + body


def full(name, *parts, version=0, flags=0):
    return box(name, number(version, 1), number(flags, 3), *parts)


def clock(seconds):
    """A time such as 01:02:03.500."""
    return f"{int(seconds) // 3600:02}:{int(seconds) // 60 % 60:02}:{seconds % 60:06.3f}"


def document(begin, end, words, root="", time=clock):
    """A TTML document with one line of text, attributes of its root, and a form of times."""
    times = [time(seconds) for seconds in (begin, end)]
    return (f'<?xml version="1.0" encoding="UTF-8"?><tt xmlns="http://www.w3.org/ns/ttml" '
            f'xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xml:lang="en"{root}><head/><body>'
            f'<div><p begin="{times[0]}" end="{times[1]}">{words}</p></div></body></tt>').encode()


def initialization():
    """The initialization section of a track of text."""
    matrix = b"".join(number(value) for value in (0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000))
    movie = full(b"mvhd", bytes(8), number(SCALE), bytes(4), number(0x10000), number(0x100, 2), bytes(10), matrix,
                 bytes(24), number(2))
    track = full(b"tkhd", bytes(8), number(1), bytes(8), bytes(16), matrix, bytes(8), flags=3)
    media = full(b"mdhd", bytes(8), number(SCALE), bytes(4), number(0x15C7, 2), bytes(2))
    handler = full(b"hdlr", bytes(4), b"subt", bytes(12), b"\0")
    entry = box(b"stpp", bytes(6), number(1, 2), b"http://www.w3.org/ns/ttml\0", b"\0", b"\0")
    empty = [full(name, bytes(4)) for name in (b"stts", b"stsc", b"stco")]
    tables = box(b"stbl", full(b"stsd", number(1), entry), *empty, full(b"stsz", bytes(8)))
    reference = box(b"dinf", full(b"dref", number(1), full(b"url ", flags=1)))
    information = box(b"minf", full(b"sthd"), reference, tables)
    extends = box(b"mvex", full(b"trex", number(1), number(1), bytes(12)))
    return (box(b"ftyp", b"iso6", bytes(4), b"iso6") +
            box(b"moov", movie, box(b"trak", track, box(b"mdia", media, handler, information)), extends))


def segment(index, start, seconds, text):
    """A fragment with one document."""
    head = full(b"tfhd", number(1), flags=0x20000)
    time = full(b"tfdt", number(int(start * SCALE), 8), version=1)
    size = 8 + 16 + 8 + len(head) + len(time) + 28
    run = full(b"trun", number(1), number(size + 8), number(int(seconds * SCALE)), number(len(text)), flags=0x301)
    moof = box(b"moof", full(b"mfhd", number(index + 1)), box(b"traf", head, time, run))
    assert len(moof) == size, (len(moof), size)
    return moof + box(b"mdat", text)


def write(home, shift, **form):
    """A playlist of four segments, each with a line of text whose times `shift` chooses by the segment's start; `form`
    is that of the documents.
    """
    (home / "text-init.mp4").write_bytes(initialization())
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:0",
             "#EXT-X-PLAYLIST-TYPE:VOD", '#EXT-X-MAP:URI="text-init.mp4"']
    for index in range(4):
        begin = shift(index * 6) + 1
        content = document(begin, begin + 2, f"Line {index}", **form)
        (home / f"text{index}.m4s").write_bytes(segment(index, index * 6, 6, content))
        lines += ["#EXTINF:6.000000,", f"text{index}.m4s"]
    (home / "text.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST", ""]))
