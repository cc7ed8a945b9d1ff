internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// The contents of one delivered segment, read separately.
final class SegmentReading: @unchecked Sendable {
    // Sendable: the reading thread hands it over completely and keeps nothing.

    let number: Int
    let byteCount: Int
    /// The streams in the segment.
    private(set) var streams: [StreamInfo] = []
    private(set) var alone: LoneSegment
    /// The audio packets with the index of their audio track.
    private(set) var audioPackets: [(track: Int, packet: Packet, stream: StreamInfo)] = []
    /// The frames of each video track; nil if the segment has none.
    private(set) var films: [SegmentVideo?]
    /// The error that ended reading.
    private(set) var failure: MediaError?

    /// Reads a segment; rethrows fetch errors, and throws ``MediaError`` if canceled.
    init(_ number: Int, of delivery: Delivery, depth: LoneSegment.Depth, _ cancellation: Cancellation) throws {
        self.number = number
        let bytes = try delivery.segment(number)
        byteCount = bytes.count
        alone = LoneSegment(number: number, description: delivery.description, depth: depth)
        let tracks = delivery.description.tracks.filter { $0.kind == .video }
        films = tracks.map { _ in nil }
        do {
            try read(bytes, delivery: delivery, tracks: tracks, cancellation: cancellation)
        } catch let error as MediaError where !error.isCancelled {
            failure = error
        }
    }

    private func read(
        _ bytes: [UInt8],
        delivery: Delivery,
        tracks: [TrackDescription],
        cancellation: Cancellation
    ) throws {
        let container = delivery.description.container
        let input = try MediaInput(
            bytes: container == .fmp4 ? delivery.initSegment + bytes : bytes,
            name: "segment \(number)",
            format: container == .fmp4 ? "mov" : "mpegts",
            cancellation: cancellation
        )
        streams = input.streams
        let audio = input.streams.filter { $0.kind == .audio }.map(\.index)
        let video = input.streams.filter { $0.kind == .video }.map(\.index)
        let coders = Dictionary(uniqueKeysWithValues: input.streams.map { ($0.index, CodedFrame($0)) })
        let packet = Packet()
        // Frames that a decoder outputs before one that fails count.
        defer { for place in films.indices { films[place]?.dropDecoder() } }
        while try input.read(into: packet) {
            guard input.streams.indices.contains(packet.streamIndex) else { continue }
            let stream = input.streams[packet.streamIndex]
            if let place = audio.firstIndex(of: stream.index) {
                audioPackets.append((place, packet.copy(), stream))
            } else if let place = video.firstIndex(of: stream.index), place < films.count,
                let coder = coders[stream.index]
            {
                if films[place] == nil { films[place] = SegmentVideo(of: tracks[place], segment: number) }
                try films[place]?.take(packet, of: stream, coder: coder)
            }
            if stream.kind == .audio || stream.kind == .video { alone.take(packet, of: stream) }
        }
        for place in films.indices { try films[place]?.finish() }
        alone.close(input.streams)
    }
}

/// The frames of one track in a segment.
struct SegmentVideo {
    /// A decoded frame with its presentation time in seconds.
    struct Decoded {
        var small: SmallFrame
        var time: Double?
    }

    /// The transform that a player applies; nil without frames.
    private(set) var turn: VideoRotation?
    /// The coded frames of a copied track.
    private(set) var coded: [VideoComparator.Frame] = []
    /// The decoded frames of any other track in display order, decoded from the segment's start.
    private(set) var decoded: [Decoded] = []

    private let isCopied: Bool
    private let segment: Int
    private var shrinker: FrameShrinker
    private var decoder: Decoder?
    private var unit = Rational.zero
    private var matrix: [Int32]?
    private let size: (width: Int, height: Int)

    fileprivate init(of track: TrackDescription, segment: Int) {
        isCopied = track.treatment == .copy && !track.isStill
        self.segment = segment
        size = SmallFrame.size(for: track.width, track.height)
        shrinker = FrameShrinker(width: size.width, height: size.height)
    }

    fileprivate mutating func take(_ packet: Packet, of stream: StreamInfo, coder: CodedFrame) throws {
        turn = turn ?? stream.turn
        guard !isCopied else {
            if let frame = VideoComparator.Frame(packet, stream: stream, coder: coder) { coded.append(frame) }
            return
        }
        if decoder == nil {
            decoder = try Decoder(stream: stream, file: "segment \(segment)")
            unit = stream.timeBase
            matrix = stream.displayMatrix
            if stream.isOnItsSide { shrinker = FrameShrinker(width: size.height, height: size.width) }
        }
        try decode(packet)
    }

    fileprivate mutating func finish() throws {
        if decoder != nil { try decode(nil) }
    }

    fileprivate mutating func dropDecoder() { decoder = nil }

    private mutating func decode(_ packet: Packet?) throws {
        try decoder?.decode(packet) { frame in
            let time = frame.bestEffortTimestamp.map { (Rational($0) * unit).seconds }
            let small = try shrinker.shrink(frame)
            decoded.append(Decoded(small: matrix.map { small.shown(by: $0) } ?? small, time: time))
        }
    }
}
