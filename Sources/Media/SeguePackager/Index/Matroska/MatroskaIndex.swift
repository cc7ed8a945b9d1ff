internal import Foundation
internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// An indexer of Matroska files by block headers.
///
/// It compares libav's first packets with their blocks to map tracks to streams and to find offsets in time and size.
/// If they differ in any other way, it rejects the file.
struct MatroskaIndex {
    private let path: String
    private let bytes: FileBytes
    /// The size of the sections read in parallel, in bytes.
    private let stretch: Int64
    /// The number of bytes read in addition to ``bytes``.
    private var bytesRead: Int64 = 0
    private let cancellation: Cancellation
    private var lanes: [Int: Lane] = [:]
    private var jumps: JumpDetector
    /// The tracks with blocks that are not indexed.
    private var otherTracks: Set<Int> = []
    /// The state at the beginning of the last section.
    private var last: Place?

    /// A track and the packets from its blocks.
    fileprivate final class Lane {
        let notes: StreamNotes
        let info: StreamInfo
        /// The offset added to block times.
        let shift: Int64
        let duration: Int64
        let look: MatroskaStretch.Look
        private var order: DecodeOrder?

        init(_ notes: StreamNotes, _ info: StreamInfo, shift: Int64, duration: Int64) {
            (self.notes, self.info, self.shift, self.duration) = (notes, info, shift, duration)
            look = MatroskaStretch.Look(info)
            order = info.kind == .video ? DecodeOrder(delay: info.reorderDelay, duration: duration) : nil
        }

        /// The decode time of the frame with a presentation time.
        func decodeTime(of pts: Int64) -> Int64 { order?.next(pts) ?? pts }

        /// Copies the state of another track.
        init(copying other: Lane) {
            notes = StreamNotes(copying: other.notes)
            (info, shift, duration, look, order) = (other.info, other.shift, other.duration, other.look, other.order)
        }
    }

    /// The state of the walk at a cluster.
    fileprivate struct Place {
        let lanes: [Int: Lane]
        let jumps: JumpDetector
        let otherTracks: Set<Int>
        /// The position of the cluster.
        let cluster: Int64
    }

    /// The state at a cluster near the end of a file that grows, from which the next walk goes on.
    final class Checkpoint: @unchecked Sendable {
        // Sendable: never changed after its creation; a walk that goes on copies the tracks.
        fileprivate let place: Place

        fileprivate init(_ place: Place) { self.place = place }
    }

    /// The codecs whose packets equal the frames in blocks.
    private static let plainCodecs: Set = ["h264", "hevc", "aac", "ac3", "eac3", "mp3"]

    /// The maximum number of packets compared with blocks.
    private static let most = 4000
    /// The minimum number of packets compared per stream.
    private static let least = 12
    /// The minimum section size, in bytes.
    private static let leastStretch: Int64 = 16 << 20

    /// Indexes a file; returns the index and the bytes read in addition to the input's, or nil if the file must be read
    /// packet by packet.
    ///
    /// `input` is the same file, newly opened, and is left near its beginning.
    static func run(
        path: String,
        _ input: MediaInput,
        stretch: Int64? = nil,
        scans: FileScans? = nil,
        cancellation: Cancellation
    ) throws(MediaError) -> (index: FileIndex, bytesRead: Int64)? {
        guard input.formatName == "matroska,webm", let bytes = FileBytes(path: path) else { return nil }
        let infos = input.streams.filter { IndexScan.isWanted($0) }
        guard !infos.isEmpty, infos.allSatisfy(isPlain) else { return nil }
        guard let seen = try FirstPackets.read(input, infos, least: least, most: most) else { return nil }
        var walk = MatroskaIndex(
            path: path,
            bytes: bytes,
            stretch: stretch ?? max(leastStretch, bytes.size / 48),
            cancellation: cancellation,
            jumps: JumpDetector(allowsForwardJumps: input.allowsDiscontinuities)
        )
        do {
            if let last = scans?.lastWalk, walk.goOn(from: last, infos) {
                try walk.noteRest(MatroskaBlocks(bytes, atCluster: last.place.cluster), from: last.place.cluster)
            } else {
                try walk.run(infos, seen)
            }
            if let place = walk.last { scans?.keep(Checkpoint(place)) }
        } catch let error as MediaError {
            throw error
        } catch {
            return nil
        }
        var index = FileIndex(hasFingerprints: false)
        for lane in walk.lanes.values { index.streams[lane.info.index] = lane.notes.result }
        index.emptySubtitles = walk.emptySubtitles(input.streams)
        return (index, bytes.bytesRead + walk.bytesRead)
    }

    /// The subtitle streams whose tracks have no block; none if track numbers do not follow the order of streams.
    private func emptySubtitles(_ infos: [StreamInfo]) -> Set<Int> {
        guard lanes.allSatisfy({ $0 == $1.info.index + 1 }) else { return [] }
        return Set(infos.filter { $0.kind == .subtitle && !otherTracks.contains($0.index + 1) }.map(\.index))
    }

    private static func isPlain(_ info: StreamInfo) -> Bool {
        guard plainCodecs.contains(info.codec) else { return false }
        if info.kind == .video { return KeyFrame(info) != nil }
        return info.codec != "aac" || !info.extradata.isEmpty
    }

    private init(path: String, bytes: FileBytes, stretch: Int64, cancellation: Cancellation, jumps: JumpDetector) {
        self.path = path
        self.bytes = bytes
        self.stretch = stretch
        self.cancellation = cancellation
        self.jumps = jumps
    }

    private mutating func run(_ infos: [StreamInfo], _ seen: FirstPackets) throws {
        var blocks = try MatroskaBlocks(bytes)
        var first: [MatroskaBlocks.Block] = []
        while let block = try blocks.next() {
            first.append(block)
            if block.position >= seen.lastPosition { break }
        }
        guard assign(first, to: infos, seen) else { throw MatroskaBlocks.Disorder() }
        for block in first { try look(at: block) }
        try noteRest(blocks, from: 0)
    }

    /// Takes over the state at a cluster; false if the file has other streams now.
    private mutating func goOn(from checkpoint: Checkpoint, _ infos: [StreamInfo]) -> Bool {
        let place = checkpoint.place
        let known = place.lanes.values.map { ($0.info.index, $0.info.codec) }.sorted { $0.0 < $1.0 }
        guard known.elementsEqual(infos.map { ($0.index, $0.codec) }, by: ==), place.cluster < bytes.size else {
            return false
        }
        (jumps, otherTracks) = (place.jumps, place.otherTracks)
        lanes = place.lanes.mapValues(Lane.init(copying:))
        return true
    }

    /// Indexes the remaining blocks, with parallel reads of several sections; the first one begins at `base`.
    private mutating func noteRest(_ first: MatroskaBlocks, from base: Int64) throws {
        let (path, size, stretch, cancellation) = (path, bytes.size, stretch, cancellation)
        let tracks = lanes.mapValues(\.look)
        let count = max(1, Int((size - base + stretch - 1) / stretch))
        let ranges = (0..<count).map { number in
            base + Int64(number) * stretch..<(number + 1 < count ? base + Int64(number + 1) * stretch : .max)
        }
        let ahead = ValuesAhead(1..<count, threads: ProcessInfo.processInfo.activeProcessorCount) { number in
            MatroskaStretch(path: path, range: ranges[number], tracks: tracks, cancellation: cancellation)
        }
        var place = try walk(first, before: ranges[0].upperBound)
        for number in 1..<count {
            guard let begin = place else { break }
            guard begin < ranges[number].upperBound else { continue }
            if number == count - 1 {
                let copies = lanes.mapValues(Lane.init(copying:))
                last = Place(lanes: copies, jumps: jumps, otherTracks: otherTracks, cluster: begin)
            }
            let next = ahead.value(number)
            try cancellation.check("index", file: path)
            bytesRead += next.bytesRead
            if next.begin == begin {
                for found in next.found { try note(found) }
                otherTracks.formUnion(next.otherTracks)
                guard next.isOrderly else { throw MatroskaBlocks.Disorder() }
                place = next.end
            } else {
                // The supposed cluster was not one.
                place = try walk(MatroskaBlocks(bytes, atCluster: begin), before: ranges[number].upperBound)
            }
        }
    }

    /// Indexes blocks up to a limit; returns the next cluster's position, or nil at the end of the file.
    private mutating func walk(_ blocks: MatroskaBlocks, before limit: Int64) throws -> Int64? {
        var blocks = blocks
        var count = 0
        while let block = try blocks.next(before: limit) {
            count += 1
            if count % 1024 == 0 { try cancellation.check("index", file: path) }
            try look(at: block)
        }
        return blocks.stop
    }

    /// Maps tracks to streams; false if blocks and packets do not match.
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
            let (shift, isTooFar) = time.subtractingReportingOverflow(one.time)
            guard !isTooFar else { return false }
            for block in own {
                guard let packet = packets.first(where: { $0.position == block.position }) else { return false }
                guard packet.pts == block.time + shift, packet.isKey == (info.kind == .audio || block.isKey) else {
                    return false
                }
            }
            let durations = packets.map(\.duration).sorted()
            let duration = durations[durations.count / 2]
            // Longer values are not frames and would overflow sums with block times.
            guard shift.magnitude < 1 << 60, (0..<1 << 50).contains(duration) else { return false }
            let notes = StreamNotes(info, hasFingerprints: false)
            notes.begin(with: seen.heads[info.index] ?? [])
            lanes[one.track] = Lane(notes, info, shift: shift, duration: duration)
        }
        return true
    }

    /// Examines a block's content and indexes its frames.
    private mutating func look(at block: MatroskaBlocks.Block) throws(MatroskaBlocks.Disorder) {
        guard let lane = lanes[block.track] else {
            otherTracks.insert(block.track)
            return
        }
        try note(lane.look.found(block, in: bytes))
    }

    /// Indexes a block's frames.
    private mutating func note(_ found: MatroskaStretch.Found) throws(MatroskaBlocks.Disorder) {
        let block = found.block
        guard let lane = lanes[block.track] else { return }
        let count = max(1, block.laced.count)
        var content = block.content
        let duration = block.duration.map { $0 / Int64(count) } ?? lane.duration
        for number in 0..<count {
            let size = block.laced.isEmpty ? block.size : block.laced[number]
            guard size > 0 else { continue }
            let pts = block.time + lane.shift + Int64(number) * duration
            guard let lead = UInt16(exactly: content - block.position) else { throw MatroskaBlocks.Disorder() }
            var dropped = 0
            if block.discardedAtEnd != 0, number == count - 1 {
                let samples = Rational(block.discardedAtEnd, 1_000_000_000).rounded(scale: Int64(lane.info.sampleRate))
                // The limit of libav's field.
                dropped = Int(UInt32(clamping: samples))
            }
            let isLacedAudio = lane.info.kind == .audio && count > 1
            lane.notes.append(
                StreamNotes.Seen(
                    pts: pts,
                    dts: lane.decodeTime(of: pts),
                    duration: duration,
                    position: block.position,
                    lead: lead,
                    size: size,
                    isKey: lane.info.kind == .audio || block.isKey,
                    skip: SampleSkip(start: 0, end: dropped),
                    coding: isLacedAudio ? lane.look.coding(at: content, size: size, in: bytes) : found.coding
                ),
                jumps: &jumps
            )
            content += Int64(size)
        }
    }
}

/// Derives decode times from presentation times: display order, earlier by the reorder delay.
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
