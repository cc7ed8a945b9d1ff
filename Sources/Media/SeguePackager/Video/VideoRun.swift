internal import SegueBase
internal import SegueFFmpeg

/// Decoded frames on their way to the encoder: filtered where they have to be, coded in the order of showing.
struct VideoRun {
    private let settings: VideoEncoderSettings
    private let times: TimeList
    private let range: Range<Int>
    private let hasNeighbours: Bool
    private let encoder: VideoEncoder
    private var chain: (filter: VideoFilter?, input: VideoFilterChain.Input)?
    /// The places of frames in the filter, in order; nil for those that are there for their neighbours.
    private var filtered: [Int?] = []
    private var sent: Int64 = 0
    /// The last frame before the first that counts.
    private var before: Frame?
    private var last: Int?
    private var isOver = false
    private var coded: [VideoTranscoder.Coded] = []
    private var encoded: [Int] = []

    /// Begins with a fresh encoder.
    ///
    /// - Parameters:
    ///   - settings: How frames are filtered and coded.
    ///   - quality: x264's constant quality.
    ///   - times: When each frame of the film is shown.
    ///   - range: The places of those that count.
    ///   - hasNeighbours: True if frames are filtered with the one before and the one after.
    /// - Throws: ``MediaError`` if the encoder cannot be opened.
    init(
        settings: VideoEncoderSettings,
        quality: Double,
        times: TimeList,
        range: Range<Int>,
        with hasNeighbours: Bool
    ) throws {
        self.settings = settings
        self.times = times
        self.range = range
        self.hasNeighbours = hasNeighbours
        encoder = try settings.open(quality: quality)
    }

    /// Takes a decoded frame, all in the order of showing.
    ///
    /// - Parameters:
    ///   - frame: The frame; it is used again by the decoder.
    ///   - place: Its place among the delivered ones; nil where it is none of the range's.
    /// - Throws: ``MediaError`` if it cannot be filtered or coded.
    mutating func take(_ frame: Frame, place: Int?) throws {
        if let place {
            guard place > last ?? -1 else { return }
            if let neighbour = before {
                before = nil
                try send(neighbour, place: nil)
            }
            last = place
            try send(frame, place: place)
        } else if hasNeighbours, last == nil {
            before = frame.taken()
        } else if hasNeighbours, !isOver {
            isOver = last == range.upperBound - 1
            try send(frame, place: nil)
        }
    }

    /// Ends the run: the coded frames.
    mutating func finish() throws -> [VideoTranscoder.Coded] {
        try emptyChain()
        guard last != nil else { return [] }
        try encode(nil)
        return coded
    }

    private mutating func send(_ frame: Frame, place: Int?) throws {
        let input = VideoFilterChain.Input(frame)
        if chain?.input != input {
            try emptyChain()
            chain = (try settings.filter(for: frame, input, isInterlaced: hasNeighbours), input)
        }
        guard let filter = chain?.filter else { return try deliver(frame, place: place) }
        frame.pts = sent
        sent += 1
        filtered.append(place)
        var results: [Frame] = []
        try filter.send(frame) { results.append($0) }
        try deliver(results)
    }

    private mutating func emptyChain() throws {
        guard let filter = chain?.filter else { return }
        var results: [Frame] = []
        try filter.send(nil) { results.append($0) }
        try deliver(results)
        chain = nil
    }

    /// Filters give one frame for each, in order.
    private mutating func deliver(_ frames: [Frame]) throws {
        for frame in frames where !filtered.isEmpty { try deliver(frame, place: filtered.removeFirst()) }
    }

    private mutating func deliver(_ frame: Frame, place: Int?) throws {
        guard let place else { return }
        frame.pts = times[place]
        encoded.append(place)
        try encode(frame)
    }

    /// Packets come in the order of the frames, as no frame is coded out of order.
    private mutating func encode(_ frame: Frame?) throws {
        var output: [(bytes: [UInt8], isKey: Bool)] = []
        try encoder.encode(frame, forceKey: encoded.count == 1) { output.append(($0.bytes, $0.isKey)) }
        for packet in output {
            coded.append(
                VideoTranscoder.Coded(place: encoded[coded.count], bytes: packet.bytes, isKey: packet.isKey)
            )
        }
    }
}
