/// Searches for the lag at which delivered audio matches the source: delivered sample `d` corresponds to source sample
/// `d - lag`.
struct LagSearch {
    let delivered: AudioWindow
    let source: AudioWindow
    /// The delivered sample to search from.
    let cursor: Int
    /// True if no audio has been located yet.
    let isFirst: Bool

    private var deliveredCount: Int { Int(delivered.end) }
    private var sourceCount: Int { Int(source.end) }

    /// The lag nearest to `middle` among those with nearly the best correlation; nil if none reaches `least`.
    func best(_ length: Int, lags: ClosedRange<Int>, near middle: Int, least: Double) -> Int? {
        let found = correlations(length, lags: lags)
        guard let top = found.max(), Double(top) >= least else { return nil }
        // The periods of a tone look alike; the rest of the audio decides, as far as there is any.
        let peaks = found.indices.filter { place in
            found[place] >= top * 0.9 && (place == 0 || found[place - 1] <= found[place])
                && (place + 1 == found.count || found[place + 1] < found[place])
        }
        let near = peaks.sorted { abs(lags.lowerBound + $0 - middle) < abs(lags.lowerBound + $1 - middle) }
            .prefix(isFirst ? Self.mostWaves : 64)
        let sharpness = near.map { (lag: lags.lowerBound + $0, likeness: sharpLikeness(at: lags.lowerBound + $0)) }
        guard let sharpest = sharpness.map(\.likeness).max() else {
            return lags.lowerBound + (found.firstIndex(of: top) ?? 0)
        }
        let alike = sharpness.filter { $0.likeness >= sharpest - 0.02 }.map(\.lag)
        return isFirst && alike.count > 1 ? begun(alike) : alike.first
    }

    /// The maximum number of periods distinguished at the start: those of 4 kHz within the encoder delay, in either
    /// direction.
    private static let mostWaves = 2400

    /// The first of several lags that also matches at the audio's start: a constant tone is located only by its onset.
    ///
    /// The window has about 3200 samples, and a misplaced part costs half its share of correlation; a thousandth
    /// corresponds to less than a millisecond.
    private func begun(_ lags: [Int]) -> Int? {
        let beginnings = lags.map { (lag: $0, likeness: beginningLikeness(at: $0)) }
        guard let top = beginnings.map(\.likeness).max() else { return lags.first }
        return beginnings.first { $0.likeness >= top - 0.001 }?.lag
    }

    /// The correlation up to slightly behind the cursor, with silence before the source's start.
    private func beginningLikeness(at lag: Int) -> Double {
        let (first, end) = (Int(delivered.first), min(cursor + 800, deliveredCount, sourceCount + lag))
        let begin = max(first, lag + Int(source.first))
        guard begin < end, source.first == 0 else { return 0 }
        return delivered.withSamples(from: Int64(first)) { delivered in
            source.withSamples(from: Int64(begin - lag)) { source in
                let here = UnsafeBufferPointer(rebasing: delivered[(begin - first)..<(end - first)])
                let all = UnsafeBufferPointer(rebasing: delivered[..<(end - first)])
                let there = UnsafeBufferPointer(rebasing: source[..<(end - begin)])
                let scale = (Double(AudioMath.product(all, all)) * Double(AudioMath.product(there, there))).squareRoot()
                return scale > 0 ? Double(AudioMath.product(here, there)) / scale : 0
            }
        }
    }

    /// The correlation from the cursor on at a lag, with less weight on low tones.
    private func sharpLikeness(at lag: Int) -> Double {
        let count = min(16_000, deliveredCount - cursor, sourceCount - (cursor - lag))
        guard count > 1, cursor - lag >= Int(source.first) else { return -1 }
        return delivered.withSamples(from: Int64(cursor)) { delivered in
            source.withSamples(from: Int64(cursor - lag)) { source in
                var (own, other, both) = (0.0, 0.0, 0.0)
                for place in 1..<count {
                    let (a, b) = (delivered[place] - delivered[place - 1], source[place] - source[place - 1])
                    own += Double(a * a)
                    other += Double(b * b)
                    both += Double(a * b)
                }
                return own > 0 && other > 0 ? both / (own * other).squareRoot() : 0
            }
        }
    }

    /// The correlations of a piece from the cursor on at some lags; 0 where the source is silent.
    func correlations(_ length: Int, lags: ClosedRange<Int>) -> [Float] {
        delivered.withSamples(from: Int64(cursor)) { piece in
            let piece = UnsafeBufferPointer(rebasing: piece[..<length])
            let own = AudioMath.product(piece, piece)
            let first = cursor - lags.upperBound
            return source.withSamples(from: Int64(first)) { whole -> [Float] in
                var energy = Double(
                    AudioMath.product(
                        UnsafeBufferPointer(rebasing: whole[..<length]),
                        UnsafeBufferPointer(rebasing: whole[..<length])
                    )
                )
                var result = [Float](repeating: 0, count: lags.count)
                for offset in 0..<lags.count {
                    let there = UnsafeBufferPointer(rebasing: whole[offset..<offset + length])
                    let scale = (Double(own) * max(energy, 0)).squareRoot()
                    if energy > AudioMatcher.quiet * Double(length), scale > 0 {
                        result[lags.count - 1 - offset] = AudioMath.product(piece, there) / Float(scale)
                    }
                    if offset + length < whole.count {
                        let (gone, next) = (Double(whole[offset]), Double(whole[offset + length]))
                        energy += next * next - gone * gone
                    }
                }
                return result
            }
        }
    }
}
