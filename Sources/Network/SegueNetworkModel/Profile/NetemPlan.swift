package import SegueBase

/// A network as Linux's own traffic control is told it, with a router between the two hosts.
///
/// In each direction packets queue before the router, at the network's rate, and are late or lost behind it: so the queue
/// holds what has not left yet and nothing else, as in ``SimulatedLink``. Rates that change use `tbf`, which asks for the
/// rate when a packet leaves; `netem` fixes it when the packet comes.
package struct NetemPlan: Sendable {
    /// What `tc` is told of one direction: the words after `root`.
    package struct Settings: Sendable, Equatable {
        /// The device before the router: rate and queue; nil for none.
        package var queue: [String]?

        /// The device behind the router: delay and loss; nil for none.
        package var way: [String]?

        /// Until when this holds; nil for good.
        package var until: Instant?
    }

    /// A packet on Ethernet, and so the least that `tbf` must let through at once.
    private static let packetBytes = 1514

    /// Nothing may leave for good, but `tbf` knows no rate of zero: one packet in three minutes, the slowest it can.
    private static let standstill: UInt64 = 64

    /// What of the network Linux cannot do so, a sentence each.
    package let leftOut: [String]

    private let profile: LinkProfile
    private let conditions: [LinkDirection: LinkConditions]
    private let hasNetem: Bool

    /// A plan for a network; nil where it takes `netem` and there is none.
    ///
    /// - Parameters:
    ///   - profile: The network.
    ///   - hasNetem: Whether the kernel has `netem`; without, rates and queues are all that can be done.
    package init?(_ profile: LinkProfile, hasNetem: Bool) {
        guard hasNetem || !profile.isLateOrLossy else { return nil }
        self.profile = profile
        self.hasNetem = hasNetem
        conditions = [.down: LinkConditions(.down, of: profile), .up: LinkConditions(.up, of: profile)]
        leftOut = Self.leftOut(of: profile)
    }

    /// How many segments a server may send at first, where it is not Linux's own 10.
    package var initialWindow: Int? { profile.initialWindow == 10 ? nil : profile.initialWindow }

    /// What holds in a direction at a time.
    ///
    /// - Parameters:
    ///   - direction: The direction.
    ///   - time: The time since the run began.
    /// - Returns: What is told.
    package func settings(_ direction: LinkDirection, at time: Instant) -> Settings {
        guard let conditions = conditions[direction] else { return Settings() }
        let stretch = conditions.stretch(at: time.nanoseconds)
        let numbers = direction == .down ? profile.down : profile.up
        let until = min(stretch.until, conditions.nextChange(after: time.nanoseconds))
        return Settings(
            queue: queue(stretch.bitsPerSecond, changes: conditions.changesEver),
            way: way(numbers, delay: conditions.delay(at: time, place: 0.5), loss: conditions.loss(at: time)),
            until: until == .max ? nil : Instant(nanoseconds: until)
        )
    }

    /// How packets queue: in a direction that ever changes with one kind of queue all the time, as replacing one kind by
    /// another loses what is in it.
    private func queue(_ bitsPerSecond: UInt64?, changes: Bool) -> [String]? {
        guard let bitsPerSecond else { return nil }
        if case .packets(let count) = profile.queue, hasNetem, !changes {
            return ["netem", "rate", "\(bitsPerSecond)bit", "limit", "\(count)"]
        }
        let limit =
            switch profile.queue {
            case .packets(let count): count * Self.packetBytes
            case .bytes(let count): max(count, Self.packetBytes)
            }
        // Two packets, so that a timer that is a little late costs nothing, or what leaves in 5 ms.
        let burst = max(2 * UInt64(Self.packetBytes), bitsPerSecond / 1600)
        let rate = max(bitsPerSecond, Self.standstill)
        return ["tbf", "rate", "\(rate)bit", "burst", "\(burst)", "limit", "\(limit)"]
    }

    private func way(_ numbers: LinkProfile.Direction, delay: Duration, loss: Double) -> [String]? {
        guard hasNetem else { return nil }
        var words = ["netem", "delay", Self.microseconds(delay)]
        if let jitter = numbers.jitter {
            words.append(Self.microseconds(jitter.spread))
            if jitter.distribution != .uniform { words += ["distribution", jitter.distribution.rawValue] }
        }
        if let bursts = numbers.bursts {
            // netem says what gets through in a burst and what is lost outside of one.
            words += ["loss", "gemodel", Self.percent(bursts.begin), Self.percent(bursts.end)]
            words += [Self.percent(bursts.loss), Self.percent(loss)]
        } else if loss > 0 {
            words += ["loss", Self.percent(loss)]
        }
        return words + ["limit", "1000000"]
    }

    private static func microseconds(_ duration: Duration) -> String { "\(duration.wholeNanoseconds / 1000)us" }

    private static func percent(_ share: Double) -> String { "\((share * 100_000_000).rounded() / 1_000_000)%" }

    private static func leftOut(of profile: LinkProfile) -> [String] {
        var sentences: [String] = []
        let directions = [profile.down, profile.up]
        if directions.contains(where: { $0.delay.lowerBound < $0.delay.upperBound }) {
            sentences.append("each connection has the delay in the middle of the range")
        }
        if profile.dns > .zero { sentences.append("names are looked up as on this machine") }
        if !profile.radio.isEmpty { sentences.append("the radio is always awake") }
        if !profile.handovers.isEmpty { sentences.append("connections survive a handover") }
        if !profile.portals.isEmpty { sentences.append("there is no captive portal") }
        if !profile.faults.isEmpty { sentences.append("no request goes wrong") }
        return sentences
    }
}

extension LinkProfile {
    /// Whether a packet is ever delayed or lost, other than by the queue.
    fileprivate var isLateOrLossy: Bool {
        let numbers = changes.flatMap { [$0.down, $0.up] }
        return [down, up].contains { $0.delay.upperBound > .zero || $0.jitter != nil || $0.isLossy }
            || numbers.contains { ($0.delay?.upperBound ?? .zero) > .zero || ($0.loss ?? 0) > 0 }
    }
}
