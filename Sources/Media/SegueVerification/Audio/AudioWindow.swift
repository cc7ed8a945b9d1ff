/// A stretch of audio that moves along a stream: samples are added at its end and dropped at its beginning.
struct AudioWindow {
    let channels: Int
    /// The number in the stream of the first sample that is still there.
    private(set) var first: Int64 = 0
    /// The number of samples a channel that are there.
    private(set) var count = 0
    private var storage: [Float] = []
    private var dropped = 0

    init(channels: Int) { self.channels = channels }

    /// The number in the stream of the sample after the last.
    var end: Int64 { first + Int64(count) }

    /// Adds samples, channel by channel; channels that are not given are silent.
    mutating func append(_ planes: [[Float]]) {
        guard let length = planes.first?.count, length > 0 else { return }
        let start = storage.count
        storage.append(contentsOf: repeatElement(0, count: length * channels))
        for (channel, plane) in planes.prefix(channels).enumerated() {
            plane.withUnsafeBufferPointer { plane in
                storage.withUnsafeMutableBufferPointer { storage in
                    var place = start + channel
                    for sample in plane {
                        storage[place] = sample
                        place += channels
                    }
                }
            }
        }
        count += length
    }

    /// Forgets what lies before a sample.
    mutating func drop(before sample: Int64) {
        let gone = Int(min(max(sample - first, 0), Int64(count)))
        first += Int64(gone)
        count -= gone
        dropped += gone * channels
        // Moving the rest is worth it only when much has gone.
        if dropped > storage.count / 2, dropped > 65536 {
            storage.removeFirst(dropped)
            dropped = 0
        }
    }

    /// Lends samples of all channels in turn, from a sample on to the end.
    ///
    /// - Precondition: The sample is in the window.
    func withSamples<Result>(from sample: Int64, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
        precondition(sample >= first && sample <= end, "the sample is in the window")
        return storage.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[(dropped + Int(sample - first) * channels)...]))
        }
    }

    /// One channel's worth of audio: the mean of all channels, from a sample on.
    func mono(from sample: Int64, count: Int) -> [Float] {
        withSamples(from: sample) { samples in
            (0..<min(count, samples.count / channels)).map { index in
                var sum: Float = 0
                for channel in 0..<channels { sum += samples[index * channels + channel] }
                return sum / Float(channels)
            }
        }
    }
}
