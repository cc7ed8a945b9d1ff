/// Finds where in the source a piece of delivered audio comes from.
enum AudioSearch {
    /// The sample of the source at which an exact copy of the piece begins, the one nearest to an expected place.
    ///
    /// - Parameters:
    ///   - piece: The samples of all channels in turn.
    ///   - source: Where to look.
    ///   - expected: The sample from which the search goes outward.
    /// - Returns: The sample, or nil where there is no such copy.
    static func exact(_ piece: [Float], in source: AudioWindow, near expected: Int64) -> Int64? {
        let channels = source.channels
        let length = piece.count / channels
        let last = source.end - Int64(length)
        guard length > 0, last >= source.first, let lead = piece.firstIndex(where: { $0 != 0 }) else { return nil }
        return source.withSamples(from: source.first) { samples in
            piece.withUnsafeBufferPointer { piece in
                func isHere(_ place: Int64) -> Bool {
                    let start = Int(place - source.first) * channels
                    // The first sample that is not silent says no at nearly every place.
                    guard samples[start + lead] == piece[lead] else { return false }
                    return (0..<piece.count).allSatisfy { samples[start + $0] == piece[$0] }
                }
                let middle = min(max(expected, source.first), last)
                for distance in 0...max(middle - source.first, last - middle) {
                    if middle + distance <= last, isHere(middle + distance) { return middle + distance }
                    if distance > 0, middle - distance >= source.first, isHere(middle - distance) {
                        return middle - distance
                    }
                }
                return nil
            }
        }
    }

    /// The sample of the source that a piece resembles most, and how much.
    ///
    /// - Parameters:
    ///   - piece: One channel of audio, 1024 samples or more.
    ///   - source: Where to look.
    /// - Returns: The sample, and from -1 to 1 how alike the piece and the audio there are.
    static func alike(_ piece: [Float], in source: AudioWindow) -> (place: Int64, correlation: Double)? {
        let whole = source.mono(from: source.first, count: source.count)
        guard piece.count >= 1024, whole.count >= piece.count else { return nil }
        let (coarse, coarseWhole) = (thinned(piece), thinned(whole))
        var best = (place: 0, correlation: -1.0)
        scan(coarse, in: coarseWhole, places: 0...coarseWhole.count - coarse.count) { place, correlation in
            if correlation > best.correlation { best = (place, correlation) }
        }
        let middle = best.place * factor
        let low = max(0, middle - 2 * factor)
        let high = min(whole.count - piece.count, middle + 2 * factor)
        best = (0, -1)
        guard low <= high else { return nil }
        scan(piece, in: whole, places: low...high) { place, correlation in
            if correlation > best.correlation { best = (place, correlation) }
        }
        return (source.first + Int64(best.place), best.correlation)
    }

    /// The number of samples the coarse search takes together.
    private static let factor = 4

    private static func thinned(_ samples: [Float]) -> [Float] {
        (0..<samples.count / factor).map { index in
            (0..<factor).reduce(0) { $0 + samples[index * factor + $1] }
        }
    }

    private static func scan(
        _ piece: [Float],
        in whole: [Float],
        places: ClosedRange<Int>,
        _ report: (Int, Double) -> Void
    ) {
        whole.withUnsafeBufferPointer { whole in
            piece.withUnsafeBufferPointer { piece in
                let own = piece.reduce(0.0) { $0 + Double($1 * $1) }
                var energy = (0..<piece.count).reduce(0.0) {
                    $0 + Double(whole[places.lowerBound + $1] * whole[places.lowerBound + $1])
                }
                for place in places {
                    var product: Float = 0
                    for index in 0..<piece.count { product += piece[index] * whole[place + index] }
                    let scale = (own * max(energy, 0)).squareRoot()
                    if scale > 1e-9 { report(place, Double(product) / scale) }
                    let (gone, next) = (
                        whole[place], place + piece.count < whole.count ? whole[place + piece.count] : 0
                    )
                    energy += Double(next * next) - Double(gone * gone)
                }
            }
        }
    }
}
