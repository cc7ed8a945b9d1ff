internal import SegueBase
package import SeguePlayerModel

/// What was measured in a case; nil where a figure does not apply.
package struct CaseMetrics: Sendable, Codable, Equatable {
    /// From the intent to play until the first sample was heard, in seconds.
    package var startupSeconds: Double?
    /// How often the buffer ran out while playing.
    package var stalls: Int?
    /// How long playback stood still because of it, in seconds.
    package var stallSeconds: Double?
    /// What became of the sound in the background.
    package var background: String?
    /// The longest silence at a switch of items, in seconds.
    package var switchGapSeconds: Double?
    /// Samples of the source that were not delivered, or not heard at switches.
    package var missingSamples: Int?
    /// Samples of the source that were delivered twice, or heard twice at switches.
    package var repeatedSamples: Int?
    /// How far sound and picture are displaced against the source, in milliseconds.
    package var avOffsetMilliseconds: Double?
    /// Bytes that crossed the network.
    package var bytes: Int?
    /// Seconds without sound between its first and its last moment, in the background and at stalls, switches and seeks.
    package var silenceSeconds: Double?
    /// How many events of the log are errors.
    package var errors: Int?
    /// Bits a second of all segments that came, by their own duration.
    package var bitrate: Double?
    /// How many requests were sent.
    package var requests: Int?
    /// The longest time from a request to its answer's head, in seconds.
    package var firstByteSeconds: Double?
    /// The longest time that a real server took until its first byte, in seconds; nil for servers in the same process.
    package var serverSeconds: Double?
    /// Seconds of the item that were heard; not part of the contract's metrics.
    package var heardSeconds: Double = 0

    /// The share of the time from the first sound on for which playback stood still, from 0 to 1.
    package var stallShare: Double? {
        guard let stallSeconds, heardSeconds + stallSeconds > 0 else { return nil }
        return stallSeconds / (heardSeconds + stallSeconds)
    }

    /// Nothing measured.
    package init() {}

    /// What was measured while something was played.
    ///
    /// - Parameters:
    ///   - sampleRate: Samples a second of what was heard; nil where that is not known, and no samples can be counted.
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

    /// Adds what came of comparing each rendition with the file, of which the worst counts, to what was lost or heard
    /// twice at switches.
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

    /// Writes every metric, null where it does not apply.
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
