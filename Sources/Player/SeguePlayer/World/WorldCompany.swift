internal import SegueBase
internal import SegueEvents
internal import SegueSearch

/// The worlds of one run of virtual time, whose players belong to one app.
///
/// An app with two players has a second world, whose own user does nothing. It follows the user of the first one, and the
/// app is audible if one of its players is.
@MainActor enum WorldCompany {
    private struct Member {
        weak var world: World?
        let run: AnyObject
    }

    private static var members: [Member] = []

    /// Adds a world to those of its run.
    static func add(_ world: World, in run: AnyObject) {
        members.removeAll { $0.run !== run || $0.world == nil }
        members.append(Member(world: world, run: run))
    }

    /// Returns the other worlds of the run of a world.
    static func others(of world: World) -> [World] {
        guard let run = members.first(where: { $0.world === world })?.run else { return [] }
        return members.compactMap { $0.run === run && $0.world !== world ? $0.world : nil }
    }
}

extension World {
    /// The violations of this world, and of the worlds that follow its user.
    var brokenWithFollowers: [BrokenRule] {
        let followers = WorldCompany.others(of: self).filter { !$0.user.isUsed }
        let found = broken
        let others = followers.flatMap(\.broken).filter { other in !found.contains { $0.rule == other.rule } }
        return (found + others.map { $0.inAnotherPlayer }).sorted { $0.at < $1.at }
    }

    /// The events, and the facts about the app, by which this world is judged.
    var evidence: (log: EventLog, context: RequirementContext) {
        let others = WorldCompany.others(of: self)
        let leader = user.isUsed ? nil : others.first { $0.user.isUsed }
        let players = others.filter { !$0.user.isUsed || $0 === leader }
        var context = RequirementContext(actions: (leader ?? self).user.actions)
        context.advances = user.advancesAutomatically
        context.isOneOfSeveral = !players.isEmpty
        context.isFollower = leader != nil
        if players.isEmpty { context.titles = user.titles }
        context.audibleElsewhere = players.flatMap { $0.engine.log.audibleRanges(until: engine.now) }
            .sorted { $0.lowerBound < $1.lowerBound }
        return (leader.map { engine.log.following($0.engine.log) } ?? engine.log, context)
    }
}

extension EventLog {
    /// Returns the ranges of time with audio.
    fileprivate func audibleRanges(until end: Instant) -> [Range<Instant>] {
        var ranges: [Range<Instant>] = []
        var began: Instant?
        for event in events {
            switch event.kind {
            case .soundBegan: began = began ?? event.at
            case .soundEnded:
                if let start = began, start < event.at { ranges.append(start..<event.at) }
                began = nil
            default: break
            }
        }
        if let began, began < end { ranges.append(began..<end) }
        return ranges
    }

    /// Returns the log with the actions of the user and the device in another one.
    fileprivate func following(_ leader: EventLog) -> EventLog {
        let shared = leader.events.filter { event in
            switch event.kind {
            case .stepBegan, .platformLifecycle, .platformRoute: true
            default: false
            }
        }
        var log = EventLog()
        var (mine, theirs) = (events[...], shared[...])
        // An action precedes its effects.
        while let next = theirs.first.map({ first in mine.first.map { $0.at < first.at } ?? false }) {
            let event = next ? mine.removeFirst() : theirs.removeFirst()
            log.append(event.kind, at: event.at)
        }
        for event in mine { log.append(event.kind, at: event.at) }
        return log
    }
}

extension BrokenRule {
    fileprivate var inAnotherPlayer: BrokenRule {
        BrokenRule(rule: rule, message: message + ", in another player", at: at)
    }
}
