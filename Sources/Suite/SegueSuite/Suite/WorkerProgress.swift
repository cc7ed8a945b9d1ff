/// A line of a worker's progress report.
struct WorkerProgress: Equatable {
    /// The current work, for people.
    var words: String
    /// The share of the work before the first case, from 0 to 1; nil if unknown.
    var share: Double?

    /// The line: the words, a tab, and the share in thousandths.
    var line: String {
        let words = words.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let thousandths = share.map { "\t\(Int((min(max($0.isFinite ? $0 : 0, 0), 1) * 1000).rounded()))" }
        return String(words) + (thousandths ?? "")
    }
}

extension WorkerProgress {
    /// Parses a line, whose beginning may be cut off.
    init(line: String) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        words = parts.first.map(String.init) ?? ""
        share = parts.count > 1 ? parts.last.flatMap { Int($0) }.map { Double(min(max($0, 0), 1000)) / 1000 } : nil
    }
}
