internal import SegueContainers
internal import SeguePlaylists

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
    private static let mostHeadBytes = 256 << 10

    private(set) var facts = TransportFacts()
    private(set) var heads: [Int: [UInt8]] = [:]
    var checks: TransportChecks
    private var finishedHeads: Set<Int> = []
    private var lastDecode: [Int: Int64] = [:]
    private let audio: Set<Int>

    init(_ bytes: [UInt8], tracks: [SegmentTrack]) {
        checks = TransportChecks(tracks: tracks)
        audio = Set(tracks.filter { $0.kind == .audio }.map(\.number))
        let streams = Set(tracks.filter { $0.kind == .video || $0.kind == .audio }.map(\.number))
        let size = TransportPacket.size
        facts.isInStep = bytes.count % size == 0
        var hasStreamBegun = false
        var tables: [Int] = []
        for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
            guard bytes[start] == TransportPacket.syncByte, let packet = TransportPacket(bytes[start..<start + size])
            else {
                facts.isInStep = false
                return
            }
            checks.read(packet)
            let pid = packet.pid
            hasStreamBegun = hasStreamBegun || streams.contains(pid)
            if !hasStreamBegun {
                if pid == 0, tables.isEmpty { tables = Self.programMaps(packet) }
                if tables.contains(pid) { facts.beginsWithTables = true }
            }
            read(packet, isStream: streams.contains(pid))
        }
    }

    /// The PIDs that a program association table names, as far as it is in one packet.
    private static func programMaps(_ packet: TransportPacket) -> [Int] {
        guard let payload = packet.payload, let pointer = payload.first else { return [] }
        return ProgramAssociation.maps(payload.dropFirst(1 + Int(pointer)))
    }

    private mutating func read(_ packet: TransportPacket, isStream: Bool) {
        guard packet.pid != TransportPacket.null else { return }
        if let ticks = packet.clock { clock(ticks) }
        guard packet.hasPayload else { return }
        count(packet.counter, pid: packet.pid, isMarkedBreak: packet.marksBreak)
        guard isStream, let payload = packet.payload else { return }
        take(payload, pid: packet.pid, startsUnit: packet.startsUnit)
    }

    private mutating func clock(_ ticks: Int64) {
        if let last = facts.lastClock, TransportTime.distance(from: last, to: ticks) < 0 { facts.clockFalls = true }
        facts.firstClock = facts.firstClock ?? ticks
        facts.lastClock = ticks
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
        guard let head = PESHead(payload), let content = head.content else { return }
        if heads[pid] == nil { heads[pid] = Array(content) } else { finishedHeads.insert(pid) }
        guard let decoded = head.decode else { return }
        if let last = lastDecode[pid], TransportTime.distance(from: last, to: decoded) <= 0,
            !facts.unsteady.contains(pid)
        {
            facts.unsteady.append(pid)
        }
        lastDecode[pid] = decoded
    }
}
