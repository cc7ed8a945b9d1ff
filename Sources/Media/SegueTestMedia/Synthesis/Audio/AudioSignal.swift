/// A self-locating audio signal: noise up to 3.4 kHz, identical on every machine and different in each channel.
///
/// It is a function of absolute time: sample `n` at a rate is its value at `n / rate` seconds, so it can be generated
/// at any rate and position, and resampled audio still matches. Any 50 ms occur only once in hours, which lets
/// ``AudioLocator`` find the position.
package struct AudioSignal: Sendable {
    /// The seed of the whole signal.
    package let seed: UInt64

    /// Samples per second.
    package let rate: Int

    /// Between samples, the bit position advances by `step` and wraps at `phases`.
    private let step: Int64
    private let phases: Int64

    /// For each phase and each of eight groups of four bits, the pulse sums of the group's 16 values.
    private let sums: [Int32]

    private static let groups = PulseShape.taps / 4

    /// The level: about a fifth of full scale on average, never above full scale.
    private static let level = 0.22 * 2_147_483_648

    /// Creates a signal at a positive sample rate; different seeds give unrelated signals.
    package init(seed: UInt64, rate: Int) {
        precondition(rate > 0, "the sample rate must be positive")
        self.seed = seed
        self.rate = rate
        var (divisor, rest) = (PositionBits.rate, Int64(rate))
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        phases = Int64(rate) / divisor
        step = PositionBits.rate / divisor
        sums = Self.table(phases: Int(phases))
    }

    private static func table(phases: Int) -> [Int32] {
        var table: [Int32] = []
        table.reserveCapacity(phases * groups * 16)
        for phase in 0..<phases {
            let fraction = Double(phase) / Double(phases)
            let heights = (0..<PulseShape.taps).map { tap in
                // Tap 0 is the oldest bit that still affects the audio.
                let offset = fraction + Double(PulseShape.reach - 1 - tap)
                return Int32((PulseShape.height(at: offset) * level).rounded())
            }
            for group in 0..<groups {
                for value in 0..<16 {
                    var sum: Int32 = 0
                    for bit in 0..<4 {
                        let height = heights[group * 4 + bit]
                        sum += value >> bit & 1 == 1 ? height : -height
                    }
                    table.append(sum)
                }
            }
        }
        return table
    }

    /// The samples of one channel in the range of `Int32`; sample zero is at time zero, and negative numbers are valid.
    package func samples(channel: Int, from first: Int64, count: Int) -> [Int32] {
        guard count > 0 else { return [] }
        return [Int32](unsafeUninitializedCapacity: count) { buffer, filled in
            write(channel: channel, from: first, to: buffer, stride: 1)
            filled = count
        }
    }

    /// The interleaved samples of several channels.
    package func interleaved(channels: Int, from first: Int64, count: Int) -> [Int32] {
        guard count > 0, channels > 0 else { return [] }
        return [Int32](unsafeUninitializedCapacity: count * channels) { buffer, filled in
            for channel in 0..<channels {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[channel...])
                write(channel: channel, from: first, to: rest, stride: channels)
            }
            filled = count * channels
        }
    }

    private func write(
        channel: Int,
        from first: Int64,
        to buffer: UnsafeMutableBufferPointer<Int32>,
        stride: Int
    ) {
        let count = (buffer.count + stride - 1) / stride
        let units = first * step
        var bit = units >= 0 ? units / phases : -((-units + phases - 1) / phases)
        var phase = Int(units - bit * phases)
        let oldest = bit - Int64(PulseShape.reach - 1)
        let span = Int(Int64(count) * step / phases) + PulseShape.taps + 2
        let (words, start) = PositionBits(seed: seed, channel: channel).words(covering: oldest, count: span)
        bit = oldest - start
        let (phases, step) = (Int(self.phases), Int(self.step))
        words.withUnsafeBufferPointer { words in
            sums.withUnsafeBufferPointer { sums in
                var position = Int(bit)
                var index = 0
                while index < buffer.count {
                    let word = position >> 6
                    let shift = UInt64(position & 63)
                    // In Swift, a shift by 64 gives zero, as needed for a whole word.
                    let bits = words[word] >> shift | words[word + 1] << (64 - shift)
                    let row = phase * 128
                    var sum = sums[row + Int(bits & 15)]
                    sum &+= sums[row + 16 + Int(bits >> 4 & 15)]
                    sum &+= sums[row + 32 + Int(bits >> 8 & 15)]
                    sum &+= sums[row + 48 + Int(bits >> 12 & 15)]
                    sum &+= sums[row + 64 + Int(bits >> 16 & 15)]
                    sum &+= sums[row + 80 + Int(bits >> 20 & 15)]
                    sum &+= sums[row + 96 + Int(bits >> 24 & 15)]
                    sum &+= sums[row + 112 + Int(bits >> 28 & 15)]
                    buffer[index] = sum
                    index += stride
                    phase += step
                    while phase >= phases {
                        phase -= phases
                        position += 1
                    }
                }
            }
        }
    }
}
