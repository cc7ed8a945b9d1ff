/// The quality of a run for its viewer, computed from its log; times and media are in seconds.
///
/// A figure that does not apply is nil, and null in JSON.
package struct PlaybackQuality: Sendable, Equatable {
    /// A buffer underrun during playback, not caused by a start, a seek, or a pause.
    package struct Stall: Sendable, Equatable, Codable {
        package var at: Double
        /// The time until playback resumed or was given up.
        package var seconds: Double
    }

    /// A seek that no later seek replaced.
    package struct Seek: Sendable, Equatable {
        package var at: Double
        package var target: Double
        package var landed: Double
        /// The time from the beginning of the seek to its end.
        package var seconds: Double
        /// The time until something played; nil if nothing played before the next seek or the end.
        package var untilPlayed: Double?
    }

    /// The bit rate that a multivariant playlist declares for the variant that plays from then on.
    package struct Declared: Sendable, Equatable, Codable {
        package var at: Double
        package var item: String
        package var bitsPerSecond: Int
    }

    /// The spread of segment throughput, in bits per second from the request to the last byte.
    ///
    /// For media without segments: of each uninterrupted stretch.
    package struct Throughput: Sendable, Equatable, Codable {
        /// All bits divided by the total time.
        package var mean: Double
        /// The throughput of the slowest segment.
        package var least: Double
        /// The throughput of the fastest segment.
        package var greatest: Double
    }

    /// The time from the intent to play to the first sample, or to the first frame of an item without audio.
    package var startup: Double?
    /// The time from the intent to play until the first item was ready; 0 if it was ready before.
    package var ready: Double?
    package var stalls: [Stall] = []
    /// The wall-clock time during which something played.
    package var playing = 0.0
    package var seeks: [Seek] = []
    /// The media that played; repeated parts count again.
    package var watched = 0.0
    /// The media that was loaded; of parallel streams, the longest counts.
    package var downloaded = 0.0
    /// The media that was loaded and never played.
    package var wasted = 0.0
    /// The bytes of all responses, including the received parts of canceled ones.
    package var bytes = 0
    /// The bytes of segments that never played.
    package var wastedBytes = 0
    /// The throughput of segments; nil without any.
    package var throughput: Throughput?
    /// The declared bit rates, in the order of their choice.
    package var declared: [Declared] = []
    /// The number of segments that took longer to load than they play.
    package var overdueSegments = 0
    /// The longest time without audio, for any reason; nil if none was heard.
    package var longestSilence: Double?

    /// The total duration of all stalls.
    package var stalled: Double { stalls.reduce(0) { $0 + $1.seconds } }

    package var longestStall: Double { stalls.map(\.seconds).max() ?? 0 }

    /// The share of stalls in the time that was played or stalled; nil if nothing was.
    package var rebufferRatio: Double? { playing + stalled > 0 ? stalled / (playing + stalled) : nil }

    /// The number of changes of the declared bit rate within an item.
    package var declaredSwitches: Int {
        var last: [String: Int] = [:]
        return declared.reduce(0) { count, choice in
            let former = last.updateValue(choice.bitsPerSecond, forKey: choice.item)
            return count + (former.map { $0 != choice.bitsPerSecond } ?? false ? 1 : 0)
        }
    }
}

extension PlaybackQuality: Encodable {
    private enum Key: String, CodingKey {
        case startupSeconds, readySeconds, stalls, stallSeconds, longestStallSeconds, stallList, rebufferRatio
        case rebufferRatioOf, playingSeconds, seeks, watchedSeconds, downloadedSeconds, wastedSeconds, bytes,
            wastedBytes
        case throughput, declaredBitrates, declaredSwitches, overdueSegments, longestSilenceSeconds
    }

    /// Encodes every figure, with null for those that do not apply.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(startup, forKey: .startupSeconds)
        try fields.encode(ready, forKey: .readySeconds)
        try fields.encode(stalls.count, forKey: .stalls)
        try fields.encode(stalled, forKey: .stallSeconds)
        try fields.encode(longestStall, forKey: .longestStallSeconds)
        try fields.encode(stalls, forKey: .stallList)
        try fields.encode(rebufferRatio, forKey: .rebufferRatio)
        try fields.encode("seconds played or stalled", forKey: .rebufferRatioOf)
        try fields.encode(playing, forKey: .playingSeconds)
        try fields.encode(seeks, forKey: .seeks)
        try fields.encode(watched, forKey: .watchedSeconds)
        try fields.encode(downloaded, forKey: .downloadedSeconds)
        try fields.encode(wasted, forKey: .wastedSeconds)
        try fields.encode(bytes, forKey: .bytes)
        try fields.encode(wastedBytes, forKey: .wastedBytes)
        try fields.encode(throughput, forKey: .throughput)
        try fields.encode(declared, forKey: .declaredBitrates)
        try fields.encode(declaredSwitches, forKey: .declaredSwitches)
        try fields.encode(overdueSegments, forKey: .overdueSegments)
        try fields.encode(longestSilence, forKey: .longestSilenceSeconds)
    }
}

extension PlaybackQuality.Seek: Encodable {
    private enum Key: String, CodingKey { case at, target, landed, seconds, untilPlayedSeconds }

    /// Encodes every figure, with null for those that do not apply.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(at, forKey: .at)
        try fields.encode(target, forKey: .target)
        try fields.encode(landed, forKey: .landed)
        try fields.encode(seconds, forKey: .seconds)
        try fields.encode(untilPlayed, forKey: .untilPlayedSeconds)
    }
}
