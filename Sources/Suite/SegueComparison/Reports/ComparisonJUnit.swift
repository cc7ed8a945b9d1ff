internal import SegueBase

/// The comparison as JUnit XML: a test for each change.
///
/// New and worse ones fail.
package enum ComparisonJUnit {
    /// Writes the XML piece by piece.
    package static func write(_ runs: ComparedRuns, to write: (String) throws -> Void) rethrows {
        let comparison = runs.comparison
        let failures = comparison.new.count + comparison.worse.count
        // New cases that fail are in the section of new failures.
        let sections = runs.sections.map { section in
            (
                section.title,
                section.title == "added" ? section.changes.filter { $0.verdict?.isBad != true } : section.changes
            )
        }
        let tests = sections.reduce(comparison.unchanged) { $0 + $1.1.count }
        try write(#"<?xml version="1.0" encoding="UTF-8"?>"# + "\n")
        try write(#"<testsuites name="segue compare" tests="\#(tests)" failures="\#(failures)">"# + "\n")
        for (title, changes) in sections where !changes.isEmpty {
            let isBad = title == "new failures" || title == "worse"
            let bad = isBad ? changes.count : 0
            try write(#"  <testsuite name="\#(title)" tests="\#(changes.count)" failures="\#(bad)">"# + "\n")
            for change in changes { try write(testCase(change, isBad: isBad)) }
            try write("  </testsuite>\n")
        }
        if comparison.unchanged > 0 {
            try write(#"  <testsuite name="unchanged" tests="\#(comparison.unchanged)" failures="0"/>"# + "\n")
        }
        try write("</testsuites>\n")
    }

    private static func testCase(_ change: RunComparison.Change, isBad: Bool) -> String {
        let metric = change.metric.map { " \($0.name)" } ?? ""
        let name = MarkupText.escaped(change.name.circumstances + metric)
        let head = #"    <testcase name="\#(name)" classname="\#(MarkupText.escaped(change.name.file))""#
        let course = change.metric.map { "\($0.name) \($0.words)" } ?? change.course
        let lines = [course] + change.findings.map(\.line)
        let words = MarkupText.escaped(lines.joined(separator: "\n"))
        guard isBad else { return head + "><system-out>\(words)</system-out></testcase>\n" }
        let message = MarkupText.escaped(change.findings.first?.rule ?? course)
        return head + #"><failure message="\#(message)">\#(words)</failure></testcase>"# + "\n"
    }
}
