internal import SegueBase

/// The choice of one playlist's segments to load.
struct SampleSchedule: Sendable {
    /// The number of target durations from one sample to the next.
    static let interval = 4.0

    private let share: MediaShare
    private var last: Instant?
    private var beforeLast: Instant?
    /// True after a sample with a violation, until one without; every new segment is then due.
    var isSuspicious = false
    /// The number of consecutive samples for which the rate left no room.
    private(set) var denials = 0

    init(_ share: MediaShare) { self.share = share }

    /// Returns the segments that are due, out of the newly listed ones in order.
    mutating func due(_ numbers: [Int], target: Double, at now: Instant) -> Set<Int> {
        switch share {
        case .none: return []
        case .all: return Set(numbers)
        case .sample:
            let isDue = last.map { (now - $0).seconds >= Self.interval * target - 0.5 } ?? true
            guard let newest = numbers.last, isDue || isSuspicious else { return [] }
            (beforeLast, last) = (last, now)
            return [newest]
        }
    }

    /// Takes the last choice back, since the rate leaves no room.
    mutating func deny() {
        denials += 1
        last = beforeLast
    }

    mutating func grant() { denials = 0 }
}

/// The bytes of media that the watch of one stream may load.
struct SampleBudget: Sendable {
    /// The time whose bytes may be loaded at once, in seconds.
    private static let burst = 10.0

    /// Bytes per second; nil for no limit.
    private let rate: Double?
    /// The number of bytes that may be loaded; negative after a larger segment.
    private var level = 0.0
    private var filled = Instant.zero
    private var open: Set<String> = []
    /// The samples that wait for the end of another one.
    var deferred: [WatchRequest] = []

    init(rate: Double?) { self.rate = rate }

    /// The decision on a sample.
    enum Decision { case load, wait, leaveOut }

    /// Decides on a sample; samples are loaded one at a time.
    mutating func decide(_ url: String, at now: Instant) -> Decision {
        guard let rate else { return .load }
        level = min(level + rate * max(0, (now - filled).seconds), rate * Self.burst)
        filled = max(filled, now)
        guard level >= 0 else { return .leaveOut }
        guard open.isEmpty else { return .wait }
        open.insert(url)
        return .load
    }

    /// Counts a loaded sample.
    mutating func count(_ url: String, _ bytes: Int) {
        open.remove(url)
        level -= Double(bytes)
    }
}
