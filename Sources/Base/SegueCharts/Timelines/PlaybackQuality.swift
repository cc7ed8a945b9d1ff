/// What a run was like for who watched and listened, worked out from its log; times and media are in seconds.
///
/// A figure that does not apply is nil, and null as JSON.
package struct PlaybackQuality: Sendable, Equatable {
    /// A time that the buffer ran out while playing; starting, seeking and pausing are none.
    package struct Stall: Sendable, Equatable, Codable {
        /// When it began.
        package var at: Double
        /// How long it took until playing went on, or was given up.
        package var seconds: Double
    }

    /// A seek that was not displaced by another.
    package struct Seek: Sendable, Equatable {
        /// When it began.
        package var at: Double
        /// Where it was to lead.
        package var target: Double
        /// Where it led.
        package var landed: Double
        /// From its beginning until it was over.
        package var seconds: Double
        /// From its beginning until something was played; nil where nothing was before the next seek, or the end.
        package var untilPlayed: Double?
    }

    /// A bit rate that a multivariant playlist declares for what is played from then on.
    package struct Declared: Sendable, Equatable, Codable {
        /// When it was chosen.
        package var at: Double
        /// The item.
        package var item: String
        /// Bits a second.
        package var bitsPerSecond: Int
    }

    /// The spread of what segments came at, in bits a second, from sending the request to the last byte; of what is no
    /// segment, from one stretch of it to the next.
    package struct Throughput: Sendable, Equatable, Codable {
        /// All bits by all the time that it took.
        package var mean: Double
        /// Of the slowest segment.
        package var least: Double
        /// Of the fastest segment.
        package var greatest: Double
    }

    /// From the wish to play until the first sample, or the first picture of an item without sound.
    package var startup: Double?
    /// From the wish to play until the first item was ready; 0 where it was before.
    package var ready: Double?
    /// The stalls in their order.
    package var stalls: [Stall] = []
    /// Time in which something was played, on the clock.
    package var playing = 0.0
    /// The seeks in their order.
    package var seeks: [Seek] = []
    /// Media that were played; what was played twice counts twice.
    package var watched = 0.0
    /// Media that were loaded; of streams side by side the longest counts.
    package var downloaded = 0.0
    /// Media that were loaded and never played.
    package var wasted = 0.0
    /// Bytes of all responses that came whole, or as far as they came before they were given up.
    package var bytes = 0
    /// Bytes of segments of which nothing was ever played.
    package var wastedBytes = 0
    /// What segments came at; nil without any.
    package var throughput: Throughput?
    /// The bit rates that were chosen, in their order.
    package var declared: [Declared] = []
    /// Segments that took longer to load than they play.
    package var overdueSegments = 0
    /// The longest time between one sound and the next, or from the last one to the end, whatever it was for; nil
    /// where nothing was heard.
    package var longestSilence: Double?

    /// How long all stalls took.
    package var stalled: Double { stalls.reduce(0) { $0 + $1.seconds } }

    /// The longest stall; 0 without any.
    package var longestStall: Double { stalls.map(\.seconds).max() ?? 0 }

    /// What stalls took of the time in which something was played or stalled; nil where nothing was.
    package var rebufferRatio: Double? { playing + stalled > 0 ? stalled / (playing + stalled) : nil }

    /// How often the declared bit rate changed within an item.
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

    /// Writes every figure, null where it does not apply.
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

    /// Writes every figure, null where it does not apply.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(at, forKey: .at)
        try fields.encode(target, forKey: .target)
        try fields.encode(landed, forKey: .landed)
        try fields.encode(seconds, forKey: .seconds)
        try fields.encode(untilPlayed, forKey: .untilPlayedSeconds)
    }
}
