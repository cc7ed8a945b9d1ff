/// The state of a stream, from good to bad.
package enum StreamState: Int, Sendable, CaseIterable, Comparable {
    /// Before the first response.
    case unknown
    /// No rule is broken that counts.
    case good
    /// A rule is broken that should be obeyed.
    case should
    /// A rule is broken that must be obeyed.
    case must
    /// A player has nothing to play.
    case stalled
    /// A playlist cannot be loaded.
    case unreachable

    /// The name for people.
    package var name: String {
        switch self {
        case .unknown: "unknown"
        case .good: "ok"
        case .should: "should fix"
        case .must: "must fix"
        case .stalled: "stalled"
        case .unreachable: "playlist fails"
        }
    }

    package static func < (one: StreamState, other: StreamState) -> Bool { one.rawValue < other.rawValue }
}

/// The states of a stream over time, in a bounded number of intervals.
///
/// Each interval has the worst state in it. When all are used, each two become one of twice the duration, so that a
/// watch of any duration fits.
package struct StateHistory: Sendable, Equatable {
    /// A time with one state, in intervals from the beginning.
    package struct Run: Sendable, Equatable {
        package let state: StreamState
        package let intervals: Range<Int>
    }

    /// The maximum number of intervals; even.
    static let limit = 240

    /// The duration of an interval in seconds.
    package private(set) var interval = 5.0
    private var states: [StreamState] = []
    /// The last state, which holds until the next one.
    package private(set) var current = StreamState.unknown

    /// The number of intervals so far.
    package var count: Int { states.count }

    /// Notes the state at a time, in seconds since the beginning.
    mutating func note(_ state: StreamState, at seconds: Double) {
        extend(to: seconds)
        current = state
        mark(state, from: seconds, to: seconds)
    }

    /// Notes a state that held for a past time, in seconds since the beginning.
    mutating func mark(_ state: StreamState, from start: Double, to end: Double) {
        extend(to: end)
        guard let last = states.indices.last else { return }
        func place(_ seconds: Double) -> Int { Int(max(0, min(seconds / interval, Double(last)))) }
        for index in place(start)...max(place(start), place(end)) { states[index] = max(states[index], state) }
    }

    /// Adds intervals with the last state up to a time.
    private mutating func extend(to seconds: Double) {
        // 10,000 years are enough.
        guard seconds.isFinite, seconds >= 0, seconds < 3e11 else { return }
        while seconds >= interval * Double(Self.limit) { merge() }
        while Double(states.count) * interval <= seconds { states.append(current) }
    }

    private mutating func merge() {
        states = stride(from: 0, to: states.count, by: 2).map { index in
            max(states[index], index + 1 < states.count ? states[index + 1] : states[index])
        }
        interval *= 2
    }

    /// The history until a later time, with the last state, or as unknown after the end of the stream.
    func extended(to seconds: Double, hasEnded: Bool) -> StateHistory {
        var history = self
        if hasEnded { history.current = .unknown }
        history.extend(to: seconds)
        return history
    }

    /// The worst state of the last minute, or of the last interval if that is longer.
    ///
    /// An alert also ends a minute after its last finding.
    var recent: StreamState { states.suffix(max(1, Int(60 / interval))).max() ?? current }

    /// The share of the known intervals with a state, from 0 to 1.
    func share(of state: StreamState) -> Double {
        let known = states.count { $0 != .unknown }
        return known == 0 ? 0 : Double(states.count { $0 == state }) / Double(known)
    }

    /// The intervals in order, with equal ones together.
    package var runs: [Run] {
        var runs: [Run] = []
        for (index, state) in states.enumerated() {
            guard let last = runs.last, last.state == state else {
                runs.append(Run(state: state, intervals: index..<index + 1))
                continue
            }
            runs[runs.count - 1] = Run(state: state, intervals: last.intervals.lowerBound..<index + 1)
        }
        return runs
    }
}
