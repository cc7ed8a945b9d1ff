internal import SegueBase

/// The parameters of a direction over time: its profile, the schedule, and outages.
struct LinkConditions {
    /// A rate with its duration.
    struct Stretch {
        /// The rate in bits per second; nil for unlimited, 0 for an outage.
        var bitsPerSecond: UInt64?
        /// The end in nanoseconds; `Int64.max` for never.
        var until: Int64
    }

    private let direction: LinkProfile.Direction
    private let changes: [(when: Recurrence, numbers: LinkProfile.Change.Numbers)]
    private let stops: [Recurrence]

    /// The beginning of the network's own time.
    private let beginning: Int64

    /// Creates the conditions of a network whose time begins at an instant.
    init(_ direction: LinkDirection, of profile: LinkProfile, since beginning: Instant = .zero) {
        self.beginning = beginning.nanoseconds
        self.direction = direction == .down ? profile.down : profile.up
        changes = profile.changes.map { (Recurrence($0), direction == .down ? $0.down : $0.up) }
        stops = (profile.outages + profile.handovers).map { Recurrence($0) }
    }

    /// The rate at a time, and a time until which it does not change.
    func stretch(at instant: Int64) -> Stretch {
        var stretch = stretch(after: instant - beginning)
        if stretch.until < .max - beginning { stretch.until += beginning }
        return stretch
    }

    private func stretch(after time: Int64) -> Stretch {
        var until = Int64.max
        for stop in stops {
            let state = stop.state(at: time)
            if state.holds { return Stretch(bitsPerSecond: 0, until: state.until) }
            until = min(until, state.until)
        }
        var rate = direction.rate
        for change in changes {
            let state = change.when.state(at: time)
            until = min(until, state.until)
            if state.holds, let changed = change.numbers.rate { rate = changed }
        }
        switch rate {
        case .unlimited: return Stretch(bitsPerSecond: nil, until: until)
        case .constant(let bitsPerSecond): return Stretch(bitsPerSecond: UInt64(bitsPerSecond), until: until)
        case .changing(let course):
            let step = course.rate(at: time)
            return Stretch(bitsPerSecond: UInt64(step.bitsPerSecond), until: min(until, step.until))
        }
    }

    /// The random packet loss at a time.
    func loss(at instant: Instant) -> Double {
        changes.last { $0.numbers.loss != nil && $0.when.state(at: instant.nanoseconds - beginning).holds }?.numbers
            .loss
            ?? direction.loss
    }

    /// True if no packet is ever lost at random.
    var neverLoses: Bool { direction.loss == 0 && changes.allSatisfy { $0.numbers.loss ?? 0 == 0 } }

    /// The delay at a time for a connection with a position, from 0 to 1, in the range of delays.
    func delay(at instant: Instant, place: Double) -> Duration {
        let range =
            changes.last { $0.numbers.delay != nil && $0.when.state(at: instant.nanoseconds - beginning).holds }?
            .numbers.delay
            ?? direction.delay
        guard range.lowerBound < range.upperBound else { return range.lowerBound }
        return range.lowerBound + (range.upperBound - range.lowerBound) * place
    }

    /// True if any parameter changes with time.
    var changesEver: Bool { nextChange(after: 0) != .max || stretch(at: 0).until != .max }

    /// The next beginning or end of a scheduled change; `Int64.max` for never.
    func nextChange(after time: Int64) -> Int64 {
        (changes.map(\.when) + stops).map { $0.state(at: time).until }.min() ?? .max
    }

    /// The times at which the delay may change, from zero to an end.
    func delayChanges(before end: Int64) -> [Int64] {
        var times: [Int64] = []
        var time: Int64 = 0
        while time < end {
            times.append(time)
            let next = changes.filter { $0.numbers.delay != nil }.map { $0.when.state(at: time).until }.min()
            time = next ?? .max
        }
        return times
    }

    /// True if the delay of a connection never changes.
    var delayIsSteady: Bool { changes.allSatisfy { $0.numbers.delay == nil } }

    /// True if the connections have different delays.
    var hasRange: Bool {
        ([direction.delay] + changes.compactMap(\.numbers.delay)).contains { $0.lowerBound < $0.upperBound }
    }
}
