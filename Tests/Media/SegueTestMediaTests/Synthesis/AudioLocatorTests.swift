import SegueTestMedia
import Testing

@Suite struct `Audio locator` {
    private static let rates = [8000, 11025, 16000, 22050, 32000, 44100, 48000, 96000]

    /// Fifty milliseconds of a signal.
    private func piece(of signal: AudioSignal, channel: Int = 0, at position: Int64) -> [Float] {
        signal.samples(channel: channel, from: position, count: signal.rate / 20).map { Float($0) / 2_147_483_648 }
    }

    @Test(arguments: rates)
    func `50 ms are located to the sample`(rate: Int) throws {
        let signal = AudioSignal(seed: 11, rate: rate)
        let locator = AudioLocator(signal: signal)
        let range = Int64(-rate)..<Int64(20 * rate)
        for place in [0, 1, rate / 3, 5 * rate + 17, 19 * rate, -rate / 2] {
            let found = try #require(locator.locate(piece(of: signal, at: Int64(place)), channel: 0, in: range))
            #expect(found.position == Int64(place))
            #expect(found.correlation > 0.999)
        }
    }

    @Test(arguments: rates)
    func `noise, low-pass filtering, and quantization do not prevent locating`(rate: Int) throws {
        let signal = AudioSignal(seed: 12, rate: rate)
        let locator = AudioLocator(signal: signal)
        var noise = Noise(state: 99)
        for place in [100, rate, 7 * rate + 5].map(Int64.init) {
            let clean = piece(of: signal, at: place)
            // Noise at a third of the signal's level, then 6 bits.
            let dirty = clean.map { (($0 + 0.12 * noise.next()) * 32).rounded() / 32 }
            #expect(locator.locate(dirty, channel: 0, in: 0..<Int64(10 * rate))?.position == place)
            // A mean over about an eighth of a millisecond, as from a low-quality codec.
            let width = max(rate / 8000, 1)
            let dull = clean.indices.map { index in
                (index - width...index + width).reduce(Float(0)) { $0 + clean[min(max($1, 0), clean.count - 1)] }
            }
            #expect(locator.locate(dull, channel: 0, in: 0..<Int64(10 * rate))?.position == place)
        }
    }

    @Test func `other audio is not located`() {
        let signal = AudioSignal(seed: 13, rate: 48000)
        let locator = AudioLocator(signal: signal)
        let range = Int64(0)..<Int64(48000 * 30)
        var noise = Noise(state: 5)
        #expect(locator.locate((0..<2400).map { _ in noise.next() }, channel: 0, in: range) == nil)
        #expect(locator.locate([Float](repeating: 0, count: 2400), channel: 0, in: range) == nil)
        #expect(locator.locate([Float](repeating: 0.5, count: 2400), channel: 0, in: range) == nil)
        let tone = (0..<2400).map { Float($0 % 109) / 109 - 0.5 }
        #expect(locator.locate(tone, channel: 0, in: range) == nil)
        let otherSeed = AudioSignal(seed: 14, rate: 48000)
        #expect(locator.locate(piece(of: otherSeed, at: 48000), channel: 0, in: range) == nil)
        #expect(locator.locate(piece(of: signal, channel: 1, at: 48000), channel: 0, in: range) == nil)
    }

    @Test func `a position outside the range is not found`() {
        let signal = AudioSignal(seed: 15, rate: 44100)
        let locator = AudioLocator(signal: signal)
        let piece = piece(of: signal, at: 44100)
        #expect(locator.locate(piece, channel: 0, in: 44100..<44101)?.position == 44100)
        #expect(locator.locate(piece, channel: 0, in: 44200..<88200) == nil)
        #expect(locator.locate(piece, channel: 0, in: 0..<44000) == nil)
    }

    @Test func `a third of a sample is detected`() throws {
        // Three samples at 144 kHz are one at 48 kHz.
        let fine = AudioSignal(seed: 16, rate: 144_000)
        let samples = fine.samples(channel: 0, from: 3 * 9600 + 1, count: 7200)
        let third = stride(from: 0, to: 7200, by: 3).map { Float(samples[$0]) }
        let locator = AudioLocator(signal: AudioSignal(seed: 16, rate: 48000))
        let found = try #require(locator.locate(third, channel: 0, in: 0..<48000))
        #expect(found.position == 9600)
        #expect(abs(found.fraction - 1.0 / 3) < 0.05)
    }
}

/// Uniform noise from -1 to 1.
private struct Noise {
    var state: UInt64

    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}
