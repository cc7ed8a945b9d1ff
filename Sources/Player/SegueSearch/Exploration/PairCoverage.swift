internal import SegueBase

/// The coverage of pairs in a search: two consecutive acts, an act on a kind of network, or two numbers of the network.
///
/// Most faults depend on one factor, or on two together (Kuhn, Wallace and Gallo, "Software Fault Interactions", 2004).
struct PairCoverage: Sendable {
    private struct Pair: Hashable {
        let first: Int
        let second: Int
    }

    private var covered: Set<Pair> = []

    /// Returns the number of new pairs in a trial.
    func gain(of trial: Trial) -> Int { PairCoverage.pairs(of: trial).subtracting(covered).count }

    /// Records the pairs of a trial.
    mutating func cover(_ trial: Trial) { covered.formUnion(PairCoverage.pairs(of: trial)) }

    private static func pairs(of trial: Trial) -> Set<Pair> {
        let signs = trial.conditions.signs + [100 + octave(trial.length)] + trial.steps.map(\.act.sign)
        var pairs: Set<Pair> = []
        for first in signs.indices {
            for second in signs.indices.dropFirst(first + 1) {
                pairs.insert(Pair(first: signs[first], second: signs[second]))
            }
        }
        return pairs
    }

    /// The base-2 logarithm of a number, rounded down; 0 for 0.
    fileprivate static func octave(_ value: Int) -> Int { value > 0 ? Int.bitWidth - 1 - value.leadingZeroBitCount : 0 }
}

extension Conditions {
    /// A number for each property of the network and the server, in coarse steps.
    fileprivate var signs: [Int] {
        Quantity.allCases.enumerated().map { 1000 + 100 * $0 + PairCoverage.octave(self[$1]) }
    }
}

extension Act {
    /// A number for the kind of an act, regardless of its values.
    fileprivate var sign: Int {
        switch self {
        case .press(let button): 200 + (Button.allCases.firstIndex(of: button) ?? 0)
        case .named(let name): 10_000 + name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        case .seek: 210
        case .rate: 211
        case .choose: 212
        case .goHome: 220
        case .lock: 221
        case .comeBack: 222
        case .interrupt: 223
        case .endInterruption(let shouldResume): shouldResume ? 224 : 225
        case .route(let route): 226 + (Route.allCases.firstIndex(of: route) ?? 0)
        case .resetServices: 230
        case .warnOfMemory: 231
        case .lowPower(let isEnabled): isEnabled ? 232 : 233
        case .silentSwitch(let isSilent): isSilent ? 234 : 235
        case .remote(let button, let sender):
            250 + 10 * (Button.allCases.firstIndex(of: button) ?? 0) + (Sender.allCases.firstIndex(of: sender) ?? 0)
        case .network: 240
        case .offline: 241
        case .online: 242
        case .mend: 243
        case .fault(let trouble, let kind, _): 300 + 10 * (Kind.allCases.firstIndex(of: kind) ?? 0) + trouble.sign
        }
    }
}

extension Act.Trouble {
    fileprivate var sign: Int {
        switch self {
        case .status(let status): status >= 500 ? 1 : 0
        case .reset: 2
        case .stall: 3
        case .truncation: 4
        }
    }
}
