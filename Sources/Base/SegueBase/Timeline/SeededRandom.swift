/// A deterministic source of random numbers (SplitMix64): the same seed gives the same sequence on every machine.
///
/// After Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A source that starts at a seed.
    package init(seed: UInt64) { state = seed }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// The next number from 0 up to, not including, 1.
    package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A source of its own for a part of a run, so that parts do not disturb each other's sequences.
    package mutating func split() -> SeededRandom { SeededRandom(seed: next()) }
}
