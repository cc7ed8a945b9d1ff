/// An audio that a recording may hold: one audio track of a test film or song.
package struct AudioVoice: Sendable, Equatable {
    /// The seed of the track's ``SoundSignal``.
    package var seed: UInt64

    /// The track's channels.
    package var channels: Int

    /// The channel that carries low frequencies only, where there is one.
    package var lowFrequencyChannel: Int?

    /// Where the track begins and ends on the content's timeline, in seconds.
    package var seconds: ClosedRange<Double>

    /// The voice of a track whose truth is known; nil where the track holds nothing.
    package init?(_ sound: SyntheticTruth.Sound) {
        guard sound.rate > 0, sound.count > 0, sound.channels > 0 else { return nil }
        (seed, channels, lowFrequencyChannel) = (sound.seed, sound.channels, sound.lowFrequencyChannel)
        let first = Double(sound.first) / Double(sound.rate)
        seconds = first...first + Double(sound.count) / Double(sound.rate)
    }

    /// The channels by which it is recognized in a mix: the first ones, and the middle one of many.
    var telling: [Int] { channels > 2 ? [0, 2] : [0] }

    /// The channels that a mix is made of.
    var mixed: [Int] { (0..<min(channels, 8)).filter { $0 != lowFrequencyChannel } }
}

/// A voice as a recording holds it: its channels, each as loud as it is there.
struct MixedVoice: Sendable {
    let signal: SoundSignal
    /// How loud each channel is, full scale of the signal being one.
    var gains: [(channel: Int, gain: Float)]

    /// The loudness of each channel that fits best to a piece of audio.
    init(_ voice: AudioVoice, signal: SoundSignal, of piece: ArraySlice<Float>, at position: Int64) {
        self.signal = signal
        gains = voice.mixed.compactMap { channel in
            let reference = signal.samples(channel: channel, from: position, count: piece.count)
            var (product, energy, own) = (0.0, 0.0, 0.0)
            for (sample, level) in zip(piece, reference) {
                let level = Double(level) / 2_147_483_648
                product += Double(sample) * level
                energy += level * level
                own += Double(sample) * Double(sample)
            }
            // Channels of chance likeness only are not in the mix.
            guard energy > 0, own > 0, product > 0.12 * (energy * own).squareRoot() else { return nil }
            return (channel, Float(product / energy))
        }
    }

    /// For each sample how much more likely it is with the voice than without it, times the noise's variance.
    ///
    /// A sample x is the voice r and noise, or noise alone; the logarithm of the ratio of the two likelihoods is (x r -
    /// r²/2) / variance. Its sum rises where the voice is there and falls where it is not.
    func evidence(in piece: ArraySlice<Float>, at position: Int64) -> (evidence: [Double], power: [Double]) {
        var mix = [Float](repeating: 0, count: piece.count)
        for (channel, gain) in gains {
            let reference = signal.samples(channel: channel, from: position, count: piece.count)
            for index in mix.indices { mix[index] += gain * Float(reference[index]) / 2_147_483_648 }
        }
        let evidence = zip(piece, mix).map { Double($0 * $1 - $1 * $1 / 2) }
        return (evidence, mix.map { Double($0 * $0 / 2) })
    }
}

/// Where in a stretch of evidence a voice begins, ends or is missing.
enum AudioEdges {
    /// The number of samples from the beginning belong to a voice that ends.
    static func end(_ evidence: [Double]) -> Int {
        var (sum, most, place) = (0.0, 0.0, 0)
        for (index, value) in evidence.enumerated() {
            sum += value
            if sum > most { (most, place) = (sum, index + 1) }
        }
        return place
    }

    /// The number of samples from the beginning do not yet belong to a voice that begins.
    static func beginning(_ evidence: [Double]) -> Int { evidence.count - end(evidence.reversed()) }

    /// The stretch in which a voice is most clearly missing, where it is at least so long.
    static func hole(_ evidence: [Double], power: [Double], least: Int) -> Range<Int>? {
        var (sum, first, most) = (0.0, 0, 0.0)
        var best = 0..<0
        for (index, value) in evidence.enumerated() {
            sum -= value
            if sum <= 0 { (sum, first) = (0, index + 1) }
            if sum > most { (most, best) = (sum, first..<index + 1) }
        }
        guard best.count >= least, most > 0.3 * power[best].reduce(0, +) else { return nil }
        return best
    }
}
