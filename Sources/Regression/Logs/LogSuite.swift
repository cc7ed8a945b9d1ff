internal import Foundation

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
    ///   - paths: Their files.
    ///   - judge: Who judges them.
    ///   - wantsStories: Whether their stories are wanted.
    ///   - tell: Told what was left out of a log, in one line.
    /// - Returns: What came of them.
    /// - Throws: The system's error where the outcomes cannot be kept.
    package static func judge(
        _ paths: [String],
        by judge: LogJudge,
        wantsStories: Bool,
        tell: (String) -> Void
    ) throws -> Judged {
        var judge = judge
        var judged = Judged(outcomes: try CaseOutcomes(files: paths.count))
        for (index, path) in paths.enumerated() {
            do throws(LoggedCaseError) {
                let logged = try LoggedCase(fileAt: path)
                if let words = logged.unknownWords { tell("\(path): \(words)") }
                let outcome = judge.outcome(of: logged, at: path, wantsStory: wantsStories)
                do {
                    try judged.outcomes.keep(of: index) { try $0.add(outcome) }
                } catch {
                    throw LoggedCaseError(path, "what came of it cannot be kept: \(error)")
                }
            } catch {
                judged.failures.append(error)
            }
        }
        return judged
    }
}
