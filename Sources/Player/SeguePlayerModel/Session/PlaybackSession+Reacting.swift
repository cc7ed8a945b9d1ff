internal import SegueBase
internal import SegueEvents

/// What the app does by its own rules.
extension PlaybackSession {
    /// How many times a rule is acted on at one moment.
    private static let mostTimes = 100

    /// How far ahead is looked where nothing else is to happen: further than a run may take.
    private static let furthest = Duration.seconds(2_000_000_000)

    /// Whether the app has rules, and runs.
    private var mayReact: Bool {
        guard let app, !app.course.reactions.isEmpty, !isUnavailable else { return false }
        return !device.lifecycle.isSuspended && device.lifecycle.phase != .terminated
    }

    /// Has the app act on what came to hold, one rule after the other, until nothing more comes of that.
    mutating func react(at now: Instant) {
        var times: [Int: Int] = [:]
        while mayReact {
            countEvents(at: now)
            let facts = facts(at: now)
            guard let index = app?.course.look(facts, at: now), let reaction = app?.course.reactions[index] else {
                return
            }
            guard times[index, default: 0] < Self.mostTimes else {
                let reason = "\(reaction.name) comes to be done again and again: \(Self.mostTimes) times at one moment"
                log(.appException(call: "reactions", reason: reason))
                app?.course.stop(at: now)
                return
            }
            times[index, default: 0] += 1
            app?.course.begin(index)
            perform(reaction, at: now)
        }
    }

    /// When to look at the rules again if nothing happens until then; nil for never.
    func nextLook(at now: Instant, before end: Instant?) -> Instant? {
        guard mayReact else { return nil }
        return app?.course.nextLook(at: now, before: end ?? now + Self.furthest) { facts(at: $0) }
    }

    /// What can be read off the session at an instant, as long as nothing happens until then.
    private func facts(at instant: Instant) -> SessionFacts {
        let course = app?.course
        return SessionFacts(self, at: instant, values: course?.values ?? [:]) { _, match, since in
            course?.count(of: match, since: since) ?? 0
        }
    }

    // MARK: Events

    /// Counts what happened since this was asked last, as far as rules ask for it; tells whether there was any of it.
    @discardableResult
    mutating func countEvents(at now: Instant) -> Bool {
        guard app?.course.countsNothing == false, countedEffects < player.turn.effects.count else { return false }
        let facts = facts(at: now)
        var isAny = false
        for effect in player.turn.effects[countedEffects...] {
            let kind: EventKind? =
                switch effect {
                case .log(let kind): kind
                case .cancel(let id): traffic.cancellation(of: id)
                case .fetch, .read, .stopReading, .timer, .cancelTimer, .told, .delivered: nil
                }
            if let kind, app?.course.count(Event(at: now, kind), facts) == true { isAny = true }
        }
        countedEffects = player.turn.effects.count
        return isAny
    }

    // MARK: Acting

    private mutating func perform(_ reaction: Reaction, at now: Instant) {
        guard let policy = app?.profile.name else { return }
        log(.appDecided(policy: policy, decision: reaction.decision, reason: reaction.reason))
        for act in reaction.acts {
            do throws(ActError) {
                try perform(act, of: policy, at: now)
            } catch {
                log(.appNoted(policy: policy, note: "\(reaction.name): \(act): \(error)"))
            }
            settle(at: now)
        }
    }

    private mutating func perform(_ act: Reaction.Act, of policy: String, at now: Instant) throws(ActError) {
        switch act {
        case .player(let act):
            let commands = try ActCommands(items: sources.addresses, session: self, facts: facts(at: now)).of(
                act
            )
            for command in commands {
                carryOut(command, at: now)
                settle(at: now)
            }
        case .goOver(let rendition):
            try check(rendition)
            goOver(to: rendition, at: now)
        case .preload(let rendition):
            try check(rendition)
            preload(rendition, at: now)
        case .makeAgain:
            guard player.current != nil else { throw ActError(description: "there is no item") }
            makeAgain(at: now)
        case .beginTask: beginTask(of: policy, at: now)
        case .endTask: endTask(of: policy)
        case .note(let notes):
            for note in notes {
                guard let value = facts(at: now).value(of: note.value) else {
                    throw ActError(description: "\(note.value) has no value now")
                }
                app?.course.values[note.name] = value
            }
        }
    }

    /// Makes sure that the current item has a rendition, and is another one.
    private func check(_ rendition: ItemRendition) throws(ActError) {
        guard let current = player.current else { throw ActError(description: "there is no item") }
        guard self.rendition != rendition else { throw ActError(description: "it is the \(rendition.rawValue) one") }
        guard rendition == .full || sources.address(of: current.id)?.background != nil else {
            throw ActError(description: "there is no background rendition")
        }
    }
}
