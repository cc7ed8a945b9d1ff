/// A window of source audio that grows on demand.
struct PulledAudio {
    private(set) var window: AudioWindow
    private(set) var hasEnded = false
    private let pull: () throws -> [[Float]]?

    /// Creates an empty window; `pull` returns the next samples by channel, and nil at the end.
    init(channels: Int, pull: @escaping () throws -> [[Float]]?) {
        (window, self.pull) = (AudioWindow(channels: channels), pull)
    }

    /// Reads up to a sample.
    mutating func fill(to sample: Int64) throws {
        while !hasEnded, window.end < sample {
            guard let samples = try pull() else {
                hasEnded = true
                return
            }
            window.append(samples)
        }
    }

    /// Drops samples before a position.
    mutating func drop(before sample: Int64) { window.drop(before: sample) }
}
