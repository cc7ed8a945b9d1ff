internal import SegueBase

/// How far one track of a scenario has come.
struct TrackCourse: Sendable, CustomStringConvertible {
    /// Where the step in hand is.
    enum Stage: Sendable {
        /// Waiting for its trigger, since a time; events before the number `seen` have been looked at.
        case arriving(since: Instant?, seen: Int)
        /// Doing what it does.
        case acting(Began)
        /// Looking at what it expects.
        case checking(Began)
    }

    /// What there was when a step began.
    struct Began: Sendable {
        let at: Instant
        let heard: Duration
        let played: Duration
        /// How many events belong to the past for the step after it.
        let mark: Int
        /// Whether the step waits, so that what happens meanwhile belongs to the past for the step after it.
        let isWaited: Bool
    }

    private let track: Scenario.Track

    /// How many steps are over.
    private(set) var index = 0

    var stage = Stage.arriving(since: nil, seen: 0)

    /// How many messages of each name it has acted on.
    var taken: [String: Int] = [:]

    init(_ track: Scenario.Track) { self.track = track }

    /// The step in hand; nil when all are over.
    var step: Scenario.Step? { isOver ? nil : track.steps[index] }

    var isOver: Bool { index == track.steps.count }

    /// What steps of the track are told with before their words.
    var prefix: String { track.name.isEmpty ? "" : "\(track.name): " }

    /// Goes on to the next step.
    ///
    /// - Parameters:
    ///   - now: When the step in hand was over.
    ///   - seen: How many events belong to the past for the next one.
    mutating func finish(at now: Instant, seen: Int) {
        index += 1
        stage = .arriving(since: now, seen: seen)
    }

    var description: String {
        guard let step else { return "over" }
        if index == 0, case .arriving(nil, _) = stage { return "before the first step" }
        return "in \(prefix)step \(step.number), \(step)"
    }

    /// How a finding names a step.
    static func words(_ step: Scenario.Step, in course: TrackCourse?) -> String {
        let all = course.map { " of \($0.track.steps.count)" } ?? ""
        let track = course.map { $0.track.name.isEmpty ? "" : "track \($0.track.name), " } ?? ""
        return "\(track)step \(step.number)\(all) (\(step)), \(step.place)"
    }
}
