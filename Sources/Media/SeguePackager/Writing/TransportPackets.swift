/// A writer of transport stream packets (ISO/IEC 13818-1, 2.4.3).
struct TransportPackets {
    /// The minimum time from arrival to decoding, in units of 90 kHz.
    private static let delay: Int64 = 63000
    /// The packet size, in bytes.
    static let size = 188
    /// The maximum payload of a packet, in bytes.
    static let room = 184

    private var output: ByteWriter
    private var unit = Unit()
    /// The space left in the current packet.
    private var roomLeft = 0

    /// The state of the current PES packet.
    private struct Unit {
        var pid: UInt16 = 0
        var counter = 0
        var bytesLeft = 0
        var packetsLeft = 0
        var isFirst = true
        var packets = 0
        var clocks: [Int64] = []
        var clocksGiven = 0
        var isKey = false
    }

    /// Appends packets to a writer.
    init(_ output: ByteWriter) { self.output = output }

    /// The writer with all packets.
    var written: ByteWriter { output }

    /// The maximum number of packets of a PES packet, without those that align the counter to a multiple of 16.
    static func greatestCount(forBytes size: Int) -> Int { 2 + size / room }

    /// The number of packets of a PES packet of `size` bytes, header included, with `clocks` references.
    ///
    /// With `fillsCounter`, packets are split until the counter is a multiple of 16.
    static func count(size: Int, clocks: Int, counter: Int, fillsCounter: Bool) -> Int {
        let packets = max(1, (size + 8 * clocks + room - 1) / room)
        let extra = fillsCounter ? (16 - (counter + packets) % 16) % 16 : 0
        return min(packets + extra, size)
    }

    /// Writes a packet with a table, from its ID to its checksum; the counter's lowest four bits count.
    mutating func append(section: [UInt8], pid: UInt16, counter: Int) {
        output.append(0x47)
        output.appendBigEndian(0x4000 | pid)
        output.append(0x10 | UInt8(counter & 15))
        output.append(0)
        output.append(section)
        output.append(repeating: 0xff, count: TransportPackets.size - 5 - section.count)
    }

    /// Writes a packet with only a clock reference (in units of 90 kHz), which does not advance the continuity counter.
    mutating func append(clock: Int64, pid: UInt16, counter: Int) {
        output.append(0x47)
        output.appendBigEndian(pid)
        output.append(0x20 | UInt8(counter & 15))
        appendAdaptation(TransportPackets.room, clock: clock - TransportPackets.delay, isKey: false)
    }

    /// Begins a PES packet, whose bytes follow with ``append(_:)``.
    ///
    /// - Parameters:
    ///   - size: The size with the header, in bytes.
    ///   - counter: The first packet's counter.
    ///   - clocks: The clock references, in units of 90 kHz, if the stream carries them.
    ///   - isKey: True if playback can start here.
    ///   - fillsCounter: Splits packets until the counter is a multiple of 16.
    /// - Returns: The counter of the next packet.
    mutating func begin(
        size: Int,
        pid: UInt16,
        counter: Int,
        clocks: [Int64],
        isKey: Bool,
        fillsCounter: Bool
    ) -> Int {
        let packets = TransportPackets.count(
            size: size,
            clocks: clocks.count,
            counter: counter,
            fillsCounter: fillsCounter
        )
        unit = Unit(pid: pid, counter: counter, bytesLeft: size, packetsLeft: packets, isKey: isKey)
        (unit.packets, unit.clocks) = (packets, clocks)
        roomLeft = 0
        return counter + packets
    }

    /// Writes bytes of the current PES packet.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            if roomLeft == 0 {
                let plain = appendPlain(UnsafeRawBufferPointer(rebasing: rest))
                rest = rest.dropFirst(plain)
                if rest.isEmpty { break }
                beginPacket()
            }
            let count = min(roomLeft, rest.count)
            output.append(UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            rest = rest.dropFirst(count)
            roomLeft -= count
        }
    }

    /// Writes packets of pure payload as long as possible, and returns the number of bytes.
    private mutating func appendPlain(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !unit.isFirst, unit.clocksGiven == unit.clocks.count, bytes.count >= TransportPackets.room else {
            return 0
        }
        // A packet is full as long as each following one has at least one byte.
        let spare = unit.bytesLeft - unit.packetsLeft + 1 - TransportPackets.room
        guard spare >= 0 else { return 0 }
        let count = min(bytes.count / TransportPackets.room, spare / (TransportPackets.room - 1) + 1, unit.packetsLeft)
        let (pid, counter) = (UInt32(unit.pid), unit.counter)
        output.append(bytes, inPieces: count) { piece in
            0x4700_0010 | pid << 8 | UInt32((counter + piece) & 15)
        }
        unit.bytesLeft -= count * TransportPackets.room
        unit.packetsLeft -= count
        unit.counter += count
        return count * TransportPackets.room
    }

    private mutating func beginPacket() {
        // References are spread evenly over the packets, from the first on.
        let hasClock =
            unit.clocksGiven < unit.clocks.count
            && (unit.packets - unit.packetsLeft) * unit.clocks.count >= unit.clocksGiven * unit.packets
        let clock = hasClock ? unit.clocks[unit.clocksGiven] - TransportPackets.delay : nil
        if hasClock { unit.clocksGiven += 1 }
        let room = clock == nil ? TransportPackets.room : TransportPackets.room - 8
        // Each following packet has at least one byte.
        roomLeft = min(room, unit.bytesLeft - (unit.packetsLeft - 1))
        let adaptation = TransportPackets.room - roomLeft
        output.append(0x47)
        output.appendBigEndian((unit.isFirst ? 0x4000 : 0) | unit.pid)
        output.append((adaptation > 0 ? 0x30 : 0x10) | UInt8(unit.counter & 15))
        if adaptation > 0 { appendAdaptation(adaptation, clock: clock, isKey: unit.isFirst && unit.isKey) }
        unit.bytesLeft -= roomLeft
        unit.packetsLeft -= 1
        unit.counter += 1
        unit.isFirst = false
    }

    private mutating func appendAdaptation(_ size: Int, clock: Int64?, isKey: Bool) {
        output.append(UInt8(size - 1))
        var written = 1
        if size > 1 {
            output.append((isKey ? 0x40 : 0) | (clock != nil ? 0x10 : 0))
            written += 1
        }
        if let clock {
            let base = UInt64(bitPattern: clock) & 0x1_ffff_ffff
            output.appendBigEndian(UInt32(base >> 1))
            output.append(UInt8(base & 1) << 7 | 0x7e)
            output.append(0)
            written += 6
        }
        output.append(repeating: 0xff, count: size - written)
    }
}
