/// The times of the cases of an earlier run, by file.
package struct PastCaseTimes: Sendable {
    private var files: [String: (most: Double, sum: Double, count: Int)] = [:]

    package init() {}

    package var isEmpty: Bool { files.isEmpty }

    /// Adds the processor time of a case, in seconds.
    package mutating func add(_ seconds: Double, ofFile file: String) {
        let seconds = seconds.isFinite ? min(max(seconds, 0), 1e9) : 0
        let former = files[file] ?? (0, 0, 0)
        files[file] = (max(former.most, seconds), former.sum + seconds, former.count + 1)
    }

    /// The work of a file: its longest case included the comparison of content.
    ///
    /// Nil for an unknown file.
    func work(of file: String) -> CaseWork? {
        guard let (most, sum, count) = files[file] else { return nil }
        guard count > 1 else { return CaseWork(once: most, each: 0) }
        let each = (sum - most) / Double(count - 1)
        return CaseWork(once: most - each, each: each)
    }
}
