internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Fetches given packets of the index from the file, wherever they are, and nothing else.
///
/// It goes near them by seeking, finds out where it is by comparing what it reads with the index, and reads from the
/// start of the file where seeking leads astray. So what it fetches does not depend on how a container seeks or on what
/// the input was used for before; the times are the index's. Packets whose places the index knows are read from there,
/// without a demuxer.
final class PacketReader {
    /// The file's path, for messages.
    let file: String

    private let index: FileIndex
    private let pool: InputPool
    private var cancellation: Cancellation
    private var input: MediaInput?
    /// Where the index knows the packets' places.
    private var stored: StoredWalk?
    private var cursors: [Cursor] = []
    private var approaches: ArraySlice<Approach> = []
    private var found: [Fetched] = []
    private var nextFound = 0
    /// True if the input has been read from the file's start, packet by packet.
    private var isFromStart = false
    /// For each stream in which positions do not find a packet, the numbers of its packets by their time.
    private var placesByTime: [Int: [Int64: [Int]]] = [:]

    /// A wanted packet: its stream, its number in the index, and its bytes.
    typealias Fetched = (stream: Int, number: Int, packet: Packet)

    /// Where reading one stream has come to.
    private struct Cursor {
        let stream: Int
        let index: StreamIndex
        /// The packets that are still wanted.
        var wanted: Range<Int>
        /// The number of the packet that the file gives next; nil until the place is known.
        var next: Int?
        /// Packets read since the last seeking whose place is not known.
        var unplaced = 0

        var isDone: Bool { wanted.isEmpty }
    }

    /// How to get to the wanted packets, the quickest way first.
    private enum Approach { case seek(margin: Int), onward(reach: Int), fromStart }

    /// The number of packets are rather read than sought in a file in which seeking has led astray: the half minute
    /// that two segments of rendered music are.
    private static let reach = 6000

    /// The number of packets in a row may be unknown before seeking counts as failed.
    private static let patience = 60

    /// What reading one packet led to.
    private enum Outcome { case ignored, wanted, astray }

    init(file: String, index: FileIndex, pool: InputPool, cancellation: Cancellation) {
        self.file = file
        self.index = index
        self.pool = pool
        self.cancellation = cancellation
    }

    /// Goes on for somebody else.
    func use(_ cancellation: Cancellation) {
        self.cancellation = cancellation
        input?.use(cancellation)
    }

    deinit { putDown() }

    /// Gives the input back, with its place where that is certain.
    private func putDown() {
        guard let used = input else { return }
        input = nil
        let places = cursors.compactMap { cursor in cursor.next.map { (cursor.stream, $0) } }
        let isPlaced = isFromStart && places.count == cursors.count
        pool.giveBack(used, at: isPlaced ? Dictionary(uniqueKeysWithValues: places) : nil)
    }

    /// Says which packets are wanted, and goes there.
    ///
    /// - Parameter ranges: For each stream, numbers in the index.
    /// - Throws: ``MediaError`` if the file cannot be opened or reading is cancelled.
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

    /// The next wanted packet, in the order of the file; nil when all have been fetched.
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

    /// A packet as a demuxer gives it.
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

    /// Reads one packet; false when this approach leads nowhere.
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

    /// The packet's number in the index, where there is no doubt.
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
            // Without positions, looking through all packets finds those of the same content at most.
            if candidates.isEmpty, packet.position >= 0 { candidates = packets.indices.filter(isMatch) }
        }
        if candidates.count > 1 { candidates = candidates.filter { packets[$0].rawPTS == raw } }
        return candidates.count == 1 ? candidates[0] : nil
    }

    /// The numbers of a stream's packets that have a time, for streams in which positions do not find them.
    private func places(of time: Int64, in stream: StreamIndex) -> [Int] {
        let known =
            placesByTime[stream.info.index]
            ?? Dictionary(grouping: stream.packets.indices) { stream.packets[$0].rawPTS }
        placesByTime[stream.info.index] = known
        return known[time] ?? []
    }

    private func retry() throws {
        guard !approaches.isEmpty else {
            throw PackagingError(.broken, file: file, "av_read_frame: reading gives other packets than the index has")
        }
        // What was found before all places were known is fetched again; what was handed out is not wanted any more.
        for fetched in found[nextFound...] {
            guard let slot = cursors.firstIndex(where: { $0.stream == fetched.stream }) else { continue }
            let low = min(cursors[slot].wanted.lowerBound, fetched.number)
            cursors[slot].wanted = low..<cursors[slot].wanted.upperBound
        }
        found.removeAll()
        nextFound = 0
        try approach()
    }

    /// Goes to the wanted packets in the next way that is left.
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

    /// Reads on where an input stands that was read from the start.
    private func goOn(with input: MediaInput, at places: [Int: Int]) {
        self.input = input
        isFromStart = true
        for slot in cursors.indices { cursors[slot].next = places[cursors[slot].stream] }
    }

    /// Containers in which any byte is a place to start from.
    private static let byteSeekable: Set = [
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
        else { throw MediaError(call: "av_seek_frame", file: file, message: "no timestamp to go to") }
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
    /// The time that leads a demuxer here, in its own terms.
    fileprivate var seekTime: Int64? {
        guard rawPTS != IndexedPacket.unknown else { return nil }
        guard pts != IndexedPacket.unknown, dts != IndexedPacket.unknown else { return rawPTS }
        return min(rawPTS, dts - (pts - rawPTS))
    }
}
