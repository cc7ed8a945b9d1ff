/// A sliding window of audio.
struct AudioWindow {
    let channels: Int
    /// The number of the first sample in the window.
    private(set) var first: Int64 = 0
    /// The number of samples per channel in the window.
    private(set) var count = 0
    private var storage: [Float] = []
    private var dropped = 0

    init(channels: Int) { self.channels = channels }

    /// The number of the sample after the last.
    var end: Int64 { first + Int64(count) }

    /// Appends samples by channel; missing channels are silent.
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

    /// Drops samples before a position.
    mutating func drop(before sample: Int64) {
        let gone = Int(min(max(sample - first, 0), Int64(count)))
        first += Int64(gone)
        count -= gone
        dropped += gone * channels
        // Compaction pays only after large drops.
        if dropped > storage.count / 2, dropped > 65536 {
            storage.removeFirst(dropped)
            dropped = 0
        }
    }

    /// Passes the interleaved samples from a position in the window to its end to `body`.
    func withSamples<Result>(from sample: Int64, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
        precondition(sample >= first && sample <= end, "the sample must be in the window")
        return storage.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[(dropped + Int(sample - first) * channels)...]))
        }
    }

    /// The mean of all channels from a sample on.
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
