"""Changes of bytes: packets of transport streams, boxes of MP4."""

PACKET = 188


def packets(change):
    """Changes the packets of a transport stream, each of 188 bytes."""
    def apply(data):
        return b"".join(change([data[start:start + PACKET] for start in range(0, len(data), PACKET)]))
    return apply


def each(condition, change):
    """Changes each packet that fulfills a condition."""
    return packets(lambda all: [change(bytearray(packet)) if condition(packet) else packet for packet in all])


def pid(packet):
    return (packet[1] & 31) << 8 | packet[2]


def is_table(packet):
    return pid(packet) in (0, 4096)


def without(number, count=1):
    """Removes packets in the middle of a stream."""
    def change(all):
        places = [place for place, packet in enumerate(all) if pid(packet) == number and not packet[1] & 0x40]
        gone = set(places[5:5 + count])
        return [packet for place, packet in enumerate(all) if place not in gone]
    return change


def bit(place, mask=1):
    """Inverts bits of a byte."""
    def change(data):
        data[place] ^= mask
        return data
    return change


def box(old, new, nth=0):
    """Replaces the nth occurrence of some bytes."""
    def change(data):
        place = -1
        for _ in range(nth + 1):
            place = data.index(old, place + 1)
        data[place:place + len(old)] = new
        return data
    return change


def field(name, offset, new, nth=0):
    """Replaces the bytes at an offset after the nth occurrence of a box's name."""
    def change(data):
        place = -1
        for _ in range(nth + 1):
            place = data.index(name, place + 1)
        place += len(name) + offset
        data[place:place + len(new)] = new
        return data
    return change


def tfdt(by, nth=0):
    """Delays the start of a fragment, in ticks of its track."""
    def change(data):
        place = -1
        for _ in range(nth + 1):
            place = data.index(b"tfdt", place + 1)
        place += 8
        time = int.from_bytes(data[place:place + 8], "big") + by
        data[place:place + 8] = (time % (1 << 64)).to_bytes(8, "big")
        return data
    return change


def each_tfdt(change):
    """Changes the time of every fragment of a segment."""
    def apply(data):
        place = data.find(b"tfdt")
        while place >= 0:
            time = int.from_bytes(data[place + 8:place + 16], "big")
            data[place + 8:place + 16] = (change(time) % (1 << 64)).to_bytes(8, "big")
            place = data.find(b"tfdt", place + 1)
        return data
    return apply
