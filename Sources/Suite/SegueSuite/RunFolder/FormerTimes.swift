/// How long the cases of a former run took, by file.
package struct FormerTimes: Sendable {
    private var files: [String: (most: Double, sum: Double, count: Int)] = [:]

    /// Nothing has been run yet.
    package init() {}

    /// Whether anything is known.
    package var isEmpty: Bool { files.isEmpty }

    /// Adds what a case took, in seconds of processor time.
    package mutating func add(_ seconds: Double, ofFile file: String) {
        let seconds = seconds.isFinite ? min(max(seconds, 0), 1e9) : 0
        let former = files[file] ?? (0, 0, 0)
        files[file] = (max(former.most, seconds), former.sum + seconds, former.count + 1)
    }

    /// The work of a file: the case that took longest was the one that had the comparison in it; nil where the file was
    /// not there.
    func work(of file: String) -> CaseWork? {
        guard let (most, sum, count) = files[file] else { return nil }
        guard count > 1 else { return CaseWork(once: most, each: 0) }
        let each = (sum - most) / Double(count - 1)
        return CaseWork(once: most - each, each: each)
    }
}
