internal import HLS

/// What the packets of a transport stream tell beyond what is in it.
package struct TransportFacts: Sendable, Equatable {
    /// The continuity counters of one PID.
    package struct Counters: Sendable, Equatable {
        /// The counter of the first packet with a payload.
        package var first: Int
        /// The counter of the last packet with a payload.
        package var last: Int
        /// How often a counter did not follow the one before.
        package var breaks = 0

        /// The counters of one packet.
        package init(_ first: Int, _ last: Int, breaks: Int = 0) {
            (self.first, self.last, self.breaks) = (first, last, breaks)
        }
    }

    /// Whether the PAT, then the PMT that it names, come before the first packet of a stream.
    package var beginsWithTables = false

    /// The counters of each PID.
    package var counters: [Int: Counters] = [:]

    /// The PIDs in which a decode time is not after the one before.
    package var unsteady: [Int] = []

    /// The first clock reference, in ticks of 90 kHz.
    package var firstClock: Int64?

    /// The last clock reference.
    package var lastClock: Int64?

    /// Whether a clock reference is before the one before it.
    package var clockFalls = false

    /// Whether the bytes are whole packets, each with its sync byte.
    package var isInStep = true

    /// Facts of nothing yet.
    package init() {}
}

/// Goes through the packets of a transport stream once.
struct TransportScan {
    private static let packetSize = 188
    private static let mostHeadBytes = 256 << 10

    private(set) var facts = TransportFacts()
    private(set) var heads: [Int: [UInt8]] = [:]
    private var finishedHeads: Set<Int> = []
    private var lastDecode: [Int: Int64] = [:]
    private let audio: Set<Int>

    init(_ bytes: [UInt8], tracks: [SegmentTrack]) {
        audio = Set(tracks.filter { $0.kind == .audio }.map(\.number))
        let streams = Set(tracks.filter { $0.kind == .video || $0.kind == .audio }.map(\.number))
        facts.isInStep = bytes.count % Self.packetSize == 0
        var hasStreamBegun = false
        var tables: [Int] = []
        for start in stride(from: 0, to: bytes.count - Self.packetSize + 1, by: Self.packetSize) {
            let packet = bytes[start..<start + Self.packetSize]
            guard packet[start] == 0x47 else {
                facts.isInStep = false
                return
            }
            let pid = Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2])
            hasStreamBegun = hasStreamBegun || streams.contains(pid)
            if !hasStreamBegun {
                if pid == 0, tables.isEmpty { tables = Self.programMaps(packet) }
                if tables.contains(pid) { facts.beginsWithTables = true }
            }
            read(packet, pid: pid, isStream: streams.contains(pid))
        }
    }

    /// The PIDs that a program association table names.
    private static func programMaps(_ packet: ArraySlice<UInt8>) -> [Int] {
        var reader = ByteReader(packet.dropFirst(3))
        guard let control = reader.byte() else { return [] }
        if control & 0x20 != 0 { guard let length = reader.byte(), reader.skip(length) else { return [] } }
        guard let pointer = reader.byte(), reader.skip(pointer + 1), let size = reader.integer(2), reader.skip(5),
            case let programs = ((size & 0xFFF) - 9) / 4, programs > 0
        else { return [] }
        return (0..<programs).compactMap { _ in
            guard let program = reader.integer(2), let pid = reader.integer(2), program != 0 else { return nil }
            return pid & 0x1FFF
        }
    }

    private mutating func read(_ packet: ArraySlice<UInt8>, pid: Int, isStream: Bool) {
        var reader = ByteReader(packet.dropFirst(1))
        guard let header = reader.integer(2), let control = reader.byte(), pid != 0x1FFF else { return }
        var isMarkedBreak = false
        if control & 0x20 != 0 {
            guard let length = reader.byte(), let bytes = reader.slice(length) else { return }
            var field = ByteReader(bytes)
            if let flags = field.byte() {
                isMarkedBreak = flags & 0x80 != 0
                if flags & 0x10 != 0, let base = field.integer(5) { clock(Int64(base >> 7)) }
            }
        }
        guard control & 0x10 != 0 else { return }
        count(control & 15, pid: pid, isMarkedBreak: isMarkedBreak)
        guard isStream else { return }
        let startsUnit = header & 0x4000 != 0
        take(reader.rest(), pid: pid, startsUnit: startsUnit)
    }

    private mutating func clock(_ ticks: Int64) {
        if let last = facts.lastClock, TransportScan.distance(from: last, to: ticks) < 0 { facts.clockFalls = true }
        facts.firstClock = facts.firstClock ?? ticks
        facts.lastClock = ticks
    }

    /// How far one 33-bit time is after another, the clock's wrap taken into account.
    static func distance(from: Int64, to: Int64) -> Int64 {
        let wrap: Int64 = 1 << 33
        let difference = ((to - from) % wrap + wrap) % wrap
        return difference >= wrap / 2 ? difference - wrap : difference
    }

    private mutating func count(_ counter: Int, pid: Int, isMarkedBreak: Bool) {
        guard var counters = facts.counters[pid] else {
            facts.counters[pid] = TransportFacts.Counters(counter, counter)
            return
        }
        if counter != (counters.last + 1) & 15, !isMarkedBreak { counters.breaks += 1 }
        counters.last = counter
        facts.counters[pid] = counters
    }

    private mutating func take(_ payload: ArraySlice<UInt8>, pid: Int, startsUnit: Bool) {
        guard startsUnit else {
            if !finishedHeads.contains(pid), (heads[pid]?.count ?? 0) < Self.mostHeadBytes { heads[pid]? += payload }
            return
        }
        var reader = ByteReader(payload)
        guard reader.integer(3) == 1, reader.skip(4), let flags = reader.byte(), let length = reader.byte(),
            let header = reader.slice(length)
        else { return }
        if heads[pid] == nil { heads[pid] = Array(reader.rest()) } else { finishedHeads.insert(pid) }
        var times = ByteReader(header)
        guard flags & 0x80 != 0, let shown = Self.time(&times) else { return }
        let decoded = flags & 0x40 != 0 ? Self.time(&times) ?? shown : shown
        if let last = lastDecode[pid], Self.distance(from: last, to: decoded) <= 0, !facts.unsteady.contains(pid) {
            facts.unsteady.append(pid)
        }
        lastDecode[pid] = decoded
    }

    private static func time(_ reader: inout ByteReader) -> Int64? {
        guard let high = reader.byte(), let middle = reader.integer(2), let low = reader.integer(2) else { return nil }
        return Int64(high >> 1 & 7) << 30 | Int64(middle >> 1) << 15 | Int64(low >> 1)
    }
}
