internal import SegueBase
internal import SegueComparison

/// What stands in the page as plain HTML, and is there without a script: the figures, what is new, the causes, and what
/// else is to be said.
struct PageText {
    /// How many causes, and how many cases of one that is new, are named.
    private static let most = (causes: 60, cases: 3)

    /// The page up to its data.
    let beginning: String

    /// How many bytes it has, with the script's.
    var bytes: Int { beginning.utf8.count + ReportScript.text.utf8.count }

    init(_ report: SuiteReport, _ causes: FindingCauses, _ rows: PageRows, _ news: ReportNews?) {
        var html = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(ReportPage.securityPolicy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(Self.title(report.summary))</title>
            <style>\(ReportStyle.text)</style>

            """
        html += Self.heading(report, rows) + Self.news(news, isComplete: report.summary.planned == nil)
        html += Self.causes(causes, rows)
        html += """
            <section id="cases" aria-labelledby="cases-title"><h2 id="cases-title">Cases</h2>
            <noscript><p>The matrix, the search, the charts and the pictures need a browser that runs the page's script; \
            what is above does not.</p></noscript></section>
            <section id="charts" aria-labelledby="charts-title"><h2 id="charts-title">Metrics by network</h2></section>

            """
        html += Self.notes(report)
        beginning = html
    }

    private static func title(_ summary: SuiteReport.Summary) -> String {
        let bad = summary.failed + summary.broken
        return bad > 0 ? "\(bad) of \(summary.cases) cases failed" : "\(summary.cases) cases, none failed"
    }

    // MARK: Figures

    private static func heading(_ report: SuiteReport, _ rows: PageRows) -> String {
        let summary = report.summary
        var html = "<header><div class=\"line\"><h1>Regression report</h1><button id=\"theme\" hidden></button></div>\n"
        let figures: [(Verdict, Int, String)] = [
            (.fail, summary.failed, "failed"), (.broken, summary.broken, "could not be run"),
            (.known, summary.known, "known issues"), (.pass, summary.passed, "passed"),
            (.skip, summary.skipped, "skipped"),
        ]
        html += "<p class=\"figures\">"
        for (verdict, count, words) in figures where count > 0 || verdict == .fail || verdict == .pass {
            html +=
                "<a class=\"figure \(count > 0 ? verdict.rawValue : "none")\" data-filter=\"verdict=\(verdict.rawValue)\">"
            html += "<b>\(count)</b> \(words)</a>"
        }
        html += "</p>\n"
        if let planned = summary.planned {
            html +=
                "<p class=\"warning\"><b>This run is not complete:</b> \(summary.cases) of \(planned) cases were done.</p>\n"
        }
        html += "<p>\(escaped(judged(summary, rows)))</p>\n"
        if let run = report.run {
            html += "<p class=\"quiet\">\(escaped(run.words))"
            if let job = run.job, job.hasPrefix("https://") || job.hasPrefix("http://") {
                html += " · <a href=\"\(escaped(job))\" rel=\"noreferrer\">the job</a>"
            }
            html += "</p>\n"
            if let command = run.command { html += "<p class=\"quiet\"><code>\(escaped(command))</code></p>\n" }
        }
        return html + "</header>\n"
    }

    /// What was crossed with what, and how much of it was judged.
    private static func judged(_ summary: SuiteReport.Summary, _ rows: PageRows) -> String {
        func names(_ tally: NameTally, _ noun: String) -> String {
            tally.count > 3 ? "\(tally.count) \(noun)" : tally.names.joined(separator: ", ")
        }
        let crossed = [
            "\(rows.titles.count) title\(rows.titles.count == 1 ? "" : "s")", names(rows.networks, "networks"),
            names(rows.platforms, "platforms"), names(rows.scenarios, "scenarios"), names(rows.apps, "apps"),
        ]
        return crossed.filter { !$0.isEmpty }.joined(separator: " × ") + ". " + SuiteTable.sum(summary)
    }

    // MARK: What is new

    private static func news(_ news: ReportNews?, isComplete: Bool) -> String {
        var html =
            "<section id=\"news\" aria-labelledby=\"news-title\"><h2 id=\"news-title\">New since the last run</h2>\n"
        guard let news else {
            return html
                + "<p class=\"quiet\">Not known: run the suite with <code>--history FILE</code>, or name a former "
                + "report or run with <code>--since RUN</code>.</p></section>\n"
        }
        html += "<p class=\"quiet\">Compared with \(escaped(news.runs.old.words)): "
        html += "\(escaped(news.runs.sum))\(isComplete ? "" : "; what was not run yet counts as gone").</p>\n"
        // What was not run yet is not gone.
        let sections = news.runs.sections.filter { isComplete || $0.title != "gone" }
        if sections.isEmpty { html += "<p>Nothing is new, worse, mended or better.</p>\n" }
        for (title, changes) in sections {
            let causes = ChangeCause.of(changes)
            let kind = kinds[title] ?? ""
            html += "<details\(title == "new failures" || title == "worse" ? " open" : "")><summary><b>"
            html += "\(title.prefix(1).uppercased() + title.dropFirst())</b>, \(changes.count)"
            if !kind.isEmpty { html += " <a data-filter=\"change=\(kind)\">show</a>" }
            html += "</summary><ul class=\"causes\">"
            for cause in causes.prefix(most.causes) { html += entry(cause, isThere: title != "gone") }
            if causes.count > most.causes { html += "<li>… and \(causes.count - most.causes) more</li>" }
            html += "</ul></details>\n"
        }
        return html + "</section>\n"
    }

    /// What the script calls the kinds of changes.
    private static let kinds = [
        "new failures": "new", "worse": "worse", "mended": "mended", "better": "better", "now known issues": "excused",
        "added": "added",
    ]

    private static func entry(_ cause: ChangeCause, isThere: Bool) -> String {
        var html = "<li><span class=\"what\">\(escaped(cause.title))</span><br><span class=\"quiet\">"
        html += "\(escaped(cause.reach))</span><br>"
        for change in cause.changes.prefix(most.cases) {
            let words = "\(change.name.file) \(change.name.circumstances)"
            html += isThere ? "<a \(link(to: change.name))>\(escaped(words))</a> " : "<span>\(escaped(words))</span> "
        }
        let left = cause.changes.count - most.cases
        return html + (left > 0 ? "… and \(left) more</li>" : "</li>")
    }

    /// What the script makes an address of.
    private static func link(to name: RecordedCase.Name) -> String {
        let parts = [name.scenario, name.network, name.platform, name.app, "\(name.seed)", name.file]
        return "class=\"case\" data-case=\"\(MarkupText.escaped(parts.joined(separator: "~")))\""
    }

    // MARK: Causes

    private static func causes(_ causes: FindingCauses, _ rows: PageRows) -> String {
        let order = causes.order
        let bad = order.filter { ![.skip, .pass].contains(causes.causes[$0].verdict) }
        let rest = order.filter { [.skip, .pass].contains(causes.causes[$0].verdict) }
        var html = "<section id=\"causes\" aria-labelledby=\"causes-title\"><h2 id=\"causes-title\">Causes</h2>\n"
        html += bad.isEmpty ? "<p>Nothing failed.</p>\n" : list(bad, causes, rows)
        if !rest.isEmpty {
            html +=
                "<details><summary>Why cases were skipped, and remarks on those that passed, \(rest.count)</summary>"
            html += list(rest, causes, rows) + "</details>\n"
        }
        return html + "</section>\n"
    }

    private static func list(_ places: [Int], _ causes: FindingCauses, _ rows: PageRows) -> String {
        var html = "<ol class=\"causes\">\n"
        for place in places.prefix(most.causes) {
            let cause = causes.causes[place]
            html += "<li><a class=\"count \(cause.verdict.rawValue)\" data-cause=\"\(place)\"><b>\(cause.cases)</b> "
            html += "\(cause.verdict.rawValue)</a> <div><code>\(escaped(cause.rule))</code> "
            html += "<span class=\"what\">\(escaped(cause.message))</span>"
            html += "<div class=\"quiet\">\(escaped(reach(cause, rows)))</div>"
            if !cause.also.names.isEmpty {
                let also = zip(cause.also.names, cause.also.counts).map { "\($0) (\($1))" }
                html += "<div class=\"quiet\">there also: \(escaped(also.joined(separator: ", ")))</div>"
            }
            if !cause.issues.names.isEmpty {
                html += "<div class=\"quiet\">known as \(escaped(cause.issues.names.joined(separator: ", ")))</div>"
            }
            let example = "\(cause.example.file) \(cause.example.circumstances)"
            html += "<div>for example <a \(link(to: cause.example))>\(escaped(example))</a></div></div></li>\n"
        }
        if places.count > most.causes { html += "<li>… and \(places.count - most.causes) more</li>\n" }
        return html + "</ol>\n"
    }

    /// Of what the cases are, and what of the suite is not among them.
    private static func reach(_ cause: FindingCause, _ rows: PageRows) -> String {
        func part(_ tally: NameTally, _ all: NameTally, _ one: String, _ several: String) -> String? {
            guard all.count > 1 else { return nil }
            if tally.count == all.count { return "all \(all.count) \(several)" }
            if tally.count == 1 { return "only \(one) \(tally.names[0])" }
            return tally.count > 3
                ? "\(tally.count) of \(all.count) \(several)" : "\(several) \(tally.names.joined(separator: ", "))"
        }
        return [
            part(cause.titles, rows.titles, "title", "titles"),
            part(cause.networks, rows.networks, "network", "networks"),
            part(cause.platforms, rows.platforms, "platform", "platforms"),
            part(cause.scenarios, rows.scenarios, "scenario", "scenarios"), part(cause.apps, rows.apps, "app", "apps"),
        ].compactMap(\.self).joined(separator: " · ")
    }

    // MARK: What else is to be said

    private static func notes(_ report: SuiteReport) -> String {
        guard let unused = report.unusedIssues, !unused.isEmpty else { return "" }
        var html = "<section id=\"notes\"><h2>Known issues that cover nothing any more</h2><ul>"
        for issue in unused { html += "<li>\(escaped(issue.farewell))</li>" }
        html += "</ul></section>\n"
        return html
    }

    private static func escaped(_ text: String) -> String {
        "<bdi>\(MarkupText.escaped(SuiteTable.printable(text)))</bdi>"
    }
}
