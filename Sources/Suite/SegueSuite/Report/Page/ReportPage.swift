internal import Foundation
internal import SegueComparison
internal import SegueFFmpeg

/// A suite's report as one page that needs nothing else to be shown: no network, no other file.
///
/// What is new, and the causes, are plain HTML. The cases lie in it packed, and so do their pictures, which are unpacked
/// when somebody opens them.
package enum ReportPage {
    /// How many bytes the page has at the most, where its cases leave room for pictures.
    static let most = 7_800_000

    /// How many bytes pictures may have however many cases there are.
    static let leastForPictures = 1_000_000

    /// Writes the page.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - news: What is new in it since the run before; nil where none is known.
    ///   - write: Takes one piece of HTML after the other.
    /// - Throws: `Errno` where the outcomes cannot be read, what `write` throws, or `Gzip.Failure` when there is no
    ///   memory.
    package static func write(
        _ report: SuiteReport,
        since news: ReportNews? = nil,
        to write: (String) throws -> Void
    ) throws {
        let changes = news?.changes ?? [:]
        var (causes, rows, pictures) = (FindingCauses(), PageRows(), PagePictures(room: most))
        var waiting: [DrawnCase] = []
        func add() throws {
            for (one, picture) in zip(waiting, DrawnCase.pictures(of: waiting, in: report.outcomes)) {
                let number = try picture.map { try pictures.add($0, one.rank) }
                let result = one.outcome.result
                let missing = one.hasRoom ? nil : PagePictures.noRoom
                try rows.add(result, cause: causes.add(result), picture: number ?? missing, change: one.change)
            }
            waiting.removeAll(keepingCapacity: true)
        }
        // Who has ended a run waits for its report: what passed is drawn when the whole is there.
        let isWhole = report.summary.planned == nil
        try report.outcomes.each { outcome in
            let change = changes[RecordedCase.Name(outcome.result.name)]
            var one = DrawnCase(outcome, change)
            one.hasRoom = !one.isPlayed || (isWhole || one.rank != .other) && pictures.hasRoom(for: one.rank)
            waiting.append(one)
            if waiting.count == DrawnCase.together { try add() }
        }
        try add()
        try rows.close()
        let data = PageData(report, causes, rows, news)
        let text = PageText(report, causes, rows, news)
        try pictures.limit(to: max(leastForPictures, most - rows.blocks.bytes - data.bytes - text.bytes))
        try write(text.beginning)
        try write("<script type=\"application/json\" id=\"data\">\(data.json(pictures))</script>\n")
        for (number, block) in rows.blocks.blocks.enumerated() {
            try write("<script type=\"text/plain\" id=\"rows-\(number)\">\(block)</script>\n")
        }
        for (rank, blocks) in pictures.ranks.enumerated() {
            for (number, block) in blocks.blocks.enumerated() {
                try write("<script type=\"text/plain\" id=\"pictures-\(rank)-\(number)\">\(block)</script>\n")
            }
        }
        try write("<script>\(ReportScript.text)</script>\n</html>\n")
    }

    /// What a browser may do with the page: run its one script, whatever names of files hold, and load nothing.
    static var securityPolicy: String {
        let digest = Checksum.sha256(Array(ReportScript.text.utf8))
        let pairs = stride(from: 0, to: digest.utf8.count, by: 2).compactMap { offset in
            UInt8(digest.dropFirst(offset).prefix(2), radix: 16)
        }
        return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "script-src 'sha256-\(Data(pairs).base64EncodedString())'"
    }
}
