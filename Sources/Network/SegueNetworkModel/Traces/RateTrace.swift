internal import Foundation
internal import SegueBase
internal import SegueData

/// A recorded rate trace, which repeats at its end.
enum RateTrace {
    /// The format of a trace.
    enum Format: String, CaseIterable {
        /// A JSON array of `{duration_ms, bandwidth_kbps, latency_ms}`; the latency is checked but not used.
        case sabre
        /// Lines of seconds and Mbit/s: the mean rate since the previous line.
        case pensieve
        /// Lines of whole milliseconds, at each of which 1500 bytes may depart; repeats after the last one.
        case mahimahi
    }

    private static let greatestFile = 32 << 20

    /// Consumes `trace`, a path relative to the YAML file's folder, and optionally `format`.
    static func course(_ fields: inout HarnessFields) throws(HarnessError) -> RateCourse {
        let name = try fields.requiredText("trace")
        let format = try fields.word("format", of: Format.self)
        let folder = URL(fileURLWithPath: fields.file).deletingLastPathComponent()
        let path = URL(fileURLWithPath: name, relativeTo: folder).path
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw fields.error("trace", "\(name): the file cannot be read")
        }
        defer { try? handle.close() }
        let data: Data
        do {
            data = try handle.read(upToCount: greatestFile + 1) ?? Data()
        } catch {
            throw fields.error("trace", "\(name): is not a readable file")
        }
        guard data.count <= greatestFile else {
            throw fields.error("trace", "\(name): has more than \(greatestFile >> 20) MiB")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw fields.error("trace", "\(name): is not UTF-8 text")
        }
        return try course(of: text, format: format, file: name)
    }

    /// Reads a trace.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - format: The format; nil to detect it.
    ///   - file: The file name in errors.
    /// - Returns: The course of rates.
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
            // A step shorter than a nanosecond is skipped.
            guard time.rounded(scale: 1_000_000) > start else { continue }
            steps.append(RateCourse.Step(start: start, bitsPerSecond: rate.rounded(scale: 1000)))
        }
        guard let course = RateCourse(steps, period: time.rounded(scale: 1_000_000)) else {
            throw HarnessError(file: file, message: steps.isEmpty ? "has no entries" : "is 0 throughout")
        }
        return course
    }
}
