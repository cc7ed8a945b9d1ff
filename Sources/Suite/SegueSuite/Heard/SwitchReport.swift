internal import SegueBase
internal import SeguePlayerModel

/// The effects of a switch on a listener, as numbers.
///
/// A figure that does not apply is nil, and null in JSON.
package struct SwitchReport: Sendable, Equatable {
    /// The end of the audio before the switch, in seconds since the run began.
    package var at: Double
    /// The kind of switch: `rendition`, `next`, or `pictures`.
    package var change: String
    /// The item before the switch.
    package var from: String
    /// The item after the switch.
    package var to: String
    /// The reason for the end of the audio before the switch.
    package var reason: String
    /// The duration of the silence in seconds.
    package var gap: Double
    /// The sample rate that the other figures use; nil without decodable audio.
    package var sampleRate: Int?
    package var gapSamples: Int64?
    /// Omitted samples of the source; nil between two sources.
    package var missingSamples: Int64?
    /// Repeated samples of the source; nil between two sources.
    package var repeatedSamples: Int64?
    /// The position of the first audio after the switch minus the playhead's, in seconds.
    package var positionError: Double?
    /// The delay of the first frame after the audio, in milliseconds; nil without video.
    package var avOffset: Double?
    /// The change of loudness in LU (EBU R 128), over three seconds on each side.
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

    /// Encodes every figure, with null for those that do not apply.
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
