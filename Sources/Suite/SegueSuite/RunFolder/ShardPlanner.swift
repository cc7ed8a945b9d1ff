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
    ///   - chosen: The number of cases that a file's own selection leaves, by file; nil for a file with all cases.
    ///     Files with a selection are not split.
    ///   - count: The number of shares, at least 1.
    /// - Returns: The cases of each share in the order of the suite. Every case is in exactly one share, and the result
    ///   is deterministic.
    static func divided(
        _ work: [CaseWork],
        cases: Int,
        chosen: [Int: Int] = [:],
        among count: Int
    ) -> [[RunHeader.CaseRange]] {
        let fair = work.indices.reduce(0) { $0 + work[$1].seconds(chosen[$1] ?? cases) } / Double(count)
        let pieces = work.indices.flatMap { file -> [Piece] in
            guard let own = chosen[file] else { return split(file, work[file], cases: cases, fair: fair, most: count) }
            let whole = RunHeader.CaseRange(file: file, from: 0, to: cases)
            return own == 0 ? [] : [Piece(range: whole, seconds: work[file].seconds(own))]
        }
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
