/// What a worker tells of how far it has come, as a line.
struct ToldProgress: Equatable {
    /// What it has come to, for people.
    var words: String
    /// How much of the work before the first case is done, from 0 to 1; nil where nobody knows.
    var share: Double?

    /// The line: the words, and after a tab the share in thousandths.
    var line: String {
        let words = words.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let thousandths = share.map { "\t\(Int((min(max($0.isFinite ? $0 : 0, 0), 1) * 1000).rounded()))" }
        return String(words) + (thousandths ?? "")
    }
}

extension ToldProgress {
    /// What a line says, which may be cut off at its beginning.
    init(line: String) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        words = parts.first.map(String.init) ?? ""
        share = parts.count > 1 ? parts.last.flatMap { Int($0) }.map { Double(min(max($0, 0), 1000)) / 1000 } : nil
    }
}
