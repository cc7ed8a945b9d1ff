internal import SegueBase

/// A model of a player that keeps its distance from the end, plays at rate 1, and stalls when its buffer is empty.
struct StallModel {
    /// A period without playback.
    struct Stall: Equatable {
        let began: Instant
        let seconds: Double
    }

    /// The listed segments that are not available yet.
    private var waiting: [(sequence: Int, seconds: Double, usable: Instant?)] = []
    /// The time at which the buffer becomes empty; nil before the start.
    private(set) var runsOut: Instant?

    /// The minimum duration of a stall in seconds.
    private static let minimum = 0.05

    /// Starts playback at a distance from the end.
    mutating func join(at now: Instant, ahead seconds: Double) { runsOut = now + .seconds(seconds) }

    /// Adds a newly listed segment.
    mutating func expect(_ sequence: Int, seconds: Double) {
        guard runsOut != nil else { return }
        waiting.append((sequence, seconds, nil))
    }

    /// Marks a segment as available.
    mutating func use(_ sequence: Int, since instant: Instant) -> [Stall] {
        guard let index = waiting.firstIndex(where: { $0.sequence == sequence }), waiting[index].usable == nil else {
            return []
        }
        waiting[index].usable = instant
        return play()
    }

    /// Drops a segment that a player cannot play.
    mutating func lose(_ sequence: Int) -> [Stall] {
        waiting.removeAll { $0.sequence == sequence && $0.usable == nil }
        return play()
    }

    /// Drops unavailable segments that are no longer listed.
    mutating func drop(before sequence: Int) -> [Stall] {
        waiting.removeAll { $0.sequence < sequence && $0.usable == nil }
        return play()
    }

    /// Extends the buffer, as by parts; a negative value reduces it.
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

    /// Returns the current stall; nil during playback.
    func open(at now: Instant) -> Stall? { runsOut.flatMap { stall(from: $0, until: now) } }

    private func stall(from end: Instant, until now: Instant) -> Stall? {
        let seconds = (now - end).seconds
        return seconds > Self.minimum ? Stall(began: end, seconds: seconds) : nil
    }
}
