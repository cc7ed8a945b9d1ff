internal import Foundation
internal import SegueBase

/// Both directions of a link, and the radio that they share.
struct Lanes: ~Copyable {
    /// Towards the client.
    private(set) var down: Lane
    /// Towards the server.
    private(set) var up: Lane
    private var radio: Radio
    private var handovers: [Recurrence]
    private var beginning: Int64 = 0

    /// A connection's part of both directions.
    struct Path {
        fileprivate(set) var down: Lane.Path
        fileprivate(set) var up: Lane.Path
    }

    init(_ profile: LinkProfile, random: inout SeededRandom) {
        down = Lane(.down, of: profile, random: random.split())
        up = Lane(.up, of: profile, random: random.split())
        radio = Radio(profile.radio)
        handovers = profile.handovers.map { Recurrence($0) }
    }

    /// A new connection's part.
    mutating func path() -> Path { Path(down: down.path(), up: up.path()) }

    /// Puts a packet into the queue of a direction.
    ///
    /// - Returns: Its way; nil when it is lost or the queue is full.
    @inline(__always)
    mutating func send(
        _ bytes: Int,
        _ direction: LinkDirection,
        at now: Instant,
        on path: inout Path
    ) -> Lane.Crossing? {
        let ready = radio.sleeps ? radio.ready(at: now) : now
        let crossing =
            switch direction {
            case .down: down.send(bytes, at: now, from: ready, on: &path.down)
            case .up: up.send(bytes, at: now, from: ready, on: &path.up)
            }
        if radio.sleeps, let crossing { radio.isUsed(until: crossing.departs) }
        return crossing
    }

    /// The delay that a connection has in a direction, without queue and jitter.
    func delay(_ direction: LinkDirection, of path: Path, at now: Instant) -> Duration {
        direction == .down ? down.delay(of: path.down, at: now) : up.delay(of: path.up, at: now)
    }

    /// When the client's address changes next, after an instant; nil for never.
    func nextHandover(after now: Instant) -> Instant? {
        handovers.compactMap { $0.nextBeginning(from: now.nanoseconds - beginning + 1) }.min()
            .map { Instant(nanoseconds: $0 + beginning) }
    }

    /// Becomes another network, whose time begins now.
    ///
    /// - Returns: For each direction and each packet in its queue when it would have left, and when it leaves now.
    mutating func become(_ profile: LinkProfile, at now: Instant) -> (down: [Moved], up: [Moved]) {
        beginning = now.nanoseconds
        handovers = profile.handovers.map { Recurrence($0) }
        radio = Radio(profile.radio)
        return (down.become(.down, of: profile, at: now), up.become(.up, of: profile, at: now))
    }

    /// A packet's departure before and after a change.
    typealias Moved = (before: Instant, after: Instant)

    /// The client's address has changed: what was under way to the old one is gone.
    mutating func handOver(at now: Instant) {
        down.clear(at: now)
        up.clear(at: now)
    }
}

/// A radio that goes to sleep when nothing crosses it.
///
/// At the beginning it is in its deepest state, as nothing has crossed it before.
struct Radio {
    private let states: [LinkProfile.RadioState]
    private var lastUse: Instant?
    private var awake = Instant.zero

    init(_ states: [LinkProfile.RadioState]) { self.states = states }

    /// Whether it ever goes to sleep.
    var sleeps: Bool { !states.isEmpty }

    /// When a packet that comes now can begin to leave; wakes the radio.
    mutating func ready(at now: Instant) -> Instant {
        guard let deepest = states.last else { return now }
        let state = lastUse.map { last in states.last { now - last >= $0.idle } } ?? deepest
        if let state { awake = now + state.promotion }
        isUsed(until: max(awake, now))
        return max(awake, now)
    }

    /// Something crosses it until then.
    mutating func isUsed(until instant: Instant) { lastUse = max(lastUse ?? .zero, instant) }
}

extension LinkProfile.Jitter.Distribution {
    /// The greatest difference of netem's tables, in spreads.
    private static let greatest = 4.0

    /// A difference in spreads.
    func draw(_ random: inout SeededRandom) -> Double {
        switch self {
        case .uniform: return 2 * random.nextUnit() - 1
        case .normal: return Self.bell(&random)
        case .pareto: return Self.tail(&random)
        case .paretonormal: return 0.25 * Self.bell(&random) + 0.75 * Self.tail(&random)
        }
    }

    private static func bell(_ random: inout SeededRandom) -> Double {
        min(max(random.nextNormal(), -greatest), greatest)
    }

    /// Pareto's distribution with the exponent 3, moved to a mean of nothing and scaled as netem's table is.
    private static func tail(_ random: inout SeededRandom) -> Double {
        let unit = max(1 - random.nextUnit(), 1e-9)
        return min((1 / cbrt(unit) - 1.5) * 4 / 3, greatest)
    }
}
