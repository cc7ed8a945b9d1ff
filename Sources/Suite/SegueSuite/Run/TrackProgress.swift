internal import SegueBase

/// The progress of one track of a scenario.
struct TrackProgress: Sendable, CustomStringConvertible {
    /// The stage of the current step.
    enum Stage: Sendable {
        /// Waiting for its trigger since a time; events before the number `seen` are checked.
        case arriving(since: Instant?, seen: Int)
        case acting(Began)
        /// Checking its expectation.
        case checking(Began)
    }

    /// The state at the beginning of a step.
    struct Began: Sendable {
        let at: Instant
        let heard: Duration
        let played: Duration
        /// The number of events that are in the past for the next step.
        let mark: Int
        /// True if the step waits, so that events during it are in the past for the next step.
        let isWaited: Bool
    }

    private let track: Scenario.Track

    /// The number of steps that are done.
    private(set) var index = 0

    var stage = Stage.arriving(since: nil, seen: 0)

    /// The number of received messages of each name.
    var taken: [String: Int] = [:]

    init(_ track: Scenario.Track) { self.track = track }

    /// The current step; nil at the end.
    var step: Scenario.Step? { isOver ? nil : track.steps[index] }

    var isOver: Bool { index == track.steps.count }

    /// The track's name before the words of its steps.
    var prefix: String { track.name.isEmpty ? "" : "\(track.name): " }

    /// Moves to the next step.
    ///
    /// - Parameters:
    ///   - now: The end of the current step.
    ///   - seen: The number of events that are in the past for the next step.
    mutating func finish(at now: Instant, seen: Int) {
        index += 1
        stage = .arriving(since: now, seen: seen)
    }

    var description: String {
        guard let step else { return "over" }
        if index == 0, case .arriving(nil, _) = stage { return "before the first step" }
        return "in \(prefix)step \(step.number), \(step)"
    }

    /// A step as findings name it.
    static func words(_ step: Scenario.Step, in course: TrackProgress?) -> String {
        let all = course.map { " of \($0.track.steps.count)" } ?? ""
        let track = course.map { $0.track.name.isEmpty ? "" : "track \($0.track.name), " } ?? ""
        return "\(track)step \(step.number)\(all) (\(step)), \(step.place)"
    }
}
