internal import Foundation
internal import SegueBase
internal import SegueConformance
package import SegueWeb

/// The page that shows a board of streams and reloads itself.
package struct BoardPage: Sendable {
    private struct Row {
        /// A rectangle of the strip, in intervals.
        struct Run {
            let x, width: Int
            let style, title: String
        }

        let stream, state, style, summary: String
        let isTroubled: Bool
        let count: Int
        let runs: [Run]
        let reloads, failures, stalls, findings: Int
        let stale, latency, last: String
    }

    private struct Key {
        let style, name: String
    }

    private let template: PageTemplate

    /// The page's policy: its own style and nothing else.
    let securityPolicy: String

    /// Reads the page.
    ///
    /// - Throws: ``PageFailure`` if a file of the page is missing or malformed.
    package init(_ folder: WebFolder) throws(PageFailure) {
        template = try folder.template("watch/watch.html")
        securityPolicy = "default-src 'none'; style-src \(template.styleSources)"
    }

    /// Returns the page in HTML.
    ///
    /// - Parameters:
    ///   - board: The streams and their states.
    ///   - date: The time at the end of the strips, in seconds since 1970.
    package func html(of board: StreamBoard, at date: Double) -> String {
        let all = board.all
        let rows = all.map { Self.row($0, from: board.began, to: date) }
        let troubled = rows.count(where: \.isTroubled)
        let keys = StreamState.allCases.filter { $0 != .unknown }.map { Key(style: Self.style($0), name: $0.name) }
        return template.page([
            "streams": rows, "count": rows.count, "troubled": troubled, "keys": keys,
            "began": Self.clock(board.began), "now": Self.clock(date),
        ])
    }

    private static func row(_ entry: StreamBoard.Entry, from began: Double, to date: Double) -> Row {
        let figures = entry.figures
        let history = entry.history.extended(to: max(0, date - began), hasEnded: figures.hasEnded)
        let runs = history.runs.map { run in
            let (start, end) = (run.intervals.lowerBound, run.intervals.upperBound)
            let times = [start, end].map { clock(began + Double($0) * history.interval) }
            return Row.Run(
                x: start,
                width: end - start,
                style: style(run.state),
                title: "\(times[0]) to \(times[1]): \(run.state.name)"
            )
        }
        let state = figures.hasEnded ? StreamState.unknown : history.recent
        return Row(
            stream: entry.url,
            state: figures.hasEnded ? "ended" : state.name,
            style: style(state),
            summary: summary(history),
            isTroubled: state > .good,
            count: max(1, history.count),
            runs: runs,
            reloads: figures.reloads,
            failures: figures.failures,
            stalls: figures.stalls,
            findings: entry.counts.values.reduce(0, +),
            stale: text(figures.staleSeconds),
            latency: figures.latency.map { text($0) + " s" } ?? "unknown",
            last: entry.last.map { "\(clock($0.at)) \($0.broken.rule.id): \($0.broken.message)" } ?? ""
        )
    }

    /// The share of each state, such as `ok 97 %, must fix 3 %`.
    private static func summary(_ history: StateHistory) -> String {
        StreamState.allCases.compactMap { state in
            let share = history.share(of: state)
            guard share > 0, state != .unknown else { return nil }
            let percent = Int((share * 100).rounded())
            return "\(state.name) \(percent == 0 ? "below 1" : "\(percent)") %"
        }.joined(separator: ", ")
    }

    /// The name of a state in the style sheet.
    private static func style(_ state: StreamState) -> String { "\(state)" }

    private static func clock(_ date: Double) -> String {
        UTCTime(secondsSince1970: Int64(exactly: date.rounded(.down)) ?? 0).clock
    }

    private static func text(_ seconds: Double) -> String { String(format: "%.1f", seconds) }
}
