/// Looks for the lag at which delivered audio from a sample on is the source's: delivered sample `d` is the source's
/// sample `d - lag`.
struct LagSearch {
    let delivered: AudioWindow
    let source: AudioWindow
    /// The delivered sample from which on.
    let cursor: Int
    /// True if nothing of the audio has its place yet.
    let isFirst: Bool

    private var deliveredCount: Int { Int(delivered.end) }
    private var sourceCount: Int { Int(source.end) }

    /// Of the lags at which a piece is as alike as at the best one, the nearest to a wished one.
    ///
    /// - Parameters:
    ///   - length: The number of samples the piece has.
    ///   - lags: Among which.
    ///   - middle: The wished one.
    ///   - least: How alike it is at least.
    /// - Returns: The lag; nil for none that is alike enough.
    func best(_ length: Int, lags: ClosedRange<Int>, near middle: Int, least: Double) -> Int? {
        let found = correlations(length, lags: lags)
        guard let top = found.max(), Double(top) >= least else { return nil }
        // Each wave of a tone is like the next: which it is, is told by what else is heard, for as long as there is
        // audio.
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

    /// The number of waves of a tone are told apart where audio begins: those of 4 kHz in the most that an encoder puts
    /// before it, to either side.
    private static let mostWaves = 2400

    /// Of lags at which the audio goes on alike, the first at which it also begins alike: a tone that never changes
    /// tells its place only by where it sets in.
    ///
    /// The window has some 3200 samples, and of what is beside by a part of them half that part is lost in likeness: a
    /// thousandth stands for less than a millisecond.
    private func begun(_ lags: [Int]) -> Int? {
        let beginnings = lags.map { (lag: $0, likeness: beginningLikeness(at: $0)) }
        guard let top = beginnings.map(\.likeness).max() else { return lags.first }
        return beginnings.first { $0.likeness >= top - 0.001 }?.lag
    }

    /// How alike all is up to a little behind the cursor, with silence before the source's beginning.
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

    /// How alike the audio from the cursor on is at a lag, with low tones counting for less.
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

    /// How alike a piece from the cursor on is at each of some lags; 0 where the source is silent.
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
                    if energy > AudioTracker.quiet * Double(length), scale > 0 {
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
