/// The playback quality of a run, calculated from its log; times and media are in seconds.
///
/// A value that does not apply is nil, and null in JSON.
package struct PlaybackQuality: Sendable, Equatable {
    /// An interruption of playback by an empty buffer; starting, seeking, and pausing do not count.
    package struct Stall: Sendable, Equatable, Codable {
        /// The beginning.
        package var at: Double
        /// The time until playback resumed or was given up.
        package var seconds: Double
    }

    /// A seek that no other seek replaced.
    package struct Seek: Sendable, Equatable {
        /// The beginning.
        package var at: Double
        /// The requested position.
        package var target: Double
        /// The reached position.
        package var landed: Double
        /// The time until it ended.
        package var seconds: Double
        /// The time until playback; nil if nothing played before the next seek or the end.
        package var untilPlayed: Double?
    }

    /// The bit rate that a multivariant playlist declares for the media from here on.
    package struct Declared: Sendable, Equatable, Codable {
        /// The time of the choice.
        package var at: Double
        package var item: String
        /// The bit rate, in bits per second.
        package var bitsPerSecond: Int
    }

    /// The throughput of segments in bits per second, from the request to the last byte; of other media, between two
    /// pieces.
    package struct Throughput: Sendable, Equatable, Codable {
        /// All bits divided by the total time.
        package var mean: Double
        /// The throughput of the slowest segment.
        package var least: Double
        /// The throughput of the fastest segment.
        package var greatest: Double
    }

    /// The time from the play command to the first audio sample, or to the first video frame of an item without audio.
    package var startup: Double?
    /// The time from the play command until the first item was ready; 0 if it was ready before.
    package var ready: Double?
    /// The stalls, in order.
    package var stalls: [Stall] = []
    /// The wall time during which something played.
    package var playing = 0.0
    /// The seeks, in order.
    package var seeks: [Seek] = []
    /// The duration of played media; repetitions count again.
    package var watched = 0.0
    /// The duration of loaded media; of parallel streams, the longest counts.
    package var downloaded = 0.0
    /// The duration of media that were loaded but never played.
    package var wasted = 0.0
    /// The bytes of all responses, including the received part of cancelled ones.
    package var bytes = 0
    /// The bytes of segments that were never played.
    package var wastedBytes = 0
    /// The throughput of segments; nil without segments.
    package var throughput: Throughput?
    /// The chosen bit rates, in order.
    package var declared: [Declared] = []
    /// The number of segments that took longer to load than to play.
    package var overdueSegments = 0
    /// The longest time without audio, between two stretches or to the end, for any reason; nil if nothing was audible.
    package var longestSilence: Double?

    /// The duration of all stalls.
    package var stalled: Double { stalls.reduce(0) { $0 + $1.seconds } }

    /// The duration of the longest stall; 0 without stalls.
    package var longestStall: Double { stalls.map(\.seconds).max() ?? 0 }

    /// The share of stalls in the time played or stalled; nil if nothing played.
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

    /// Encodes all values, with null for those that do not apply.
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

    /// Encodes all values, with null for those that do not apply.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(at, forKey: .at)
        try fields.encode(target, forKey: .target)
        try fields.encode(landed, forKey: .landed)
        try fields.encode(seconds, forKey: .seconds)
        try fields.encode(untilPlayed, forKey: .untilPlayedSeconds)
    }
}
