internal import SegueOrigin

extension RunHeader {
    /// Turns the header into that of a part of the suite.
    ///
    /// `number` is the part's number, from 1. `count` is the number of parts. `times` are the times of earlier cases;
    /// the size of a file replaces missing ones.
    package mutating func take(part number: Int, of count: Int, of suite: Suite, times: PastCaseTimes) {
        let each = suite.matrix.cases(of: "").count
        let work = suite.files.map { file in
            times.work(of: file.name) ?? WorkEstimate.work(ofFileAt: file.path)
        }
        let ranges = ShardPlanner.divided(work, cases: each, among: count)[number - 1]
        part = Part(number: number, of: count, cases: ranges)
        let table = table
        cases = ranges.reduce(0) { $0 + table.count(ofFile: $1.file, in: $1.from..<$1.to) }
    }
}
