internal import Foundation
internal import SegueBase
internal import SegueConformance
package import SegueWeb

/// The page that shows a board of streams and reloads itself.
package struct BoardPage: Sendable {
    private struct Row {
        let stream: String
        let reloads, failures, stalls, findings: Int
        let stale, latency, last: String
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
    package func html(of board: StreamBoard) -> String {
        let rows = board.all.map { entry in
            let figures = entry.figures
            return Row(
                stream: entry.url,
                reloads: figures.reloads,
                failures: figures.failures,
                stalls: figures.stalls,
                findings: entry.counts.values.reduce(0, +),
                stale: Self.text(figures.staleSeconds),
                latency: figures.latency.map(Self.text) ?? "",
                last: entry.last.map { "\($0.broken.rule.id): \($0.broken.message)" } ?? ""
            )
        }
        return template.page(["streams": rows])
    }

    private static func text(_ seconds: Double) -> String { String(format: "%.1f", seconds) }
}
