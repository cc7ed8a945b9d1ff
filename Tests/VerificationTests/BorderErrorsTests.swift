import Testing

@testable import Verification

@Suite struct `Border errors` {
    private let borders = (1...20).map { Int64($0) * 96_000 }

    /// An error for each block of 1024 samples, with another one where a border is near.
    private func errors(inside: Float, border: Float) -> [(delivered: Int64, error: Float)] {
        (0..<2000).map { block in
            let sample = Int64(block) * 1024
            let isNear = borders.contains { abs($0 - sample) < 2048 }
            // Up to a fifth more or less, by a rule that has nothing to do with borders.
            return (sample, (isNear ? border : inside) * (0.8 + 0.4 * Float(block * 37 % 100) / 100))
        }
    }

    private func report(inside: Float, border: Float) -> VerificationReport {
        var report = VerificationReport()
        BorderErrors(errors: errors(inside: inside, border: border), borders: borders).judge(&report) { Double($0) }
        return report
    }

    @Test func `an error that is the same everywhere is no finding`() {
        let report = report(inside: 0.2, border: 0.2)
        #expect(report.findings == [])
        #expect((0.2...0.25).contains(report.metrics.borderError ?? 0))
        #expect((0.2...0.25).contains(report.metrics.insideError ?? 0))
    }

    @Test func `an error that is twice as high at borders is found`() {
        #expect(report(inside: 0.2, border: 0.4).findings.map(\.rule) == [.borderError])
    }

    @Test func `few blocks say nothing`() {
        var report = VerificationReport()
        BorderErrors(errors: [(0, 0.1), (1024, 0.9)], borders: [1024]).judge(&report) { Double($0) }
        #expect(report.metrics.borderError == nil)
    }
}
