/// Logs that are judged one after the other, so that one of them at a time lies in memory.
package enum LogSuite {
    /// What came of logs.
    package struct Judged {
        /// What came of each that could be read.
        package var outcomes: CaseOutcomes
        /// Why others could not be judged.
        package var failures: [LoggedCaseError] = []
    }

    /// Judges logs.
    ///
    /// - Parameters:
    ///   - wantsStories: Whether their stories are wanted.
    ///   - tell: Told what was left out of a log, in one line.
    /// - Throws: The system's error where the outcomes cannot be kept.
    package static func judge(
        _ paths: [String],
        by judge: LogJudge,
        wantsStories: Bool,
        tell: (String) -> Void
    ) throws -> Judged {
        var judge = judge
        var judged = Judged(outcomes: try CaseOutcomes(files: 1))
        var failures: [LoggedCaseError] = []
        try judged.outcomes.keep(of: 0) { keeping in
            for path in paths {
                let logged: LoggedCase
                do throws(LoggedCaseError) {
                    logged = try LoggedCase(fileAt: path)
                } catch {
                    failures.append(error)
                    continue
                }
                if let words = logged.unknownWords { tell("\(path): \(words)") }
                try keeping.add(judge.outcome(of: logged, at: path, wantsStory: wantsStories))
            }
        }
        judged.failures = failures
        return judged
    }
}
