internal import SegueBase

/// The course of a network over a time range, for a chart: rates, delays, and events.
struct NetworkCourse {
    /// A rate and the time in seconds from which on it applies, in bits per second; nil for unlimited.
    struct RateStep {
        let start: Double
        let bitsPerSecond: Double?
    }

    /// A delay and the time from which on it applies, in seconds.
    struct DelayStep {
        let start: Double
        let range: ClosedRange<Double>
    }

    /// The maximum number of steps; more are averaged into this many columns.
    private static let columns = 900
    private static let shortest = 60.0
    private static let longest = 1800.0

    private let profile: LinkProfile

    /// The time range in seconds: from the beginning to a little after the last change.
    let length: Double

    init(_ profile: LinkProfile) {
        self.profile = profile
        var ends: [Double] = []
        for case .changing(let course) in [profile.down.rate, profile.up.rate] {
            ends.append(Double(course.period ?? (course.steps.last?.start ?? 0) * 5 / 4) / 1e9)
        }
        for spell in profile.outages + profile.handovers + profile.portals {
            ends.append((spell.start + spell.length + (spell.period ?? .zero) * 2).seconds * 1.2)
        }
        for change in profile.changes {
            ends.append((change.start + (change.length ?? .zero) + (change.period ?? .zero) * 2).seconds * 1.2)
        }
        length = min(max(ends.max() ?? 0, Self.shortest), Self.longest)
    }

    private var end: Int64 { Int64(length * 1e9) }

    /// The rates of a direction, including outages.
    func rates(_ direction: LinkDirection) -> [RateStep] {
        let conditions = LinkConditions(direction, of: profile)
        var steps: [RateStep] = []
        var sums = Array(repeating: 0.0, count: Self.columns)
        var time: Int64 = 0
        while time < end {
            let stretch = conditions.stretch(at: time)
            let until = min(stretch.until, end)
            if steps.count <= Self.columns {
                let start = Double(time) / 1e9
                steps.append(RateStep(start: start, bitsPerSecond: stretch.bitsPerSecond.map { Double($0) }))
            }
            add(Double(stretch.bitsPerSecond ?? 0), time..<until, to: &sums)
            time = until
        }
        guard steps.count > Self.columns else { return steps }
        let width = length / Double(Self.columns)
        return sums.enumerated().map { RateStep(start: Double($0) * width, bitsPerSecond: $1 / width) }
    }

    /// Distributes bits over the columns of a time range.
    private func add(_ rate: Double, _ range: Range<Int64>, to sums: inout [Double]) {
        let width = length / Double(Self.columns)
        var from = Double(range.lowerBound) / 1e9
        let to = Double(range.upperBound) / 1e9
        while from < to {
            let column = min(Int(from / width), Self.columns - 1)
            let next = column == Self.columns - 1 ? to : min(to, max(Double(column + 1) * width, from.nextUp))
            sums[column] += rate * (next - from)
            from = next
        }
    }

    /// The delays of a direction including jitter: all of a uniform one, two spreads of others.
    func delays(_ direction: LinkDirection) -> [DelayStep] {
        let conditions = LinkConditions(direction, of: profile)
        let jitter = (direction == .down ? profile.down : profile.up).jitter
        let spread = (jitter?.spread.seconds ?? 0) * (jitter?.distribution == .uniform ? 1 : 2)
        return conditions.delayChanges(before: end).map { time in
            let at = Instant(nanoseconds: time)
            let least = conditions.delay(at: at, place: 0).seconds
            let most = conditions.delay(at: at, place: 1).seconds
            return DelayStep(start: at.seconds, range: max(0, least - spread)...(most + spread))
        }
    }

    /// The time ranges within the chart, in seconds.
    func spells(_ spells: [LinkProfile.Spell]) -> [ClosedRange<Double>] {
        spells.flatMap { spell -> [ClosedRange<Double>] in
            let recurrence = Recurrence(spell)
            var found: [ClosedRange<Double>] = []
            var time = recurrence.nextBeginning(from: 0)
            while let start = time, start < end, found.count < 1000 {
                let until = min(start + spell.length.wholeNanoseconds, end)
                found.append(Double(start) / 1e9...Double(until) / 1e9)
                time = recurrence.nextBeginning(from: start + 1)
            }
            return found
        }
    }
}
