internal import SegueBase
package import SeguePlayerModel

// Size: a row of the report, a field for each metric.
/// The metrics of a case; nil where one does not apply.
package struct CaseMetrics: Sendable, Codable, Equatable {
    /// Seconds from the intent to play to the first audible sample.
    package var startupSeconds: Double?
    /// The number of buffer underruns during playback.
    package var stalls: Int?
    /// The total duration of the stalls in seconds.
    package var stallSeconds: Double?
    /// The fate of the audio in the background.
    package var background: String?
    /// The longest silence at a switch of items, in seconds.
    package var switchGapSeconds: Double?
    /// Source samples that were not delivered, or not heard at switches.
    package var missingSamples: Int?
    /// Source samples that were delivered twice, or heard twice at switches.
    package var repeatedSamples: Int?
    /// The offset between audio and video relative to the source, in milliseconds.
    package var avOffsetMilliseconds: Double?
    /// Bytes transferred over the network.
    package var bytes: Int?
    /// Seconds without audio between the first and the last, in the background and at stalls, switches, and seeks.
    package var silenceSeconds: Double?
    /// The number of error events in the log.
    package var errors: Int?
    /// Bits per second of all loaded segments, by their own duration.
    package var bitrate: Double?
    /// The number of requests.
    package var requests: Int?
    /// The longest time from a request to the head of its response, in seconds.
    package var firstByteSeconds: Double?
    /// The longest time to first byte of a real server, in seconds; nil for servers in this process.
    package var serverSeconds: Double?
    /// Seconds of audio that were heard; not part of the interface's metrics.
    package var heardSeconds: Double = 0

    /// The share of stalls in the time since the first audio, from 0 to 1.
    package var stallShare: Double? {
        guard let stallSeconds, heardSeconds + stallSeconds > 0 else { return nil }
        return stallSeconds / (heardSeconds + stallSeconds)
    }

    package init() {}

    /// `sampleRate` is the sample rate of the audio; nil if unknown, and then no samples are counted.
    package init(_ session: SessionMetrics, sampleRate: Int?) {
        startupSeconds = session.startup?.seconds
        stalls = session.stalls
        stallSeconds = session.stalled.seconds
        background = session.background?.rawValue
        switchGapSeconds = session.switchGap?.seconds
        bytes = session.bytes
        heardSeconds = session.heard.seconds
        if let sampleRate, !session.switches.isEmpty {
            missingSamples = Int(session.switches.reduce(0) { $0 + $1.missingSamples(rate: sampleRate) })
            repeatedSamples = Int(session.switches.reduce(0) { $0 + $1.repeatedSamples(rate: sampleRate) })
        }
    }

    /// Adds the worst result of the content comparisons to the samples lost or repeated at switches.
    mutating func add(_ content: [ContentCheck.Outcome]) {
        missingSamples = CaseMetrics.sum(missingSamples, content.compactMap(\.missingSamples).max())
        repeatedSamples = CaseMetrics.sum(repeatedSamples, content.compactMap(\.repeatedSamples).max())
        avOffsetMilliseconds = content.compactMap(\.avOffsetMilliseconds).max { abs($0) < abs($1) }
    }

    private static func sum(_ one: Int?, _ other: Int?) -> Int? { one.map { $0 + (other ?? 0) } ?? other }

    private enum Key: String, CodingKey {
        case startupSeconds, stalls, stallSeconds, background, switchGapSeconds
        case missingSamples, repeatedSamples, avOffsetMilliseconds, bytes, heardSeconds
        case silenceSeconds, errors, bitrate, requests, firstByteSeconds, serverSeconds
    }

    /// Encodes every metric, with null for those that do not apply.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(startupSeconds, forKey: .startupSeconds)
        try fields.encode(stalls, forKey: .stalls)
        try fields.encode(stallSeconds, forKey: .stallSeconds)
        try fields.encode(background, forKey: .background)
        try fields.encode(switchGapSeconds, forKey: .switchGapSeconds)
        try fields.encode(missingSamples, forKey: .missingSamples)
        try fields.encode(repeatedSamples, forKey: .repeatedSamples)
        try fields.encode(avOffsetMilliseconds, forKey: .avOffsetMilliseconds)
        try fields.encode(bytes, forKey: .bytes)
        try fields.encode(heardSeconds, forKey: .heardSeconds)
        try fields.encode(silenceSeconds, forKey: .silenceSeconds)
        try fields.encode(errors, forKey: .errors)
        try fields.encode(bitrate, forKey: .bitrate)
        try fields.encode(requests, forKey: .requests)
        try fields.encode(firstByteSeconds, forKey: .firstByteSeconds)
        try fields.encode(serverSeconds, forKey: .serverSeconds)
    }
}
