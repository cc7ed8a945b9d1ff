internal import SegueBase
internal import SegueFFmpeg

/// A packet that is no frame of its own.
struct PartialPacket: Sendable, Equatable {
    /// The relation of the packet to its neighbors.
    enum Kind: UInt8, Sendable {
        /// Delimiters, parameter sets, or messages of the next frame.
        case joinsNext
        /// The rest of the preceding frame, such as filler data or an end of sequence.
        case joinsPrevious
        /// A leading frame that refers to frames before the start of the stream (HEVC's RASL), so no decoder outputs it.
        case isSkipped
    }

    var packet: Int
    var kind: Kind
}

/// A classifier of H.264 and HEVC packets by the types of their NAL units.
struct PictureParts: Sendable {
    /// The content of a packet.
    enum Content: Equatable {
        case picture
        /// A frame that refers to frames before the preceding random access point (RASL).
        case skippedLeading
        case partial(PartialPacket.Kind)
    }

    private let framing: UnitFraming

    /// Creates a classifier; nil for unsupported codecs and framings.
    init?(_ info: StreamInfo) {
        guard let framing = UnitFraming(info) else { return nil }
        self.framing = framing
    }

    /// The maximum number of units before the first slice.
    private static let patience = 64

    /// Classifies a packet; damage counts as a picture.
    ///
    /// `byte` returns one of its bytes, or nil if it cannot be read.
    func content(size: Int, byte: (Int) -> UInt8?) -> Content {
        var place = 0
        var joinsNext = false
        for _ in 0..<PictureParts.patience {
            if place == size, size > 0 { return .partial(joinsNext ? .joinsNext : .joinsPrevious) }
            guard let length = framing.length(at: &place, byte) else { return .picture }
            guard length > 0, length <= size - place, let first = byte(place) else { return .picture }
            if framing.isHEVC {
                // ITU-T H.265, table 7-1: 8 and 9 are RASL, 0 to 31 slices.
                let type = first >> 1 & 63
                if type < 32 { return (8...9).contains(type) ? .skippedLeading : .picture }
                joinsNext = joinsNext || (32...35).contains(type) || type == 39
            } else {
                // ITU-T H.264, table 7-1: 1 to 5 are slices; 6 to 9 and 13 to 15 precede those of a picture.
                let type = first & 31
                if (1...5).contains(type) { return .picture }
                joinsNext = joinsNext || (6...9).contains(type) || (13...15).contains(type)
            }
            place += length
        }
        return .picture
    }

    /// The maximum size of packets that are checked in a file whose index has no content, in bytes.
    private static let greatestPart: Int32 = 1024
    /// The maximum size of packets that are all checked even if the first ones are frames, in bytes.
    private static let leastFrame: Int32 = 24
    /// The number of small packets that show whether a file has partial packets.
    private static let sample = 64
    /// The number of packets after the first keyframe that may be leading.
    private static let greatestLead = 64

    /// Finds the partial packets of a stream in a file with content positions.
    static func found(in stream: StreamIndex, file: FileBytes) -> [PartialPacket] {
        guard let parts = PictureParts(stream.info) else { return [] }
        let content = { (packet: IndexedPacket) in
            parts.content(size: Int(packet.size)) {
                $0 < Int(packet.size) ? file.byte(at: packet.contentStart + Int64($0)) : nil
            }
        }
        var result: [PartialPacket] = []
        var checked = 0
        for (number, packet) in stream.packets.enumerated() where packet.size <= greatestPart {
            guard checked < sample || !result.isEmpty || packet.size <= leastFrame else { continue }
            checked += 1
            if case .partial(let kind) = content(packet) { result.append(PartialPacket(packet: number, kind: kind)) }
        }
        guard parts.framing.isHEVC, let key = stream.packets.firstIndex(where: \.isKey) else { return result }
        var lead = LeadingFrames()
        for number in key..<min(stream.packets.count, key + greatestLead) {
            let packet = stream.packets[number]
            guard number == key || packet.pts < stream.packets[key].pts else { continue }
            if lead.isSkipped(content(packet), isKey: packet.isKey) {
                result.append(PartialPacket(packet: number, kind: .isSkipped))
            }
        }
        return result.sorted { $0.packet < $1.packet }
    }
}

extension FileIndex {
    /// Finds the packets that are no frames of their own; returns the number of bytes read.
    mutating func findPartialPackets(path: String) -> Int64 {
        guard let file = FileBytes(path: path, isInOrder: false) else { return 0 }
        for stream in streams.values where stream.info.kind == .video {
            streams[stream.info.index]?.partial = PictureParts.found(in: stream, file: file)
        }
        return file.bytesRead
    }
}

extension FileIndex {
    /// The index with the rates of frames, not of packets, in its descriptions.
    var withTrueFrameRates: FileIndex {
        var result = self
        for stream in streams.values where !stream.partial.isEmpty {
            let frames = stream.packets.count - stream.partial.count
            guard let rate = stream.info.averageFrameRate, frames > 0 else { continue }
            let share = Rational(Int64(frames), Int64(stream.packets.count))
            result.streams[stream.info.index]?.info = stream.info.with(averageFrameRate: rate * share)
        }
        return result
    }
}

/// A detector of leading frames that cannot be decoded at the start of a stream.
struct LeadingFrames: Sendable {
    private var keys = 0

    /// True if a packet is such a frame; packets come in decode order.
    mutating func isSkipped(_ content: PictureParts.Content, isKey: Bool) -> Bool {
        if isKey { keys += 1 }
        return keys == 1 && content == .skippedLeading
    }
}

/// The packets of each frame, if some packets are no frames of their own.
struct JoinedPackets: Sendable {
    /// The first packet of each frame, and the packet after the last frame.
    let starts: [Int]
    /// The packet with the slices of each frame.
    let pictures: [Int]
    /// The skipped packets.
    private let skipped: Set<Int>
    /// The number of packets that belong to another packet's frame.
    let joined: Int

    /// Groups the packets of a range; nil if each packet is a frame.
    init?(_ partial: [PartialPacket], _ range: ClosedRange<Int>) {
        let partial = partial.filter { range.contains($0.packet) }
        guard !partial.isEmpty else { return nil }
        let kinds = Dictionary(partial.map { ($0.packet, $0.kind) }, uniquingKeysWith: { $1 })
        var (starts, pictures, start) = ([Int](), [Int](), nil as Int?)
        for number in range {
            switch kinds[number] {
            case .joinsNext: start = start ?? number
            case .joinsPrevious, .isSkipped: break
            case nil:
                // The first frame has everything before it.
                starts.append(pictures.isEmpty ? range.lowerBound : start ?? number)
                pictures.append(number)
                start = nil
            }
        }
        self.starts = starts + [range.upperBound + 1]
        self.pictures = pictures
        skipped = Set(partial.filter { $0.kind == .isSkipped }.map(\.packet))
        joined = partial.count - skipped.count
    }

    /// The frame of a packet; nil if it is skipped.
    func place(ofPacket number: Int) -> Int? {
        guard !skipped.contains(number) else { return nil }
        return max(0, starts.partitioningIndex { $0 > number } - 1)
    }
}
