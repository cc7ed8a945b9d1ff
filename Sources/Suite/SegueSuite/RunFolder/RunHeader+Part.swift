internal import SegueOrigin

extension RunHeader {
    /// Turns the header into that of a part of the suite.
    ///
    /// `number` is the part's number, from 1. `count` is the number of parts. `times` are the times of earlier cases;
    /// the size of a file, or the usual work of a title, replaces missing ones.
    package mutating func take(part number: Int, of count: Int, of suite: Suite, times: PastCaseTimes) {
        let table = table
        let work =
            suite.files.map { times.work(of: $0.name) ?? WorkEstimate.work(ofFileAt: $0.path) }
            + suite.titles.map { times.work(of: $0.name) ?? WorkEstimate.workOfTitle }
        var chosen: [Int: Int] = [:]
        for (file, selection) in suite.selections.enumerated() where selection != .all {
            chosen[file] = table.count(ofFile: file, in: table.cases.indices)
        }
        let ranges = ShardPlanner.divided(work, cases: table.cases.count, chosen: chosen, among: count)[number - 1]
        part = Part(number: number, of: count, cases: ranges)
        cases = ranges.reduce(0) { $0 + table.count(ofFile: $1.file, in: $1.from..<$1.to) }
    }
}
