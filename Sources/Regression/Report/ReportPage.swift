internal import Foundation
internal import Mustache
package import Story

/// A suite's report as one page with pictures, that needs nothing else to be shown.
package enum ReportPage {
    /// How many pictures a page has at the most; failures come first.
    private static let pictures = 200

    /// The page.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - stories: What happened in each case, in the order of the report's cases; nil where it did not run.
    /// - Returns: HTML.
    /// - Throws: A template error; the template is part of the program, so this means a defect in it.
    package static func html(_ report: SuiteReport, stories: [RunStory?]) throws -> String {
        let order = report.cases.indices.sorted {
            (rank(report.cases[$0].verdict), $0) < (rank(report.cases[$1].verdict), $1)
        }
        let drawn = Set(order.prefix(pictures))
        let rows: [[String: any Sendable]] = report.cases.indices.map { index in
            let result = report.cases[index]
            let name = result.name
            let title = "\(name.scenario) · \(name.network) · \(name.platform) · \(name.app)"
            var row: [String: any Sendable] = [
                "file": SuiteTable.printable(name.file), "title": title, "verdict": result.verdict.rawValue,
                "isOpen": result.verdict == .fail,
                "background": result.metrics.background ?? "",
                "startup": result.metrics.startupSeconds.map(SuiteTable.time) ?? "",
                "stalls": result.metrics.stalls.map { "\($0)" } ?? "",
                "findings": result.findings.map { finding -> [String: any Sendable] in
                    ["rule": finding.rule, "message": SuiteTable.printable(finding.message)]
                },
            ]
            if drawn.contains(index), let story = stories[index] {
                row["picture"] = StoryPicture.svg(
                    story,
                    title: SuiteTable.printable("\(name.file): \(title)"),
                    about: [result.metrics.words]
                )
            }
            return row
        }
        let summary = report.summary
        let template = try MustacheTemplate(string: page)
        return template.render([
            "sum": SuiteTable.sum(summary), "passed": summary.passed, "failed": summary.failed,
            "known": summary.known, "skipped": summary.skipped, "rows": rows,
        ])
    }

    private static func rank(_ verdict: Verdict) -> Int {
        switch verdict {
        case .fail: 0
        case .known: 1
        case .pass: 2
        case .skip: 3
        }
    }

    private static let page = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Segue: regression report</title>
        <style>
        body { font: 15px/1.5 system-ui, sans-serif; color: #26323c; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
        h1 { font-size: 1.4rem }
        .figures span { display: inline-block; padding: .4rem .9rem; border-radius: .4rem; margin-right: .5rem; color: #fff }
        .pass { background: #2f8f5b } .fail { background: #c0392b } .known { background: #b9810f } .skip { background: #7b8a94 }
        table { border-collapse: collapse; width: 100%; margin-top: 1rem }
        th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #e3e9ed; vertical-align: top }
        td:first-child { overflow-wrap: anywhere } .case { color: #66757f; font-size: .9em }
        .verdict { color: #fff; border-radius: .3rem; padding: .05rem .5rem; font-size: .85em }
        summary { cursor: pointer } svg { max-width: 100%; height: auto; border: 1px solid #e3e9ed; margin: .5rem 0 }
        b { font-weight: 600 }
        </style>
        <h1>Segue: regression report</h1>
        <p class="figures"><span class="pass">{{passed}} passed</span><span class="fail">{{failed}} failed</span>\
        <span class="known">{{known}} known</span><span class="skip">{{skipped}} skipped</span></p>
        <p>{{sum}}</p>
        <table>
        <tr><th>File and case<th>Verdict<th>In the background<th>Startup<th>Stalls
        {{#rows}}
        <tr><td>{{file}}<div class="case">{{title}}</div>
        {{#findings}}<div><b>{{rule}}</b>: {{message}}</div>{{/findings}}
        {{#picture}}<details{{#isOpen}} open{{/isOpen}}><summary>picture</summary>{{{picture}}}</details>{{/picture}}
        <td><span class="verdict {{verdict}}">{{verdict}}</span><td>{{background}}<td>{{startup}}<td>{{stalls}}
        {{/rows}}
        </table>
        </html>

        """
}
