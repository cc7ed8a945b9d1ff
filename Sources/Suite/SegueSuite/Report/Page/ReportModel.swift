internal import SegueBase
internal import SegueComparison

/// The values of the report template: the parts of the page that need no script.
///
/// The template finds a value by its name in the innermost structure that has one, so no name here has two meanings.
struct ReportModel {
    /// A count of cases with one verdict.
    private struct Figure {
        let verdict: String
        let count: Int
        let label: String
        /// The class of the figure.
        let look: String
    }

    private struct Run {
        let facts: String
        let job, command: String?
    }

    /// A link to a case; the script makes an address of the key.
    struct CaseLink {
        let key, name: String

        init(_ name: CaseName) {
            let parts = [name.scenario, name.network, name.client, name.app, "\(name.seed)", name.file]
            key = parts.joined(separator: "~")
            self.name = ReportModel.printable("\(name.file) \(name.circumstances)")
        }
    }

    /// The limits of the lists in the page.
    static let limits = (causes: 60, cases: 3)

    /// The values by name.
    private(set) var values: [String: Any]

    init(_ contents: PageContents) {
        let (report, rows) = (contents.report, contents.rows)
        let summary = report.summary
        values = [
            "title": Self.title(summary), "figures": Self.figures(summary), "cases": summary.cases,
            "summary": Self.printable(
                ([Self.scope(rows), SuiteTable.sum(summary)] + SuiteTable.lines(of: report.leftOut).map(\.trimmed))
                    .joined(separator: " ")
            ),
        ]
        values["planned"] = summary.planned
        values["run"] = report.run.map { run in
            Run(
                facts: Self.printable(run.words),
                job: run.job.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil },
                command: run.command.map(Self.printable)
            )
        }
        values["news"] = contents.news.map { NewsModel($0.runs, isComplete: summary.planned == nil) }
        let lists = CauseModel.lists(contents.causes, rows)
        values["causeLists"] = lists
        values["hasFailures"] = lists.contains { $0.remarks == nil }
        let unused = (report.unusedIssues ?? []).map { Self.printable($0.farewell) }
        (values["hasUnusedIssues"], values["unusedIssues"]) = (!unused.isEmpty, unused)
    }

    /// Returns a text with control characters made visible, as the terminal shows it.
    static func printable(_ text: String) -> String { SuiteTable.printable(text) }

    private static func title(_ summary: SuiteReport.Summary) -> String {
        let bad = summary.failed + summary.broken
        return bad > 0 ? "\(bad) of \(summary.cases) cases failed" : "\(summary.cases) cases, none failed"
    }

    private static func figures(_ summary: SuiteReport.Summary) -> [Figure] {
        let figures: [(Verdict, Int, String)] = [
            (.fail, summary.failed, "failed"), (.broken, summary.broken, "could not run"),
            (.known, summary.known, "known issues"), (.pass, summary.passed, "passed"),
            (.skip, summary.skipped, "skipped"),
        ]
        return figures.compactMap { verdict, count, label -> Figure? in
            guard count > 0 || verdict == .fail || verdict == .pass else { return nil }
            let look = count > 0 ? verdict.rawValue : "none"
            return Figure(verdict: verdict.rawValue, count: count, label: label, look: look)
        }
    }

    /// The dimensions of the suite: titles, networks, platforms, scenarios, and apps.
    private static func scope(_ rows: PageRows) -> String {
        func names(_ tally: NameCounts, _ noun: String) -> String {
            tally.count > 3 ? "\(tally.count) \(noun)" : tally.names.joined(separator: ", ")
        }
        let dimensions = [
            "\(rows.titles.count) title\(rows.titles.count == 1 ? "" : "s")", names(rows.networks, "networks"),
            names(rows.platforms, "platforms"), names(rows.scenarios, "scenarios"), names(rows.apps, "apps"),
        ]
        return dimensions.filter { !$0.isEmpty }.joined(separator: " × ") + "."
    }
}

extension String {
    /// The text without spaces at its start.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
