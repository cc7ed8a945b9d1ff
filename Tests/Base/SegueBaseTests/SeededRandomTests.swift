import SegueBase
import Testing

@Suite struct `Seeded random` {
    @Test func `generates the published sequence`() {
        // SplitMix64 from state 1234567, as published with the reference implementation.
        var random = SeededRandom(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ]
        )
    }

    @Test func `units are in 0..<1`() {
        var random = SeededRandom(seed: 1)
        #expect((0..<1000).allSatisfy { _ in (0..<1).contains(random.nextUnit()) })
    }
}
