internal import SegueBase

/// The history of a case as text: a row of characters and a table of the runs.
package enum CaseHistoryText {
    /// The text for one case.
    ///
    /// `most` is the maximum number of runs in the table, counted from the last.
    package static func text(_ course: CaseHistory, metric: String?, most: Int = 30) -> String {
        let name = course.name
        let figures = metric.map(course.figures) ?? course.points.map { _ in nil }
        var text = ControlCharacters.shown("\(name.file)  \(name.circumstances)") + "\n\n"
        text += "  \(Sparkline.text(course.points.map(\.result.verdict)))  verdict\n"
        if let metric {
            let known = figures.compactMap(\.self)
            let ends = [known.min(), known.max()].compactMap { $0.map { MetricDefinition.words($0, of: metric) } }
            text +=
                "  \(Sparkline.text(figures))  \(metric), \(ends.isEmpty ? "never measured" : ends.joined(separator: " to "))\n"
        }
        var rows = [["run", "date", "revision", "verdict", metric ?? "", "findings"]]
        for (point, figure) in zip(course.points, figures).suffix(most) {
            rows.append([
                "#\(point.run)", point.facts.began?.short ?? "", String((point.facts.revision ?? "").prefix(12)),
                point.result.verdict.rawValue,
                metric.flatMap { name in figure.map { MetricDefinition.words($0, of: name) } } ?? "",
                point.result.found,
            ])
        }
        return text + "\n" + TextTable.text(rows.map { $0.map(ControlCharacters.shown) })
    }

    /// Several cases, one per line.
    package static func list(_ courses: [CaseHistory], metric: String?) -> String {
        let rows = courses.map { course in
            let signs =
                metric.map { Sparkline.text(course.figures(of: $0)) }
                ?? Sparkline.text(course.points.map(\.result.verdict))
            return [signs, course.name.file, course.name.circumstances]
        }
        return TextTable.text(rows.map { $0.map(ControlCharacters.shown) })
    }
}

extension RecordedCase {
    /// The first finding and the number of the others.
    var found: String {
        guard let first = findings.first else { return "" }
        return first.line + (findings.count > 1 ? " (+\(findings.count - 1) more)" : "")
    }
}
