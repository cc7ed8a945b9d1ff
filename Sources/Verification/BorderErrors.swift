/// Compares the error of transcoded sound at segment borders with the error inside of segments.
struct BorderErrors {
    private let border: [Float]
    private let inside: [Float]
    private let borderCount: Int
    private let worst: (sample: Int64, error: Float)?

    /// Errors of fewer blocks say nothing.
    private static let least = 3

    /// Sorts the errors.
    ///
    /// - Parameters:
    ///   - errors: The relative error of each block, and its first sample.
    ///   - borders: The first sample of each segment but the first.
    init(errors: [(delivered: Int64, error: Float)], borders: [Int64]) {
        var (border, inside): ([Float], [Float]) = ([], [])
        var worst: (sample: Int64, error: Float)?
        var next = 0
        for (sample, error) in errors {
            // A frame of a transform codec sounds for 2048 samples; two of the blocks around a border touch it.
            while next < borders.count, borders[next] + 2048 <= sample { next += 1 }
            if next < borders.count, borders[next] - 1024 < sample + 1024 {
                border.append(error)
                if error > worst?.error ?? 0 { worst = (sample, error) }
            } else {
                inside.append(error)
            }
        }
        self.border = border.sorted()
        self.inside = inside.sorted()
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
        report.find(
            .borderError,
            "the error at segment borders is \(Self.percent(atBorder)), inside of segments \(Self.percent(within))",
            at: place(worst.sample)
        )
    }

    private static func percentile(_ sorted: [Float]) -> Float {
        sorted[min(sorted.count * 95 / 100, sorted.count - 1)]
    }

    private static func percent(_ value: Float) -> String { "\((value * 1000).rounded() / 10) %" }
}
