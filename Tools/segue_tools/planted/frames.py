"""Changes of frames: NAL units in PES packets, samples of fragments."""

from segue_tools.planted.bits import PACKET, pid

DELIMITER = b"\x00\x00\x00\x01\x09\xf0"
FLAGS = ((0x100, "duration"), (0x200, "size"), (0x400, "flags"), (0x800, "offset"))


def units(data):
    """The NAL units of a stream with start codes, each with its start code."""
    places, place = [], data.find(b"\x00\x00\x01")
    while place >= 0:
        places.append(place - 1 if place and data[place - 1] == 0 else place)
        place = data.find(b"\x00\x00\x01", place + 3)
    return [data[start:end] for start, end in zip(places, [*places[1:], len(data)], strict=True)]


def kind(unit):
    """The type of an H.264 unit with its start code."""
    return unit[unit.index(b"\x00\x00\x01") + 3] & 31


def payload(packet):
    """The place of a packet's payload."""
    return 4 + (1 + packet[4] if packet[3] & 0x20 else 0)


def split(pes):
    """A PES packet's header and content."""
    end = 9 + pes[8]
    return pes[:end], pes[end:]


def pes_packets(packets, number):
    """The PES packets of a PID: each with the places of its packets."""
    groups = []
    for place, packet in enumerate(packets):
        if pid(packet) != number or not packet[3] & 0x10:
            continue
        if packet[1] & 0x40:
            groups.append([])
        if groups:
            groups[-1].append(place)
    return groups


def packed(pes, first, counter):
    """Packets of a PES packet; the first one keeps its adaptation field."""
    result, rest = [], pes
    head = bytes(first[4:payload(first)])
    while rest:
        field = head if not result else b""
        room = PACKET - 4 - len(field)
        part, rest = rest[:room], rest[room:]
        fill = room - len(part)
        if fill and not field:
            field = bytes([fill - 1]) + (b"\x00" + b"\xff" * (fill - 2) if fill > 1 else b"")
        elif fill:
            field = bytes([field[0] + fill]) + field[1:] + b"\xff" * fill
        start = bytes([0x47, (0x40 if not result else 0) | first[1] & 0x1F, first[2]])
        control = (0x30 if field else 0x10) | counter % 16
        counter += 1
        result.append(start + bytes([control]) + field + part)
    return result


def frames(change, number=256, segments=4):
    """Changes the content of each PES packet of a PID, by its number in the stream."""
    def apply(stage):
        counter, index = None, 0
        for segment in range(segments):
            path = stage.home / f"index{segment}.ts"
            data = path.read_bytes()
            packets = [data[start:start + PACKET] for start in range(0, len(data), PACKET)]
            for group in pes_packets(packets, number):
                head, content = split(b"".join(packets[place][payload(packets[place]):] for place in group))
                if counter is None:
                    counter = packets[group[0]][3] & 15
                new = packed(head + change(index, content), packets[group[0]], counter)
                counter, index = counter + len(new), index + 1
                for place, packet in zip(group[:-1], new, strict=False):
                    packets[place] = packet
                for place in group[len(new):]:
                    packets[place] = b""
                packets[group[-1]] = b"".join(new[len(group) - 1:])
            path.write_bytes(b"".join(packets))
    return apply


def carried(number, change):
    """Moves units of the frames of a number to the end of the previous frame."""
    def apply(stage):
        contents = {}
        frames(lambda index, content: contents.setdefault(index, content))(stage)

        def moved(index, content):
            if index == number - 1:
                return content + change(contents[number])[0]
            return change(content)[1] if index == number else content
        frames(moved)(stage)
    return apply


def runs(data, track):
    """The track runs of a track: the place of each sample's fields, by name."""
    place = data.find(b"traf")
    while place >= 0:
        head, run = data.index(b"tfhd", place), data.index(b"trun", place)
        if int.from_bytes(data[head + 8:head + 12], "big") == track:
            flags = int.from_bytes(data[run + 4:run + 8], "big")
            count = int.from_bytes(data[run + 8:run + 12], "big")
            first = run + 12 + 4 * (flags & 1) + (flags & 4)
            names = [name for bit, name in FLAGS if flags & bit]
            yield [{name: first + 4 * (len(names) * sample + index) for index, name in enumerate(names)}
                   for sample in range(count)]
        place = data.find(b"traf", place + 1)


def number(data, place, value=None):
    """Reads four bytes, or writes a value into them."""
    if value is not None:
        data[place:place + 4] = (value % (1 << 32)).to_bytes(4, "big")
    return int.from_bytes(data[place:place + 4], "big")
