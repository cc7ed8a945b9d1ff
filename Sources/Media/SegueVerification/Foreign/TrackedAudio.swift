/// The delivered audio and its source, as far as a tracker has read them and still needs them.
struct TrackedAudio {
    /// The first samples of both, to identify unexpected audio.
    private(set) var opening: (source: [Float], delivered: [Float]) = ([], [])
    var channels: ChannelOrder
    private let pull: () throws -> [[Float]]?
    private var delivered = AudioWindow(channels: 1)
    private var source = AudioWindow(channels: 1)
    private var sourceHasEnded = false

    /// Creates empty windows; `pull` returns the next source samples by channel, and nil at the end.
    init(channels: Int, pull: @escaping () throws -> [[Float]]?) {
        (self.channels, self.pull) = (ChannelOrder(channels: channels), pull)
    }

    /// The first samples in the windows, and those after the last.
    var firstDelivered: Int { Int(delivered.first) }
    var firstSource: Int { Int(source.first) }
    var deliveredCount: Int { Int(delivered.end) }
    var sourceCount: Int { Int(source.end) }

    /// Adds delivered samples by channel.
    mutating func push(_ planes: [[Float]]) {
        let mix = Self.mixed(planes)
        if opening.delivered.count < 160_000 { opening.delivered += mix }
        delivered.append([mix])
        channels.delivered(planes)
    }

    /// Reads the source up to a sample.
    mutating func fill(to sample: Int) throws {
        while !sourceHasEnded, sourceCount < sample {
            guard let planes = try pull() else {
                sourceHasEnded = true
                return
            }
            let mix = Self.mixed(planes)
            if opening.source.count < 320_000 { opening.source += mix }
            source.append([mix])
            channels.source(planes)
        }
    }

    /// Ends the comparison at a delivered sample, and reads the rest of the source.
    mutating func finish(at cursor: Int) throws {
        channels.finish(at: cursor)
        while !sourceHasEnded {
            try fill(to: sourceCount + 65_536)
            if cursor > 0 { source.drop(before: source.end) }
        }
    }

    /// Drops delivered samples before one, and source samples before another.
    mutating func forget(before sample: Int, source sourceSample: Int) {
        delivered.drop(before: Int64(max(0, sample)))
        source.drop(before: Int64(max(0, sourceSample)))
        channels.forget(before: sample, source: sourceSample)
    }

    /// The similarity of delivered audio from a sample on to its source at a lag.
    func likeness(_ sample: Int, lag: Int, count: Int) -> AudioSimilarity {
        guard sample - lag >= firstSource, sample - lag <= sourceCount else {
            return delivered.withSamples(from: Int64(sample)) {
                AudioSimilarity(source: UnsafeBufferPointer(rebasing: $0[..<0]), delivered: $0, count: count)
            }
        }
        return delivered.withSamples(from: Int64(sample)) { delivered in
            source.withSamples(from: Int64(sample - lag)) {
                AudioSimilarity(source: $0, delivered: delivered, count: count)
            }
        }
    }

    /// The mean square of some delivered samples.
    func strength(at sample: Int, count: Int) -> Double {
        guard count > 0 else { return 0 }
        return delivered.withSamples(from: Int64(sample)) { samples in
            let some = UnsafeBufferPointer(rebasing: samples[..<min(count, samples.count)])
            return Double(AudioMath.product(some, some)) / Double(count)
        }
    }

    /// A search for the lag from a delivered sample on; `isFirst` if no audio has been located yet.
    func search(from sample: Int, isFirst: Bool) -> LagSearch {
        LagSearch(delivered: delivered, source: source, cursor: sample, isFirst: isFirst)
    }

    /// Mixes channels with slightly different weights, so that canceling channels remain audible.
    static func mixed(_ planes: [[Float]]) -> [Float] {
        guard planes.count > 1, var mix = planes.first else { return planes.first ?? [] }
        let scale = 1 / Float(planes.count)
        for index in mix.indices {
            for channel in 1..<planes.count { mix[index] += planes[channel][index] * (channel % 2 == 1 ? 0.7 : 1) }
            mix[index] *= scale
        }
        return mix
    }
}
