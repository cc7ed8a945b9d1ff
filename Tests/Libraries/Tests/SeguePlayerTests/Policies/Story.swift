import SeguePlayer

/// The acts of the user and the device, with their durations.
struct Story: Sendable, CustomStringConvertible {
    enum Act: String, CaseIterable, Sendable {
        case play, pause, goHome, lock, comeBack, interrupt, endInterruption, endInterruptionForGood
        case resetMediaServices, loseNetwork, findNetwork
    }

    let acts: [(act: Act, seconds: Double)]

    init(_ acts: [(Act, Double)]) { self.acts = acts.map { (act: $0.0, seconds: $0.1) } }

    /// A story that begins with play and continues at random.
    init(byChance chance: inout Chance) {
        // Many acts come just after another one.
        acts =
            [(.play, chance.seconds())]
            + (0..<Int.random(in: 2...9, using: &chance)).map { _ in
                (Act.allCases.randomElement(using: &chance) ?? .goHome, chance.seconds())
            } + [(.comeBack, 30)]
    }

    var description: String { acts.map { "\($0.act) \($0.seconds)" }.joined(separator: ", ") }

    /// The purpose of each controller, and its obstacles.
    static let written = [
        Story([(.play, 20), (.goHome, 25), (.comeBack, 20)]),
        Story([(.play, 20), (.lock, 50), (.comeBack, 20)]),
        Story([(.play, 20), (.goHome, 0.5), (.comeBack, 2), (.goHome, 20), (.comeBack, 20)]),
        Story([(.play, 20), (.goHome, 10), (.interrupt, 5), (.endInterruption, 20), (.comeBack, 20)]),
        Story([(.play, 20), (.interrupt, 1), (.goHome, 5), (.endInterruptionForGood, 20), (.comeBack, 20)]),
        Story([(.play, 20), (.resetMediaServices, 10), (.goHome, 10), (.resetMediaServices, 20), (.comeBack, 70)]),
        Story([(.play, 20), (.goHome, 15), (.comeBack, 0.7), (.resetMediaServices, 20)]),
        Story([(.play, 20), (.goHome, 15), (.comeBack, 0.7), (.goHome, 8), (.comeBack, 20)]),
        // The interruption ends with a request to resume while audio is still loading.
        Story([(.play, 20), (.goHome, 0.5), (.interrupt, 0.2), (.endInterruption, 20), (.comeBack, 20)]),
        Story([(.play, 20), (.pause, 2), (.goHome, 25), (.comeBack, 5), (.play, 20)]),
        Story([(.play, 20), (.goHome, 10), (.loseNetwork, 40), (.findNetwork, 20), (.comeBack, 20)]),
    ]
}

/// A random number generator (SplitMix64).
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a duration, short or long.
    mutating func seconds() -> Double {
        let longest: Double = [0.5, 5, 40][Int.random(in: 0..<3, using: &self)]
        return (Double.random(in: 0...longest, using: &self) * 1000).rounded() / 1000
    }
}
