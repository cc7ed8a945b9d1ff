internal import SegueBase

/// The comparison as text: causes first, each with its cases.
package enum ComparisonText {
    /// The maximum number of cases of a cause.
    private static let most = 8

    /// Writes the new and worse changes since a run.
    ///
    /// `cut` shortens a line to the width of the terminal. `write` receives one line at a time, with its line feed.
    package static func writeNews(
        _ runs: ComparedRuns,
        isColoured: Bool = false,
        cut: (String) -> String = { $0 },
        to write: (String) throws -> Void
    ) rethrows {
        let news = runs.sections.filter { ["new failures", "worse"].contains($0.title) }
        let since = ControlCharacters.shown(runs.old.title)
        try write("\n" + cut("since \(since): \(runs.sum)") + "\n")
        for (title, changes) in news {
            try write(painted(title, in: isColoured ? colour(of: title) : nil) + "\n")
            let causes = ChangeCause.of(changes)
            for cause in causes.prefix(most) {
                try write(cut("  " + ControlCharacters.shown(cause.title)) + "\n")
                try write(cut("    " + ControlCharacters.shown(cause.reach)) + "\n")
            }
            if causes.count > most { try write(cut("  … and \(causes.count - most) more (segue compare)") + "\n") }
        }
    }

    /// Writes the comparison.
    ///
    /// `all` decides whether all cases are listed. `write` receives one line at a time, with its line feed.
    package static func write(
        _ runs: ComparedRuns,
        isColoured: Bool = false,
        all: Bool = false,
        to write: (String) throws -> Void
    ) rethrows {
        try write("old  \(ControlCharacters.shown(runs.old.words))\n")
        try write("new  \(ControlCharacters.shown(runs.new.words))\n")
        for line in runs.releases { try write("app  \(ControlCharacters.shown(line))\n") }
        for (title, changes) in runs.sections {
            try write("\n" + painted(title, in: isColoured ? colour(of: title) : nil) + "\n")
            for cause in ChangeCause.of(changes) {
                try write("  " + ControlCharacters.shown(cause.title) + "\n")
                try write("    " + ControlCharacters.shown(cause.reach) + "\n")
                guard cause.changes.count > 1 else { continue }
                let shown = all ? cause.changes.count : most
                for change in cause.changes.prefix(shown) {
                    let line = "\(change.name.file)  \(change.name.circumstances)  \(change.words(beside: cause))"
                    try write("      " + ControlCharacters.shown(line) + "\n")
                }
                let left = cause.changes.count - shown
                if left > 0 { try write("      … and \(left) more (--all names them)\n") }
            }
        }
        let sum = runs.sum
        try write("\n" + painted(sum, in: isColoured ? (runs.comparison.isWorse ? 31 : 32) : nil) + "\n")
    }

    /// A color of the terminal's palette (ECMA-48, section 8.3.117).
    private static func colour(of title: String) -> Int? {
        switch title {
        case "new failures": 31
        case "worse": 33
        case "fixed", "better": 32
        default: nil
        }
    }

    private static func painted(_ text: String, in colour: Int?) -> String {
        colour.map { "\u{1B}[1;\($0)m\(text)\u{1B}[0m" } ?? text
    }
}
