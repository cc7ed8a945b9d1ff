import Testing

@testable import SegueSuite

@Suite struct `Shards of a suite` {
    @Test(arguments: [1, 2, 3, 7, 40, 500])
    func `every case is in exactly one share`(count: Int) {
        for seed in 0..<5 {
            let work = (0..<20).map { file -> CaseWork in
                let each: Double = file % 5 == seed ? 40 : 0.01 * Double(file)
                return CaseWork(once: Double((file * 7 + seed) % 11), each: each)
            }
            let shares = ShardPlanner.divided(work, cases: 30, among: count)
            #expect(shares.count == count)
            var seen: Set<[Int]> = []
            for range in shares.joined() {
                for place in range.from..<range.to { #expect(seen.insert([range.file, place]).inserted) }
            }
            #expect(seen.count == 600)
            #expect(ShardPlanner.divided(work, cases: 30, among: count) == shares)
        }
    }

    @Test func `a file's cases stay together where they are no more than a share`() {
        let work = (0..<10).map { CaseWork(once: Double($0), each: 0.1) }
        let shares = ShardPlanner.divided(work, cases: 5, among: 3)
        #expect(shares.joined().allSatisfy { $0.from == 0 && $0.to == 5 })
        let seconds = shares.map { $0.reduce(0) { $0 + work[$1.file].seconds(5) } }
        // Longest-first is at most four thirds of the optimum (Graham 1969), and the optimum is at least the mean.
        #expect((seconds.max() ?? 0) <= seconds.reduce(0, +) / 3 * 4 / 3)
    }

    @Test func `a file larger than a share is divided`() {
        let work = [CaseWork(once: 1, each: 1), CaseWork(once: 1, each: 0.01), CaseWork(once: 1, each: 0.01)]
        let shares = ShardPlanner.divided(work, cases: 100, among: 4)
        #expect(shares.allSatisfy { $0.contains { $0.file == 0 } })
    }

    @Test func `a file without work is one piece`() {
        let work = [CaseWork(once: 0, each: 0), CaseWork(once: 100, each: 0)]
        #expect(ShardPlanner.divided(work, cases: 9, among: 3).joined().count == 2)
        #expect(ShardPlanner.divided([], cases: 9, among: 3) == [[], [], []])
    }

    @Test func `the work of a file follows from the times of its cases`() {
        var times = PastCaseTimes()
        for seconds in [10.1, 0.1, 0.1, 0.1] { times.add(seconds, ofFile: "a") }
        times.add(3, ofFile: "b")
        times.add(.nan, ofFile: "c")
        #expect(times.work(of: "a").map { abs($0.once - 10) < 1e-9 && abs($0.each - 0.1) < 1e-9 } == true)
        #expect(times.work(of: "b") == CaseWork(once: 3, each: 0))
        #expect(times.work(of: "c") == CaseWork(once: 0, each: 0))
        #expect(times.work(of: "d") == nil)
    }
}
