internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// A reader of indexed packets at any position.
///
/// It seeks near the packets, locates itself by comparing packets with the index, and reads from the start of the file
/// if seeking fails. So its output depends neither on how a container seeks nor on earlier use of the input; timestamps
/// are the index's. Packets with indexed positions are read without a demuxer.
final class PacketReader {
    /// The path, for messages.
    let file: String

    private let index: FileIndex
    private let pool: InputPool
    private var cancellation: Cancellation
    private var input: MediaInput?
    /// The direct reader, if the index has content positions.
    private var stored: StoredWalk?
    private var cursors: [Cursor] = []
    private var approaches: ArraySlice<Approach> = []
    private var found: [Fetched] = []
    private var nextFound = 0
    /// True if the input was read sequentially from the file's start.
    private var isFromStart = false
    /// Packet numbers by time, for streams whose packets cannot be found by position.
    private var placesByTime: [Int: [Int64: [Int]]] = [:]

    /// A wanted packet: its stream, its number in the index, and its bytes.
    typealias Fetched = (stream: Int, number: Int, packet: Packet)

    /// The reading state of one stream.
    private struct Cursor {
        let stream: Int
        let index: StreamIndex
        /// The packets still wanted.
        var wanted: Range<Int>
        /// The number of the next packet in the file; nil until located.
        var next: Int?
        /// The number of unlocated packets since the last seek.
        var unplaced = 0

        var isDone: Bool { wanted.isEmpty }
    }

    /// The ways to the wanted packets, fastest first.
    private enum Approach { case seek(margin: Int), onward(reach: Int), fromStart }

    /// The number of packets that are read rather than sought if seeking has failed in the file: half a minute, or two
    /// segments of rendered music.
    private static let reach = 6000

    /// The number of consecutive unlocated packets after which a seek has failed.
    private static let patience = 60

    /// The outcome of reading one packet.
    private enum Outcome { case ignored, wanted, astray }

    init(file: String, index: FileIndex, pool: InputPool, cancellation: Cancellation) {
        self.file = file
        self.index = index
        self.pool = pool
        self.cancellation = cancellation
    }

    /// Continues with another cancellation.
    func use(_ cancellation: Cancellation) {
        self.cancellation = cancellation
        input?.use(cancellation)
    }

    deinit { putDown() }

    /// Returns the input to the pool, with its position if known.
    private func putDown() {
        guard let used = input else { return }
        input = nil
        let places = cursors.compactMap { cursor in cursor.next.map { (cursor.stream, $0) } }
        let isPlaced = isFromStart && places.count == cursors.count
        pool.giveBack(used, at: isPlaced ? Dictionary(uniqueKeysWithValues: places) : nil)
    }

    /// Requests packets by stream and number, and moves there.
    func begin(_ ranges: [Int: Range<Int>]) throws {
        if index.isStored {
            stored = try StoredWalk(file: file, index: index, ranges)
            return
        }
        putDown()
        cursors = ranges.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.compactMap { stream, wanted in
            index.streams[stream].map { Cursor(stream: stream, index: $0, wanted: wanted) }
        }
        found = []
        nextFound = 0
        let startsAtFront = cursors.allSatisfy { $0.wanted.lowerBound <= 2 }
        let seeking: [Approach] = [.seek(margin: 0), .seek(margin: 40), .onward(reach: .max)]
        approaches =
            startsAtFront
            ? [.fromStart] : (pool.isHardToSeek ? [.onward(reach: PacketReader.reach)] : []) + seeking + [.fromStart]
        try approach()
    }

    /// The next wanted packet in file order; nil when all are fetched.
    func next() throws -> Fetched? {
        if let read = try stored?.next(cancellation) { return fetched(read) }
        if stored != nil { return nil }
        while true {
            if nextFound < found.count, isPlaceKnown {
                let fetched = found[nextFound]
                nextFound += 1
                if nextFound == found.count {
                    found.removeAll(keepingCapacity: true)
                    nextFound = 0
                }
                return fetched
            }
            if cursors.allSatisfy(\.isDone) { return nil }
            guard try readOne() else {
                isFromStart = false
                try retry()
                continue
            }
        }
    }

    /// Converts a stored packet to a demuxer packet.
    private func fetched(_ read: StoredPackets.Read) -> Fetched? {
        guard let entry = index.streams[read.stream]?.packets[read.number] else { return nil }
        let packet = read.payload.withBytes { bytes in
            Packet(count: bytes.count, stream: read.stream) { $0.copyMemory(from: bytes) }
        }
        let isTimed = entry.dts != IndexedPacket.unknown && entry.pts != IndexedPacket.unknown
        packet.pts = entry.rawPTS == IndexedPacket.unknown ? nil : entry.rawPTS
        packet.dts = isTimed ? entry.dts &- (entry.pts &- entry.rawPTS) : nil
        (packet.duration, packet.position) = (entry.duration, entry.position)
        (packet.isKey, packet.isDiscarded) = (entry.isKey, entry.isDiscarded)
        return (read.stream, read.number, packet)
    }

    private var isPlaceKnown: Bool { cursors.allSatisfy { $0.next != nil || $0.isDone } }

    /// Reads one packet; returns false if the approach failed.
    private func readOne() throws -> Bool {
        guard let input else { return false }
        let packet = Packet()
        do {
            guard try input.read(into: packet) else { return false }
        } catch {
            isFromStart = false
            if error.isCancelled { throw error }
            return false
        }
        return place(packet) != .astray
    }

    private func place(_ packet: Packet) -> Outcome {
        let stream = packet.streamIndex
        guard packet.size > 0, let slot = cursors.firstIndex(where: { $0.stream == stream }) else { return .ignored }
        guard !cursors[slot].isDone else {
            cursors[slot].next = cursors[slot].next.map { $0 + 1 }
            return .ignored
        }
        let number: Int
        if let next = cursors[slot].next {
            guard next < cursors[slot].index.packets.count, index.matches(packet, cursors[slot].index.packets[next])
            else { return .astray }
            number = next
        } else {
            guard let place = locate(packet, in: cursors[slot].index) else {
                cursors[slot].unplaced += 1
                return cursors[slot].unplaced <= PacketReader.patience ? .ignored : .astray
            }
            guard place <= cursors[slot].wanted.lowerBound else { return .astray }
            number = place
        }
        cursors[slot].next = number + 1
        guard number >= cursors[slot].wanted.lowerBound else { return .ignored }
        cursors[slot].wanted = (number + 1)..<cursors[slot].wanted.upperBound
        found.append((stream, number, packet))
        return .wanted
    }

    /// The packet's number in the index, if unambiguous.
    private func locate(_ packet: Packet, in stream: StreamIndex) -> Int? {
        let packets = stream.packets
        let matches = index.match(for: packet)
        var candidates: [Int] = []
        if packet.position >= 0, stream.hasAscendingPositions {
            var place = packets.partitioningIndex { $0.position >= packet.position }
            while place < packets.count, packets[place].position == packet.position {
                if matches(packets[place]) { candidates.append(place) }
                place += 1
            }
        }
        if candidates.count == 1 { return candidates[0] }
        let raw = packet.pts ?? packet.dts ?? IndexedPacket.unknown
        if !stream.hasAscendingPositions || packet.position < 0 {
            let isMatch = { packets[$0].position == packet.position && matches(packets[$0]) }
            candidates = places(of: raw, in: stream).filter(isMatch)
            // Without positions, a search by content finds at most one match.
            if candidates.isEmpty, packet.position >= 0 { candidates = packets.indices.filter(isMatch) }
        }
        if candidates.count > 1 { candidates = candidates.filter { packets[$0].rawPTS == raw } }
        return candidates.count == 1 ? candidates[0] : nil
    }

    /// The packet numbers with a time, for streams whose packets cannot be found by position.
    private func places(of time: Int64, in stream: StreamIndex) -> [Int] {
        let known =
            placesByTime[stream.info.index]
            ?? Dictionary(grouping: stream.packets.indices) { stream.packets[$0].rawPTS }
        placesByTime[stream.info.index] = known
        return known[time] ?? []
    }

    private func retry() throws {
        guard !approaches.isEmpty else {
            throw PackagingError(.broken, file: file, "av_read_frame: the packets read differ from the index")
        }
        // Packets found before all positions were known are fetched again; packets already returned are no longer
        // wanted.
        for fetched in found[nextFound...] {
            guard let slot = cursors.firstIndex(where: { $0.stream == fetched.stream }) else { continue }
            let low = min(cursors[slot].wanted.lowerBound, fetched.number)
            cursors[slot].wanted = low..<cursors[slot].wanted.upperBound
        }
        found.removeAll()
        nextFound = 0
        try approach()
    }

    /// Tries the next approach.
    private func approach() throws {
        while let way = approaches.popFirst() {
            for slot in cursors.indices {
                cursors[slot].next = nil
                cursors[slot].unplaced = 0
            }
            switch way {
            case .seek(let margin):
                let input = try input ?? pool.takeUsed(cancellation) ?? pool.openFresh(cancellation)
                self.input = input
                isFromStart = false
                input.keepOnly(streams: Set(cursors.map(\.stream)))
                do {
                    try seek(input, margin: margin)
                    return
                } catch {
                    if error.isCancelled { throw error }
                }
            case .onward(let reach):
                if reach == .max { pool.isHardToSeek = true }
                putDown()
                let firsts = Dictionary(uniqueKeysWithValues: cursors.map { ($0.stream, $0.wanted.lowerBound) })
                guard let (found, places) = pool.takeUnderWay(towards: firsts, reach: reach, cancellation) else {
                    continue
                }
                goOn(with: found, at: places)
                return
            case .fromStart:
                putDown()
                let fresh = try pool.openFresh(cancellation)
                fresh.keepOnly(streams: Set(cursors.map(\.stream)))
                goOn(with: fresh, at: Dictionary(uniqueKeysWithValues: cursors.map { ($0.stream, 0) }))
                return
            }
        }
    }

    /// Continues with an input that was read from the start.
    private func goOn(with input: MediaInput, at places: [Int: Int]) {
        self.input = input
        isFromStart = true
        for slot in cursors.indices { cursors[slot].next = places[cursors[slot].stream] }
    }

    /// The containers that can be read from any byte.
    static let byteSeekable: Set = [
        "mpegts", "mpeg", "mp3", "aac", "ac3", "eac3", "dts", "h264", "hevc", "m4v", "mpegvideo",
    ]

    private func seek(_ input: MediaInput, margin: Int) throws(MediaError) {
        var firsts: [(stream: Int, packet: IndexedPacket)] = []
        for cursor in cursors where !cursor.isDone {
            let isByteSeek = PacketReader.byteSeekable.contains(input.formatName)
            let before = isByteSeek ? max(margin, 6) : margin
            firsts.append((cursor.stream, cursor.index.packets[max(0, cursor.wanted.lowerBound - before)]))
        }
        if PacketReader.byteSeekable.contains(input.formatName) {
            let positions = firsts.map(\.packet.position).filter { $0 >= 0 }
            if let least = positions.min(), positions.count == firsts.count {
                return try input.seek(toByte: least)
            }
        }
        let isVideo = { (stream: Int) in self.index.streams[stream]?.info.kind == .video }
        firsts.sort { ($0.packet.seekTime ?? .min) < ($1.packet.seekTime ?? .min) }
        let leader = firsts.first { isVideo($0.stream) } ?? firsts.first
        guard let leader, var time = leader.packet.seekTime,
            let base = index.streams[leader.stream]?.info.timeBase
        else { throw MediaError(call: "av_seek_frame", file: file, message: "the packet has no timestamp to seek to") }
        if margin > 0 {
            for other in firsts {
                guard let otherTime = other.packet.seekTime, let otherBase = index.streams[other.stream]?.info.timeBase
                else { continue }
                time = min(time, (Rational(otherTime) * otherBase / base).floored())
            }
        }
        try input.seek(to: time, stream: leader.stream)
    }
}

extension IndexedPacket {
    /// The seek time in the demuxer's terms.
    var seekTime: Int64? {
        guard rawPTS != IndexedPacket.unknown else { return nil }
        guard pts != IndexedPacket.unknown, dts != IndexedPacket.unknown else { return rawPTS }
        return min(rawPTS, dts - (pts - rawPTS))
    }
}
