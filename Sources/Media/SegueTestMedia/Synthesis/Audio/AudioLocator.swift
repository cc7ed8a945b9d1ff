/// A locator of short audio pieces in a ``AudioSignal``.
package struct AudioLocator: Sendable {
    package struct Location: Sendable, Equatable {
        /// The signal's sample number of the piece's first sample.
        package var position: Int64

        /// The estimated subsample offset, from -0.5 to 0.5.
        package var fraction: Double

        /// The correlation: 1 for equality except loudness, 0 for none.
        package var correlation: Double
    }

    package let signal: AudioSignal

    /// The minimum correlation of a match.
    ///
    /// The best match of 50 ms in five minutes of unrelated audio reaches about 0.3.
    package let leastCorrelation: Double

    /// The number of coarse matches that are examined closely.
    private static let candidates = 12

    /// Creates a locator for a signal at the rate of the audio, with a minimum correlation.
    package init(signal: AudioSignal, leastCorrelation: Double = 0.4) {
        self.signal = signal
        self.leastCorrelation = leastCorrelation
    }

    /// Finds the position of an audio piece of at least 50 ms in a channel; nil without a match.
    ///
    /// The cost is about ten nanoseconds per bit of the range, at 8000 bits per second.
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

    /// Confirms an expected position quickly; nil if a neighbor matches as well or the correlation is too low.
    package func confirm(_ piece: [Float], channel: Int, at position: Int64) -> Location? {
        let mean = piece.reduce(0, +) / Float(max(piece.count, 1))
        let reference = signal.samples(channel: channel, from: position - 1, count: piece.count + 2)
        let found = Self.correlations(of: piece.map { $0 - mean }, in: reference, places: 3)
        guard found[1] >= leastCorrelation, found[1] > found[0], found[1] > found[2] else { return nil }
        return Location(position: position, fraction: 0, correlation: found[1])
    }

    /// The correlation of an audio piece with the signal at a position, from -1 to 1 (equality except loudness).
    package func correlation(of piece: [Float], channel: Int, at position: Int64) -> Double {
        let mean = piece.reduce(0, +) / Float(max(piece.count, 1))
        return closest(piece.map { $0 - mean }, channel: channel, in: position..<position + 1).correlation
    }

    // MARK: - The coarse search, on signs

    /// The best coarse matches, as ranges of a few samples, the best first.
    private func coarse(_ piece: [Float], channel: Int, in range: Range<Int64>) -> [Range<Int64>] {
        let rate = Int64(signal.rate)
        let firstBit = Self.flooredQuotient(range.lowerBound * PositionBits.rate, rate) - 1
        let lastBit = Self.flooredQuotient((range.upperBound - 1) * PositionBits.rate, rate) + 1
        let places = Int(lastBit - firstBit) + 1
        var best: [(score: Int, bit: Int64)] = []
        // The phase between two bits is unknown: try a quarter and three quarters.
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
            // Half a bit of slack on each side of the bit in which the piece begins.
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

    /// The most likely bit signs of a piece that begins `fraction` of the way between two bits.
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

    /// Counts equal bits at each position and reports positions above the threshold that `report` returns.
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
        // By chance, half of the bits match, and one standard deviation more at every sixth position.
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

    /// The best of a few neighboring positions.
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

    /// The correlations of a zero-mean piece with a section of the signal.
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
                        // Short sums are in single precision for speed, their totals in double precision.
                        let end = min(index + 128, length)
                        var part: Float = 0
                        while index < end {
                            part += piece[index] * reference[place + index]
                            index += 1
                        }
                        product += Double(part)
                    }
                    // The piece has zero mean; remove the reference's too.
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
