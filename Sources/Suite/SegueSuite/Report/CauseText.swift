internal import SegueBase
package import SegueComparison

/// What the cases of a suite have in common that failed, as plain text: each cause with how much it hits, an example and
/// the command that plays it again.
package enum CauseText {
    /// How many causes are told of those that count, and of those that are known or were skipped.
    private static let most = 12
    private static let mostLesser = 4

    /// Writes the causes; nothing where there are none.
    ///
    /// - Parameters:
    ///   - causes: The causes of all cases.
    ///   - look: What the terminal shows. A command is never cut, as it is there to be copied.
    ///   - command: The command that plays a case again; nil for none.
    ///   - write: Takes one line after the other, each with its line feed.
    /// - Throws: What `write` throws.
    package static func write(
        _ causes: FindingCauses,
        look: ProgressText.Look = ProgressText.Look(),
        command: (RecordedCase.Name) -> String?,
        to write: (String) throws -> Void
    ) rethrows {
        let ordered = causes.ordered
        let heavy = ordered.filter { $0.verdict.isBad }
        let light = ordered.filter { $0.verdict == .known || $0.verdict == .skip }
        guard !(heavy.isEmpty && light.isEmpty) else { return }
        try write("\n\(painted("causes", 1, look))\n")
        for cause in heavy.prefix(most) {
            try write(headline(cause, look))
            try write(look.cut("    \(SuiteTable.printable(cause.reach))") + "\n")
            let example = cause.example
            if cause.cases > 1 {
                let words = SuiteTable.printable("\(example.file)  \(example.circumstances)")
                try write(look.cut("    e.g. \(words)") + "\n")
            }
            if let command = command(example) { try write("    \(SuiteTable.printable(command))\n") }
        }
        try more(heavy.count - most, "cause", look, write)
        for cause in light.prefix(mostLesser) {
            try write(headline(cause, look))
            try write(look.cut("    \(SuiteTable.printable(cause.reach))") + "\n")
        }
        try more(light.count - mostLesser, "known or skipped cause", look, write)
    }

    private static func more(
        _ count: Int,
        _ what: String,
        _ look: ProgressText.Look,
        _ write: (String) throws -> Void
    ) rethrows {
        if count > 0 { try write(look.cut("  … and \(count) \(what)\(count == 1 ? "" : "s") more") + "\n") }
    }

    private static func headline(_ cause: FindingCause, _ look: ProgressText.Look) -> String {
        let verdict = cause.verdict.rawValue
        let line = look.cut("  \(verdict)  \(SuiteTable.printable("\(cause.rule): \(cause.message)"))")
        guard line.hasPrefix("  \(verdict)") else { return line + "\n" }
        return "  " + painted(verdict, colour(of: cause.verdict), look) + line.dropFirst(2 + verdict.count) + "\n"
    }

    /// A colour of the terminal's own (ECMA-48, section 8.3.117).
    private static func colour(of verdict: RecordedCase.Verdict) -> Int {
        switch verdict {
        case .fail: 31
        case .broken: 35
        case .known: 33
        case .skip, .pass: 2
        }
    }

    private static func painted(_ text: String, _ colour: Int, _ look: ProgressText.Look) -> String {
        look.isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }
}
