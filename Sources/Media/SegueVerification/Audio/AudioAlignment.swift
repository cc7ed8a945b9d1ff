/// Measures the sample offset of delivered audio, from one block per second.
struct AudioAlignment {
    /// The maximum offset compared in either direction, in samples.
    static let slack = 24

    /// A section with an offset.
    struct Shift: Equatable {
        /// The delay of the delivered audio, in samples; negative if early.
        var samples: Int
        /// The first delivered sample of the section.
        var delivered: Int64
    }

    /// The number of blocks judged together.
    private static let group = 8

    private let interval: Int64
    private var next: Int64 = 0
    private var sums = [Double](repeating: 0, count: 2 * slack + 1)
    private var total = [Double](repeating: 0, count: 2 * slack + 1)
    private var inGroup = 0
    private var groupStart: Int64 = 0
    private var shifts: [Shift] = []

    init(rate: Int) { interval = Int64(rate) }

    /// True if the block at a sample is needed.
    func wantsBlock(at sample: Int64) -> Bool { sample >= next }

    /// Compares a block of one delivered channel, which begins at `sample`, with the source's block that extends it by
    /// 32 samples on both sides.
    mutating func add(delivered: [Float], source: [Float], at sample: Int64) {
        guard source.count >= delivered.count + 64, delivered.count > 64 else { return }
        next = sample + interval
        if inGroup == 0 { groupStart = sample }
        // Sample differences reduce the weight of low tones, whose peaks are broad.
        for lag in -Self.slack...Self.slack {
            var sum: Float = 0
            for index in 1..<delivered.count {
                let place = index + 32 - lag
                sum += (delivered[index] - delivered[index - 1]) * (source[place] - source[place - 1])
            }
            sums[lag + Self.slack] += Double(sum)
            total[lag + Self.slack] += Double(sum)
        }
        inGroup += 1
        if inGroup == Self.group {
            judge(sums, at: groupStart)
            sums = sums.map { _ in 0 }
            inGroup = 0
        }
    }

    /// The sections with an offset of more than one sample.
    func found() -> [Shift] {
        var last = self
        if inGroup > 0 { last.judge(sums, at: groupStart) }
        return last.shifts
    }

    private mutating func judge(_ sums: [Double], at sample: Int64) {
        guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return }
        let lag = best - Self.slack
        // A low peak means nothing: low or repeating audio has no sharp one.
        guard abs(lag) > 1, sums[best] > 0, sums[best] > sums[Self.slack] * 1.05 else { return }
        if shifts.last?.samples == lag { return }
        shifts.append(Shift(samples: lag, delivered: sample))
    }
}
