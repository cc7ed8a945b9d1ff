import Testing

@testable import SegueSuite

@Suite struct `A forecast of a suite's end` {
    /// The largest error of the estimated end after a tenth of the time, relative to the duration.
    private func error(_ told: [Course.Told], _ end: (Course.Told) -> Double?) -> Double {
        let errors = told.filter { $0.at >= 0.1 }.compactMap(end).map { abs($0 - 1) }
        return errors.isEmpty ? .infinity : errors.reduce(0, +) / Double(errors.count)
    }

    private func show(_ name: String, _ told: [Course.Told]) {
        let places = [10, 25, 50, 75].map { hundredth -> String in
            let one = told[hundredth - 1]
            func percent(_ end: Double?) -> String { end.map { "\(Int((($0 - 1) * 100).rounded())) %" } ?? "nothing" }
            return "at \(hundredth) %: \(percent(one.end)) (by files: \(percent(one.plainEnd)))"
        }
        print("\(name): " + places.joined(separator: ", "))
    }

    @Test(arguments: [
        ("real-files", 0.4, 0.4), ("test-media", 1.6, 0.1), ("many-networks", 0.3, 0.2),
        ("hundreds-of-cases", 0.35, 0.7),
    ])
    func `is near the end of recorded runs`(name: String, most: Double, ofPlain share: Double) throws {
        let course = try Course(recorded: name)
        for tellsShares in [false, true] {
            let told = course.told(tellsShares: tellsShares)
            show(name + (tellsShares ? ", with shares" : ""), told)
            let error = error(told, \.end)
            #expect(error < most, "\(error)")
            #expect(error < share * self.error(told, \.plainEnd))
        }
    }

    @Test func `is accurate if half of the content is known`() {
        let files = (0..<400).map { index -> (String, Int64, [Double]) in
            let bytes = Int64(4_000_000_000 / (index + 10))
            let once = index % 2 == 0 ? 0.01 : 0.02 + Double(bytes) / 4 / 20e6
            return ("mp4", bytes, [once] + Array(repeating: 0.004, count: 9))
        }
        let told = Course(jobs: 2, files).told(tellsShares: false)
        show("half known", told)
        #expect(error(told, \.end) < 0.35)
    }

    @Test func `is accurate if all content is known`() {
        let files = (0..<300).map { ("mp4", Int64(4_000_000_000 / ($0 + 10)), [0.011, 0.006, 0.005, 0.006]) }
        let told = Course(jobs: 4, files).told(tellsShares: false)
        show("all known", told)
        #expect(error(told, \.end) < 0.2)
    }

    @Test func `is accurate for one huge film among small files`() {
        let small = (0..<60).map { _ in ("mp3", Int64(600_000), [0.1, 0.004]) }
        let told = Course(jobs: 2, [("mkv", 4_000_000, [300, 0.1])] + small).told(tellsShares: true)
        show("a huge film", told)
        #expect(error(told, \.end) < 0.15)
    }

    @Test func `is accurate for unknown titles`() {
        let titles = (0..<12).map { ("title", Int64(0), [2.5 + Double($0 % 3)] + Array(repeating: 0.02, count: 29)) }
        let told = Course(jobs: 2, titles).told(tellsShares: false)
        show("titles", told)
        #expect(error(told, \.end) < 0.25)
    }

    @Test func `is missing before anything is known, and zero at the end`() {
        var forecast = Forecast([WorkEstimate.forecast("mp4", weighted: 1000, cases: 2)], order: [0], jobs: 2)
        #expect(forecast.secondsLeft(at: 0) == nil)
        forecast.begin(0, at: 0)
        #expect(forecast.secondsLeft(at: 5) == nil)
        forecast.reach(Forecast.Place(cases: 1, times: [6]), of: 0)
        #expect(forecast.secondsLeft(at: 6) != nil)
        forecast.end(0, at: 7)
        #expect(forecast.secondsLeft(at: 7) == 0)
    }

    @Test(arguments: [Int64.min, -1, 0, 1 << 52, .max])
    func `accepts impossible sizes and times`(bytes: Int64) throws {
        let work = WorkEstimate.forecast("x", weighted: bytes, cases: 1_000_000)
        var forecast = Forecast([work, work, work], order: [0, 1, 2], jobs: 1)
        forecast.begin(0, at: 0)
        forecast.reach(Forecast.Place(cases: 2, times: [0, 1e300], share: -.infinity), of: 0)
        forecast.end(0, at: -5)
        forecast.begin(1, at: 1e300)
        forecast.reach(Forecast.Place(share: .nan), of: 1)
        let left = try #require(forecast.secondsLeft(at: 2e300))
        #expect(!left.isNaN && left >= 0)
    }
}
