internal import SegueFFmpeg

/// A parser of Matroska and WebM block headers that skips the content.
///
/// RFC 9559 defines the elements, RFC 8794 their encoding. Any irregularity ends the parse, and the file is then read
/// packet by packet with a damage-tolerant demuxer.
struct MatroskaBlocks {
    /// A block of one or more frames with one timestamp.
    struct Block: Equatable, Sendable {
        /// The track number.
        var track: Int
        /// The position of the content, behind the element's header.
        var position: Int64
        /// The position of the first frame.
        var content: Int64
        /// The size of the only frame, or of all frames.
        var size: Int
        /// The frame sizes if there are several.
        var laced: [Int] = []
        /// The presentation time, in the file's ticks.
        var time: Int64
        /// The duration in the file's ticks, if present.
        var duration: Int64?
        /// True if the block references no other.
        var isKey: Bool
        /// The duration discarded at the end, in nanoseconds.
        var discardedAtEnd: Int64 = 0

        /// The frame sizes.
        var sizes: [Int] { laced.isEmpty ? [size] : laced }
    }

    /// An error for an irregular structure.
    struct Disorder: Error {}

    /// The start of the cluster at which parsing stopped; nil if it did not stop.
    private(set) var stop: Int64?

    private let file: FileBytes
    private var place: Int64
    /// The end of the cluster; nil if unknown.
    private var clusterEnd: Int64?
    private var clusterTime: Int64?

    /// The identifier of a cluster.
    static let clusterMark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
    /// The search limit for a cluster behind a truncated element, in bytes.
    private static let greatestCut: Int64 = 64 << 20

    private enum ID {
        static let header = 0x1A45_DFA3
        static let segment = 0x1853_8067
        static let cluster = 0x1F43_B675
        static let time = 0xE7
        static let simpleBlock = 0xA3
        static let group = 0xA0
        static let block = 0xA1
        static let duration = 0x9B
        static let reference = 0xFB
        static let discard = 0x75A2
        /// SeekHead, Info, Tracks, Cues, Tags, Attachments, Chapters.
        static let besideClusters: Set = [
            0x114D_9B74, 0x1549_A966, 0x1654_AE6B, 0x1C53_BB6B, 0x1254_C367, 0x1941_A469, 0x1043_A770,
        ]
        /// Void, CRC-32, PrevSize, Position, SilentTracks.
        static let unimportant: Set = [0xEC, 0xBF, 0xAB, 0xA7, 0x5854]
        /// All elements allowed in a segment or a cluster.
        static let known = besideClusters.union(unimportant).union([time, simpleBlock, group])
        /// The elements BlockAdditions and ReferencePriority.
        static let besideBlock: Set = [0x75A1, 0xFA]
    }

    /// Starts at the beginning of a file.
    init(_ file: FileBytes) throws(Disorder) {
        self.file = file
        place = 0
        guard let header = try element(), header.id == ID.header, let end = header.end else { throw Disorder() }
        place = end
        guard let segment = try element(), segment.id == ID.segment else { throw Disorder() }
        place = segment.start
    }

    /// Starts at a cluster.
    init(_ file: FileBytes, atCluster place: Int64) {
        self.file = file
        self.place = place
    }

    /// Returns the next block; nil at the end of the file or at a cluster beyond `limit`, whose position is then in
    /// ``stop``.
    mutating func next(before limit: Int64 = .max) throws(Disorder) -> Block? {
        stop = nil
        while true {
            if let end = clusterEnd, place >= end {
                guard place == end else { throw Disorder() }
                clusterEnd = nil
                clusterTime = nil
            }
            guard let found = try element() else { return nil }
            if found.id != ID.cluster, let end = found.end, end > file.size {
                guard isCutShort(found, end) else { throw Disorder() }
                return nil
            }
            switch found.id {
            case ID.cluster:
                guard place < limit else {
                    stop = place
                    return nil
                }
                clusterEnd = found.end
                clusterTime = nil
                place = found.start
            case ID.time:
                clusterTime = try number(found)
                place = found.end ?? place
            case ID.simpleBlock:
                let block = try self.block(found, isSimple: true)
                place = found.end ?? place
                return block
            case ID.group:
                if let block = try group(found) { return block }
            case let id where ID.besideClusters.contains(id) || ID.unimportant.contains(id):
                guard let end = found.end else { throw Disorder() }
                place = end
            default: throw Disorder()
            }
        }
    }

    /// True if an element is truncated by the end of the file and not garbage: it fits into its cluster, and no cluster
    /// begins behind it.
    private func isCutShort(_ element: Element, _ end: Int64) -> Bool {
        guard ID.known.contains(element.id), clusterEnd.map({ end <= $0 }) ?? true else { return false }
        guard file.size - place <= MatroskaBlocks.greatestCut else { return false }
        return file.place(of: MatroskaBlocks.clusterMark, in: place..<file.size) == nil
    }

    /// An element's identifier, content start, and end if known.
    private typealias Element = (id: Int, start: Int64, end: Int64?)

    /// The element at the current position; nil at the end of the file.
    private func element() throws(Disorder) -> Element? {
        let head = file.head(at: place)
        guard head.count > 0 else { return nil }
        let idLength = head.first.leadingZeroBitCount + 1
        guard idLength <= 4 else { throw Disorder() }
        guard head.count > idLength else { return nil }
        let id = Int(head.first >> UInt64(64 - 8 * idLength))
        let rest = head.first << UInt64(8 * idLength) | head.last >> UInt64(64 - 8 * idLength)
        guard let size = try sized(rest, count: head.count - idLength) else { return nil }
        let start = place + Int64(idLength + size.length)
        guard let value = size.value else { return (id, start, nil) }
        guard value <= Int64.max - start else { throw Disorder() }
        return (id, start, start + value)
    }

    /// Parses a variable-length number from eight big-endian bytes; the value is nil if all bits are set, the result
    /// nil if the file ends within it.
    private func sized(_ bytes: UInt64, count: Int) throws(Disorder) -> (value: Int64?, length: Int)? {
        let length = bytes.leadingZeroBitCount + 1
        guard count > 0 else { return nil }
        guard length <= 8 else { throw Disorder() }
        guard length <= count else { return nil }
        let value = (bytes & UInt64.max >> UInt64(length)) >> UInt64(64 - 8 * length)
        return (value == UInt64.max >> UInt64(64 - 7 * length) ? nil : Int64(value), length)
    }

    private func sized(at place: Int64) throws(Disorder) -> (value: Int64?, length: Int)? {
        let head = file.head(at: place)
        return try sized(head.first, count: head.count)
    }

    private func number(_ element: Element) throws(Disorder) -> Int64 {
        guard let end = element.end, end - element.start <= 8 else { throw Disorder() }
        var value: UInt64 = 0
        for place in element.start..<end {
            guard let byte = file.byte(at: place) else { throw Disorder() }
            value = value << 8 | UInt64(byte)
        }
        guard value <= UInt64(Int64.max / 4) else { throw Disorder() }
        return Int64(value)
    }

    private mutating func group(_ group: Element) throws(Disorder) -> Block? {
        guard let end = group.end else { throw Disorder() }
        place = group.start
        var block: Block?
        var duration: Int64?
        var isReferring = false
        var discarded: Int64 = 0
        while place < end {
            guard let found = try element(), let foundEnd = found.end, foundEnd <= end else { throw Disorder() }
            switch found.id {
            case ID.block:
                guard block == nil else { throw Disorder() }
                block = try self.block(found, isSimple: false)
            case ID.duration: duration = try number(found)
            case ID.reference: isReferring = true
            case ID.discard:
                // The number is signed; a negative value discards the beginning.
                discarded = try number(found)
                guard (file.byte(at: found.start) ?? 0) < 0x80 else { throw Disorder() }
            case let id where ID.besideBlock.contains(id) || ID.unimportant.contains(id): break
            default: throw Disorder()
            }
            place = foundEnd
        }
        block?.duration = duration
        block?.isKey = !isReferring
        block?.discardedAtEnd = discarded
        return block
    }

    private func block(_ element: Element, isSimple: Bool) throws(Disorder) -> Block {
        let head = file.head(at: element.start)
        guard let end = element.end, let clusterTime, let track = try sized(head.first, count: head.count),
            let number = track.value, number <= Int64(Int32.max)
        else { throw Disorder() }
        let fixed = element.start + Int64(track.length)
        guard fixed + 3 <= end, head.count >= track.length + 3 else { throw Disorder() }
        let rest = head.first << UInt64(8 * track.length) | head.last >> UInt64(64 - 8 * track.length)
        let flags = UInt8(truncatingIfNeeded: rest >> 40)
        var content = fixed + 3
        let laced = flags & 6 == 0 ? [] : try sizes(lacing: flags >> 1 & 3, from: &content, to: end)
        return Block(
            track: Int(number),
            position: element.start,
            content: content,
            size: Int(end - content),
            laced: laced,
            time: clusterTime + Int64(Int16(truncatingIfNeeded: rest >> 48)),
            duration: nil,
            isKey: isSimple && flags & 0x80 != 0
        )
    }

    /// Parses the frame sizes of a laced block and moves `place` to the first frame.
    private func sizes(lacing: UInt8, from place: inout Int64, to end: Int64) throws(Disorder) -> [Int] {
        guard let more = file.byte(at: place) else { throw Disorder() }
        place += 1
        var sizes: [Int] = []
        switch lacing {
        case 1:
            for _ in 0..<more {
                var size = 0
                while true {
                    guard let byte = file.byte(at: place) else { throw Disorder() }
                    place += 1
                    size += Int(byte)
                    if byte < 255 { break }
                }
                sizes.append(size)
            }
        case 2:
            let each = (end - place) / (Int64(more) + 1)
            guard each > 0, each * (Int64(more) + 1) == end - place else { throw Disorder() }
            return Array(repeating: Int(each), count: Int(more) + 1)
        default:
            for number in 0..<more {
                guard let next = try sized(at: place), var size = next.value else { throw Disorder() }
                place += Int64(next.length)
                // Differences are relative to the middle of their range.
                if number > 0 { size += Int64(sizes.last ?? 0) - ((Int64(1) << Int64(7 * next.length - 1)) - 1) }
                guard size > 0, size <= end - place else { throw Disorder() }
                sizes.append(Int(size))
            }
        }
        let last = end - place - Int64(sizes.reduce(0, +))
        guard last > 0 else { throw Disorder() }
        return sizes + [Int(last)]
    }
}
