/// Finds the source of a piece of delivered audio.
enum AudioSearch {
    /// The source sample nearest to `expected` at which an exact copy of the interleaved piece begins; nil if there is
    /// none.
    static func exact(_ piece: [Float], in source: AudioWindow, near expected: Int64) -> Int64? {
        let channels = source.channels
        let length = piece.count / channels
        let last = source.end - Int64(length)
        guard length > 0, last >= source.first, let lead = piece.firstIndex(where: { $0 != 0 }) else { return nil }
        return source.withSamples(from: source.first) { samples in
            piece.withUnsafeBufferPointer { piece in
                func isHere(_ place: Int64) -> Bool {
                    let start = Int(place - source.first) * channels
                    // The first nonsilent sample rejects nearly every position.
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

    /// The source sample with the highest correlation to a piece of one channel (at least 1024 samples), and the
    /// correlation from -1 to 1.
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

    /// The decimation factor of the coarse search.
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
