import Foundation
import SegueTestSupport

@testable import SegueSuite

/// The durations of a suite's files, in the order in which they started.
struct Course {
    struct File {
        var kind: String
        var bytes: Int64
        var began: Double
        var times: [Double]
        var end: Double { began + times.reduce(0, +) }
    }

    var jobs: Int
    var files: [File]
    var end: Double { files.map(\.end).max() ?? 0 }

    /// Files that are processed in order by free workers.
    init(jobs: Int, _ files: [(kind: String, bytes: Int64, times: [Double])]) {
        self.jobs = jobs
        self.files = []
        var free = Array(repeating: 0.0, count: jobs)
        for file in files {
            let place = free.indices.min { free[$0] < free[$1] } ?? 0
            self.files.append(File(kind: file.kind, bytes: file.bytes, began: free[place], times: file.times))
            free[place] = self.files.last?.end ?? 0
        }
    }

    /// A recorded run of `Tests/Courses`.
    init(recorded name: String) throws {
        let folder = Checkout.root
        let text = try String(
            contentsOf: folder.appendingPathComponent("Tests/Courses/\(name).course"),
            encoding: .utf8
        )
        let lines = text.split(separator: "\n")
        jobs = lines.first.flatMap { Int($0) } ?? 1
        files = lines.dropFirst().compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 4, let bytes = Int64(words[1]), let began = Double(words[2]) else { return nil }
            let times = words[3].split(separator: ",").compactMap { Double($0) }
            return File(kind: String(words[0]), bytes: bytes, began: began, times: times)
        }
    }

    /// An estimate at an instant: the predicted end divided by the actual one.
    struct Told {
        var at: Double
        var end: Double?
        /// The prediction from the number of completed files alone.
        var plainEnd: Double?
    }

    /// Replays the run.
    ///
    /// - Parameter tellsShares: True if workers report the progress of work that is done once per file.
    /// - Returns: The estimates at each hundredth of the run except the last.
    func told(tellsShares: Bool) -> [Told] {
        let works = files.map { file in
            file.kind == "title"
                ? WorkEstimate.forecastOfTitle(cases: file.times.count)
                : WorkEstimate.forecast(file.kind, weighted: file.bytes, cases: file.times.count)
        }
        var forecast = Forecast(works, order: Array(files.indices), jobs: jobs)
        var begun = 0
        var running: Set<Int> = []
        var done = 0
        return (1..<100).map { hundredth in
            let now = end * Double(hundredth) / 100
            while begun < files.count, files[begun].began <= now {
                forecast.begin(begun, at: files[begun].began)
                running.insert(begun)
                begun += 1
            }
            for index in running.sorted(by: { files[$0].end < files[$1].end }) {
                let file = files[index]
                forecast.reach(place(of: file, at: now, tellsShares), of: index)
                guard file.end <= now else { continue }
                forecast.end(index, at: file.end)
                running.remove(index)
                done += 1
            }
            let plain = done > 0 ? now / Double(done) * Double(files.count) : nil
            let told = forecast.secondsLeft(at: now).map { now + $0 }
            return Told(at: now / end, end: told.map { $0 / end }, plainEnd: plain.map { $0 / end })
        }
    }

    private func place(of file: File, at now: Double, _ tellsShares: Bool) -> Forecast.Place {
        var place = Forecast.Place()
        var at = file.began
        for time in file.times {
            at += time
            guard at <= now else { break }
            place.times.append(time)
        }
        place.cases = place.times.count
        if tellsShares, place.cases == 0, let first = file.times.first, first > 0 {
            place.share = min((now - file.began) / first, 0.999)
        }
        return place
    }
}
