package import Timeline

/// What a picture of a case shows, taken from its log.
package struct CaseStory: Sendable, Codable, Equatable {
    /// A stretch of time.
    package struct Span: Sendable, Codable, Equatable {
        /// Seconds since the run began.
        package var from: Double
        /// Seconds since the run began.
        package var to: Double
        /// What it is, such as an item's name or a kind of resource.
        package var label: String

        /// A stretch of time.
        package init(from: Double, to: Double, label: String) {
            self.from = from
            self.to = to
            self.label = label
        }
    }

    /// A moment.
    package struct Mark: Sendable, Codable, Equatable {
        /// Seconds since the run began.
        package var at: Double
        /// What happened.
        package var label: String
        /// The event's level.
        package var level: String
    }

    /// How long the run took, in seconds.
    package var end = 0.0
    /// When the app was in the background.
    package var background: [Span] = []
    /// When sound was heard, and of which item.
    package var sound: [Span] = []
    /// From an item's loading until it was ready to play.
    package var loading: [Span] = []
    /// When something was fetched, and what.
    package var requests: [Span] = []
    /// What else is worth a look.
    package var marks: [Mark] = []

    /// The story that a log tells.
    package init(log: EventLog) {
        end = log.events.last?.at.seconds ?? 0
        var open = OpenSpans()
        for event in log.events { take(event, &open) }
        close(&open)
    }

    private struct OpenSpans {
        var sound: Span?
        var background: Span?
        var loading: [String: Span] = [:]
        var requests: [Int: Span] = [:]
    }

    private mutating func take(_ event: Event, _ open: inout OpenSpans) {
        let at = event.at.seconds
        switch event.kind {
        case .soundBegan(let item, _): open.sound = Span(from: at, to: at, label: item)
        case .soundEnded:
            if let span = open.sound.take() { sound.append(span.ending(at)) }
        case .platformLifecycle(let phase):
            if phase == "didEnterBackground" {
                open.background = Span(from: at, to: at, label: "background")
            } else if phase == "willEnterForeground", let span = open.background.take() {
                background.append(span.ending(at))
            }
        case .itemLoading(let item): open.loading[item] = Span(from: at, to: at, label: item)
        case .itemReadyToPlay(let item, _), .itemFailed(let item, _, _, _):
            if let span = open.loading.removeValue(forKey: item) { loading.append(span.ending(at)) }
        case .requestBegan(let request, _, let resource):
            open.requests[request] = Span(from: at, to: at, label: resource)
        case .requestFinished(let request, _, _), .requestFailed(let request, _, _), .requestCancelled(let request):
            if let span = open.requests.removeValue(forKey: request) { requests.append(span.ending(at)) }
        default: break
        }
        if let label = CaseStory.label(of: event.kind) {
            marks.append(Mark(at: at, label: label, level: event.kind.about.level.rawValue))
        }
    }

    private mutating func close(_ open: inout OpenSpans) {
        if let span = open.sound { sound.append(span.ending(end)) }
        if let span = open.background { background.append(span.ending(end)) }
        loading += open.loading.values.map { $0.ending(end) }.sorted { ($0.from, $0.label) < ($1.from, $1.label) }
        requests += open.requests.sorted { $0.key < $1.key }.map { $0.value.ending(end) }
    }

    /// What a picture writes beside a moment; nil for one that it leaves out.
    private static func label(of kind: EventKind) -> String? {
        switch kind {
        case .platformPaused(_, let reason): "paused: \(reason)"
        case .platformRejected(_, let reason): "rejected: \(reason)"
        case .appDecided(_, let decision, _): "app: \(decision)"
        case .itemReadyToPlay(let item, _): "\(item) ready to play"
        case .itemFailed(let item, _, _, let message): "\(item) failed: \(message)"
        case .itemPlayedToEnd(let item): "\(item) played to its end"
        case .itemStalled(let item, _): "\(item) stalled"
        case .playerCommand(let name, _) where name == "play": "play"
        case .finding(let rule, _): "finding: \(rule)"
        default: nil
        }
    }
}

extension CaseStory.Span {
    fileprivate func ending(_ at: Double) -> CaseStory.Span { CaseStory.Span(from: from, to: at, label: label) }
}

/// A case's result with its story.
package struct CaseOutcome: Sendable, Codable, Equatable {
    /// What became of it.
    package var result: CaseResult
    /// What happened; nil where the case did not run.
    package var story: CaseStory?

    /// How many steps of the scenario were done.
    package var steps: Int
    /// How long they took on the clock, in seconds, without the comparison of what was delivered.
    package var stepsSeconds: Double

    /// A result with its story.
    package init(_ result: CaseResult, story: CaseStory? = nil, steps: Int = 0, stepsSeconds: Double = 0) {
        self.result = result
        self.story = story
        self.steps = steps
        self.stepsSeconds = stepsSeconds
    }
}
