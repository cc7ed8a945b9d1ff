internal import SegueContainers
internal import SeguePlaylists

/// The facts of the packets of a transport stream.
package struct TransportFacts: Sendable, Equatable {
    /// The continuity counters of one PID.
    package struct Counters: Sendable, Equatable {
        /// The counter of the first packet with a payload.
        package var first: Int
        /// The counter of the last packet with a payload.
        package var last: Int
        /// The number of counters that do not follow the previous one.
        package var breaks = 0

        package init(_ first: Int, _ last: Int, breaks: Int = 0) {
            (self.first, self.last, self.breaks) = (first, last, breaks)
        }
    }

    /// The first and the last PMT of one PID in a segment, of those that are valid when they arrive.
    package struct Map: Sendable, Equatable {
        /// The first section with its checksum.
        package var first: [UInt8]
        /// The last section with its checksum.
        package var last: [UInt8]

        package init(_ first: [UInt8], _ last: [UInt8]) { (self.first, self.last) = (first, last) }

        /// The version number of a section of at least 6 bytes (ISO/IEC 13818-1, 2.4.4.8).
        static func version(_ section: [UInt8]) -> Int { Int(section[5] >> 1 & 31) }
    }

    /// The PMTs by PID.
    package var maps: [Int: Map] = [:]

    /// True if the PAT and its PMT precede the first packet of a stream.
    package var beginsWithTables = false

    /// The counters by PID.
    package var counters: [Int: Counters] = [:]

    /// The PIDs whose decode times do not increase.
    package var unsteady: [Int] = []

    /// The first PCR in 90 kHz ticks.
    package var firstClock: Int64?

    /// The last PCR in 90 kHz ticks.
    package var lastClock: Int64?

    /// True if a PCR is less than the previous one.
    package var clockFalls = false

    /// True if the bytes are whole packets with sync bytes.
    package var isInStep = true

    package init() {}
}

/// Scans the packets of a transport stream once.
struct TransportScan {
    private static let headLimit = 256 << 10

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
        facts.maps = checks.mapSections
    }

    /// The PMT PIDs of a PAT, as far as it fits in one packet.
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
        read(payload, pid: packet.pid, startsUnit: packet.startsUnit)
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

    private mutating func read(_ payload: ArraySlice<UInt8>, pid: Int, startsUnit: Bool) {
        guard startsUnit else {
            if !finishedHeads.contains(pid), (heads[pid]?.count ?? 0) < Self.headLimit { heads[pid]? += payload }
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
