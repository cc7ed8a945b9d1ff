package import Player
internal import Timeline

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
    /// Seconds of the item that were heard; not part of the contract's metrics.
    package var heardSeconds: Double = 0

    /// Nothing measured.
    package init() {}

    /// What was measured while something was played.
    ///
    /// - Parameters:
    ///   - session: What it was like.
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
    }
}
