internal import SegueBase
package import SegueComparison

/// The causes of a suite's failures as text, each with its extent, an example, and the command to replay it.
package enum CauseText {
    /// The maximum number of causes that count, and of causes that are known or skipped.
    private static let most = 12
    private static let mostLesser = 4

    /// The cases that ``write(_:look:command:nearest:to:)`` compares with the nearest passing ones.
    package static func examples(of causes: FindingCauses) -> Set<CaseName> {
        Set(causes.ordered.filter(\.verdict.isBad).prefix(most).map(\.example))
    }

    /// Writes the causes, or nothing without any.
    ///
    /// `look` is the capabilities of the terminal. Commands are never cut, so that they can be copied. `command`
    /// returns the command that replays a case, and `nearest` the comparison with the nearest passing case. `write`
    /// receives one line at a time, with its line feed.
    package static func write(
        _ causes: FindingCauses,
        look: ProgressText.Look = ProgressText.Look(),
        command: (CaseName) -> String?,
        nearest: (CaseName) -> NearestPassing? = { _ in nil },
        to write: (String) throws -> Void
    ) rethrows {
        let ordered = causes.ordered
        let heavy = ordered.filter { $0.verdict.isBad }
        let light = ordered.filter { $0.verdict == .known || $0.verdict == .skip }
        guard !(heavy.isEmpty && light.isEmpty) else { return }
        try write("\n\(look.painted("causes", colour: 1))\n")
        for cause in heavy.prefix(most) {
            try write(headline(cause, look))
            try write(look.cut("    \(SuiteTable.printable(cause.reach))") + "\n")
            let example = cause.example
            if cause.cases > 1 {
                let words = SuiteTable.printable("\(example.file)  \(example.circumstances)")
                try write(look.cut("    e.g. \(words)") + "\n")
            }
            for sentence in nearest(example)?.sentences ?? [] {
                for line in look.wrapped(SuiteTable.printable(sentence), indent: 4) { try write(line + "\n") }
            }
            if let command = command(example) { try write("    \(SuiteTable.printable(command))\n") }
        }
        try write(more(heavy.count - most, "cause", look: look))
        for cause in light.prefix(mostLesser) {
            try write(headline(cause, look))
            try write(look.cut("    \(SuiteTable.printable(cause.reach))") + "\n")
        }
        try write(more(light.count - mostLesser, "known or skipped cause", look: look))
    }

    private static func more(_ count: Int, _ noun: String, look: ProgressText.Look) -> String {
        count > 0 ? look.cut("  … and \(count) \(noun)\(count == 1 ? "" : "s") more") + "\n" : ""
    }

    private static func headline(_ cause: FindingCause, _ look: ProgressText.Look) -> String {
        let verdict = cause.verdict.rawValue
        let line = look.cut("  \(verdict)  \(SuiteTable.printable("\(cause.rule): \(cause.message)"))")
        guard line.hasPrefix("  \(verdict)") else { return line + "\n" }
        let painted = look.painted(verdict, colour: colour(of: cause.verdict))
        return "  " + painted + line.dropFirst(2 + verdict.count) + "\n"
    }

    /// A color of the terminal's palette (ECMA-48, section 8.3.117).
    private static func colour(of verdict: Verdict) -> Int {
        switch verdict {
        case .fail: 31
        case .broken: 35
        case .known: 33
        case .skip, .pass: 2
        }
    }
}
