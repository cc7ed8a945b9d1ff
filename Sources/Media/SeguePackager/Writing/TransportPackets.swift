/// Fills the packets of a transport stream (ISO/IEC 13818-1, 2.4.3) one after another.
struct TransportPackets {
    /// How long before its decoding a byte arrives at the latest, in units of 90 kHz.
    private static let delay: Int64 = 63000
    /// The size of a packet.
    static let size = 188
    /// The number of of a packet's bytes may be content.
    static let room = 184

    private var output: ByteWriter
    private var unit = Unit()
    /// How much more goes into the packet that was begun last.
    private var roomLeft = 0

    /// What becomes of the PES packet that is being written.
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

    /// Packets that are written where a writer has come to.
    init(_ output: ByteWriter) { self.output = output }

    /// The writer, with all packets written so far.
    var written: ByteWriter { output }

    /// The maximum number of packets that a PES packet takes, those that bring a counter to a multiple of 16 left out.
    static func greatestCount(forBytes size: Int) -> Int { 2 + size / room }

    /// The number of packets that a PES packet takes.
    ///
    /// - Parameters:
    ///   - size: The number of its bytes, the header included.
    ///   - clocks: The number of clock references are in it.
    ///   - counter: The counter of its first packet.
    ///   - fillsCounter: True if its packets are split until the counter comes to a multiple of 16.
    /// - Returns: The number.
    static func count(size: Int, clocks: Int, counter: Int, fillsCounter: Bool) -> Int {
        let packets = max(1, (size + 8 * clocks + room - 1) / room)
        let extra = fillsCounter ? (16 - (counter + packets) % 16) % 16 : 0
        return min(packets + extra, size)
    }

    /// Writes a packet that holds a table.
    ///
    /// - Parameters:
    ///   - section: The table from its id to its checksum.
    ///   - pid: Its PID.
    ///   - counter: The packet's counter; its lowest four bits count.
    mutating func append(section: [UInt8], pid: UInt16, counter: Int) {
        output.append(0x47)
        output.appendBigEndian(0x4000 | pid)
        output.append(0x10 | UInt8(counter & 15))
        output.append(0)
        output.append(section)
        output.append(repeating: 0xff, count: TransportPackets.size - 5 - section.count)
    }

    /// Writes a packet that holds a clock reference and nothing else; it does not count for continuity.
    ///
    /// - Parameters:
    ///   - clock: When bytes that follow are decoded at the earliest, in units of 90 kHz.
    ///   - pid: The PID of the stream that carries the program's clock.
    ///   - counter: The counter of the packet before; its lowest four bits count.
    mutating func append(clock: Int64, pid: UInt16, counter: Int) {
        output.append(0x47)
        output.appendBigEndian(pid)
        output.append(0x20 | UInt8(counter & 15))
        appendAdaptation(TransportPackets.room, clock: clock - TransportPackets.delay, isKey: false)
    }

    /// Begins a PES packet; its bytes follow with ``append(_:)``.
    ///
    /// - Parameters:
    ///   - size: The number of its bytes, the header included.
    ///   - pid: The stream's PID.
    ///   - counter: The counter of its first packet.
    ///   - clocks: When bytes of it are decoded, in units of 90 kHz, where this stream carries the program's clock.
    ///   - isKey: True if the stream that carries the clock can be entered here.
    ///   - fillsCounter: True if its packets are split until the counter comes to a multiple of 16.
    /// - Returns: The counter of the packet that follows.
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

    /// Writes bytes of the PES packet that was begun last.
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

    /// Writes packets that hold nothing but content, as many as come next and there are bytes for; how many bytes that
    /// is.
    private mutating func appendPlain(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !unit.isFirst, unit.clocksGiven == unit.clocks.count, bytes.count >= TransportPackets.room else {
            return 0
        }
        // A packet is full while there is a byte left for each that follows.
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
        // The references are spread evenly over the packets, from the first on.
        let hasClock =
            unit.clocksGiven < unit.clocks.count
            && (unit.packets - unit.packetsLeft) * unit.clocks.count >= unit.clocksGiven * unit.packets
        let clock = hasClock ? unit.clocks[unit.clocksGiven] - TransportPackets.delay : nil
        if hasClock { unit.clocksGiven += 1 }
        let room = clock == nil ? TransportPackets.room : TransportPackets.room - 8
        // Each packet that follows has at least one byte.
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
