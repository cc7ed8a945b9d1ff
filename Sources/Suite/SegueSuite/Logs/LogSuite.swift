/// Judges logs one after the other, with one at a time in memory.
package enum LogSuite {
    package struct Judged {
        /// The outcomes of the logs that could be read.
        package var outcomes: CaseOutcomes
        /// The errors of the others.
        package var failures: [LoggedCaseError] = []
    }

    /// Judges logs.
    ///
    /// `wantsStories` decides whether to include timelines. `tell` receives one line about the omitted lines of a log.
    ///
    /// - Throws: The system's error if outcomes cannot be stored.
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
