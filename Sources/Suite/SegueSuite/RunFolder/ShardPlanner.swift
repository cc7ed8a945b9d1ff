/// Divides the cases of a suite among runs of about equal duration.
///
/// The cases of a file stay together, since its content is compared once for all of them, unless they exceed the share
/// of one run.
enum ShardPlanner {
    private struct Piece {
        let range: RunHeader.CaseRange
        let seconds: Double
    }

    /// Divides the cases.
    ///
    /// - Parameters:
    ///   - work: The work of each file.
    ///   - cases: The number of cases per file.
    ///   - count: The number of shares, at least 1.
    /// - Returns: The cases of each share in the order of the suite. Every case is in exactly one share, and the result
    ///   is deterministic.
    static func divided(_ work: [CaseWork], cases: Int, among count: Int) -> [[RunHeader.CaseRange]] {
        let fair = work.reduce(0) { $0 + $1.seconds(cases) } / Double(count)
        let pieces = work.indices.flatMap { split($0, work[$0], cases: cases, fair: fair, most: count) }
        // The longest piece first, each to the share with the least work.
        let order = pieces.indices.sorted { (pieces[$1].seconds, $0) < (pieces[$0].seconds, $1) }
        var shares = Array(repeating: (seconds: 0.0, ranges: [RunHeader.CaseRange]()), count: count)
        for index in order {
            let share = shares.indices.min { (shares[$0].seconds, $0) < (shares[$1].seconds, $1) } ?? 0
            shares[share].seconds += pieces[index].seconds
            shares[share].ranges.append(pieces[index].range)
        }
        return shares.map { share in share.ranges.sorted { ($0.file, $0.from) < ($1.file, $1.from) } }
    }

    private static func split(_ file: Int, _ work: CaseWork, cases: Int, fair: Double, most: Int) -> [Piece] {
        var parts = 1
        if work.seconds(cases) > fair, work.each > 0 {
            // Each part opens and compares the file; there must be room for some cases beside that.
            let room = max(fair - work.once, fair / 4)
            parts = max(1, min(most, cases, Int((work.each * Double(cases) / room).rounded(.up))))
        }
        return (0..<parts).map { part in
            let range = RunHeader.CaseRange(file: file, from: part * cases / parts, to: (part + 1) * cases / parts)
            return Piece(range: range, seconds: work.seconds(range.to - range.from))
        }
    }
}
