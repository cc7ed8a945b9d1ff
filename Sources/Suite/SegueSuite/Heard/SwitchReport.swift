internal import SegueBase
internal import SeguePlayerModel

/// A switch as numbers: what a listener noticed of it.
///
/// A figure that does not apply is nil, and null as JSON.
package struct SwitchReport: Sendable, Equatable {
    /// When the sound before it ended, in seconds since the run began.
    package var at: Double
    /// What changed: `rendition`, `next` or `pictures`.
    package var change: String
    /// The item before it.
    package var from: String
    /// The item after it.
    package var to: String
    /// What ended the sound before it.
    package var reason: String
    /// How long nothing was heard, in seconds.
    package var gap: Double
    /// Samples a second that the other figures count; nil where no sound could be decoded.
    package var sampleRate: Int?
    /// Samples of silence.
    package var gapSamples: Int64?
    /// Samples of the source that were left out; nil between two sources.
    package var missingSamples: Int64?
    /// Samples of the source that were heard twice; nil between two sources.
    package var repeatedSamples: Int64?
    /// How much later in the source the first sound after it is than the playhead reads, in seconds.
    package var positionError: Double?
    /// How much later than the sound the first picture after it is, in milliseconds; nil without pictures.
    package var avOffset: Double?
    /// How much louder it is after than before it, in LU: the loudness (EBU R 128) of the three seconds on each side.
    package var loudnessChange: Double?

    init(_ change: AudioTrail.Switch, sampleRate: Int?) {
        at = change.before.ended.seconds
        self.change = change.change.rawValue
        from = change.before.item.description
        to = change.after.item.description
        reason = change.before.reason
        gap = change.silence.seconds
        guard let sampleRate else { return }
        self.sampleRate = sampleRate
        gapSamples = change.silentSamples(rate: sampleRate)
        guard change.change != .next else { return }
        missingSamples = change.missingSamples(rate: sampleRate)
        repeatedSamples = change.repeatedSamples(rate: sampleRate)
    }
}

extension SwitchReport: Encodable {
    private enum Key: String, CodingKey {
        case at, change, from, to, reason, gapSeconds, sampleRate, gapSamples, missingSamples, repeatedSamples
        case positionErrorSeconds, avOffsetMilliseconds, loudnessChange
    }

    /// Writes every figure, null where it does not apply.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(at, forKey: .at)
        try fields.encode(change, forKey: .change)
        try fields.encode(from, forKey: .from)
        try fields.encode(to, forKey: .to)
        try fields.encode(reason, forKey: .reason)
        try fields.encode(gap, forKey: .gapSeconds)
        try fields.encode(sampleRate, forKey: .sampleRate)
        try fields.encode(gapSamples, forKey: .gapSamples)
        try fields.encode(missingSamples, forKey: .missingSamples)
        try fields.encode(repeatedSamples, forKey: .repeatedSamples)
        try fields.encode(positionError, forKey: .positionErrorSeconds)
        try fields.encode(avOffset, forKey: .avOffsetMilliseconds)
        try fields.encode(loudnessChange, forKey: .loudnessChange)
    }
}
