/// Compares the error of transcoded audio at segment borders with the error inside of segments.
struct BorderErrors {
    private let border: [Float]
    private let inside: [Float]
    private let surroundings: (border: [Surroundings], inside: [Surroundings])
    private let borderCount: Int
    private let worst: (sample: Int64, error: Float)?

    /// Errors of fewer blocks say nothing.
    private static let least = 3
    /// To how many blocks inside, those that audio most alike, a block at a border is held.
    private static let alikeCount = 40

    /// How loud the source is before, in and behind a block, in decibels, and the block's error.
    private struct Surroundings {
        var levels: SIMD3<Float>
        var error: Float
    }

    /// Sorts the errors.
    ///
    /// - Parameters:
    ///   - errors: The relative error of each block, how loud the source is in it, and its first sample.
    ///   - borders: The first sample of each segment but the first.
    init(errors: [(delivered: Int64, level: Float, error: Float)], borders: [Int64]) {
        var (border, inside): ([Surroundings], [Surroundings]) = ([], [])
        var worst: (sample: Int64, error: Float)?
        var next = 0
        for (place, (sample, level, error)) in errors.enumerated() {
            let levels = SIMD3(errors[max(0, place - 1)].level, level, errors[min(place + 1, errors.count - 1)].level)
            let block = Surroundings(levels: levels, error: error)
            // A frame of a transform codec audio tracks for 2048 samples; two of the blocks around a border touch it.
            while next < borders.count, borders[next] + 2048 <= sample { next += 1 }
            if next < borders.count, borders[next] - 1024 < sample + 1024 {
                border.append(block)
                if error > worst?.error ?? 0 { worst = (sample, error) }
            } else {
                inside.append(block)
            }
        }
        self.border = border.map(\.error).sorted()
        self.inside = inside.map(\.error).sorted()
        surroundings = (border, inside)
        self.worst = worst
        borderCount = borders.count
    }

    /// Reports the percentiles, and a border error that is higher.
    func judge(_ report: inout VerificationReport, place: (Int64) -> Double) {
        guard border.count >= Self.least, inside.count >= Self.least else { return }
        let (atBorder, within) = (Self.percentile(border), Self.percentile(inside))
        report.metrics.borderError = Double(atBorder)
        report.metrics.insideError = Double(within)
        // One block in twenty is above the percentile by chance; three standard deviations more are not chance. The
        // blocks at one border are alike, so that it is the borders that count.
        let above = Double(border.count { $0 > within }) / Double(border.count)
        let chance = 0.05 + 3 * (0.05 * 0.95 / Double(max(borderCount, 1))).squareRoot()
        guard above > chance, atBorder > within * 1.25, atBorder > 0.01, let worst else { return }
        // In time with the segments, music has the same beat on every border.
        guard shareAboveAlike > chance else { return }
        report.find(
            .borderError,
            "the error at segment borders is \(Self.percent(atBorder)), inside of segments \(Self.percent(within))",
            at: place(worst.sample)
        )
    }

    /// Of how many blocks at borders the error is above the percentile of those inside that audio most alike: as loud,
    /// after and before what is as loud.
    private var shareAboveAlike: Double {
        let above = surroundings.border.count { block in
            let distances = surroundings.inside.map { other in
                let apart = other.levels - block.levels
                return (distance: (apart * apart).sum(), error: other.error)
            }
            let alike = distances.sorted { $0.distance < $1.distance }.prefix(Self.alikeCount).map(\.error)
            return block.error > Self.percentile(alike.sorted())
        }
        return Double(above) / Double(surroundings.border.count)
    }

    private static func percentile(_ sorted: [Float]) -> Float {
        sorted[min(sorted.count * 95 / 100, sorted.count - 1)]
    }

    private static func percent(_ value: Float) -> String { "\((value * 1000).rounded() / 10) %" }
}
