internal import SegueOrigin

extension RunHeader {
    /// Makes this a part of the suite.
    ///
    /// - Parameters:
    ///   - number: The part's number, from 1.
    ///   - count: How many parts there are.
    ///   - times: How long cases took formerly; where a file was not there, its size says it.
    package mutating func take(part number: Int, of count: Int, of suite: Suite, times: FormerTimes) {
        let each = suite.matrix.cases(of: "").count
        let work = suite.files.map { file in
            times.work(of: file.name) ?? WorkEstimate.work(ofFileAt: file.path)
        }
        let ranges = Shares.divided(work, cases: each, among: count)[number - 1]
        part = Part(number: number, of: count, cases: ranges)
        cases = ranges.reduce(0) { $0 + $1.to - $1.from }
    }
}
