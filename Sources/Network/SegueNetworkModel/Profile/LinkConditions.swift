internal import SegueBase

/// Which numbers of a direction hold when: its profile, what a schedule makes of it, and outages.
struct LinkConditions {
    /// What holds from a time on.
    struct Stretch {
        /// Bits a second; nil for no limit, 0 where nothing gets through.
        var bitsPerSecond: UInt64?
        /// Until when it holds, in nanoseconds; `Int64.max` for good.
        var until: Int64
    }

    private let direction: LinkProfile.Direction
    private let changes: [(when: Recurrence, numbers: LinkProfile.Change.Numbers)]
    private let stops: [Recurrence]

    /// When the network's own time began.
    private let beginning: Int64

    /// The conditions of a network that is there from an instant on.
    init(_ direction: LinkDirection, of profile: LinkProfile, since beginning: Instant = .zero) {
        self.beginning = beginning.nanoseconds
        self.direction = direction == .down ? profile.down : profile.up
        changes = profile.changes.map { (Recurrence($0), direction == .down ? $0.down : $0.up) }
        stops = (profile.outages + profile.handovers).map { Recurrence($0) }
    }

    /// The rate at a time, and until when it surely holds.
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

    /// The share of packets that is lost by itself at a time.
    func loss(at instant: Instant) -> Double {
        changes.last { $0.numbers.loss != nil && $0.when.state(at: instant.nanoseconds - beginning).holds }?.numbers
            .loss
            ?? direction.loss
    }

    /// Whether no packet is ever lost by itself.
    var neverLoses: Bool { direction.loss == 0 && changes.allSatisfy { $0.numbers.loss ?? 0 == 0 } }

    /// The delay at a time of a connection that has its place, from 0 to 1, in the range of delays.
    func delay(at instant: Instant, place: Double) -> Duration {
        let range =
            changes.last { $0.numbers.delay != nil && $0.when.state(at: instant.nanoseconds - beginning).holds }?
            .numbers.delay
            ?? direction.delay
        guard range.lowerBound < range.upperBound else { return range.lowerBound }
        return range.lowerBound + (range.upperBound - range.lowerBound) * place
    }

    /// Whether anything changes in time.
    var changesEver: Bool { nextChange(after: 0) != .max || stretch(at: 0).until != .max }

    /// When something of the schedule begins or ends next; `Int64.max` for never.
    func nextChange(after time: Int64) -> Int64 {
        (changes.map(\.when) + stops).map { $0.state(at: time).until }.min() ?? .max
    }

    /// When the delay may change, from zero on and before an end.
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

    /// Whether a connection's delay never changes.
    var delayIsSteady: Bool { changes.allSatisfy { $0.numbers.delay == nil } }

    /// Whether connections have delays of their own.
    var hasRange: Bool {
        ([direction.delay] + changes.compactMap(\.numbers.delay)).contains { $0.lowerBound < $0.upperBound }
    }
}
