internal import Events
internal import Notation
internal import Player
internal import Timeline

/// What a script can read off a session at one moment.
///
/// A class, since it is looked into often and holds much.
final class SessionFacts {
    private let view: ScenarioScript.View
    private let labels: [String: Int]
    private let definitions: [Scenario.Definition]
    private var values: [String: Double]

    /// The facts of a moment.
    ///
    /// - Parameters:
    ///   - view: The session at that moment, and what has happened.
    ///   - values: The values that names have: counters, and what was noted.
    ///   - definitions: Names that stand for expressions, each of which may use those before it.
    ///   - labels: How many events there were when each labelled step began.
    init(
        _ view: ScenarioScript.View,
        values: [String: Double],
        definitions: [Scenario.Definition],
        labels: [String: Int]
    ) {
        (self.view, self.values, self.labels, self.definitions) = (view, values, labels, definitions)
    }

    /// The value of an expression; nil while it has none.
    func value(of expression: Expression) -> Double? { expression.value(lookUp) }

    /// The value of an expression as a length of time; nil while it has none.
    func duration(of expression: Expression) -> Duration? {
        value(of: expression).map { .nanoseconds(Int64((min(max($0, -1e9), 1e9) * 1e9).rounded())) }
    }

    /// The value of an expression as a time to wait, which is no longer than a step may take; nil while it has none.
    func wait(of expression: Expression) -> Duration? {
        duration(of: expression).map { min($0, .seconds(Scenario.longestWait)) }
    }

    /// Whether an event is one that a step waits for.
    func matches(_ event: Event, _ match: EventMatch) -> Bool { match.matches(event, lookUp) }

    /// Why a condition does not hold; nil where it does.
    func unmet(_ condition: Condition) -> String? {
        switch condition {
        case .number(let subject, let comparison): return unmet(subject.rawValue, number(subject), comparison)
        case .word(let subject, let words):
            let found = word(subject)
            let holds = subject == .error ? words.contains { found.contains($0) } : words.contains(found)
            return holds ? nil : "expected \(condition), found \(found.isEmpty ? "none" : found)"
        case .flag(let subject, let wanted):
            guard let found = flag(subject) else { return "expected \(condition), but there is no item" }
            return found == wanted ? nil : "expected \(condition), found \(found ? "" : "not ")\(subject.rawValue)"
        case .events(let match, let count, let since):
            let first = since.flatMap { labels[$0] } ?? 0
            let number = view.log.events[first...].count { matches($0, match) }
            return unmet("the number of \(match)\(since.map { " since \($0)" } ?? "")", Double(number), count)
        case .all(let parts): return parts.lazy.compactMap { self.unmet($0) }.first
        case .any(let parts):
            let reasons = parts.map { unmet($0) }
            return reasons.contains(nil) ? nil : reasons.compactMap(\.self).joined(separator: "; nor: ")
        case .not(let part): return unmet(part) == nil ? "expected \(condition), found that it holds" : nil
        }
    }

    private func unmet(_ name: String, _ found: Double?, _ comparison: Comparison) -> String? {
        guard let found else { return "expected \(name) \(comparison), which is not known" }
        guard let holds = comparison.holds(found, lookUp) else {
            return "expected \(name) \(comparison), which has no value yet"
        }
        guard !holds else { return nil }
        let isLiteral = comparison.value.constant != nil
        let value = isLiteral ? "" : value(of: comparison.value).map { " (\(text($0)))" } ?? ""
        return "expected \(name) \(comparison)\(value), found \(text(found))"
    }

    private func text(_ number: Double) -> String { DecimalText.short(number) }

    private func lookUp(_ name: String) -> Double? {
        if let value = values[name] { return value }
        if let subject = Condition.NumberSubject(rawValue: name) { return number(subject) }
        guard let definition = definitions.first(where: { $0.name == name }) else { return nil }
        // Reckoned once, however many others are made of it.
        let value = value(of: definition.value)
        values[name] = value
        return value
    }

    // MARK: Subjects

    /// The item whose logs are looked at: the current one, or the last one that was.
    private var logged: PlayerItem? { view.session.player.current ?? view.session.player.removed.last }

    private func sum(_ part: (AccessLogEntry) -> Double) -> Double {
        logged.map { $0.journal.access.reduce(0) { $0 + part($1) } } ?? 0
    }

    private func number(_ subject: Condition.NumberSubject) -> Double? {
        let player = view.session.player
        switch subject {
        case .position: return player.current.map { _ in view.session.position(at: view.now).seconds }
        case .duration: return view.session.duration?.seconds
        case .buffered:
            return player.current.map { max(0, ($0.bufferedEnd - view.session.position(at: view.now)).seconds) }
        case .rate: return player.rate
        case .queue: return Double(player.items.count)
        case .item: return Double(player.current?.id.number ?? 0)
        case .heard: return view.session.heard(at: view.now).seconds
        case .played: return view.session.played(at: view.now).seconds
        case .time: return view.now.seconds
        case .stalls: return sum { Double($0.stalls) }
        case .requests: return sum { Double($0.requests) }
        case .segments: return sum { Double($0.segments) }
        case .bytes: return sum { Double($0.bytes) }
        case .watched: return sum { $0.watched.seconds }
        case .downloaded: return sum { $0.downloaded.seconds }
        case .overdue: return sum { Double($0.overdueSegments) }
        case .entries: return Double(logged?.journal.access.count ?? 0)
        case .errors: return Double(logged?.journal.errors.count ?? 0)
        case .code: return (logged?.error ?? logged?.journal.errors.last?.error).map { Double($0.code) }
        case .httpStatus: return logged?.journal.errors.last.map { Double($0.status) }
        }
    }

    private func word(_ subject: Condition.WordSubject) -> String {
        let player = view.session.player
        switch subject {
        case .status: return player.current?.status.name ?? "none"
        case .timeControl: return player.timeControl.name
        case .waitingFor: return player.timeControl.waitingFor
        case .phase: return view.session.phase
        case .rendition: return view.session.rendition?.rawValue ?? "none"
        case .error: return (logged?.error ?? logged?.journal.errors.last?.error)?.description ?? ""
        }
    }

    private func flag(_ subject: Condition.FlagSubject) -> Bool? {
        let player = view.session.player
        switch subject {
        case .video: return player.current?.tracks?.hasVideo
        case .audio: return player.current?.tracks?.hasAudio
        case .likelyToKeepUp: return player.current?.isLikelyToKeepUp
        case .bufferEmpty: return player.current?.isBufferEmpty
        case .bufferFull: return player.current?.isBufferFull
        case .audible: return player.trail.isHeard
        case .held: return player.isHeldByPlatform
        case .finished: return view.session.isFinished
        }
    }
}
