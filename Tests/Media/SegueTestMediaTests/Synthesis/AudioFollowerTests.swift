import Testing

@testable import SegueTestMedia

/// A recording's audio, composed of signal sections.
private struct GeneratedAudio {
    var samples: [Float] = []
    private var noise: UInt32 = 1

    static let seed: UInt64 = 4711
    static let voice = AudioVoice(
        SyntheticTruth.Audio(
            seed: seed,
            rate: 48000,
            channels: 2,
            lowFrequencyChannel: nil,
            first: 0,
            count: 60 * 48000
        )
    )!

    mutating func silence(_ count: Int) { samples += [Float](repeating: 0, count: count) }

    /// Samples of both channels' mix from a position, taken by a clock near 16 kHz.
    mutating func play(from position: Int, _ count: Int, gain: Float = 0.5, rate: Int = 16000, seed: UInt64 = seed) {
        let signal = AudioSignal(seed: seed, rate: rate)
        let channels = (0..<2).map { signal.samples(channel: $0, from: Int64(position), count: count) }
        samples += zip(channels[0], channels[1]).map { gain * (Float($0) + Float($1)) / 2_147_483_648 }
    }

    /// Adds noise of an amplitude relative to full scale.
    mutating func disturb(_ level: Float) {
        for index in samples.indices {
            noise = noise &* 1_664_525 &+ 1_013_904_223
            samples[index] += (Float(noise >> 8) / Float(1 << 23) - 1) * level
        }
    }

    func stretches(_ voices: [AudioVoice] = [voice]) -> [AudioFollower.Stretch] {
        var follower = AudioFollower(voices: voices)
        // In chunks as from a decoder.
        for start in stride(from: 0, to: samples.count, by: 1024) {
            follower.feed(Array(samples[start..<min(start + 1024, samples.count)]))
        }
        follower.finish()
        return follower.stretches
    }
}

@Suite struct `Audio follower` {
    @Test(arguments: [(0.5, 0), (0.02, 0), (0.5, 0.05)] as [(Float, Float)])
    func `finds start, position, and end to a third of a millisecond`(gain: Float, noise: Float) throws {
        var audio = GeneratedAudio()
        audio.silence(7777)
        audio.play(from: 80000, 50000, gain: gain)
        audio.silence(9000)
        audio.disturb(noise)
        let stretches = audio.stretches()
        #expect(stretches.count == 1)
        let stretch = try #require(stretches.first)
        #expect(abs(stretch.first - 7777) <= 5)
        #expect(abs(stretch.end - 57777) <= 5)
        // The start's position includes the delay of the recording's sample.
        #expect(abs(stretch.start - (5 + Double(stretch.first - 7777) / 16000)) < 0.0001)
    }

    @Test(arguments: [1600, 24000, 83000, 400_000])
    func `the start is found after any duration of noise`(noise: Int) throws {
        var audio = GeneratedAudio()
        audio.silence(noise)
        audio.play(from: 16000, 80000)
        audio.disturb(0.05)
        let stretches = audio.stretches()
        #expect(stretches.count == 1)
        let stretch = try #require(stretches.first)
        #expect(abs(stretch.first - Int64(noise)) <= 5)
        #expect(abs(stretch.start - (1 + Double(stretch.first - Int64(noise)) / 16000)) < 0.0001)
    }

    @Test func `silence between two sections is distinguished from other audio`() throws {
        var audio = GeneratedAudio()
        audio.play(from: 0, 30000)
        audio.silence(8000)
        audio.play(from: 30000, 4000, seed: 5)
        audio.silence(4000)
        audio.play(from: 30000, 30000)
        let stretches = audio.stretches()
        #expect(stretches.count == 2)
        #expect(abs(try #require(stretches.last).silentBefore - 12000) <= 320)
    }

    @Test(arguments: [15999, 16001, 16003])
    func `follows a drifting clock and measures the drift`(rate: Int) throws {
        var audio = GeneratedAudio()
        audio.play(from: 0, 20 * rate, rate: rate)
        let stretches = audio.stretches()
        #expect(stretches.count == 1)
        let drift = (try #require(stretches.first).speed - 1) * 1e6
        // Sampling above 16 kHz makes the recording longer than the audio.
        #expect(abs(drift - (16000 / Double(rate) - 1) * 1e6) < 5)
    }

    @Test(arguments: [160, 480, 1000, 1600, 4000, 40000])
    func `a pause in the audio is a gap of its length`(count: Int) throws {
        var audio = GeneratedAudio()
        audio.play(from: 0, 30100)
        audio.silence(count)
        audio.play(from: 30100, 30000)
        let stretches = audio.stretches()
        #expect(stretches.count == 2)
        let (before, after) = (try #require(stretches.first), try #require(stretches.last))
        #expect(abs(before.end - 30100) <= 5)
        #expect(abs(after.first - Int64(30100 + count)) <= 5)
        #expect(abs(after.start - 30100.0 / 16000) < 0.0005)
    }

    @Test(arguments: [160, 480, 1000, 1600, 4000, 40000], [0, 0.04] as [Float])
    func `missing audio is a gap of its length`(count: Int, noise: Float) throws {
        var audio = GeneratedAudio()
        audio.play(from: 0, 30100)
        audio.silence(count)
        audio.play(from: 30100 + count, 30000)
        audio.disturb(noise)
        let stretches = audio.stretches()
        #expect(stretches.count == 2)
        let (before, after) = (try #require(stretches.first), try #require(stretches.last))
        #expect(abs(before.end - 30100) <= 5)
        #expect(abs(after.first - Int64(30100 + count)) <= 5)
        #expect(abs(after.start - Double(after.first) / 16000) < 0.0001)
    }

    @Test(arguments: [(30100, 10000), (30100, 31000), (24000, 160_000)])
    func `a jump is located`(length: Int, to: Int) throws {
        var audio = GeneratedAudio()
        audio.play(from: 0, length)
        audio.play(from: to, 30000)
        let stretches = audio.stretches()
        #expect(stretches.count == 2)
        let (before, after) = (try #require(stretches.first), try #require(stretches.last))
        #expect(abs(before.end - Int64(length)) <= 8)
        #expect(abs(after.first - Int64(length)) <= 8)
        #expect(abs(after.start - (Double(to) + Double(after.first) - Double(length)) / 16000) < 0.0001)
    }

    @Test func `a gap across windows is one gap`() {
        // The windows are 1600 samples long; each gap ends slightly after one of them.
        for number in 0..<24 {
            let (place, last) = (777 * number, 28810 + 8 * number)
            var audio = GeneratedAudio()
            audio.play(from: place, last - 480)
            audio.silence(480)
            audio.play(from: place + last, 30000)
            audio.disturb(0.04)
            let stretches = audio.stretches()
            #expect(stretches.count == 2)
            #expect(abs((stretches.first?.end ?? 0) - Int64(last - 480)) <= 16)
            #expect(abs((stretches.last?.first ?? 0) - Int64(last)) <= 16)
        }
    }

    @Test func `the title is identified among several`() {
        var other = GeneratedAudio.voice
        other.seed = 99
        var audio = GeneratedAudio()
        audio.play(from: 16000, 32000)
        audio.play(from: 0, 32000, seed: 99)
        let stretches = audio.stretches([GeneratedAudio.voice, other])
        #expect(stretches.map(\.voice) == [0, 1])
    }

    @Test func `noise matches no title`() {
        var audio = GeneratedAudio()
        audio.silence(160_000)
        audio.disturb(0.3)
        #expect(audio.stretches().isEmpty)
    }
}
