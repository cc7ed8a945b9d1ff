internal import SegueBase

/// Compares the error of transcoded audio at segment boundaries with the error inside segments.
struct BorderErrors {
    private let border: [Float]
    private let inside: [Float]
    private let surroundings: (border: [Surroundings], inside: [Surroundings])
    private let borderCount: Int
    private let worst: (sample: Int64, error: Float)?

    /// The minimum number of blocks for a statement.
    private static let least = 3
    /// The number of similar inner blocks with which a boundary block is compared.
    private static let alikeCount = 40

    /// The source's level before, in, and after a block, in decibels, and the block's error.
    private struct Surroundings {
        var levels: SIMD3<Float>
        var error: Float
    }

    /// Sorts the errors of blocks by distance to the segment starts in `borders`, which exclude the first segment.
    init(errors: [(delivered: Int64, level: Float, error: Float)], borders: [Int64]) {
        var (border, inside): ([Surroundings], [Surroundings]) = ([], [])
        var worst: (sample: Int64, error: Float)?
        var next = 0
        for (place, (sample, level, error)) in errors.enumerated() {
            let levels = SIMD3(errors[max(0, place - 1)].level, level, errors[min(place + 1, errors.count - 1)].level)
            let block = Surroundings(levels: levels, error: error)
            // A transform codec's frame spans 2048 samples, so two of the blocks around a boundary overlap it.
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

    /// Reports the percentiles, and a finding if the boundary error is higher.
    func judge(_ report: inout VerificationReport, place: (Int64) -> Double) {
        guard border.count >= Self.least, inside.count >= Self.least else { return }
        let (atBorder, within) = (Self.percentile(border), Self.percentile(inside))
        report.metrics.borderError = Double(atBorder)
        report.metrics.insideError = Double(within)
        // One block in twenty exceeds the percentile by chance; three standard deviations more are significant. The
        // blocks at one boundary are similar, so boundaries are counted.
        let above = Double(border.count { $0 > within }) / Double(border.count)
        let chance = 0.05 + 3 * (0.05 * 0.95 / Double(max(borderCount, 1))).squareRoot()
        guard above > chance, atBorder > within * 1.25, atBorder > 0.01, let worst else { return }
        // Music in sync with the segments has the same beat at every boundary.
        guard shareAboveAlike > chance else { return }
        report.find(
            .borderError,
            "the error is \(Self.percent(atBorder)) at segment borders, but \(Self.percent(within)) inside segments",
            at: place(worst.sample)
        )
    }

    /// The share of boundary blocks with an error above the percentile of the most similar inner blocks: equally loud,
    /// with equally loud surroundings.
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

    private static func percent(_ value: Float) -> Message { "\((value * 1000).rounded() / 10) %" }
}
