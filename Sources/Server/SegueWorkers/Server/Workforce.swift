/// The state of the pool: idle members, waiting callers, and missing members; all decisions, without processes and
/// clocks.
struct Workforce<Member: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The first and the longest delay before a member is started again that ended before it was ready.
    private static var pauses: (first: Duration, longest: Duration) { (.milliseconds(250), .seconds(30)) }

    /// The maximum number of substitutes for held members.
    static var substituteLimit: Int { 16 }

    /// The maximum number of members.
    let count: Int
    /// The number of members that exist without demand.
    let ready: Int
    private(set) var idle: [Member] = []
    private(set) var busy = 0
    /// The number of busy members with long work.
    private var long = 0
    private(set) var starting = 0
    /// The number of members whose short work turned out to be long or hangs.
    private(set) var held = 0
    /// The number of waiting callers.
    var waiting = 0
    private(set) var lost = 0
    var retried = 0
    private(set) var isStopped = false
    private var pause = Duration.zero
    private var notBefore: Instant?

    init(count: Int, ready: Int? = nil) { (self.count, self.ready) = (count, min(count, ready ?? count)) }

    /// The number of members.
    var alive: Int { idle.count + busy }

    /// The maximum number of members with long work; the rest is reserved for short work.
    private var longLimit: Int { count >= 4 ? count - 2 : max(1, count - 1) }

    /// Takes an idle member.
    ///
    /// - Parameters:
    ///   - isLong: True for long work.
    ///   - isFit: Returns true if a member has the file open.
    /// - Returns: A fit member, or else the one that has been idle the longest; nil if there is none.
    mutating func take(isLong: Bool, _ isFit: (Member) -> Bool) -> Member? {
        guard !idle.isEmpty, !isLong || long < longLimit else { return nil }
        busy += 1
        if isLong { long += 1 }
        return idle.remove(at: idle.firstIndex(where: isFit) ?? 0)
    }

    /// The current maximum number of members.
    private var most: Int { count + min(held, Self.substituteLimit) }

    /// The current target number of members.
    private var wanted: Int { max(ready + min(held, Self.substituteLimit), min(most, busy + waiting)) }

    /// Marks a member as held, so that a substitute takes its place.
    mutating func hold() { held += 1 }

    mutating func release() { held -= 1 }

    /// Returns a member to the pool; false if it is surplus.
    mutating func giveBack(_ member: Member, wasLong: Bool) -> Bool {
        end(wasLong)
        guard alive < most, !isStopped else { return false }
        idle.append(member)
        return true
    }

    /// Removes a busy member; `isLost` marks an unexpected end.
    mutating func leave(wasLong: Bool, isLost: Bool) {
        end(wasLong)
        if isLost { lost += 1 }
    }

    private mutating func end(_ wasLong: Bool) {
        busy -= 1
        if wasLong { long -= 1 }
    }

    /// The number of members to start now; they count as starting.
    mutating func toStart(now: Instant) -> Int {
        guard !isStopped, notBefore.map({ now >= $0 }) ?? true else { return 0 }
        let missing = max(0, wanted - alive - starting)
        starting += missing
        return missing
    }

    /// The time of the next start, or nil if no member is missing.
    var nextStart: Instant? { alive + starting < wanted ? notBefore ?? .now : nil }

    /// Adds a started member.
    mutating func begin(_ member: Member) {
        starting -= 1
        (pause, notBefore) = (.zero, nil)
        idle.append(member)
    }

    /// Records a failed start.
    ///
    /// - Returns: The delay before the next start.
    mutating func fail(now: Instant) -> Duration {
        starting -= 1
        pause = min(Self.pauses.longest, max(Self.pauses.first, pause * 2))
        notBefore = now + pause
        return pause
    }

    /// Removes idle members that are unusable.
    mutating func dismiss(_ isUseless: (Member) -> Bool) -> [Member] {
        defer { idle.removeAll(where: isUseless) }
        return idle.filter(isUseless)
    }

    /// Removes all idle members and starts no more.
    mutating func stop() -> [Member] {
        isStopped = true
        defer { idle = [] }
        return idle
    }
}
