/// Who is free, who waits and how many are missing: all that the pool of workers decides, without processes and clocks.
struct Workforce<Member: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The pauses after which a worker is started that ended before it was ready, the first and the longest.
    private static var pauses: (first: Duration, longest: Duration) { (.milliseconds(250), .seconds(30)) }

    /// How many there may be beside the others, in the places of those who are held.
    static var mostSubstitutes: Int { 16 }

    /// How many there may be.
    let count: Int
    /// How many of them are there also where nobody needs them.
    let ready: Int
    private(set) var idle: [Member] = []
    private(set) var busy = 0
    /// How many of those at work are at something that takes long.
    private var long = 0
    private(set) var starting = 0
    /// How many are at something quick that turns out to take long, or stands still.
    private(set) var held = 0
    /// How many wait.
    var waiting = 0
    private(set) var lost = 0
    var retried = 0
    private(set) var isStopped = false
    private var pause = Duration.zero
    private var notBefore: Instant?

    /// Nobody yet; all are to be there where it is not said how many.
    init(count: Int, ready: Int? = nil) { (self.count, self.ready) = (count, min(count, ready ?? count)) }

    /// How many there are.
    var alive: Int { idle.count + busy }

    /// How many may be at something that takes long: some are left for what is quick.
    private var mostLong: Int { count >= 4 ? count - 2 : max(1, count - 1) }

    /// Takes somebody who is free.
    ///
    /// - Parameters:
    ///   - isLong: Whether the work takes long.
    ///   - isFit: Whether somebody has the file open.
    /// - Returns: Who has it open, or else whoever was free the longest; nil where nobody is.
    mutating func take(isLong: Bool, _ isFit: (Member) -> Bool) -> Member? {
        guard !idle.isEmpty, !isLong || long < mostLong else { return nil }
        busy += 1
        if isLong { long += 1 }
        return idle.remove(at: idle.firstIndex(where: isFit) ?? 0)
    }

    /// How many there may be now.
    private var most: Int { count + min(held, Self.mostSubstitutes) }

    /// How many there should be now.
    private var wanted: Int { max(ready + min(held, Self.mostSubstitutes), min(most, busy + waiting)) }

    /// Notes that somebody is held, so that another takes the place.
    mutating func hold() { held += 1 }

    /// Notes that somebody is held no more.
    mutating func release() { held -= 1 }

    /// Takes somebody back; false where there are enough.
    mutating func giveBack(_ member: Member, wasLong: Bool) -> Bool {
        end(wasLong)
        guard alive < most, !isStopped else { return false }
        idle.append(member)
        return true
    }

    /// Counts somebody out who is not of use any more; `isLost` says whether that was before its time.
    mutating func leave(wasLong: Bool, isLost: Bool) {
        end(wasLong)
        if isLost { lost += 1 }
    }

    private mutating func end(_ wasLong: Bool) {
        busy -= 1
        if wasLong { long -= 1 }
    }

    /// How many are to be started now; they count as starting.
    mutating func toStart(now: Instant) -> Int {
        guard !isStopped, notBefore.map({ now >= $0 }) ?? true else { return 0 }
        let missing = max(0, wanted - alive - starting)
        starting += missing
        return missing
    }

    /// When somebody is to be started; nil where nobody is missing.
    var nextStart: Instant? { alive + starting < wanted ? notBefore ?? .now : nil }

    /// Counts in somebody who is ready.
    mutating func begin(_ member: Member) {
        starting -= 1
        (pause, notBefore) = (.zero, nil)
        idle.append(member)
    }

    /// Notes that somebody was not to be started.
    ///
    /// - Returns: How long no other will be.
    mutating func fail(now: Instant) -> Duration {
        starting -= 1
        pause = min(Self.pauses.longest, max(Self.pauses.first, pause * 2))
        notBefore = now + pause
        return pause
    }

    /// Lets those go who are free and of no use any more.
    mutating func dismiss(_ isUseless: (Member) -> Bool) -> [Member] {
        defer { idle.removeAll(where: isUseless) }
        return idle.filter(isUseless)
    }

    /// Lets all go who are free; nobody is started any more.
    mutating func stop() -> [Member] {
        isStopped = true
        defer { idle = [] }
        return idle
    }
}
