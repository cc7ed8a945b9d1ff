internal import Foundation
internal import SegueBase

/// Both directions of a link, and the radio that they share.
struct Lanes: ~Copyable {
    /// The direction to the client.
    private(set) var down: Lane
    /// The direction to the server.
    private(set) var up: Lane
    private var radio: Radio
    private var handovers: [Recurrence]
    private var beginning: Int64 = 0

    /// The state of a connection in both directions.
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

    /// Creates the state of a new connection.
    mutating func path() -> Path { Path(down: down.path(), up: up.path()) }

    /// Enqueues a packet in a direction.
    ///
    /// - Returns: The packet's times; nil if it is lost or the queue is full.
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

    /// The delay of a connection in a direction, without queueing and jitter.
    func delay(_ direction: LinkDirection, of path: Path, at now: Instant) -> Duration {
        direction == .down ? down.delay(of: path.down, at: now) : up.delay(of: path.up, at: now)
    }

    /// The delays of a connection in both directions, without queueing and jitter.
    func delays(of path: Path, at now: Instant) -> (down: Duration, up: Duration) {
        (delay(.down, of: path, at: now), delay(.up, of: path, at: now))
    }

    /// The next change of the client's address; nil for never.
    func nextHandover(after now: Instant) -> Instant? {
        handovers.compactMap { $0.nextBeginning(from: now.nanoseconds - beginning + 1) }.min()
            .map { Instant(nanoseconds: $0 + beginning) }
    }

    /// Switches to another network, whose time begins now.
    ///
    /// - Returns: The former and the new departure of each packet in both queues.
    mutating func become(_ profile: LinkProfile, at now: Instant) -> (down: [Moved], up: [Moved]) {
        beginning = now.nanoseconds
        handovers = profile.handovers.map { Recurrence($0) }
        radio = Radio(profile.radio)
        return (down.become(.down, of: profile, at: now), up.become(.up, of: profile, at: now))
    }

    /// The departure of a packet before and after a change.
    typealias Moved = (before: Instant, after: Instant)

    /// Changes the client's address, which discards all packets to the old one.
    mutating func handOver(at now: Instant) {
        down.clear(at: now)
        up.clear(at: now)
    }
}

/// A radio that sleeps when it is idle.
///
/// It begins in its deepest state.
struct Radio {
    private let states: [LinkProfile.RadioState]
    private var lastUse: Instant?
    private var awake = Instant.zero

    init(_ states: [LinkProfile.RadioState]) { self.states = states }

    /// True if it ever sleeps.
    var sleeps: Bool { !states.isEmpty }

    /// Returns the earliest departure of a packet that arrives now, and wakes the radio.
    mutating func ready(at now: Instant) -> Instant {
        guard let deepest = states.last else { return now }
        let state = lastUse.map { last in states.last { now - last >= $0.idle } } ?? deepest
        if let state { awake = now + state.promotion }
        isUsed(until: max(awake, now))
        return max(awake, now)
    }

    /// Records that the radio is in use until an instant.
    mutating func isUsed(until instant: Instant) { lastUse = max(lastUse ?? .zero, instant) }
}

extension LinkProfile.Jitter.Distribution {
    /// The limit of netem's tables, in spreads.
    private static let greatest = 4.0

    /// Draws a deviation in spreads.
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

    /// The Pareto distribution with exponent 3, centered and scaled like netem's table.
    private static func tail(_ random: inout SeededRandom) -> Double {
        let unit = max(1 - random.nextUnit(), 1e-9)
        return min((1 / cbrt(unit) - 1.5) * 4 / 3, greatest)
    }
}
