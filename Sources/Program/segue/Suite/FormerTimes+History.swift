import SegueComparison
import SegueHistory
import SegueSuite

extension FormerTimes {
    /// What cases took in former runs.
    ///
    /// - Parameter path: A history, the folder of a run, or a report in JSON that has times.
    /// - Throws: ``RunFolderError`` or ``RunFailure`` where there are none.
    static func known(of path: String) throws -> FormerTimes {
        guard RunHistory.isDatabase(path) else { return try FormerTimes(of: path) }
        var times = FormerTimes()
        try RunHistory(path: path, isMade: false).times { times.add($1, ofFile: $0.file) }
        guard !times.isEmpty else {
            throw RunFailure(path, "does not say how long cases took; runs that are added from now on do")
        }
        return times
    }
}
