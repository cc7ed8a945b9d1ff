internal import SegueBase
internal import SegueComparison
internal import SegueEvents
internal import SeguePlayerModel

/// The progress of a scenario: computes the next move from the session's state and its events.
struct ScenarioScript: Sendable, CustomStringConvertible {
    /// The effect of a step's beginning.
    enum Deed: Sendable {
        case commands([SessionCommand])
        case network(Scenario.NetworkChange)
        case nothing
    }

    enum Move: Sendable {
        /// A step begins.
        case begin(number: Int, words: String, Deed)
        /// Wait for a change, at most until an instant.
        case wait(until: Instant?)
        /// A step failed its expectation or did not end.
        case fail(Message)
        /// A step failed its expectation; the script continues.
        case miss(Message)
        /// All steps are done.
        case done
    }

    /// The state that steps are checked against.
    ///
    /// It is a class because a session is large and the view is passed to every check.
    final class View {
        let session: any SessionUnderTest
        let log: EventLog
        let now: Instant

        init(_ session: any SessionUnderTest, _ log: EventLog, at now: Instant) {
            (self.session, self.log, self.now) = (session, log, now)
        }
    }

    private let scenario: Scenario
    private let items: [ItemAddress]
    private var courses: [TrackProgress]
    private var variables: [String: Double] = [:]
    private var labels: [String: Int] = [:]
    private var sent: [String: Int] = [:]

    /// `items` are the items of the run.
    init(_ scenario: Scenario, items: [ItemAddress]) {
        self.scenario = scenario
        self.items = items
        courses = scenario.tracks.map(TrackProgress.init)
    }

    /// The steps in progress, for a run without progress.
    var description: String { courses.filter { !$0.isOver }.map(\.description).joined(separator: "; ") }

    /// The number of steps that are done.
    var stepsDone: Int { courses.reduce(0) { $0 + $1.index } }

    /// The place of a finding that ends the script.
    var evidence: FindingEvidence { FindingEvidence(at: .init(stepsDone: stepsDone)) }

    /// The next move.
    ///
    /// Called again after each `begin`, and after every event.
    mutating func next(for view: View) -> Move {
        guard view.now - .zero < Scenario.longestRun else {
            return .fail("the run exceeded the limit of \(Int(Scenario.longestRun.seconds)) s")
        }
        var wake: Instant?
        for index in courses.indices {
            switch advance(index, view) {
            case .wait(let until): wake = [wake, until].compactMap { $0 }.min()
            case .done: continue
            case .begin(let number, let words, let deed): return .begin(number: number, words: words, deed)
            case .fail(let reason): return .fail(reason)
            case .miss(let reason): return .miss(reason)
            }
        }
        return courses.allSatisfy(\.isOver) ? .done : .wait(until: wake)
    }

    // MARK: A track

    private mutating func advance(_ track: Int, _ view: View) -> Move {
        while let step = courses[track].step {
            switch courses[track].stage {
            case .arriving(let since, let seen):
                switch look(for: step.trigger, track: track, since: since ?? view.now, seen: seen, view) {
                case .wait(let until):
                    courses[track].stage = .arriving(since: since ?? view.now, seen: view.log.events.count)
                    // The time itself is the limit of a wait for a time.
                    if case .after? = step.trigger, step.within == nil { return .wait(until: until) }
                    let move = bounded(step, since: since ?? view.now, until: until, in: view) { bound in
                        "timed out after \(bound) waiting for \(step.trigger?.awaited ?? "")"
                    }
                    guard case .fail(let reason) = move, view.session.continuesAfterMisses else { return move }
                    courses[track].finish(at: view.now, seen: view.log.events.count)
                    return .miss(reason)
                case .over(let mark): return begin(step, on: track, mark: mark, view)
                }
            case .acting(let began):
                if case .wait(let until) = wait(for: step, since: began, in: view) {
                    let isBounded = step.within != nil && step.trigger == nil || step.act?.isJourney == true
                    guard isBounded else { return .wait(until: until) }
                    return bounded(step, since: began.at, until: until, in: view) { "did not end within \($0)" }
                }
                courses[track].stage = .checking(began)
            case .checking(let began):
                var missed: Message?
                if let move = unmet(step, on: track, since: began, in: view) {
                    guard case .fail(let reason) = move, view.session.continuesAfterMisses else { return move }
                    missed = reason
                }
                courses[track].finish(at: view.now, seen: began.isWaited ? view.log.events.count : began.mark)
                if let missed { return .miss(missed) }
            }
        }
        return .done
    }

    /// The move for a step with an unmet expectation; nil if it is met or there is none.
    private func unmet(
        _ step: Scenario.Step,
        on track: Int,
        since began: TrackProgress.Began,
        in view: View
    ) -> Move? {
        guard let condition = step.expectation, let reason = facts(step, view).unmet(condition) else { return nil }
        guard step.within != nil, step.trigger == nil else {
            // Effects that are immediate in the model take a real player a moment.
            let end = began.at + view.session.grace
            return view.now < end ? .wait(until: end) : fail(step, on: track, "\(reason)\(state(of: view))")
        }
        return bounded(step, since: began.at, in: view) { "within \($0): \(reason)" }
    }

    /// A wait that fails the step at its time limit.
    private func bounded(
        _ step: Scenario.Step,
        since: Instant,
        until: Instant? = nil,
        in view: View,
        reason: (_ bound: Message) -> Message
    ) -> Move {
        let bound = step.within.flatMap { facts(step, view).wait(of: $0) } ?? scenario.within
        let end = since + bound
        guard view.now >= end else { return .wait(until: [until, end].compactMap { $0 }.min()) }
        let words = TrackProgress.words(step, in: courses.first { $0.step == step })
        return .fail("\(words): \(reason("\(bound.seconds, places: 6) s"))\(state(of: view))")
    }

    private func fail(_ step: Scenario.Step, on track: Int, _ reason: Message) -> Move {
        .fail("\(TrackProgress.words(step, in: courses[track])): \(reason)")
    }

    /// The state of the app that may explain an unmet expectation; empty without one.
    private func state(of view: View) -> Message {
        let phase = view.log.events.last { $0.kind.isPhase }?.kind
        return phase == .platformLifecycle(phase: "suspended") ? "; the app is suspended" : ""
    }

    private mutating func begin(_ step: Scenario.Step, on track: Int, mark: Int, _ view: View) -> Move {
        if let label = step.label { labels[label] = view.log.events.count }
        if case .message(let name)? = step.trigger { courses[track].taken[name, default: 0] += 1 }
        let facts = facts(step, view)
        let deed: Deed
        switch step.act?.kind {
        case .send(let name)?:
            sent[name, default: 0] += 1
            deed = .nothing
        case .note(let notes)?:
            for note in notes {
                guard let value = self.facts(step, view).value(of: note.value) else {
                    return fail(step, on: track, "\(note.value) has no value at this time")
                }
                variables[note.name] = value
            }
            deed = .nothing
        case .network(let change)?: deed = .network(change)
        case .command?, .journey?:
            do throws(ActError) {
                let commands = ActCommands(items: items, session: view.session, facts: facts)
                deed = .commands(try step.act.map { act throws(ActError) in try commands.of(act) } ?? [])
            } catch {
                return fail(step, on: track, Message(words: error.description))
            }
        case .hear?, .stay?: deed = .commands([])
        case nil: deed = .nothing
        }
        courses[track].stage = .acting(
            TrackProgress.Began(
                at: view.now,
                heard: view.session.heard(at: view.now),
                played: view.session.played(at: view.now),
                mark: step.act == nil ? mark : view.log.events.count,
                isWaited: step.act?.isWait ?? (step.trigger == nil)
            )
        )
        return .begin(number: step.number, words: courses[track].prefix + step.description, deed)
    }

    private func facts(_ step: Scenario.Step, _ view: View) -> SessionFacts {
        SessionFacts(
            view.session,
            at: view.now,
            values: step.counters.isEmpty ? variables : variables.merging(step.counters) { $1 },
            definitions: scenario.definitions
        ) { [labels] facts, match, since in
            let first = since.flatMap { labels[$0] } ?? 0
            return view.log.events[first...].count { facts.matches($0, match) }
        }
    }

    // MARK: Waiting

    private enum Look {
        /// Met; earlier events are in the past.
        case over(mark: Int)
        case wait(Instant?)
    }

    /// Returns whether the trigger of a step has occurred.
    private func look(for trigger: Scenario.Trigger?, track: Int, since: Instant, seen: Int, _ view: View) -> Look {
        guard let trigger, let step = courses[track].step else { return .over(mark: seen) }
        let present = view.log.events.count
        let facts = { self.facts(step, view) }
        switch trigger {
        case .message(let name):
            return sent[name, default: 0] > courses[track].taken[name, default: 0] ? .over(mark: present) : .wait(nil)
        case .at(let expression):
            guard let target = facts().duration(of: expression) else { return .wait(nil) }
            let instant = view.session.instant(whenAt: target, at: view.now)
            return instant.map { $0 <= view.now } ?? false ? .over(mark: present) : .wait(instant)
        case .after(let expression):
            guard let time = facts().wait(of: expression) else { return .wait(nil) }
            return view.now >= since + time ? .over(mark: present) : .wait(since + time)
        case .when(let condition): return facts().unmet(condition) == nil ? .over(mark: present) : .wait(nil)
        case .on(let match):
            let facts = facts()
            let found = view.log.events[seen...].firstIndex { facts.matches($0, match) }
            return found.map { .over(mark: $0 + 1) } ?? .wait(nil)
        }
    }

    /// Returns whether the act of a step has ended.
    private func wait(for step: Scenario.Step, since began: TrackProgress.Began, in view: View) -> Look {
        let session = view.session
        let over = Look.over(mark: 0)
        switch step.act?.kind {
        case .journey(.background)?: return session.isInBackground || session.isUnavailable ? over : .wait(nil)
        case .journey(.foreground)?: return session.isInForeground || session.isUnavailable ? over : .wait(nil)
        case .stay(let seconds)?:
            guard let length = facts(step, view).wait(of: seconds) else { return .wait(nil) }
            let end = began.at + length
            return view.now >= end || session.isFinished ? over : .wait(end)
        case .hear(let seconds, let share)?:
            if session.isFinished || session.isFailed { return over }
            var lengths: [Duration] = []
            if let seconds {
                guard let length = facts(step, view).wait(of: seconds) else { return .wait(nil) }
                lengths.append(length)
            }
            if let share {
                guard let share = facts(step, view).value(of: share), let duration = session.duration else {
                    return .wait(nil)
                }
                lengths.append(duration * min(max(share, 0), 1))
            }
            return lengths.min().map { hear($0, since: began, in: view) } ?? .wait(nil)
        case .command?, .network?, .send?, .note?, nil: return over
        }
    }

    /// Waits until a duration has been heard, or played for an item without audio.
    private func hear(_ length: Duration, since began: TrackProgress.Began, in view: View) -> Look {
        let instant =
            view.session.hasAudio == false
            ? view.session.instant(whenPlayed: began.played + length, at: view.now)
            : view.session.instant(whenHeard: began.heard + length, at: view.now)
        return instant.map { $0 <= view.now } ?? false ? .over(mark: 0) : .wait(instant)
    }
}

extension EventKind {
    fileprivate var isPhase: Bool { if case .platformLifecycle = self { true } else { false } }
}

extension Scenario.Trigger {
    /// The trigger as the object of a wait.
    fileprivate var awaited: String {
        switch self {
        case .at(let position): "position \(position)"
        case .on(let match): "the event \(match)"
        case .after(let time): "\(time) s to pass"
        case .when(let condition): "\(condition)"
        case .message(let name): "the message \(name)"
        }
    }
}
