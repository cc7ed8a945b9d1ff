internal import SegueBase
internal import SegueNetworkModel

/// The faults of a link's network, and the number of requests that met one.
struct LinkFaults {
    private let seed: UInt64
    private var plan: FaultPlan
    private(set) var count = 0

    init(_ profile: LinkProfile, seed: UInt64) {
        self.seed = seed
        plan = FaultPlan(profile, seed: seed)
    }

    var isEmpty: Bool { plan.isEmpty }

    /// Switches to the faults of another network, which count requests from now on.
    mutating func become(_ profile: LinkProfile) { plan = FaultPlan(profile, seed: seed) }

    /// Returns the fault that a request meets; nil for none.
    mutating func effect(url: String, at now: Instant) -> RequestFault.Effect? {
        let effect = plan.effect(url: url, at: now)
        if effect != nil { count += 1 }
        return effect
    }
}
