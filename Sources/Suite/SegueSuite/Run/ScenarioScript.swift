internal import SegueBase
internal import SegueComparison
internal import SegueEvents
internal import SeguePlayerModel

/// How far a scenario has come: says what is to be done next, from what the session is like and what has happened.
struct ScenarioScript: Sendable, CustomStringConvertible {
    /// What a step has done at its beginning.
    enum Deed: Sendable {
        case commands([SessionCommand])
        case network(Scenario.NetworkChange)
        case nothing
    }

    /// What is next.
    enum Move: Sendable {
        /// A step begins, with what its beginning does.
        case begin(number: Int, words: String, Deed)
        /// Nothing until something changes, or at the latest until an instant.
        case wait(until: Instant?)
        /// A step did not come to its end, or found what it did not expect.
        case fail(String)
        /// A step is over that found what it did not expect; the script goes on.
        case miss(String)
        /// Every step is over.
        case done
    }

    /// What there is to look at.
    ///
    /// A class, since a session holds much, and is handed on to whoever looks for a step.
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
    private var courses: [TrackCourse]
    private var variables: [String: Double] = [:]
    private var labels: [String: Int] = [:]
    private var sent: [String: Int] = [:]

    /// The script of a scenario.
    ///
    /// - Parameters:
    ///   - items: The items that the run was given.
    init(_ scenario: Scenario, items: [ItemAddress]) {
        self.scenario = scenario
        self.items = items
        courses = scenario.tracks.map(TrackCourse.init)
    }

    /// The steps under way, for a run that makes no progress.
    var description: String { courses.filter { !$0.isOver }.map(\.description).joined(separator: "; ") }

    /// How many steps are over.
    var stepsDone: Int { courses.reduce(0) { $0 + $1.index } }

    /// The place of a finding that ends the script.
    var evidence: FindingEvidence { FindingEvidence(at: .init(stepsDone: stepsDone)) }

    /// What is next; to be asked again after each move that begins a step, and after everything that happens.
    mutating func next(for view: View) -> Move {
        guard view.now - .zero < Scenario.longestRun else {
            return .fail("the run has taken longer than \(Int(Scenario.longestRun.seconds)) s")
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
                    let move = bounded(until, step, since ?? view.now, view) {
                        "waited in vain for \(step.trigger?.description ?? "")"
                    }
                    guard case .fail(let reason) = move, view.session.continuesAfterMisses else { return move }
                    courses[track].finish(at: view.now, seen: view.log.events.count)
                    return .miss(reason)
                case .over(let mark): return begin(step, on: track, mark: mark, view)
                }
            case .acting(let began):
                if case .wait(let until) = wait(step, began, view) {
                    let isBounded = step.within != nil && step.trigger == nil || step.act?.isJourney == true
                    guard isBounded else { return .wait(until: until) }
                    return bounded(until, step, began.at, view) { "was not over" }
                }
                courses[track].stage = .checking(began)
            case .checking(let began):
                var missed: String?
                if let move = unmet(step, on: track, began, view) {
                    guard case .fail(let reason) = move, view.session.continuesAfterMisses else { return move }
                    missed = reason
                }
                courses[track].finish(at: view.now, seen: began.isWaited ? view.log.events.count : began.mark)
                if let missed { return .miss(missed) }
            }
        }
        return .done
    }

    /// What becomes of a step whose expectation does not hold; nil where it does, or there is none.
    private func unmet(_ step: Scenario.Step, on track: Int, _ began: TrackCourse.Began, _ view: View) -> Move? {
        guard let condition = step.expectation, let reason = facts(step, view).unmet(condition) else { return nil }
        guard step.within != nil, step.trigger == nil else {
            // What shows at once in the model takes a real player a moment.
            let end = began.at + view.session.grace
            return view.now < end ? .wait(until: end) : fail(step, track, reason)
        }
        return bounded(nil, step, began.at, view) { reason }
    }

    /// A wait that fails the step when its bound is reached.
    private func bounded(
        _ until: Instant?,
        _ step: Scenario.Step,
        _ since: Instant,
        _ view: View,
        _ reason: () -> String
    ) -> Move {
        let bound = step.within.flatMap { facts(step, view).wait(of: $0) } ?? scenario.within
        let end = since + bound
        guard view.now >= end else { return .wait(until: [until, end].compactMap { $0 }.min()) }
        let seconds = DecimalText.short(bound.seconds)
        return .fail(
            TrackCourse.words(step, in: courses.first { $0.step == step }) + ": within \(seconds) s: \(reason())"
        )
    }

    private func fail(_ step: Scenario.Step, _ track: Int, _ reason: String) -> Move {
        .fail("\(TrackCourse.words(step, in: courses[track])): \(reason)")
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
                    return fail(step, track, "\(note.value) has no value now")
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
                return fail(step, track, error.description)
            }
        case .hear?, .stay?: deed = .commands([])
        case nil: deed = .nothing
        }
        courses[track].stage = .acting(
            TrackCourse.Began(
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
        /// Met; events before this one belong to the past.
        case over(mark: Int)
        case wait(Instant?)
    }

    /// Whether what a step waits for is there.
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

    /// Whether what a step does is over.
    private func wait(_ step: Scenario.Step, _ began: TrackCourse.Began, _ view: View) -> Look {
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
            return wait(step, began, seconds, share, view)
        case .command?, .network?, .send?, .note?, nil: return over
        }
    }

    /// Waits until so much has been heard, or played where the item has no sound; without either for the rest of it.
    private func wait(
        _ step: Scenario.Step,
        _ began: TrackCourse.Began,
        _ seconds: Expression?,
        _ share: Expression?,
        _ view: View
    ) -> Look {
        let facts = facts(step, view)
        var lengths: [Duration] = []
        if let seconds {
            guard let length = facts.wait(of: seconds) else { return .wait(nil) }
            lengths.append(length)
        }
        if let share {
            guard let share = facts.value(of: share), let duration = view.session.duration else { return .wait(nil) }
            lengths.append(duration * min(max(share, 0), 1))
        }
        guard let length = lengths.min() else { return .wait(nil) }
        let isSilent = view.session.hasAudio == false
        let instant =
            isSilent
            ? view.session.instant(whenPlayed: began.played + length, at: view.now)
            : view.session.instant(whenHeard: began.heard + length, at: view.now)
        return instant.map { $0 <= view.now } ?? false ? .over(mark: 0) : .wait(instant)
    }
}
