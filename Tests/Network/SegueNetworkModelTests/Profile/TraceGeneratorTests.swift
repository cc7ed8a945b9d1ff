import Foundation
import SegueData
import Testing

@testable import SegueNetworkModel

@Suite struct `Trace generator` {
    /// The statistics of a course: the rates per second, and the fitted parameters.
    private struct Statistics {
        let deviation, outageShare: Double
        let memories: [Double]

        /// Combines the statistics of several courses.
        ///
        /// Less than a tenth of the mean counts as an outage, as in the measured traces.
        init(_ courses: [RateCourse]) {
            let rates = courses.flatMap { course in
                (0..<(course.period ?? 0) / 1_000_000_000).map {
                    Double(course.rate(at: $0 * 1_000_000_000).bitsPerSecond)
                }
            }
            let least = rates.reduce(0, +) / Double(rates.count) / 10
            let open = rates.filter { $0 > least }.map { log($0) }
            let openMean = open.reduce(0, +) / Double(open.count)
            deviation = (open.reduce(0.0) { $0 + ($1 - openMean) * ($1 - openMean) } / Double(open.count)).squareRoot()
            outageShare = 1 - Double(open.count) / Double(rates.count)
            let all = rates.map { log(max($0, least)) }
            let mean = all.reduce(0, +) / Double(all.count)
            let variance = all.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) }
            memories = [1, 5, 10].map { lag in
                zip(all, all.dropFirst(lag)).reduce(0.0) { $0 + ($1.0 - mean) * ($1.1 - mean) } / variance
            }
        }
    }

    /// Compared with the measured traces: the deviation of the rate's logarithm, the share of outages, and the
    /// autocorrelation after 1, 5, and 10 seconds.
    @Test(arguments: [
        // A bus in Ghent over LTE: 0.43, 0.017, 0.70, 0.34, 0.10; others in Oslo over HSDPA: 0.32, 0, 0.83, 0.30, 0.10.
        ("bus", 0.32...0.44, 0...0.03, [0.65...0.85, 0.2...0.4, 0.0...0.2]),
        // A tram in Ghent: 0.54, 0.044, 0.65, 0.50, 0.37; one trip in Oslo with outages: 1.16, 0.21, 0.91, 0.74, 0.71.
        ("train", 0.5...1.2, 0.04...0.2, [0.6...0.92, 0.4...0.75, 0.25...0.72]),
        // On foot in Ghent: 0.25, 0, 0.73, 0.26, 0.19.
        ("walk", 0.2...0.3, 0...0.01, [0.65...0.8, 0.18...0.34, 0.05...0.25]),
        // A trip in Oslo that loses the network: 1.18, 0.35, 0.98, 0.92, 0.85.
        ("lift", 0.6...1.2, 0.2...0.45, [0.9...0.99, 0.75...0.95, 0.6...0.9]),
    ])
    func `generated courses resemble measured ones`(
        name: String,
        deviation: ClosedRange<Double>,
        outages: ClosedRange<Double>,
        memories: [ClosedRange<Double>]
    ) throws {
        let generator = try TraceGenerator(#require(TraceGenerator.Kind(rawValue: name)))
        let courses = try (1...20).map {
            try #require(generator.course(seed: UInt64($0), mean: 2_000_000, seconds: 600))
        }
        let found = Statistics(courses)
        #expect(deviation.contains(found.deviation), "\(found)")
        #expect(outages.contains(found.outageShare), "\(found)")
        for (memory, range) in zip(found.memories, memories) { #expect(range.contains(memory), "\(found)") }
        #expect(courses.allSatisfy { abs($0.mean - 2_000_000) < 1 })
    }

    @Test func `equal seeds give equal courses`() throws {
        func rate(_ text: String) throws -> Rate {
            try LinkProfile(yaml: "name: n\nup: {}\ndown: { rate: { \(text) } }", file: "n.yaml").down.rate
        }
        let first = try rate("generate: bus, seed: 7, mean: 2 Mbit/s, length: 60 s")
        #expect(try first == rate("generate: bus, seed: 7, mean: 2 Mbit/s, length: 60 s"))
        #expect(try first != rate("generate: bus, seed: 8, mean: 2 Mbit/s, length: 60 s"))
        guard case .changing(let course) = first else { throw HarnessError(file: "", message: "constant") }
        #expect(course.period == 60_000_000_000 && abs(course.mean - 2_000_000) < 1)
    }

    @Test(arguments: [
        ("generate: boat, mean: 1 Mbit/s", "generate: boat is unknown; expected one of bus, lift, train, walk"),
        ("generate: bus", "mean: is missing"),
        ("generate: bus, mean: 1 Mbit/s, length: 1.5 s", "length: must be whole seconds, from 1 s to 86400 s"),
        (
            "generate: bus, mean: 1 Mbit/s, seed: -1",
            "seed: is -1, must be a whole number from 0 to 9223372036854775807"
        ),
    ])
    func `reports invalid generators in one line`(text: String, description: String) {
        let error = #expect(throws: HarnessError.self) {
            try LinkProfile(yaml: "name: n\nup: {}\ndown: { rate: { \(text) } }", file: "n.yaml")
        }
        #expect(error?.description.contains(description) == true, "\(error?.description ?? "")")
    }
}
