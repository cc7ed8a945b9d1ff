internal import SegueBase
internal import SegueComparison

/// The report as JUnit XML.
///
/// There is no standard; the attributes are those that Jenkins, GitLab, and GitHub reporters show.
package enum JUnitReport {
    /// Writes the XML piece by piece, with times if the report has them.
    ///
    /// - Throws: `Errno` if the outcomes cannot be read, or an error of `write`.
    package static func write(
        _ report: SuiteReport,
        of command: String = "regress",
        to write: (String) throws -> Void
    ) throws {
        let summary = report.summary
        var xml = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        xml += #"<testsuites name="segue \#(command)" tests="\#(summary.cases)" failures="\#(summary.failed)""#
        xml += errors(summary.broken)
        let time = summary.wallSeconds.map { #" time="\#($0)""# } ?? ""
        xml += #" skipped="\#(summary.skipped)"\#(time)>"# + "\n"
        try write(xml)
        try report.outcomes.eachFile { outcomes in
            let file = outcomes.first?.result.name.file ?? ""
            let place = report.places[file] ?? SourcePlace(path: file)
            try write(suite(outcomes, of: file, at: place, isTimed: summary.wallSeconds != nil))
        }
        try write("</testsuites>\n")
    }

    private static func suite(
        _ cases: [CaseOutcome],
        of file: String,
        at place: SourcePlace,
        isTimed: Bool
    ) -> String {
        func count(_ verdict: Verdict) -> Int { cases.count { $0.result.verdict == verdict } }
        var xml = #"  <testsuite name="\#(MarkupText.escaped(file))" tests="\#(cases.count)""#
        xml += #" failures="\#(count(.fail))""# + errors(count(.broken)) + #" skipped="\#(count(.skip))""#
        let costs = isTimed ? cases.compactMap(\.cost) : []
        if let began = costs.map(\.began).min() { xml += times(began, costs.reduce(0) { $0 + $1.wallSeconds }) }
        xml += place.attributes + ">\n"
        for outcome in cases {
            let cost = isTimed ? outcome.cost.map { times($0.began, $0.wallSeconds) } : nil
            xml += testCase(outcome.result, place.attributes + (cost ?? ""))
        }
        return xml + "  </testsuite>\n"
    }

    /// The attribute for cases that could not be run; empty without any.
    private static func errors(_ count: Int) -> String { count > 0 ? #" errors="\#(count)""# : "" }

    /// The attributes for the start and the duration in seconds.
    ///
    /// The time is in UTC without a zone, as in Ant's schema, which the readers were written for.
    private static func times(_ began: Double, _ seconds: Double) -> String {
        let moment = Int64(exactly: began.rounded(.down)).map { "\(UTCTime(secondsSince1970: $0))".dropLast() }
        let rounded = (seconds * 1000).rounded() / 1000
        return #" time="\#(rounded)""# + (moment.map { #" timestamp="\#($0)""# } ?? "")
    }

    private static func testCase(_ result: CaseResult, _ attributes: String) -> String {
        let name = result.name
        let title = "\(name.scenario) on \(name.client) over \(name.network) with \(name.app), seed \(name.seed)"
        let findings = result.findings.map(\.words).joined(separator: "\n")
        let head =
            #"    <testcase name="\#(MarkupText.escaped(title))" classname="\#(MarkupText.escaped(name.file))""#
            + attributes
        switch result.verdict {
        case .pass where findings.isEmpty: return head + "/>\n"
        case .pass: return head + "><system-out>\(MarkupText.escaped(findings))</system-out></testcase>\n"
        case .known: return head + "><system-out>\(MarkupText.escaped("known: " + findings))</system-out></testcase>\n"
        case .skip: return head + #"><skipped message="\#(MarkupText.escaped(findings))"/></testcase>"# + "\n"
        case .fail, .broken:
            let first = result.findings.first { $0.known == nil && !$0.isRemark } ?? result.findings.first
            let others = result.findings.count > 1 ? " (and \(result.findings.count - 1) more)" : ""
            let message = MarkupText.escaped((first?.words ?? "") + others)
            let rule = MarkupText.escaped(first?.rule ?? "")
            let kind = result.verdict == .fail ? "failure" : "error"
            let text = MarkupText.escaped(findings)
            return head + #"><\#(kind) message="\#(message)" type="\#(rule)">\#(text)</\#(kind)></testcase>"# + "\n"
        }
    }
}

extension SourcePlace {
    /// The place as attributes of a test.
    fileprivate var attributes: String {
        #" file="\#(MarkupText.escaped(path))""# + (line.map { #" line="\#($0)""# } ?? "")
    }
}
