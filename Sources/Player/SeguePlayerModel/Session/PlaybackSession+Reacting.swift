internal import SegueBase
internal import SegueEvents

/// The app's own rules.
extension PlaybackSession {
    /// The maximum number of acts of one rule at one instant.
    private static let mostTimes = 100

    /// The horizon without other events, which exceeds any run.
    private static let furthest = Duration.seconds(2_000_000_000)

    /// True if the app has rules and is running.
    private var mayReact: Bool {
        guard let app, !app.course.reactions.isEmpty, !isUnavailable else { return false }
        return !device.lifecycle.isSuspended && !device.lifecycle.isTerminated
    }

    /// Runs the rules whose conditions became true, one at a time, until none is left.
    mutating func react(at now: Instant) {
        var times: [Int: Int] = [:]
        while mayReact {
            countEvents(at: now)
            let facts = facts(at: now)
            guard let index = app?.course.look(facts, at: now), let reaction = app?.course.reactions[index] else {
                return
            }
            guard times[index, default: 0] < Self.mostTimes else {
                let reason = "the rule \(reaction.name) ran more than \(Self.mostTimes) times at one instant"
                log(.appException(call: "reactions", reason: reason))
                app?.course.stop(at: now)
                return
            }
            times[index, default: 0] += 1
            app?.course.begin(index)
            perform(reaction, at: now)
        }
    }

    /// Returns the instant at which the rules must be evaluated again if nothing happens before.
    func nextLook(at now: Instant, before end: Instant?) -> Instant? {
        guard mayReact else { return nil }
        return app?.course.nextLook(at: now, before: end ?? now + Self.furthest) { facts(at: $0) }
    }

    /// The facts at an instant, valid if nothing happens before it.
    private func facts(at instant: Instant) -> SessionFacts {
        let course = app?.course
        return SessionFacts(self, at: instant, values: course?.values ?? [:]) { _, match, since in
            course?.count(of: match, since: since) ?? 0
        }
    }

    // MARK: Events

    /// Counts the new events that the rules refer to, and returns whether there were any.
    @discardableResult
    mutating func countEvents(at now: Instant) -> Bool {
        guard app?.course.countsNothing == false, countedEffects < renditions.player.context.effects.count else {
            return false
        }
        let facts = facts(at: now)
        var isAny = false
        for effect in renditions.player.context.effects[countedEffects...] {
            let kind: EventKind? =
                switch effect {
                case .log(let kind): kind
                case .cancel(let id): traffic.cancellation(of: id)
                case .fetch, .read, .stopReading, .timer, .cancelTimer, .told, .delivered: nil
                }
            if let kind, app?.course.count(Event(at: now, kind), facts) == true { isAny = true }
        }
        countedEffects = renditions.player.context.effects.count
        return isAny
    }

    // MARK: Acts

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
            let commands = try ActCommands(items: renditions.sources.addresses, session: self, facts: facts(at: now))
                .of(
                    act
                )
            for command in commands {
                carryOut(command, at: now)
                settle(at: now)
            }
        case .switchRendition(let rendition):
            try check(rendition)
            switchRendition(to: rendition, at: now)
        case .preload(let rendition):
            try check(rendition)
            renditions.preload(rendition, at: now)
        case .makeAgain:
            guard renditions.player.current != nil else { throw ActError(description: "there is no item") }
            note(remade: renditions.remakeCurrent(at: now))
        case .beginTask: beginTask(of: policy, at: now)
        case .endTask: endTask(of: policy)
        case .note(let notes):
            for note in notes {
                guard let value = facts(at: now).value(of: note.value) else {
                    throw ActError(description: "\(note.value) has no value at this time")
                }
                app?.course.values[note.name] = value
            }
        }
    }

    /// Checks that the current item has the rendition, and is not already that.
    private func check(_ rendition: ItemRendition) throws(ActError) {
        guard let current = renditions.player.current else { throw ActError(description: "there is no item") }
        guard self.rendition != rendition else {
            throw ActError(description: "the item already is the \(rendition.rawValue) rendition")
        }
        guard rendition == .full || renditions.sources.address(of: current.id)?.background != nil else {
            throw ActError(description: "there is no background rendition")
        }
    }
}
