internal import Foundation

/// Makes audio of 8000 samples per second out of audio of any rate: what is told apart by ear as the same or not lies
/// below 4 kHz, and codecs make up what is above.
///
/// Sample `n` of the result stands where sample `n * rate / 8000` of the audio did, exactly.
struct AudioReducer {
    /// Samples per second of the result.
    static let rate = 8000.0

    /// Samples of the input for each of the result.
    let ratio: Double
    private let half: Int
    private let taps: Int
    private let kernels: [Float]
    private var kept: [[Float]]
    /// The number of the first sample that is kept.
    private var first: Int
    private var next = 0

    /// Between two input samples so many places are told apart.
    private static let phases = 64
    private static let zeroCrossings = 10.0

    /// A reducer.
    ///
    /// - Parameters:
    ///   - rate: Samples per second of the input; greater than 0.
    ///   - channels: The number of channels it has.
    init(rate: Double, channels: Int) {
        ratio = rate / Self.rate
        let scale = max(1, ratio)
        half = Int((Self.zeroCrossings * scale).rounded(.up))
        taps = (2 * half + 7) & ~7
        // What is before the beginning is silent.
        kept = [[Float]](repeating: [Float](repeating: 0, count: half), count: max(1, channels))
        first = -half
        let (count, half) = (taps, half)
        kernels = (0..<Self.phases).flatMap { phase -> [Float] in
            let offset = Double(phase) / Double(Self.phases)
            let kernel = (0..<count).map { tap -> Double in
                let x = (Double(tap - half + 1) - offset) / scale
                guard abs(x) < Self.zeroCrossings else { return 0 }
                let sinc = x == 0 ? 0.92 : sin(0.92 * .pi * x) / (.pi * x)
                return sinc * (0.5 + 0.5 * cos(.pi * x / Self.zeroCrossings))
            }
            let sum = kernel.reduce(0, +)
            return kernel.map { Float($0 / sum) }
        }
    }

    /// Takes samples and gives those of the result that they complete, channel by channel.
    mutating func reduce(_ planes: [[Float]]) -> [[Float]] {
        for channel in kept.indices {
            if planes.indices.contains(channel) {
                kept[channel] += planes[channel]
            } else {
                kept[channel] += [Float](repeating: 0, count: planes.first?.count ?? 0)
            }
        }
        return complete()
    }

    /// Gives what is left of the result; after the end it is silent.
    mutating func finish() -> [[Float]] {
        reduce([[Float]](repeating: [Float](repeating: 0, count: taps - half), count: kept.count))
    }

    private mutating func complete() -> [[Float]] {
        let end = first + kept[0].count
        var result = [[Float]](repeating: [], count: kept.count)
        while true {
            let place = Double(next) * ratio
            var whole = Int(place.rounded(.down))
            var phase = Int(((place - Double(whole)) * Double(Self.phases)).rounded())
            if phase == Self.phases { (whole, phase) = (whole + 1, 0) }
            let start = whole - half + 1 - first
            guard whole - half + 1 + taps <= end else { break }
            for channel in kept.indices {
                result[channel].append(
                    kept[channel].withUnsafeBufferPointer { samples in
                        kernels.withUnsafeBufferPointer { kernels in
                            AudioMath.product(
                                UnsafeBufferPointer(rebasing: samples[start..<start + taps]),
                                UnsafeBufferPointer(rebasing: kernels[phase * taps..<(phase + 1) * taps])
                            )
                        }
                    }
                )
            }
            next += 1
        }
        let gone = Int(Double(next) * ratio) - half - first
        if gone > 16384 {
            for channel in kept.indices { kept[channel].removeFirst(gone) }
            first += gone
        }
        return result
    }
}

/// Sums over samples, eight at a time.
enum AudioMath {
    /// The sum of the products of as many samples as the shorter has.
    static func product(_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) -> Float {
        let count = min(left.count, right.count)
        var sum = SIMD8<Float>.zero
        let (a, b) = (UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        var place = 0
        while place + 8 <= count {
            let x = a.loadUnaligned(fromByteOffset: place * 4, as: SIMD8<Float>.self)
            let y = b.loadUnaligned(fromByteOffset: place * 4, as: SIMD8<Float>.self)
            sum += x * y
            place += 8
        }
        var rest: Float = 0
        while place < count {
            rest += left[place] * right[place]
            place += 1
        }
        return sum.sum() + rest
    }
}
