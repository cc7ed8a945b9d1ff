package import SegueBase

/// A network as settings for Linux traffic control, on a router between two hosts.
///
/// In each direction, packets queue before the router at the network's rate, and are delayed or lost behind it. Thus
/// the queue holds only packets that have not departed, as in ``SimulatedLink``. Changing rates use `tbf`, which
/// applies the rate when a packet departs; `netem` fixes it at arrival.
package struct NetemPlan: Sendable {
    /// The arguments of `tc` for one direction, after `root`.
    package struct Settings: Sendable, Equatable {
        /// The device before the router, for rate and queue; nil for none.
        package var queue: [String]?

        /// The device behind the router, for delay and loss; nil for none.
        package var way: [String]?

        /// The end of validity; nil for permanent settings.
        package var until: Instant?
    }

    /// The size of an Ethernet packet, the minimum burst of `tbf`.
    private static let packetBytes = 1514

    /// A replacement for a rate of zero, which `tbf` lacks: one packet in three minutes, its slowest rate.
    private static let standstill: UInt64 = 64

    /// The properties of the network that Linux cannot reproduce, a sentence each.
    package let leftOut: [String]

    private let profile: LinkProfile
    private let conditions: [LinkDirection: LinkConditions]
    private let hasNetem: Bool

    /// Creates the plan of a network; nil if it needs `netem` and the kernel lacks it.
    ///
    /// - Parameters:
    ///   - hasNetem: True if the kernel has `netem`; without it, only rates and queues are possible.
    package init?(_ profile: LinkProfile, hasNetem: Bool) {
        guard hasNetem || !profile.isLateOrLossy else { return nil }
        self.profile = profile
        self.hasNetem = hasNetem
        conditions = [.down: LinkConditions(.down, of: profile), .up: LinkConditions(.up, of: profile)]
        leftOut = Self.leftOut(of: profile)
    }

    /// The initial window in segments, if it differs from Linux's 10.
    package var initialWindow: Int? { profile.initialWindow == 10 ? nil : profile.initialWindow }

    /// Returns the settings of a direction at a time.
    ///
    /// - Parameters:
    ///   - time: The time since the run began.
    /// - Returns: The settings.
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

    /// The queue; a direction that ever changes uses one kind of queue throughout, as replacing it would lose its
    /// packets.
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
        // Two packets, so that a late timer costs nothing, or the bytes of 5 ms.
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
            // netem's parameters are the delivery within a burst and the loss outside.
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
            sentences.append("all connections have the mean delay of the range")
        }
        if profile.dns > .zero { sentences.append("name resolution costs no extra time") }
        if !profile.radio.isEmpty { sentences.append("the radio never sleeps") }
        if !profile.handovers.isEmpty { sentences.append("connections survive a handover") }
        if !profile.portals.isEmpty { sentences.append("there is no captive portal") }
        if !profile.faults.isEmpty { sentences.append("no request meets a fault") }
        return sentences
    }
}

extension LinkProfile {
    /// True if packets are delayed or lost other than by the queue.
    fileprivate var isLateOrLossy: Bool {
        let numbers = changes.flatMap { [$0.down, $0.up] }
        return [down, up].contains { $0.delay.upperBound > .zero || $0.jitter != nil || $0.isLossy }
            || numbers.contains { ($0.delay?.upperBound ?? .zero) > .zero || ($0.loss ?? 0) > 0 }
    }
}
