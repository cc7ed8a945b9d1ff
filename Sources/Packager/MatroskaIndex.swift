internal import Media
internal import Timeline

/// Indexes a Matroska file by the headers of its blocks.
///
/// What libav makes of the first packets is compared with the blocks that they lie in. That tells which track is which
/// stream, and by how much times and sizes differ; where they differ otherwise, the file is not indexed like this.
struct MatroskaIndex {
    private let bytes: FileBytes
    private let cancellation: Cancellation
    private var lanes: [Int: Lane] = [:]
    private var jumps: JumpDetector

    /// A track of the file and what its blocks become.
    private final class Lane {
        let notes: StreamNotes
        let info: StreamInfo
        /// What is added to a block's time.
        let shift: Int64
        let duration: Int64
        let key: KeyPicture?
        private var order: DecodeOrder?

        init(_ notes: StreamNotes, _ info: StreamInfo, shift: Int64, duration: Int64) {
            (self.notes, self.info, self.shift, self.duration) = (notes, info, shift, duration)
            key = info.kind == .video ? KeyPicture(info) : nil
            order = info.kind == .video ? DecodeOrder(delay: info.reorderDelay, duration: duration) : nil
        }

        /// When a frame is decoded that is shown at a time.
        func decodeTime(of pts: Int64) -> Int64 { order?.next(pts) ?? pts }
    }

    /// Codecs whose packets are the frames that the blocks hold.
    private static let plainCodecs: Set = ["h264", "hevc", "aac", "ac3", "eac3", "mp3"]

    /// How many packets are looked at to find out what libav makes of blocks.
    private static let most = 4000
    /// How many of each stream, at the least.
    private static let least = 12

    /// Indexes a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - input: The same file, freshly opened; it is left somewhere near its beginning.
    ///   - cancellation: Stops the reading.
    /// - Returns: The index and how many bytes were read beside those of the input; nil where the file has to be read
    ///   packet by packet.
    /// - Throws: ``MediaError`` when it is cancelled.
    static func run(
        path: String,
        _ input: MediaInput,
        cancellation: Cancellation
    ) throws(MediaError) -> (index: FileIndex, bytesRead: Int64)? {
        guard input.formatName == "matroska,webm", let bytes = FileBytes(path: path) else { return nil }
        let infos = input.streams.filter { IndexScan.isWanted($0) }
        guard !infos.isEmpty, infos.allSatisfy(isPlain) else { return nil }
        guard let seen = try FirstPackets.read(input, infos, least: least, most: most) else { return nil }
        var walk = MatroskaIndex(
            bytes: bytes,
            cancellation: cancellation,
            jumps: JumpDetector(allowsForwardJumps: input.allowsDiscontinuities)
        )
        do {
            guard try walk.run(infos, seen) else { return nil }
        } catch let error as MediaError {
            throw error
        } catch {
            return nil
        }
        var index = FileIndex(hasFingerprints: false)
        for lane in walk.lanes.values { index.streams[lane.info.index] = lane.notes.result }
        return (index, bytes.bytesRead)
    }

    private static func isPlain(_ info: StreamInfo) -> Bool {
        guard plainCodecs.contains(info.codec) else { return false }
        if info.kind == .video { return KeyPicture(info) != nil }
        return info.codec != "aac" || !info.extradata.isEmpty
    }

    private init(bytes: FileBytes, cancellation: Cancellation, jumps: JumpDetector) {
        self.bytes = bytes
        self.cancellation = cancellation
        self.jumps = jumps
    }

    private mutating func run(_ infos: [StreamInfo], _ seen: FirstPackets) throws -> Bool {
        var blocks = try MatroskaBlocks(bytes)
        var first: [MatroskaBlocks.Block] = []
        while let block = try blocks.next() {
            first.append(block)
            if block.position >= seen.lastPosition { break }
        }
        guard assign(first, to: infos, seen) else { return false }
        for block in first { guard try note(block) else { return false } }
        var count = 0
        while let block = try blocks.next() {
            count += 1
            if count % 1024 == 0 { try cancellation.check("index", file: "") }
            guard try note(block) else { return false }
        }
        return true
    }

    /// Finds out which track is which stream; false where blocks and packets do not go together.
    private mutating func assign(
        _ blocks: [MatroskaBlocks.Block],
        to infos: [StreamInfo],
        _ seen: FirstPackets
    ) -> Bool {
        for info in infos {
            guard let packets = seen.packets[info.index], let start = packets.first,
                let one = blocks.first(where: { $0.position == start.position }),
                let time = start.pts, !one.sizes.isEmpty
            else { return false }
            let own = blocks.filter { $0.track == one.track && $0.position <= packets[packets.count - 1].position }
            let frames = own.flatMap { block in block.sizes.map { (block.position, $0) } }
            guard lanes[one.track] == nil, frames.count >= packets.count,
                zip(frames, packets).allSatisfy({ $0.0 == $1.position && $0.1 == $1.size })
            else { return false }
            let shift = time - one.time
            for block in own {
                guard let packet = packets.first(where: { $0.position == block.position }) else { return false }
                guard packet.pts == block.time + shift, packet.isKey == (info.kind == .audio || block.isKey) else {
                    return false
                }
            }
            let durations = packets.map(\.duration).sorted()
            let duration = durations[durations.count / 2]
            let notes = StreamNotes(info, hasFingerprints: false)
            notes.begin(with: seen.heads[info.index] ?? [])
            lanes[one.track] = Lane(notes, info, shift: shift, duration: duration)
        }
        return true
    }

    /// Notes a block's frames; false where what it says of itself is not true.
    private mutating func note(_ block: MatroskaBlocks.Block) throws -> Bool {
        guard let lane = lanes[block.track] else { return true }
        var content = block.content
        if block.isKey, let key = lane.key {
            let kind = key.kind(size: block.sizes[0]) { bytes.byte(at: content + Int64($0)) }
            guard let kind, !kind.isNoKey else { return false }
        }
        let duration = block.duration.map { $0 / Int64(block.sizes.count) } ?? lane.duration
        for (number, size) in block.sizes.enumerated() where size > 0 {
            let pts = block.time + lane.shift + Int64(number) * duration
            let head = lane.key == nil ? bytes.bytes(at: content, count: min(size, 16)) : []
            let isLast = number == block.sizes.count - 1
            guard let lead = UInt16(exactly: content - block.position) else { return false }
            let discarded = isLast ? Rational(block.discardedAtEnd, 1_000_000_000) : .zero
            lane.notes.append(
                StreamNotes.Seen(
                    pts: pts,
                    dts: lane.decodeTime(of: pts),
                    duration: duration,
                    position: block.position,
                    lead: lead,
                    size: size,
                    isKey: lane.key == nil || block.isKey,
                    skip: SampleSkip(start: 0, end: Int(discarded.rounded(scale: Int64(lane.info.sampleRate)))),
                    coding: head.withUnsafeBytes { CodingKey.of($0, codec: lane.info.codec, newExtradata: nil) }
                ),
                jumps: &jumps
            )
            content += Int64(size)
        }
        return true
    }
}

/// What libav makes of the first packets of a file.
private struct FirstPackets {
    struct Seen {
        var position: Int64
        var size: Int
        var pts: Int64?
        var duration: Int64
        var isKey: Bool
    }

    /// By the number of the stream.
    var packets: [Int: [Seen]] = [:]
    /// The bytes of each stream's first packet; of a film's first keyframe.
    var heads: [Int: [UInt8]] = [:]
    /// Where the last packet lies.
    var lastPosition: Int64 = -1

    /// Reads packets until there are enough of each stream, and films have come to a keyframe.
    ///
    /// - Returns: nil where that takes too long.
    /// - Throws: ``MediaError`` when it is cancelled.
    static func read(
        _ input: MediaInput,
        _ infos: [StreamInfo],
        least: Int,
        most: Int
    ) throws(MediaError) -> FirstPackets? {
        input.keepOnly(streams: Set(infos.map(\.index)))
        var result = FirstPackets()
        var missing = Set(infos.map(\.index))
        let packet = Packet()
        for _ in 0..<most {
            do {
                guard try input.read(into: packet) else { return nil }
            } catch {
                if error.isCancelled { throw error }
                return nil
            }
            let number = packet.streamIndex
            guard packet.size > 0 else { continue }
            guard packet.position >= 0, !packet.isEncrypted, packet.newExtradata == nil else { return nil }
            let isVideo = infos.first { $0.index == number }?.kind == .video
            if result.heads[number] == nil, packet.isKey || !isVideo { result.heads[number] = packet.bytes }
            result.packets[number, default: []].append(
                Seen(
                    position: packet.position,
                    size: packet.size,
                    pts: packet.pts,
                    duration: packet.duration,
                    isKey: packet.isKey
                )
            )
            result.lastPosition = max(result.lastPosition, packet.position)
            if result.packets[number]?.count ?? 0 >= least, result.heads[number] != nil { missing.remove(number) }
            if missing.isEmpty { return result }
        }
        return nil
    }
}

/// When pictures are decoded whose container says only when they are shown: in the order of showing, and as much
/// earlier as the decoder holds pictures back.
private struct DecodeOrder {
    let delay: Int
    let duration: Int64
    private var latest: [Int64] = []
    private var count = 0
    private var first: Int64 = 0

    init(delay: Int, duration: Int64) {
        self.delay = delay
        self.duration = duration
    }

    mutating func next(_ pts: Int64) -> Int64 {
        if count == 0 { first = pts }
        defer { count += 1 }
        if latest.count > delay { latest.removeFirst() }
        latest.insert(pts, at: latest.partitioningIndex { $0 > pts })
        return count < delay ? first - Int64(delay - count) * duration : latest[0]
    }
}
