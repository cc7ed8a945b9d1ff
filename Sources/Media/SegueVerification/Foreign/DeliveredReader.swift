internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Reads the segments of a delivered stream like a player that concatenates them: everything between two
/// discontinuities is one input.
struct DeliveredReader {
    /// The receiver of the packets.
    protocol Listener: AnyObject {
        /// A section begins that does not continue the preceding timestamps or encodings.
        func begin(section: Int)
        /// Receives a packet of the first audio or video track; `packedStart` is the start declared by a packed audio
        /// segment.
        func take(_ packet: Packet, of stream: StreamInfo, segment: Int, packedStart: Double?) throws
        /// The section ends; decoders must be drained.
        func end() throws
    }

    /// The segments that could not be read, with reasons.
    private(set) var failures: [(segment: Int, message: Message)] = []
    /// The number of bytes read.
    private(set) var bytes = 0

    private let stream: DeliveredStream
    private let cancellation: Cancellation

    init(_ stream: DeliveredStream, _ cancellation: Cancellation) {
        (self.stream, self.cancellation) = (stream, cancellation)
    }

    /// Reads all segments.
    mutating func read(to listener: any Listener) throws {
        var (first, section) = (0, -1)
        while first < stream.segments.count {
            let segment = stream.segments[first]
            let rest = stream.segments[(first + 1)...]
            let end =
                rest.firstIndex { $0.startsDiscontinuity || $0.initSection != segment.initSection }
                ?? stream.segments.count
            // A change of only the initialization section does not move timestamps.
            if section < 0 || segment.startsDiscontinuity { section += 1 }
            listener.begin(section: section)
            first = try read(first..<end, to: listener)
            try listener.end()
        }
    }

    /// Reads contiguous segments; returns the number of the segment at which to continue.
    private mutating func read(_ numbers: Range<Int>, to listener: any Listener) throws -> Int {
        let pieces = SegmentPieces(stream, numbers)
        defer { bytes += pieces.byteCount }
        let opened = Result {
            try MediaInput(pieces: pieces.next, name: stream.name, format: pieces.format(), cancellation: cancellation)
        }
        if let failure = pieces.failure { throw failure }
        switch opened {
        case .success(let input):
            let heard = try read(input, pieces, from: numbers.lowerBound, to: listener)
            if let failure = pieces.failure { throw failure }
            for number in numbers where !heard.contains(number) && pieces.isSubstantial(number) {
                failures.append((number, "has no readable audio or video"))
            }
            return numbers.upperBound
        case .failure(let error):
            guard let error = error as? MediaError, !error.isCancelled else { throw error }
            failures.append((numbers.lowerBound, "cannot be read: \(quoting: error.reason)"))
            return numbers.lowerBound + 1
        }
    }

    /// Reads an input to its end; returns the numbers of the segments with content.
    private func read(
        _ input: MediaInput,
        _ pieces: SegmentPieces,
        from first: Int,
        to listener: any Listener
    ) throws -> Set<Int> {
        let wanted = [StreamKind.audio, .video].compactMap { kind in
            input.streams.first { $0.kind == kind && $0.canDecode }?.index
        }
        var heard: Set<Int> = []
        let packet = Packet()
        var (refused, place) = (0, first)
        while refused <= Self.patience {
            switch Result(catching: { try input.read(into: packet) }) {
            case .success(false): return heard
            case .success(true):
                guard wanted.contains(packet.streamIndex) else { continue }
                if let segment = pieces.segment(at: packet.position) { place = segment }
                let packed = heard.insert(place).inserted ? pieces.packedStarts[place] : nil
                try listener.take(packet, of: input.streams[packet.streamIndex], segment: place, packedStart: packed)
            case .failure(let error):
                if let error = error as? MediaError, error.isCancelled { throw error }
                refused += 1
            }
        }
        return heard
    }

    /// The maximum number of read errors.
    private static let patience = 16
}

/// The concatenated bytes of segments with their offsets.
private final class SegmentPieces {
    private(set) var packedStarts: [Int: Double] = [:]
    private(set) var byteCount = 0

    private let stream: DeliveredStream
    private var numbers: Range<Int>
    private var needsInit: Bool
    private var ahead: [UInt8]?
    private var places: [(place: Int64, segment: Int, count: Int)] = []
    private var end: Int64 = 0

    init(_ stream: DeliveredStream, _ numbers: Range<Int>) {
        (self.stream, self.numbers) = (stream, numbers)
        needsInit = stream.segments[numbers.lowerBound].initSection != nil
    }

    /// The fetch error, if any.
    private(set) var failure: (any Error)?

    /// libav's format name for the bytes, if probing cannot detect it.
    func format() -> String? {
        ahead = next()
        return ahead.flatMap(SegmentFormat.name)
    }

    /// The next bytes; nil at the end or if fetching fails.
    func next() -> [UInt8]? {
        if let ahead {
            self.ahead = nil
            return ahead
        }
        do {
            return try fetch()
        } catch {
            failure = error
            return nil
        }
    }

    private func fetch() throws -> [UInt8]? {
        guard let number = numbers.first else { return nil }
        if needsInit, let section = stream.segments[number].initSection {
            needsInit = false
            let bytes = try stream.initSection(section)
            byteCount += bytes.count
            end += Int64(bytes.count)
            return bytes
        }
        numbers = numbers.dropFirst()
        var bytes = try stream.bytes(number)
        byteCount += bytes.count
        if let tag = PackedAudioTag(bytes) {
            packedStarts[number] = tag.seconds
            bytes.removeFirst(tag.size)
        }
        places.append((end, number, bytes.count))
        end += Int64(bytes.count)
        return bytes
    }

    /// The segment of a byte offset; nil if unknown.
    func segment(at place: Int64) -> Int? {
        guard place >= 0 else { return nil }
        return places.last { $0.place <= place }?.segment
    }

    /// True if a segment was fetched and has more than a few bytes.
    func isSubstantial(_ number: Int) -> Bool { places.contains { $0.segment == number && $0.count > 64 } }
}
