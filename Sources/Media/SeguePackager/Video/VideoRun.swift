internal import SegueBase
internal import SegueFFmpeg

/// A pipeline from decoded to coded frames: optional filters, then encoding in display order.
struct VideoRun {
    private let settings: VideoEncoderSettings
    private let times: TimeList
    private let range: Range<Int>
    private let hasNeighbours: Bool
    private let encoder: VideoEncoder
    private var overlay: SubtitleOverlay?
    private var chain: (filter: VideoFilter?, input: VideoFilterChain.Input)?
    /// The numbers of the frames in the filter, in order; nil for neighbors only.
    private var filtered: [Int?] = []
    private var sent: Int64 = 0
    /// The last frame before the first wanted one.
    private var before: Frame?
    private var last: Int?
    private var isOver = false
    private var coded: [VideoTranscoder.Coded] = []
    private var encoded: [Int] = []

    /// Starts with a new encoder; `range` are the wanted frames, `hasNeighbours` filters them with their neighbors, and
    /// `overlay` are the subtitles in them.
    init(
        settings: VideoEncoderSettings,
        quality: Double,
        times: TimeList,
        range: Range<Int>,
        with hasNeighbours: Bool,
        overlay: SubtitleOverlay?
    ) throws {
        self.settings = settings
        self.times = times
        self.range = range
        self.hasNeighbours = hasNeighbours
        self.overlay = overlay
        encoder = try settings.open(quality: quality)
    }

    /// Accepts a decoded frame in display order; `place` is its number, or nil outside the range; the decoder keeps the
    /// frame.
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

    /// Finishes and returns the coded frames.
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

    /// Filters return one frame per input, in order.
    private mutating func deliver(_ frames: [Frame]) throws {
        for frame in frames where !filtered.isEmpty { try deliver(frame, place: filtered.removeFirst()) }
    }

    private mutating func deliver(_ frame: Frame, place: Int?) throws {
        guard let place else { return }
        let time = Rational(times[place], settings.timescale)
        let frame = try overlay?.applied(to: frame, at: time) ?? frame
        frame.pts = times[place]
        encoded.append(place)
        try encode(frame)
    }

    /// Packets arrive in frame order, because nothing is reordered.
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
