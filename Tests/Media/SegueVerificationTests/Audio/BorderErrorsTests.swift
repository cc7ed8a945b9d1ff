import Testing

@testable import SegueVerification

@Suite struct `Border errors` {
    private let borders = (1...20).map { Int64($0) * 96_000 }

    /// An error for each block of 1024 samples, with another one where a border is near.
    ///
    /// - Parameters:
    ///   - inside: The error away from borders.
    ///   - border: The error near them.
    ///   - beat: The error on a beat away from borders, which is loud; nil where there are none.
    /// - Returns: The errors, and how loud each block is.
    private func errors(inside: Float, border: Float, beat: Float? = nil)
        -> [(delivered: Int64, level: Float, error: Float)]
    {
        (0..<2000).map { block in
            let sample = Int64(block) * 1024
            let isNear = borders.contains { abs($0 - sample) < 2048 }
            let isBeat = beat != nil && (isNear || block % 40 == 11)
            let error = isNear ? border : isBeat ? beat ?? inside : inside
            // Up to a fifth more or less, by a rule that has nothing to do with borders.
            return (sample, isBeat ? -6 : -20, error * (0.8 + 0.4 * Float(block * 37 % 100) / 100))
        }
    }

    private func report(inside: Float, border: Float, beat: Float? = nil) -> VerificationReport {
        var report = VerificationReport()
        let errors = errors(inside: inside, border: border, beat: beat)
        BorderErrors(errors: errors, borders: borders).judge(&report) { Double($0) }
        return report
    }

    @Test func `an error that is the same everywhere is no finding`() {
        let report = report(inside: 0.2, border: 0.2)
        #expect(report.differences == [])
        #expect((0.2...0.25).contains(report.metrics.borderError ?? 0))
        #expect((0.2...0.25).contains(report.metrics.insideError ?? 0))
    }

    @Test func `an error that is twice as high at borders is found`() {
        #expect(report(inside: 0.2, border: 0.4).differences.map(\.rule) == [.borderError])
    }

    @Test func `an error that every beat has is no finding where all borders are on beats`() {
        #expect(report(inside: 0.2, border: 0.4, beat: 0.4).differences == [])
        #expect(report(inside: 0.2, border: 0.8, beat: 0.4).differences.map(\.rule) == [.borderError])
    }

    @Test func `few blocks say nothing`() {
        var report = VerificationReport()
        BorderErrors(errors: [(0, -20, 0.1), (1024, -20, 0.9)], borders: [1024]).judge(&report) { Double($0) }
        #expect(report.metrics.borderError == nil)
    }
}
