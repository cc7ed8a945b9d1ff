internal import Foundation
internal import Mustache
internal import Story

/// A suite's report as one page with pictures, that needs nothing else to be shown.
package enum ReportPage {
    /// How many pictures a page has at the most; failures come first.
    private static let pictures = 200

    /// Writes the page.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - write: Takes one piece of HTML after the other.
    /// - Throws: `Errno` where the outcomes cannot be read, what `write` throws, or a template error; the template is
    ///   part of the program, so this means a defect in it.
    package static func write(_ report: SuiteReport, to write: (String) throws -> Void) throws {
        let summary = report.summary
        let sum = SuiteTable.sum(summary)
        let head = try MustacheTemplate(string: head)
        var figures: [String: any Sendable] = [
            "sum": sum, "passed": summary.passed, "failed": summary.failed, "known": summary.known,
            "skipped": summary.skipped,
        ]
        if summary.broken > 0 { figures["broken"] = summary.broken }
        try write(head.render(figures))
        var room = Room(summary)
        let row = try MustacheTemplate(string: row)
        try report.outcomes.each { outcome in
            let isDrawn = room.take(outcome.result.verdict)
            let story = isDrawn ? report.outcomes.story(of: outcome) : nil
            try write(row.render(words(for: outcome, story)))
        }
        try write(tail)
    }

    private static func words(for outcome: CaseOutcome, _ story: RunStory?) -> [String: any Sendable] {
        let (result, name) = (outcome.result, outcome.result.name)
        let title = "\(name.scenario) · \(name.network) · \(name.platform) · \(name.app)"
        var words: [String: any Sendable] = [
            "file": SuiteTable.printable(name.file), "title": title, "verdict": result.verdict.rawValue,
            "isOpen": result.verdict == .fail,
            "background": result.metrics.background ?? "",
            "startup": result.metrics.startupSeconds.map(SuiteTable.time) ?? "",
            "stalls": result.metrics.stalls.map { "\($0)" } ?? "",
            "findings": result.findings.map { finding -> [String: any Sendable] in
                ["rule": finding.rule, "message": SuiteTable.printable(finding.message)]
            },
        ]
        if let story {
            words["picture"] = StoryPicture.svg(
                story,
                title: SuiteTable.printable("\(name.file): \(title)"),
                about: [result.metrics.words]
            )
        }
        return words
    }

    /// How many more cases of each verdict get a picture.
    private struct Room {
        private var left: [Verdict: Int] = [:]

        init(_ summary: SuiteReport.Summary) {
            var pictures = ReportPage.pictures
            let counts: [(Verdict, Int)] = [
                (.fail, summary.failed), (.known, summary.known), (.pass, summary.passed), (.skip, summary.skipped),
                (.broken, summary.broken),
            ]
            for (verdict, count) in counts {
                left[verdict] = min(count, pictures)
                pictures -= min(count, pictures)
            }
        }

        /// Whether the next case with a verdict gets one.
        mutating func take(_ verdict: Verdict) -> Bool {
            guard let left = left[verdict], left > 0 else { return false }
            self.left[verdict] = left - 1
            return true
        }
    }

    private static let head = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Segue: regression report</title>
        <style>
        body { font: 15px/1.5 system-ui, sans-serif; color: #26323c; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
        h1 { font-size: 1.4rem }
        .figures span { display: inline-block; padding: .4rem .9rem; border-radius: .4rem; margin-right: .5rem; color: #fff }
        .pass { background: #2f8f5b } .fail { background: #c0392b } .known { background: #b9810f } .skip { background: #7b8a94 }\
        {{#broken}}
        .broken { background: #5b4a8a }{{/broken}}
        table { border-collapse: collapse; width: 100%; margin-top: 1rem }
        th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #e3e9ed; vertical-align: top }
        td:first-child { overflow-wrap: anywhere } .case { color: #66757f; font-size: .9em }
        .verdict { color: #fff; border-radius: .3rem; padding: .05rem .5rem; font-size: .85em }
        summary { cursor: pointer } svg { max-width: 100%; height: auto; border: 1px solid #e3e9ed; margin: .5rem 0 }
        b { font-weight: 600 }
        </style>
        <h1>Segue: regression report</h1>
        <p class="figures"><span class="pass">{{passed}} passed</span><span class="fail">{{failed}} failed</span>\
        <span class="known">{{known}} known</span><span class="skip">{{skipped}} skipped</span>{{#broken}}<span class="broken">{{broken}} broken</span>{{/broken}}</p>
        <p>{{sum}}</p>
        <table>
        <tr><th>File and case<th>Verdict<th>In the background<th>Startup<th>Stalls

        """

    private static let row = """
        <tr><td>{{file}}<div class="case">{{title}}</div>
        {{#findings}}<div><b>{{rule}}</b>: {{message}}</div>{{/findings}}
        {{#picture}}<details{{#isOpen}} open{{/isOpen}}><summary>picture</summary>{{{picture}}}</details>{{/picture}}
        <td><span class="verdict {{verdict}}">{{verdict}}</span><td>{{background}}<td>{{startup}}<td>{{stalls}}

        """

    private static let tail = """
        </table>
        </html>

        """
}
