/// An audio track of a test title that a recording may contain.
package struct AudioVoice: Sendable, Equatable {
    /// The seed of the track's ``AudioSignal``.
    package var seed: UInt64

    package var channels: Int

    /// The low-frequency channel, if there is one.
    package var lowFrequencyChannel: Int?

    /// The track's start and end on the content's timeline, in seconds.
    package var seconds: ClosedRange<Double>

    /// Creates the voice of a known track; nil if the track is empty.
    package init?(_ audio: SyntheticTruth.Audio) {
        guard audio.rate > 0, audio.count > 0, audio.channels > 0 else { return nil }
        (seed, channels, lowFrequencyChannel) = (audio.seed, audio.channels, audio.lowFrequencyChannel)
        let first = Double(audio.first) / Double(audio.rate)
        seconds = first...first + Double(audio.count) / Double(audio.rate)
    }

    /// The channels used for recognition in a mix: the first, and the center of more than two.
    var telling: [Int] { channels > 2 ? [0, 2] : [0] }

    var mixed: [Int] { (0..<min(channels, 8)).filter { $0 != lowFrequencyChannel } }
}

/// A voice in a recording: its channels with their gains.
struct MixedVoice: Sendable {
    let signal: AudioSignal
    /// The gain of each channel, relative to the signal's full scale.
    var gains: [(channel: Int, gain: Float)]

    /// Fits the gains to an audio piece.
    init(_ voice: AudioVoice, signal: AudioSignal, of piece: ArraySlice<Float>, at position: Int64) {
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
            // Channels with only chance correlation are not in the mix.
            guard energy > 0, own > 0, product > 0.12 * (energy * own).squareRoot() else { return nil }
            return (channel, Float(product / energy))
        }
    }

    /// The evidence per sample that the voice is present, times the noise variance.
    ///
    /// A sample x is the voice r plus noise, or noise alone; the log-likelihood ratio is (x r - r²/2) / variance. Its
    /// sum rises where the voice is present and falls where it is absent.
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

/// The detection of a voice's start, end, and gaps in a section of evidence.
enum AudioEdges {
    /// The number of samples before a voice's end.
    static func end(_ evidence: [Double]) -> Int {
        var (sum, most, place) = (0.0, 0.0, 0)
        for (index, value) in evidence.enumerated() {
            sum += value
            if sum > most { (most, place) = (sum, index + 1) }
        }
        return place
    }

    /// The number of samples before a voice's start.
    static func beginning(_ evidence: [Double]) -> Int { evidence.count - end(evidence.reversed()) }

    /// The most likely gap of at least the minimum length.
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
