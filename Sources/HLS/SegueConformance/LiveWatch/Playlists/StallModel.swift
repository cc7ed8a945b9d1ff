internal import SegueBase

/// A player that keeps its distance from the end, plays at rate 1, and stands still when nothing is left to play.
struct StallModel {
    /// A time in which it stood still.
    struct Stall: Equatable {
        let began: Instant
        let seconds: Double
    }

    /// Segments whose turn comes when they can be had; few, as those that are listed no longer are left out.
    private var waiting: [(sequence: Int, seconds: Double, usable: Instant?)] = []
    /// When it will have played all that can be had; nil until it has begun.
    private(set) var runsOut: Instant?

    /// Less than this is nobody's notice.
    private static let least = 0.05

    /// It begins so far from the end of what can be had.
    mutating func join(at now: Instant, ahead seconds: Double) { runsOut = now + .seconds(seconds) }

    /// A segment is listed that was not.
    mutating func expect(_ sequence: Int, seconds: Double) {
        guard runsOut != nil else { return }
        waiting.append((sequence, seconds, nil))
    }

    /// A segment can be had since then.
    mutating func use(_ sequence: Int, since instant: Instant) -> [Stall] {
        guard let index = waiting.firstIndex(where: { $0.sequence == sequence }), waiting[index].usable == nil else {
            return []
        }
        waiting[index].usable = instant
        return play()
    }

    /// Segments before this one are listed no longer: those that could not be had never will be.
    mutating func drop(before sequence: Int) -> [Stall] {
        waiting.removeAll { $0.sequence < sequence && $0.usable == nil }
        return play()
    }

    /// So much more can be had at once, as parts are; less where it is below zero.
    mutating func grow(by seconds: Double, at now: Instant) -> Stall? {
        guard let end = runsOut else { return nil }
        let stall = stall(from: end, until: now)
        runsOut = max(end, seconds > 0 ? now : end) + .seconds(seconds)
        return stall
    }

    private mutating func play() -> [Stall] {
        var stalls: [Stall] = []
        while let first = waiting.first, let usable = first.usable {
            waiting.removeFirst()
            if let stall = grow(by: first.seconds, at: usable) { stalls.append(stall) }
        }
        return stalls
    }

    /// The time in which it stands still at the moment.
    func open(at now: Instant) -> Stall? { runsOut.flatMap { stall(from: $0, until: now) } }

    private func stall(from end: Instant, until now: Instant) -> Stall? {
        let seconds = (now - end).seconds
        return seconds > Self.least ? Stall(began: end, seconds: seconds) : nil
    }
}
