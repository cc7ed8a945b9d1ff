internal import SegueData

/// A trace with one sample per line, in the formats of Pensieve and Mahimahi.
struct TraceLines {
    private let text: String
    private let file: String

    init(_ text: String, file: String) { (self.text, self.file) = (text, file) }

    /// Detects the format from the first non-empty line.
    func format() throws(HarnessError) -> RateTrace.Format {
        guard let first = text.split(whereSeparator: \.isNewline).first(where: { !$0.allSatisfy(\.isWhitespace) })
        else {
            throw HarnessError(file: file, message: "is empty")
        }
        if first.drop(while: \.isWhitespace).first == "[" { return .sabre }
        return first.split(whereSeparator: \.isWhitespace).count == 1 ? .mahimahi : .pensieve
    }

    /// Calls `body` with the words of each line; empty lines may occur only at the end.
    private func forEach(
        _ body: (_ words: [Substring], _ line: Int) throws(HarnessError) -> Void
    ) throws(HarnessError) {
        var gap: Int?
        // A line break is one Character, including CR LF.
        var line = 0
        for row in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            line += 1
            let words = row.split(whereSeparator: \.isWhitespace)
            guard !words.isEmpty else {
                gap = gap ?? line
                continue
            }
            if let gap { throw error(gap, "is empty; a trace must not have gaps") }
            try body(words, line)
        }
        if gap == 1 { throw HarnessError(file: file, message: "is empty") }
    }

    private func error(_ line: Int, _ message: String) -> HarnessError {
        HarnessError(file: file, line: line, message: message)
    }

    private func number(_ word: Substring, of what: String, line: Int) throws(HarnessError) -> Double {
        guard let value = Double(word), value.isFinite else {
            throw error(line, "\(what) is \(word), must be a number")
        }
        guard value >= 0 else { throw error(line, "\(what) is \(word), must not be negative") }
        return value
    }

    /// Reads seconds and Mbit/s: the mean rate since the previous line.
    func pensieve() throws(HarnessError) -> RateCourse {
        var steps: [RateCourse.Step] = []
        var ends: [(line: Int, nanoseconds: Int64)] = []
        try forEach { (words, line) throws(HarnessError) in
            guard words.count == 2 else { throw error(line, "must be a time in seconds and a rate in Mbit/s") }
            let seconds = try number(words[0], of: "the time", line: line)
            let rate = try number(words[1], of: "the rate", line: line)
            guard seconds <= 1_000_000, rate <= 1_000_000 else { throw error(line, "is beyond 1000000 s or Mbit/s") }
            let end = Int64((seconds * 1e9).rounded())
            if let before = ends.last {
                guard end > before.nanoseconds else { throw error(line, "the time must be later than the line before") }
            }
            // A first line at zero has no duration.
            if end > 0 {
                let start = ends.last?.nanoseconds ?? 0
                steps.append(RateCourse.Step(start: start, bitsPerSecond: Int64((rate * 1e6).rounded())))
            }
            ends.append((line, end))
        }
        if !ends.isEmpty { try refuseGaps(ends) }
        guard let last = ends.last, let course = RateCourse(steps, period: last.nanoseconds) else {
            throw HarnessError(file: file, message: steps.isEmpty ? "has no second line" : "is 0 throughout")
        }
        return course
    }

    /// Rejects a line that covers ten times the usual duration, in which the rate is unknown.
    private func refuseGaps(_ ends: [(line: Int, nanoseconds: Int64)]) throws(HarnessError) {
        let starts = [0] + ends.map(\.nanoseconds)
        let lengths = zip(ends, starts).map { $0.nanoseconds - $1 }
        let usual = lengths.sorted()[lengths.count / 2]
        for (end, length) in zip(ends, lengths) where length > max(10 * usual, 10_000_000_000) {
            let seconds = Double(length) / 1e9
            throw error(end.line, "covers \(seconds) s; a trace must not have gaps")
        }
    }

    /// Reads milliseconds at which 1500 bytes may depart, as the rate of the preceding millisecond.
    func mahimahi() throws(HarnessError) -> RateCourse {
        var counts: [(millisecond: Int64, count: Int64)] = []
        try forEach { (words, line) throws(HarnessError) in
            guard words.count == 1, let time = Int64(words[0]), time >= 0, time <= 1_000_000_000 else {
                let row = words.joined(separator: " ")
                throw error(line, "is \(row), must be a whole number of milliseconds from 0 to 1000000000")
            }
            if let last = counts.last, last.millisecond == time {
                counts[counts.count - 1].count += 1
            } else {
                guard counts.last.map({ time > $0.millisecond }) ?? true else {
                    throw error(line, "must not be earlier than the line before")
                }
                counts.append((time, 1))
            }
        }
        guard let period = counts.last?.millisecond, period > 0 else {
            throw HarnessError(file: file, message: "must end later than at 0 ms")
        }
        // Bytes that may depart at 0 may also depart when the trace repeats.
        if counts[0].millisecond == 0 {
            counts[counts.count - 1].count += counts[0].count
            counts.removeFirst()
        }
        var steps: [RateCourse.Step] = []
        var end: Int64 = 0
        for (millisecond, count) in counts {
            let start = millisecond - 1
            if start > end { steps.append(RateCourse.Step(start: end * 1_000_000, bitsPerSecond: 0)) }
            steps.append(RateCourse.Step(start: start * 1_000_000, bitsPerSecond: count * 12_000_000))
            end = millisecond
        }
        guard let course = RateCourse(steps, period: period * 1_000_000) else {
            throw HarnessError(file: file, message: "never lets a packet pass")
        }
        return course
    }
}
