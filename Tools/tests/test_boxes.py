"""The editing of MP4 boxes."""

import struct

from segue_tools.boxes import Box, Movie, dolby_vision, parse, table


def movie(tmp_path, edits):
    handler = Box(b"hdlr", bytes(8) + b"soun" + bytes(12))
    clock = Box(b"mdhd", bytes(12) + struct.pack(">II", 48000, 0))
    edit_list = Box(b"edts", inner=[table(b"elst", len(edits) // 3, *edits)])
    track = Box(b"trak", inner=[Box(b"tkhd", bytes(84)), edit_list, Box(b"mdia", inner=[clock, handler])])
    head = Box(b"mvhd", bytes(12) + struct.pack(">II", 1000, 0))
    path = tmp_path / "movie.mp4"
    path.write_bytes(Box(b"mdat", b"abc").written() + Box(b"moov", inner=[head, track]).written())
    return path


def test_boxes_are_written_as_they_were_read(tmp_path):
    content = movie(tmp_path, [1000, 1024, 1 << 16]).read_bytes()
    assert b"".join(box.written() for box in parse(content)) == content


def test_an_edit_list_keeps_the_encoder_delay(tmp_path):
    path = movie(tmp_path, [1000, 1024, 1 << 16])
    edited = Movie(path)
    edited.edit([(2, 0), (1.5, None), (3, 2)])
    edited.write(path)
    track = next(Movie(path).tracks(b"soun"))
    numbers = track.find(b"edts", b"elst").numbers()
    assert numbers == [2000, 1024, 1 << 16, 1500, 0xFFFFFFFF, 1 << 16, 3000, 1024 + 96000, 1 << 16]


def test_dolby_vision_has_its_flags():
    box = dolby_vision(7, 6, has_enhancement=True, level=6)
    assert box.type == b"dvcC" and len(box.content) == 24
    assert struct.unpack(">H", box.content[2:4])[0] == 7 << 9 | 6 << 3 | 7
    assert box.content[4] >> 4 == 6
    assert dolby_vision(8, 4).type == b"dvvC"
