internal import Foundation
internal import SegueBase
internal import SegueData

/// A file in which somebody wrote down how fast a network was: begins again at its end.
enum RateTrace {
    /// How a trace is written.
    enum Format: String, CaseIterable {
        /// A JSON array of `{duration_ms, bandwidth_kbps, latency_ms}`; the latency is checked, but not used.
        case sabre
        /// Lines of seconds and Mbit/s: the mean rate since the line before.
        case pensieve
        /// Lines of whole milliseconds, at each of which 1500 bytes may leave; wraps at the last.
        case mahimahi
    }

    private static let greatestFile = 32 << 20

    /// Takes out `trace`, a path from the YAML file's folder, and perhaps `format`.
    static func course(_ fields: inout HarnessFields) throws(HarnessError) -> RateCourse {
        let name = try fields.requiredText("trace")
        let format = try fields.word("format", of: Format.self)
        let folder = URL(fileURLWithPath: fields.file).deletingLastPathComponent()
        let path = URL(fileURLWithPath: name, relativeTo: folder).path
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw fields.error("trace", "\(name): there is no such file that can be read")
        }
        defer { try? handle.close() }
        let data: Data
        do {
            data = try handle.read(upToCount: greatestFile + 1) ?? Data()
        } catch {
            throw fields.error("trace", "\(name): is no file that can be read")
        }
        guard data.count <= greatestFile else {
            throw fields.error("trace", "\(name): has more than \(greatestFile >> 20) MiB")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw fields.error("trace", "\(name): is not UTF-8 text")
        }
        return try course(of: text, format: format, file: name)
    }

    /// The course that a trace tells.
    ///
    /// - Parameters:
    ///   - text: What the file holds.
    ///   - format: How it is written; nil for what it looks like.
    ///   - file: The name for error messages.
    /// - Returns: The course.
    /// - Throws: `HarnessError` with the line.
    static func course(of text: String, format: Format?, file: String) throws(HarnessError) -> RateCourse {
        let lines = TraceLines(text, file: file)
        let format = if let format { format } else { try lines.format() }
        switch format {
        case .sabre: return try sabre(text, file: file)
        case .pensieve: return try lines.pensieve()
        case .mahimahi: return try lines.mahimahi()
        }
    }

    private static func sabre(_ text: String, file: String) throws(HarnessError) -> RateCourse {
        var steps: [RateCourse.Step] = []
        var time = Rational.zero
        for entry in try HarnessFile.list(of: text, file: file) {
            var fields = entry
            let duration = try fields.requiredNumber("duration_ms")
            guard duration > .zero, duration <= Rational(1_000_000_000) else {
                throw fields.error("duration_ms", "must be above zero, and at most 1000000000")
            }
            let rate = try fields.requiredNumber("bandwidth_kbps")
            guard rate >= .zero, rate <= Rational(1_000_000_000) else {
                throw fields.error("bandwidth_kbps", "must be from 0 to 1000000000")
            }
            if let latency = try fields.number("latency_ms"), latency < .zero {
                throw fields.error("latency_ms", "must not be negative")
            }
            try fields.finish()
            let start = time.rounded(scale: 1_000_000)
            time += duration
            // What is shorter than a nanosecond is nothing.
            guard time.rounded(scale: 1_000_000) > start else { continue }
            steps.append(RateCourse.Step(start: start, bitsPerSecond: rate.rounded(scale: 1000)))
        }
        guard let course = RateCourse(steps, period: time.rounded(scale: 1_000_000)) else {
            throw HarnessError(file: file, message: steps.isEmpty ? "has no entries" : "is 0 throughout")
        }
        return course
    }
}
