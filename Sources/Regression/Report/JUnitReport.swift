internal import Notation

/// A suite's report in the JUnit XML that continuous integration reads.
package enum JUnitReport {
    /// Writes the report as XML.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - command: The command that made it.
    ///   - write: Takes one piece after the other.
    /// - Throws: `Errno` where the outcomes cannot be read, or what `write` throws.
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
        try report.outcomes.eachFile { try write(suite($0.map(\.result))) }
        try write("</testsuites>\n")
    }

    private static func suite(_ cases: [CaseResult]) -> String {
        let file = cases.first?.name.file ?? ""
        let failures = cases.count { $0.verdict == .fail }
        let skipped = cases.count { $0.verdict == .skip }
        var xml = #"  <testsuite name="\#(MarkupText.escaped(file))" tests="\#(cases.count)" failures="\#(failures)""#
        xml += errors(cases.count { $0.verdict == .broken })
        xml += #" skipped="\#(skipped)">"# + "\n"
        for result in cases { xml += testCase(result) }
        return xml + "  </testsuite>\n"
    }

    /// How many cases could not be run; nothing where all could.
    private static func errors(_ count: Int) -> String { count > 0 ? #" errors="\#(count)""# : "" }

    private static func testCase(_ result: CaseResult) -> String {
        let name = result.name
        let title = "\(name.scenario) on \(name.platform) over \(name.network) with \(name.app), seed \(name.seed)"
        let findings = result.findings.map { "\($0.rule): \($0.message)" }.joined(separator: "\n")
        let head = #"    <testcase name="\#(MarkupText.escaped(title))" classname="\#(MarkupText.escaped(name.file))""#
        switch result.verdict {
        case .pass where findings.isEmpty: return head + "/>\n"
        case .pass: return head + "><system-out>\(MarkupText.escaped(findings))</system-out></testcase>\n"
        case .known: return head + "><system-out>\(MarkupText.escaped("known: " + findings))</system-out></testcase>\n"
        case .skip: return head + #"><skipped message="\#(MarkupText.escaped(findings))"/></testcase>"# + "\n"
        case .fail, .broken:
            let first = MarkupText.escaped(result.findings.first?.rule ?? "")
            let kind = result.verdict == .fail ? "failure" : "error"
            return head + #"><\#(kind) message="\#(first)">\#(MarkupText.escaped(findings))</\#(kind)></testcase>"#
                + "\n"
        }
    }
}
