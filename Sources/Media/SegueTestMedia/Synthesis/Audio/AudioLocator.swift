/// Tells from a short piece of audio which samples of a ``SoundSignal`` it holds.
package struct AudioLocator: Sendable {
    /// A place that was found.
    package struct Location: Sendable, Equatable {
        /// The number, in the signal, of the piece's first sample.
        package var position: Int64

        /// How far beyond that sample the piece really begins, in samples, from -0.5 to 0.5; an estimate.
        package var fraction: Double

        /// How alike piece and signal are there: 1 is the same but for loudness, 0 is nothing in common.
        package var correlation: Double
    }

    /// The signal that is looked for.
    package let signal: SoundSignal

    /// The likeness below which a place does not count.
    ///
    /// The best of all places in five minutes of unrelated audio reaches about 0.3 with 50 ms.
    package let leastCorrelation: Double

    /// The number of of the likeliest places of the coarse search are looked at closely.
    private static let candidates = 12

    /// A locator for a signal.
    ///
    /// - Parameters:
    ///   - signal: The signal at the rate of the audio that will be looked at.
    ///   - leastCorrelation: The likeness below which a place does not count.
    package init(signal: SoundSignal, leastCorrelation: Double = 0.4) {
        self.signal = signal
        self.leastCorrelation = leastCorrelation
    }

    /// Finds where in a channel of the signal a piece of audio begins.
    ///
    /// The cost grows with the range at some ten nanoseconds a bit of the signal, of which there are 8000 a second.
    ///
    /// - Parameters:
    ///   - piece: The audio, at the signal's rate; 50 ms or more.
    ///   - channel: The channel of the signal.
    ///   - range: The sample numbers at which it may begin.
    /// - Returns: The place, or nil where nothing in the range is alike enough.
    package func locate(_ piece: [Float], channel: Int, in range: Range<Int64>) -> Location? {
        guard piece.count >= 32, !range.isEmpty else { return nil }
        let mean = piece.reduce(0, +) / Float(piece.count)
        let centred = piece.map { $0 - mean }
        guard centred.contains(where: { $0 != 0 }) else { return nil }
        var best: Location?
        for place in coarse(centred, channel: channel, in: range) {
            let found = closest(centred, channel: channel, in: place)
            if found.correlation > best?.correlation ?? leastCorrelation { best = found }
        }
        return best
    }

    /// Confirms that a piece of audio begins where it is expected, which is quick.
    ///
    /// - Parameters:
    ///   - piece: The audio, at the signal's rate.
    ///   - channel: The channel of the signal.
    ///   - position: The number of the signal's sample at which it should begin.
    /// - Returns: The place, or nil where one of its neighbours is as good, or nothing is alike enough.
    package func confirm(_ piece: [Float], channel: Int, at position: Int64) -> Location? {
        let mean = piece.reduce(0, +) / Float(max(piece.count, 1))
        let reference = signal.samples(channel: channel, from: position - 1, count: piece.count + 2)
        let found = Self.correlations(of: piece.map { $0 - mean }, in: reference, places: 3)
        guard found[1] >= leastCorrelation, found[1] > found[0], found[1] > found[2] else { return nil }
        return Location(position: position, fraction: 0, correlation: found[1])
    }

    /// How alike a piece of audio and the signal are at one place.
    ///
    /// - Parameters:
    ///   - piece: The audio, at the signal's rate.
    ///   - channel: The channel of the signal.
    ///   - position: The number of the signal's sample at which the piece is taken to begin.
    /// - Returns: From 1, the same but for loudness, over 0, nothing in common, to -1.
    package func correlation(of piece: [Float], channel: Int, at position: Int64) -> Double {
        let mean = piece.reduce(0, +) / Float(max(piece.count, 1))
        return closest(piece.map { $0 - mean }, channel: channel, in: position..<position + 1).correlation
    }

    // MARK: - The coarse search, on signs

    /// The likeliest places, as ranges of a few samples each, the likeliest first.
    private func coarse(_ piece: [Float], channel: Int, in range: Range<Int64>) -> [Range<Int64>] {
        let rate = Int64(signal.rate)
        let firstBit = Self.flooredQuotient(range.lowerBound * PositionBits.rate, rate) - 1
        let lastBit = Self.flooredQuotient((range.upperBound - 1) * PositionBits.rate, rate) + 1
        let places = Int(lastBit - firstBit) + 1
        var best: [(score: Int, bit: Int64)] = []
        // Where the piece begins between two bits is not known: try a quarter and three quarters of the way.
        for fraction in [0.25, 0.75] {
            let (pattern, length) = signs(of: piece, fraction: fraction)
            let bits = PositionBits(seed: signal.seed, channel: channel)
            let (words, start) = bits.words(covering: firstBit, count: places + length + 64)
            let offset = Int(firstBit - start)
            scan(words, pattern: pattern, length: length, places: offset..<offset + places) { score, place in
                Self.keep((score, firstBit + Int64(place - offset)), in: &best)
                return best.count == Self.candidates ? best[Self.candidates - 1].score : 0
            }
        }
        return best.map { entry in
            // Half a bit of slack on each side of the one bit in which the piece begins.
            let low = Self.flooredQuotient((2 * entry.bit - 1) * rate, 2 * PositionBits.rate)
            let high = Self.flooredQuotient((2 * entry.bit + 3) * rate, 2 * PositionBits.rate) + 1
            return (low..<high + 1).clamped(to: range)
        }
        .filter { !$0.isEmpty }
    }

    private static func keep(_ entry: (score: Int, bit: Int64), in best: inout [(score: Int, bit: Int64)]) {
        if best.count == candidates {
            guard let last = best.last, entry.score > last.score else { return }
            best.removeLast()
        }
        let index = best.firstIndex { $0.score < entry.score } ?? best.count
        best.insert(entry, at: index)
    }

    /// The signs of the bits that a piece most likely holds, if it begins `fraction` of the way between two bits.
    private func signs(of piece: [Float], fraction: Double) -> (pattern: [UInt64], length: Int) {
        let bitsPerSample = Double(PositionBits.rate) / Double(signal.rate)
        let length = max(Int(Double(piece.count) * bitsPerSample), 1)
        var sums = [Double](repeating: 0, count: length)
        // Half of the pulse's reach holds nearly all of its energy.
        let reach = PulseShape.reach / 2
        let grid = 16
        let heights = (0...2 * reach * grid).map { PulseShape.height(at: Double($0) / Double(grid) - Double(reach)) }
        for (index, sample) in piece.enumerated() {
            let place = Double(index) * bitsPerSample + fraction
            let nearest = Int(place)
            for bit in max(0, nearest - reach + 1)...max(0, min(length - 1, nearest + reach)) where bit < length {
                let offset = Int(((place - Double(bit) + Double(reach)) * Double(grid)).rounded())
                if offset >= 0, offset < heights.count { sums[bit] += Double(sample) * heights[offset] }
            }
        }
        var pattern = [UInt64](repeating: 0, count: (length + 63) / 64)
        for (bit, sum) in sums.enumerated() where sum > 0 { pattern[bit / 64] |= 1 << UInt64(bit % 64) }
        return (pattern, length)
    }

    /// Counts the equal bits at each place, and reports the places that have more than the bar that `report` returns.
    private func scan(
        _ words: [UInt64],
        pattern: [UInt64],
        length: Int,
        places: Range<Int>,
        report: (_ score: Int, _ place: Int) -> Int
    ) {
        let whole = length / 64
        let rest = UInt64(length % 64)
        let mask: UInt64 = rest == 0 ? 0 : (1 << rest) - 1
        // Chance alone gives half of the bits and one standard deviation more in every sixth place.
        var least = length / 2 + Int(Double(length).squareRoot() / 2)
        words.withUnsafeBufferPointer { words in
            pattern.withUnsafeBufferPointer { pattern in
                for place in places {
                    let first = place >> 6
                    let shift = UInt64(place & 63)
                    var unlike = 0
                    for index in 0..<whole {
                        let bits = words[first + index] >> shift | words[first + index + 1] << (64 - shift)
                        unlike += (bits ^ pattern[index]).nonzeroBitCount
                    }
                    if rest > 0 {
                        let bits = words[first + whole] >> shift | words[first + whole + 1] << (64 - shift)
                        unlike += ((bits ^ pattern[whole]) & mask).nonzeroBitCount
                    }
                    let score = length - unlike
                    if score > least { least = max(least, report(score, place)) }
                }
            }
        }
    }

    // MARK: - The close look, on samples

    /// The best of a few neighbouring places.
    private func closest(_ piece: [Float], channel: Int, in range: Range<Int64>) -> Location {
        let first = range.lowerBound - 1
        let places = range.count + 2
        let reference = signal.samples(channel: channel, from: first, count: piece.count + places - 1)
        let correlations = Self.correlations(of: piece, in: reference, places: places)
        var best = 1
        for place in 1..<places - 1 where correlations[place] > correlations[best] { best = place }
        let (before, peak, after) = (correlations[best - 1], correlations[best], correlations[best + 1])
        let curvature = before - 2 * peak + after
        let fraction = curvature < 0 ? min(max((before - after) / (2 * curvature), -0.5), 0.5) : 0
        return Location(position: first + Int64(best), fraction: fraction, correlation: peak)
    }

    /// The likeness of a piece without mean to each place of a stretch of the signal.
    private static func correlations(of piece: [Float], in reference: [Int32], places: Int) -> [Double] {
        let scaled = reference.map { Float($0) / 2_147_483_648 }
        let length = piece.count
        return piece.withUnsafeBufferPointer { piece in
            scaled.withUnsafeBufferPointer { reference in
                let own = piece.reduce(0.0) { $0 + Double($1 * $1) }
                var (energy, sum) = (0.0, 0.0)
                for index in 0..<length {
                    energy += Double(reference[index] * reference[index])
                    sum += Double(reference[index])
                }
                return (0..<places).map { place in
                    var product = 0.0
                    var index = 0
                    while index < length {
                        // Short sums in single precision, which is quick, and those added up in double.
                        let end = min(index + 128, length)
                        var part: Float = 0
                        while index < end {
                            part += piece[index] * reference[place + index]
                            index += 1
                        }
                        product += Double(part)
                    }
                    // The piece has no mean; take the reference's away too.
                    let spread = energy - sum * sum / Double(max(length, 1))
                    if place + length < reference.count {
                        let (gone, next) = (Double(reference[place]), Double(reference[place + length]))
                        energy += next * next - gone * gone
                        sum += next - gone
                    }
                    return spread > 0 && own > 0 ? product / (spread * own).squareRoot() : 0
                }
            }
        }
    }

    private static func flooredQuotient(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
