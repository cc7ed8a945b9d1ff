import SegueComparison
import SegueHistory
import SegueSuite

extension PastCaseTimes {
    /// The times of cases in earlier runs.
    ///
    /// `path` is a history, a run folder, or a report in JSON with times.
    ///
    /// - Throws: ``RunFolderError`` or ``RunFailure`` if there are none.
    static func known(of path: String) throws -> PastCaseTimes {
        guard RunHistory.isDatabase(path) else { return try PastCaseTimes(of: path) }
        var times = PastCaseTimes()
        try RunHistory(path: path, isMade: false).times { times.add($1, ofFile: $0.file) }
        guard !times.isEmpty else {
            throw RunFailure(path, "has no times of cases; new runs add them")
        }
        return times
    }
}
