/// A deterministic random number generator (SplitMix64), equal on every machine for the same seed.
///
/// After Steele, Lea, and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014).
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// The next number in 0..<1.
    package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A generator for a part of a run, so that parts do not affect each other's sequences.
    package mutating func split() -> SeededRandom { SeededRandom(seed: next()) }
}
