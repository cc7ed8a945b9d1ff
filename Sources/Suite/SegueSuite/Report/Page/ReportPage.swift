internal import Foundation
internal import SegueComparison
package import SegueWeb

/// A suite's report as one page that loads nothing: no network, no other file.
///
/// The changes and causes are plain HTML. The cases and their timelines lie in the page compressed; a script decompresses a
/// timeline when a reader opens its case.
package struct ReportPage: Sendable {
    /// The maximum size of the page in bytes, if its cases leave room for timelines.
    static let maximumBytes = 7_800_000

    /// The minimum room for timelines in bytes, whatever the number of cases.
    static let minimumTimelineBytes = 1_000_000

    private struct Block {
        let id, content: String
    }

    private let template: PageTemplate

    /// The page's policy: it runs its own script, whatever file names contain, and loads nothing.
    ///
    /// Styles are not limited to the page's own: the timelines bring theirs.
    let securityPolicy: String

    /// Reads the template of the page.
    ///
    /// - Throws: ``PageFailure`` if a file of the page is missing or malformed.
    package init(_ folder: WebFolder) throws(PageFailure) {
        template = try folder.template("report/report.html")
        securityPolicy =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "script-src \(template.scriptSources)"
    }

    /// Returns the page of a report in HTML.
    ///
    /// - Parameters:
    ///   - news: The changes since the run before; nil if there is none to compare with.
    /// - Returns: The page.
    /// - Throws: `Errno` if the outcomes cannot be read, or `Gzip.Failure` if there is no memory.
    package func html(of report: SuiteReport, since news: ReportNews? = nil) throws -> String {
        var (causes, rows, pictures) = (FindingCauses(), PageRows(), PageTimelines(room: Self.maximumBytes))
        try Self.add(report, changes: news?.changes ?? [:], to: &causes, rows: &rows, pictures: &pictures)
        let contents = PageContents(report: report, causes: causes, rows: rows, news: news)
        let data = PageData(contents)
        var values = ReportModel(contents).values
        values["securityPolicy"] = securityPolicy
        let size = template.page(values).utf8.count + rows.blocks.bytes + data.bytes
        try pictures.limit(to: max(Self.minimumTimelineBytes, Self.maximumBytes - size))
        values["data"] = data.json(pictures)
        values["blocks"] = Self.blocks(rows, pictures)
        return template.page(values)
    }

    private static func add(
        _ report: SuiteReport,
        changes: [CaseName: PageRows.Change],
        to causes: inout FindingCauses,
        rows: inout PageRows,
        pictures: inout PageTimelines
    ) throws {
        var waiting: [DrawnCase] = []
        var nearest: [CaseName: NearestPassing] = [:]
        func add() throws {
            for (one, picture) in zip(waiting, DrawnCase.pictures(of: waiting, in: report.outcomes)) {
                let result = one.outcome.result
                let parting = nearest[result.name].flatMap { PartingDrawing($0)?.svg } ?? ""
                let number = try picture.map { try pictures.add($0 + parting, one.rank) }
                let missing = one.hasRoom ? nil : PageTimelines.noRoom
                var row = PageRows.Row(result, cause: causes.add(result), picture: number ?? missing)
                (row.change, row.nearest) = (one.change, nearest[result.name])
                try rows.add(row)
            }
            waiting.removeAll(keepingCapacity: true)
            nearest.removeAll(keepingCapacity: true)
        }
        // An interrupted run draws no timelines of passed cases: its user waits for the report.
        let isWhole = report.summary.planned == nil
        try report.outcomes.eachFile { cases in
            for outcome in cases {
                var one = DrawnCase(outcome, changes[outcome.result.name])
                one.hasRoom = !one.isPlayed || (isWhole || one.rank != .other) && pictures.hasRoom(for: one.rank)
                nearest[outcome.result.name] = NearestPassing(of: outcome, among: cases)
                waiting.append(one)
                if waiting.count == DrawnCase.together { try add() }
            }
        }
        try add()
        try rows.close()
    }

    /// The compressed cases and timelines, by the ids that the script uses.
    private static func blocks(_ rows: PageRows, _ pictures: PageTimelines) -> [Block] {
        let cases = rows.blocks.blocks.enumerated().map { Block(id: "rows-\($0)", content: $1) }
        let timelines = pictures.ranks.enumerated().flatMap { rank, blocks in
            blocks.blocks.enumerated().map { Block(id: "pictures-\(rank)-\($0)", content: $1) }
        }
        return cases + timelines
    }
}
