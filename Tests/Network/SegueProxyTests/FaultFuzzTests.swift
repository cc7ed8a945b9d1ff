import SegueFaultFuzz
import SegueProxy
import Testing

@Suite struct `Faults on connections made by chance` {
    @Test(arguments: 0..<4)
    func `do what they say, however the bytes come`(part: Int) {
        for number in part * 500..<(part + 1) * 500 {
            let problem = FaultCase(seed: 1, number: number).problem
            #expect(problem == nil, "Tools/run fuzz faults --seed 1 --first \(number) --count 1")
        }
    }

    @Test func `are the same for the same seed and number, and others for others`() {
        #expect(FaultCase(seed: 1, number: 7) == FaultCase(seed: 1, number: 7))
        #expect(FaultCase(seed: 1, number: 7) != FaultCase(seed: 2, number: 7))
        #expect(FaultCase(seed: 1, number: 7) != FaultCase(seed: 1, number: 8))
    }

    @Test func `meet every kind of fault, and every kind of damage to heads and bodies`() {
        let cases = (0..<2000).map { FaultCase(seed: 1, number: $0) }
        let kinds = Set(cases.flatMap(\.exchanges).compactMap(\.fault?.kind))
        #expect(kinds.count == FaultCase.Fault.Kind.allCases.count)
        #expect(cases.count { $0.damages.isEmpty } > 1000 && cases.count { !$0.damages.isEmpty } > 500)
        // This includes limits that earlier responses have used up.
        #expect(
            cases.contains { $0.exchanges.dropFirst().contains { $0.fault?.kind == .limit && $0.fault?.number == 0 } }
        )
    }

    @Test func `grow smaller until nothing is left to leave out`() {
        var fault = FaultCase(seed: 1, number: 3)
        var steps = 0
        while let smaller = fault.smaller.first, steps < 10_000 { (fault, steps) = (smaller, steps + 1) }
        #expect(fault.exchanges.count == 1 && fault.damages.isEmpty && fault.smaller.isEmpty)
    }
}
