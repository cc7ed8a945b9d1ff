/// Measures by how many samples delivered audio is off, from a block in every second of it.
struct AudioAlignment {
    /// The audio is compared at these many samples to either side.
    static let slack = 24

    /// A stretch that is off.
    struct Shift: Equatable {
        /// Samples by which the delivered audio is late; negative when it is early.
        var samples: Int
        /// The delivered sample at which the stretch begins.
        var delivered: Int64
    }

    /// The number of blocks are judged together.
    private static let group = 8

    private let interval: Int64
    private var next: Int64 = 0
    private var sums = [Double](repeating: 0, count: 2 * slack + 1)
    private var total = [Double](repeating: 0, count: 2 * slack + 1)
    private var inGroup = 0
    private var groupStart: Int64 = 0
    private var shifts: [Shift] = []

    init(rate: Int) { interval = Int64(rate) }

    /// True if a block at a sample is to be looked at.
    func wantsBlock(at sample: Int64) -> Bool { sample >= next }

    /// Looks at a block.
    ///
    /// - Parameters:
    ///   - delivered: One channel of delivered audio.
    ///   - source: The source's, beginning 32 samples earlier and ending 32 later.
    ///   - sample: The number of the first delivered sample.
    mutating func add(delivered: [Float], source: [Float], at sample: Int64) {
        guard source.count >= delivered.count + 64, delivered.count > 64 else { return }
        next = sample + interval
        if inGroup == 0 { groupStart = sample }
        // Differences of neighbouring samples: low tones, whose peaks are broad, then count for less.
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

    /// The stretches that are off by more than one sample.
    func found() -> [Shift] {
        var last = self
        if inGroup > 0 { last.judge(sums, at: groupStart) }
        return last.shifts
    }

    private mutating func judge(_ sums: [Double], at sample: Int64) {
        guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }) else { return }
        let lag = best - Self.slack
        // A peak that hardly rises above the middle says nothing: low or repeating audio has no sharp one.
        guard abs(lag) > 1, sums[best] > 0, sums[best] > sums[Self.slack] * 1.05 else { return }
        if shifts.last?.samples == lag { return }
        shifts.append(Shift(samples: lag, delivered: sample))
    }
}
