import SegueTestMedia
import Testing

@Suite struct `Audio signal` {
    @Test func `the first samples never change`() {
        let signal = AudioSignal(seed: 1, rate: 48000)
        #expect(signal.samples(channel: 0, from: 0, count: 4) == Self.golden)
        #expect(signal.samples(channel: 1, from: 0, count: 4) != Self.golden)
    }

    /// Changed values would invalidate all files made earlier.
    private static let golden: [Int32] = [-352_924_056, -228_603_751, -92_050_191, 48_875_022]

    @Test(arguments: [8000, 11025, 44100, 48000, 96000])
    func `any section equals that of a longer one`(rate: Int) {
        let signal = AudioSignal(seed: 7, rate: rate)
        let long = signal.samples(channel: 2, from: -3000, count: 6000)
        for start in [0, 1, 63, 1024, 2999, 3000, 3001, 5000] {
            let piece = signal.samples(channel: 2, from: Int64(start - 3000), count: 1000)
            #expect(piece == Array(long[start..<start + 1000]))
        }
    }

    @Test func `interleaved channels are the channels in turn`() {
        let signal = AudioSignal(seed: 3, rate: 44100)
        let both = signal.interleaved(channels: 2, from: 500, count: 100)
        let second = signal.samples(channel: 1, from: 500, count: 100)
        #expect(both.count == 200)
        #expect(stride(from: 1, to: 200, by: 2).map { both[$0] } == second)
    }

    @Test func `it is the same function of time at every rate`() {
        let slow = AudioSignal(seed: 9, rate: 16000).samples(channel: 0, from: 160, count: 500)
        let fast = AudioSignal(seed: 9, rate: 96000).samples(channel: 0, from: 960, count: 3000)
        #expect(slow.indices.allSatisfy { slow[$0] == fast[$0 * 6] })
    }

    @Test(arguments: [8000, 22050, 48000])
    func `it is loud enough and never clips`(rate: Int) {
        let samples = AudioSignal(seed: 5, rate: rate).samples(channel: 0, from: 0, count: rate)
            .map { Double($0) / 2_147_483_648 }
        let energy = samples.reduce(0) { $0 + $1 * $1 } / Double(rate)
        #expect((0.15...0.25).contains(energy.squareRoot()))
        #expect(samples.allSatisfy { abs($0) < 0.95 })
        // No 10 ms are silent.
        for start in stride(from: 0, to: rate - rate / 100, by: rate / 100) {
            #expect(samples[start..<start + rate / 100].contains { abs($0) > 0.1 })
        }
    }
}
