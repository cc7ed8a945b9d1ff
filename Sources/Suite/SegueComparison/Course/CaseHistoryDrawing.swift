internal import SegueBase
internal import SegueCharts

/// Draws a metric of a case over the runs as SVG, with the verdict of each run.
package enum CaseHistoryDrawing {
    private static let width = 900.0
    private static let height = 330.0
    private static let left = 86.0
    private static let right = 880.0
    private static let graph = 74.0...262.0

    /// The drawing.
    ///
    /// `metric` is the metric to draw; nil draws only the verdicts. Returns a self-contained SVG document.
    package static func svg(_ course: CaseHistory, metric: String?) -> String {
        var drawing = Drawing()
        let title = "\(course.name.file): \(metric ?? "verdict")"
        drawing.text(x: 12, y: 24, Drawing.cut(title, to: width - 24, size: 15), "title")
        drawing.text(x: 12, y: 44, Drawing.cut(course.name.circumstances, to: width - 24, size: 12), "quiet")
        legend(course, in: &drawing)
        let figures = metric.map(course.figures) ?? course.points.map { _ in nil }
        let runs = Axis(-0.5...(max(Double(course.points.count), 1) - 0.5), from: left, to: right)
        let values = axis(figures.compactMap(\.self))
        if let metric { grid(values, metric, in: &drawing) }
        drawing.rect(
            x: left,
            y: graph.lowerBound,
            width: right - left,
            height: graph.upperBound - graph.lowerBound,
            "frame"
        )
        let places = zip(figures.indices, figures).map { run, figure in
            (x: runs.place(Double(run)), y: figure.map(values.place))
        }
        for stretch in places.split(whereSeparator: { $0.y == nil }) {
            drawing.path(Drawing.polyline(stretch.map { ($0.x, $0.y ?? 0) }), "line")
        }
        for (point, place) in zip(course.points, places) {
            mark(point.result.verdict, x: place.x, y: place.y ?? graph.upperBound, in: &drawing)
        }
        labels(course, runs, in: &drawing)
        return drawing.document(title: title, width: width, height: height, style: style) + "\n"
    }

    /// The color-blind-safe palette of Okabe and Ito; failures also have a shape of their own.
    private static let style = """
        .page{fill:#fff}text{font:12px "DejaVu Sans",Verdana,sans-serif;fill:#1f2a33}\
        .title{font-weight:bold;font-size:15px}.quiet{fill:#55636e}.tick{fill:#55636e;font-size:11px}\
        .end{text-anchor:end}.mid{text-anchor:middle}.grid{stroke:#e2e7eb;stroke-width:1}\
        .frame{fill:none;stroke:#b8c4cc}.line{fill:none;stroke:#0072b2;stroke-width:1.5}\
        .pass{fill:#0072b2}.known{fill:#e69f00}.skip{fill:#fff;stroke:#8c9aa5;stroke-width:1.5}\
        .fail,.broken{fill:none;stroke:#d55e00;stroke-width:2.5}
        """

    /// The scale of the figures with a margin; it starts at zero if that is close.
    private static func axis(_ figures: [Double]) -> Axis {
        let known = figures.filter(\.isFinite)
        let (low, high) = (known.min() ?? 0, known.max() ?? 0)
        let room = high > low ? (high - low) * 0.12 : max(abs(high) * 0.2, 1)
        let bottom = low >= 0 && low - room < high * 0.25 ? 0 : low - room
        return Axis(bottom...(high + room), from: graph.upperBound, to: graph.lowerBound)
    }

    private static func grid(_ values: Axis, _ metric: String, in drawing: inout Drawing) {
        for tick in values.ticks(5) {
            let y = values.place(tick)
            drawing.line(x: left, y: y, toX: right, toY: y, "grid")
            drawing.text(x: left - 6, y: y + 4, MetricDefinition.words(tick, of: metric), "tick end")
        }
    }

    private static func mark(_ verdict: Verdict, x: Double, y: Double, in drawing: inout Drawing) {
        guard verdict.isBad else { return drawing.circle(x: x, y: y, radius: 4, verdict.rawValue) }
        drawing.line(x: x - 5, y: y - 5, toX: x + 5, toY: y + 5, verdict.rawValue)
        drawing.line(x: x - 5, y: y + 5, toX: x + 5, toY: y - 5, verdict.rawValue)
    }

    private static func legend(_ course: CaseHistory, in drawing: inout Drawing) {
        var x = left
        for verdict in Verdict.allCases
        where course.points.contains(where: { $0.result.verdict == verdict }) {
            mark(verdict, x: x + 6, y: 58, in: &drawing)
            drawing.text(x: x + 17, y: 62, verdict.rawValue, "tick")
            x += 70
        }
    }

    /// Draws the number, day, and revision of as many runs as fit.
    private static func labels(_ course: CaseHistory, _ runs: Axis, in drawing: inout Drawing) {
        let room = 84.0
        var free = left
        for (index, point) in course.points.enumerated() {
            let x = runs.place(Double(index))
            guard x - room / 2 >= free - room / 2, x - free >= 0 else { continue }
            free = x + room
            let place = min(max(x, left + room / 2), right - room / 2)
            let lines = [
                "#\(point.run)", point.facts.began?.day.description, point.facts.revision.map { String($0.prefix(10)) },
            ]
            for (row, line) in lines.compactMap(\.self).enumerated() {
                drawing.text(x: place, y: graph.upperBound + 18 + Double(row) * 15, line, "tick mid")
            }
        }
    }
}
