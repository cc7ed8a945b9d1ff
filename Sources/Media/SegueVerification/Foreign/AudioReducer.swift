internal import Foundation

/// Reduces audio of any rate to 8000 samples per second: audible identity is determined below 4 kHz, and codecs
/// synthesize the rest.
///
/// Sample `n` of the output corresponds exactly to input position `n * rate / 8000`.
struct AudioReducer {
    /// The output sample rate, in hertz.
    static let rate = 8000.0

    /// The number of input samples per output sample.
    let ratio: Double
    private let half: Int
    private let taps: Int
    private let kernels: [Float]
    private var kept: [[Float]]
    /// The number of the first kept sample.
    private var first: Int
    private var next = 0

    /// The subsample resolution.
    private static let phases = 64
    private static let zeroCrossings = 10.0

    init(rate: Double, channels: Int) {
        ratio = rate / Self.rate
        let scale = max(1, ratio)
        half = Int((Self.zeroCrossings * scale).rounded(.up))
        taps = (2 * half + 7) & ~7
        // Audio before the start is silent.
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

    /// Feeds samples and returns the completed output samples by channel.
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

    /// Returns the remaining output; the input after the end is silent.
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

/// Vectorized sums over samples.
enum AudioMath {
    /// The dot product over the common samples.
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
