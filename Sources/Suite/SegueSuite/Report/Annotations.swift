internal import SegueBase
internal import SegueComparison

/// The causes of a suite as GitHub Actions annotations: lines on standard output that its runner shows beside a change.
package enum Annotations {
    /// The maximum number of annotations of each kind per step that the runner shows.
    private static let most = 10

    /// Writes the annotations: failures as errors, cases that could not be run as warnings.
    ///
    /// - Throws: `Errno` if the outcomes cannot be read, or an error of `write`.
    package static func write(_ report: SuiteReport, to write: (String) throws -> Void) throws {
        var causes = FindingCauses()
        try report.outcomes.each { causes.add($0.result) }
        for (verdict, kind) in [(Verdict.fail, "error"), (.broken, "warning")] {
            let all = causes.ordered.filter { $0.verdict == verdict }
            let shown = all.count > most ? all.prefix(most - 1) : all[...]
            for cause in shown {
                let place = report.places[cause.example.file] ?? SourcePlace(path: cause.example.file)
                let cases = cause.cases == 1 ? "" : " in \(cause.cases) cases"
                let line = place.line.map { ",line=\($0)" } ?? ""
                let head = "::\(kind) file=\(property(place.path))\(line),title=\(property(cause.rule + cases))"
                try write("\(head)::\(message("\(cause.message) (\(cause.reach))"))\n")
            }
            if shown.count < all.count {
                let rest = all.dropFirst(shown.count)
                let cases = rest.reduce(0) { $0 + $1.cases }
                try write(
                    "::\(kind) title=\(rest.count) more causes::They affect \(cases) cases; see the report.\n"
                )
            }
        }
    }

    /// The escaped message of an annotation.
    private static func message(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    /// The escaped value of a property.
    private static func property(_ text: String) -> String {
        message(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
