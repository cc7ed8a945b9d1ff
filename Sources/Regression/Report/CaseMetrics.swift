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
    /// Samples of the source that were not delivered.
    package var missingSamples: Int?
    /// Samples of the source that were delivered twice.
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
    package init(_ session: SessionMetrics) {
        startupSeconds = session.startup?.seconds
        stalls = session.stalls
        stallSeconds = session.stalled.seconds
        background = session.background?.rawValue
        switchGapSeconds = session.switchGap?.seconds
        bytes = session.bytes
        heardSeconds = session.heard.seconds
    }

    /// Adds what came of comparing each rendition with the file; the worst counts.
    mutating func add(_ content: [ContentCheck.Outcome]) {
        missingSamples = content.compactMap(\.missingSamples).max()
        repeatedSamples = content.compactMap(\.repeatedSamples).max()
        avOffsetMilliseconds = content.compactMap(\.avOffsetMilliseconds).max { abs($0) < abs($1) }
    }

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
