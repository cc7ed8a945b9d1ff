internal import SegueBase

/// The progress of a suite as a line.
package struct ProgressText {
    /// The capabilities of a terminal.
    package struct Look: Sendable, Equatable {
        /// The width of a line; nil for any.
        package var columns: Int?
        /// True if it supports color (ECMA-48, section 8.3.117).
        package var isColoured: Bool
        /// True if it supports Unicode.
        package var isUnicode: Bool

        package init(columns: Int? = nil, isColoured: Bool = false, isUnicode: Bool = true) {
            (self.columns, self.isColoured, self.isUnicode) = (columns, isColoured, isUnicode)
        }

        /// A line without colors, cut to the width.
        package func cut(_ text: String) -> String {
            let shown = isUnicode ? text : TextColumns.ascii(text)
            guard let columns else { return shown }
            return TextColumns.cut(shown, to: columns, ellipsis: isUnicode ? "…" : "...")
        }

        /// A text in a color of the terminal's palette, if it supports color.
        func painted(_ text: String, colour: Int) -> String {
            isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
        }
    }

    /// The line: completed files, failed cases, remaining time, and running files.
    ///
    /// Without room, the running files are omitted first, then what is done with them.
    package static func line(_ progress: SuiteRunner.Progress, of what: String, _ look: Look) -> String {
        var parts = ["\(what): \(progress.done)/\(progress.total)"]
        if progress.failed > 0 { parts.append("\(progress.failed) failed") }
        if let left = progress.secondsLeft, progress.done < progress.total { parts.append("\(words(left)) left") }
        let head = parts.joined(separator: ", ")
        let names = progress.running.map { SuiteTable.printable($0.file) }
        let running = zip(names, progress.running).map { name, one in
            one.words.isEmpty ? name : "\(name): \(SuiteTable.printable(one.words))"
        }
        let choices = [running.joined(separator: "; "), names.joined(separator: "; ")].map { "\(head)  \($0)" }
        let fitting = choices.first { TextColumns.width(of: $0) <= look.columns ?? .max } ?? choices[1]
        let line = look.cut(names.isEmpty ? head : fitting)
        let failed = "\(progress.failed) failed"
        guard progress.failed > 0 else { return line }
        return line.replacing(failed, with: look.painted(failed, colour: 31), maxReplacements: 1)
    }

    /// A duration rounded to what an estimate deserves.
    static func words(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "?" }
        let whole = Int(min(max(seconds, 1), 1e9).rounded())
        switch whole {
        case ..<10: return "\(whole) s"
        case ..<58: return "\((whole + 2) / 5 * 5) s"
        case ..<600:
            let quarters = (whole + 7) / 15 * 15
            return quarters % 60 == 0 ? "\(quarters / 60) min" : "\(quarters / 60) min \(quarters % 60) s"
        case ..<7200: return "\((whole + 30) / 60) min"
        default:
            let tens = (whole + 300) / 600 * 10
            return "\(tens / 60) h \(tens % 60) min"
        }
    }
}
