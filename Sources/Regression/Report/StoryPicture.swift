/// A case's story as a picture (SVG): the app's phases, the sound, loading and requests over time, with what happened.
package enum StoryPicture {
    private static let width = 1000.0
    private static let left = 92.0
    private static let right = 16.0
    /// How wide a letter of a bold label is at the most, on average.
    private static let letterWidth = 7.0

    /// The picture.
    ///
    /// - Parameters:
    ///   - story: What happened.
    ///   - title: The line above it.
    /// - Returns: An SVG element that needs nothing else.
    package static func svg(_ story: CaseStory, title: String) -> String {
        let scale = (width - left - right) / max(story.end, 1)
        func x(_ seconds: Double) -> Double { left + seconds * scale }
        var body = text(8, 20, title, "title")
        var y = 36.0
        body += lane("app", y) + rect(left, y, x(story.end) - left, 18, "foreground")
        for span in story.background {
            body += rect(x(span.from), y, (span.to - span.from) * scale, 18, "background")
            body += text(x(span.from) + 4, y + 13, "background", "inside")
        }
        y += 26
        body += lane("sound", y) + rect(left, y, x(story.end) - left, 22, "silence")
        for span in story.sound {
            body += rect(x(span.from), y, max(1, (span.to - span.from) * scale), 22, "sound")
            if (span.to - span.from) * scale > 40 { body += text(x(span.from) + 4, y + 15, span.label, "inside") }
        }
        y += 30
        body += lane("loading", y)
        for span in story.loading {
            body += rect(x(span.from), y, max(2, (span.to - span.from) * scale), 12, "loading")
        }
        y += 20
        let (rows, depth) = stacked(story.requests)
        body += lane("requests", y)
        for (span, row) in zip(story.requests, rows) {
            let kind = span.label == "segment" ? "segment" : "playlist"
            body += rect(x(span.from), y + Double(row) * 8, max(1.5, (span.to - span.from) * scale), 6, kind)
        }
        y += Double(max(depth, 1)) * 8 + 8
        let axis = y
        body += ticks(story.end, x: x, y: axis)
        y += 30
        for mark in story.marks.prefix(24) {
            let isLate = x(mark.at) > width * 0.6
            body += line(x(mark.at), 36, x(mark.at), y - 4, "mark \(mark.level)")
            let room = Int((isLate ? x(mark.at) : width - x(mark.at)) / letterWidth)
            let words = shortened("\(seconds(mark.at)) s  \(mark.label)", to: room)
            body += text(x(mark.at) + (isLate ? -4 : 4), y + 8, words, "label \(mark.level)\(isLate ? " end" : "")")
            y += 16
        }
        if story.marks.count > 24 {
            body += text(left, y + 8, "and \(story.marks.count - 24) more", "label")
            y += 16
        }
        let height = Int(y + 8)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(height)" width="\(Int(width))" \
            height="\(height)" role="img"><style>\(style)</style>\
            <rect width="100%" height="100%" class="page"/>\(body)</svg>
            """
    }

    private static let style = """
        .page{fill:#fff}text{font:12px system-ui,sans-serif;fill:#26323c}.title{font-weight:600;font-size:14px}\
        .lane{fill:#66757f}.foreground{fill:#e8eef2}.background{fill:#33414d}.inside{fill:#fff;font-size:11px}\
        .silence{fill:#f5e3e0}.sound{fill:#2f8f5b}.loading{fill:#e0a53a}.segment{fill:#3c78b4}.playlist{fill:#8a6bbe}\
        .mark{stroke:#b8c4cc;stroke-width:1}.mark.error{stroke:#c0392b;stroke-width:2}.mark.warning{stroke:#d08b1d}\
        .label.error{fill:#c0392b;font-weight:600}.label.warning{fill:#9a6409}.end{text-anchor:end}\
        .tick{stroke:#d5dde2}.axis{fill:#66757f;text-anchor:middle;font-size:11px}
        """

    /// The row of each span so that none overlap, and how many rows there are.
    private static func stacked(_ spans: [CaseStory.Span]) -> (rows: [Int], depth: Int) {
        var ends: [Double] = []
        let rows = spans.map { span in
            if let free = ends.firstIndex(where: { $0 <= span.from }) {
                ends[free] = span.to
                return free
            }
            ends.append(span.to)
            return ends.count - 1
        }
        return (rows, ends.count)
    }

    private static func ticks(_ end: Double, x: (Double) -> Double, y: Double) -> String {
        let steps = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200]
        let step = steps.first { end / $0 <= 12 } ?? 14400
        return stride(from: 0, through: end, by: step).map { second in
            line(x(second), 34, x(second), y, "tick") + text(x(second), y + 14, "\(seconds(second)) s", "axis")
        }.joined()
    }

    private static func lane(_ name: String, _ y: Double) -> String { text(8, y + 13, name, "lane") }

    private static func rect(_ x: Double, _ y: Double, _ w: Double, _ h: Double, _ kind: String) -> String {
        #"<rect x="\#(short(x))" y="\#(short(y))" width="\#(short(max(0, w)))" height="\#(short(h))" class="\#(kind)"/>"#
    }

    private static func line(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double, _ kind: String) -> String {
        #"<line x1="\#(short(x))" y1="\#(short(y))" x2="\#(short(x2))" y2="\#(short(y2))" class="\#(kind)"/>"#
    }

    private static func text(_ x: Double, _ y: Double, _ words: String, _ kind: String) -> String {
        #"<text x="\#(short(x))" y="\#(short(y))" class="\#(kind)">\#(JUnitReport.escaped(words))</text>"#
    }

    private static func short(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private static func shortened(_ text: String, to count: Int) -> String {
        text.count <= count ? text : text.prefix(max(0, count - 1)) + "…"
    }

    private static func seconds(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
