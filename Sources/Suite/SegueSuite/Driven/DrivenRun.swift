internal import Foundation
package import SegueBase
internal import SegueComparison
package import SegueEvents
package import SeguePlayerModel

/// Plays items by a scenario on a real player, through its driver, in real time.
package final class DrivenRun {
    private enum Payload: Sendable {
        /// A line of the driver; nil at its end, with the reason.
        case line(Data?, String)
        /// An event outside the player.
        case event(EventKind)
        /// The time to check the script.
        case script
        /// The driver exceeded its time limit.
        case late
        /// The time to check for progress.
        case watch
        /// The request to end the run, with a reason.
        case end(String)
    }

    /// The time limit for a driver's first line: a browser has to start.
    package static let patience = Duration.seconds(60)
    /// The time without playback after which a waiting script fails: longer than any network outage.
    package static let standstill = Duration.seconds(180)
    /// The time limit for the response to a command.
    private static let answerPatience = Duration.seconds(30)
    /// The time limit for the last lines of a driver that has ended.
    private static let lastLinesPatience = Duration.seconds(1)

    /// The number of failed steps after which the rest of a run means nothing.
    private static let mostMissed = 20

    /// Called for each event.
    package var logged: (EventKind, Instant) -> Void = { _, _ in }

    package private(set) var log = EventLog()

    /// The driver's first line; nil before it.
    package private(set) var hello: DriverHello?

    /// The omitted parts of the scenario, with reasons.
    package private(set) var omissions: [String] = []

    /// The failed steps after which the script continued.
    package private(set) var missed: [Finding] = []

    /// The number of steps that are done.
    package var stepsDone: Int { script?.stepsDone ?? 0 }

    /// The metrics up to the last event.
    package var metrics: SessionMetrics { session.metrics }

    private let scenario: Scenario
    private var stage: PlayerStage?
    private let loop = EventLoop<Payload>(pace: .real(scale: 1))
    private var session: DrivenSession
    private var script: ScenarioScript?
    private var failure: Message?
    private var brokenBy: String?
    private var endedBecause = "the scenario is done"
    private var planned: (at: Instant, token: EventToken)?
    /// The offset from the driver's clock to the run's.
    private var offset = 0.0
    private var isNothingDriven = false
    private var commands = 0
    /// The names of commands without a response.
    private var unanswered: [Int: String] = [:]
    private var lateness: EventToken?
    private var opened = 0
    /// The played duration when it last changed, and the time of that check.
    private var progress = (played: Duration.zero, at: Instant.zero)
    /// True if the script waits for something that only the player can cause.
    private var isWaiting = false
    private var standstill: Message?

    package init(_ scenario: Scenario) {
        self.scenario = scenario
        session = DrivenSession(items: [], isSameSource: ServedItemURL.isSameSource)
    }

    /// Ends the run early, from any thread.
    ///
    /// The log records the reason.
    package var end: @Sendable (String) -> Void {
        { [mailbox = loop.mailbox] reason in mailbox.post(.end(reason)) }
    }

    /// Adds an event of the link or the server, from any thread.
    package var tell: @Sendable (EventKind) -> Void {
        { [mailbox = loop.mailbox] kind in mailbox.post(.event(kind)) }
    }

    /// Runs the script to its end, and ends the driver.
    ///
    /// - Returns: Nil if the script finished or the run was ended from outside, otherwise the finding: `step-failed`,
    ///   `no-progress`, or `driver-failed`. ``missed`` has the steps that failed on the way.
    package func run(on stage: PlayerStage) -> Finding? {
        self.stage = stage
        session = DrivenSession(items: stage.items, isSameSource: ServedItemURL.isSameSource)
        for event in log.events { session.follow(event) }
        loop.mailbox.beginExpecting()
        stage.driver.listen { [mailbox = loop.mailbox] line, reason in mailbox.post(.line(line, reason)) }
        lateness = loop.schedule(.late, at: loop.now + Self.patience)
        watchProgress(at: loop.now)
        _ = loop.run { [unowned self] payload, now in handle(payload, at: now) }
        let end = loop.now
        stage.driver.end()
        if brokenBy == nil { takeLastLines(before: end) }
        loop.mailbox.endExpecting()
        if let brokenBy {
            keep(.caseEnded(reason: brokenBy), at: end)
            return Finding(.driverFailed, Message(quoting: brokenBy), at: end.seconds)
        }
        if isNothingDriven {
            keep(.caseEnded(reason: "no part of the scenario can be driven"), at: end)
            return Finding(.notDriven, Message(words: omissions.joined(separator: "; ")), at: end.seconds)
        }
        if let standstill {
            keep(.caseEnded(reason: "no progress: \(standstill)"), at: end)
            return Finding(.noProgress, standstill, at: end.seconds, evidence)
        }
        if let failure {
            keep(.caseEnded(reason: failure.text), at: end)
            return Finding(.stepFailed, failure, at: end.seconds, evidence)
        }
        keep(.caseEnded(reason: endedBecause), at: end)
        return nil
    }

    private var evidence: FindingEvidence { script?.evidence ?? FindingEvidence() }

    /// Adds an event to the log, at the current time of the run.
    package func note(_ kind: EventKind) { keep(kind, at: loop.now) }

    private func keep(_ kind: EventKind, at instant: Instant) {
        // An event reported late is logged right after the last one.
        let at = max(instant, log.events.last?.at ?? .zero, .zero)
        log.append(kind, at: at)
        session.follow(Event(at: at, kind))
        logged(kind, at)
    }

    private func handle(_ payload: Payload, at now: Instant) {
        switch payload {
        case .line(let line?, _): take(line, at: now)
        case .line(nil, let reason): stop("the driver ended: \(reason)")
        case .event(let kind): keep(kind, at: now)
        case .late:
            lateness = nil
            let name = unanswered.min { $0.key < $1.key }?.value
            stop(
                name.map { "the driver did not respond to \($0) within \(Int(Self.answerPatience.seconds)) s" }
                    ?? "the driver sent no line within \(Int(Self.patience.seconds)) s"
            )
        case .watch: return watchProgress(at: now)
        case .script:
            planned = nil
            return follow(at: now)
        case .end(let reason):
            endedBecause = reason
            return loop.stop()
        }
        if script != nil { plan(at: now) }
    }

    /// Ends a run without playback while the script waits for it.
    private func watchProgress(at now: Instant) {
        let played = session.played(at: now)
        if played != progress.played || !isWaiting { progress = (played, now) }
        if now - progress.at >= Self.standstill {
            let seconds = Int(Self.standstill.seconds)
            let state = session.stateDescription(at: now)
            standstill = "\(script?.description ?? ""); no playback for \(seconds) s; \(state)"
            return loop.stop()
        }
        loop.schedule(.watch, at: now + Self.standstill * (1.0 / 18))
    }

    /// Takes the events that the driver sent before it handled `quit`; they were on their way when the run ended.
    private func takeLastLines(before end: Instant) {
        if let lateness { loop.cancel(lateness) }
        loop.schedule(.late, at: loop.now + Self.lastLinesPatience)
        _ = loop.run { [unowned self] payload, _ in
            switch payload {
            case .line(let line?, _):
                switch try? DriverMessage(line) {
                case .event(let event): keep(event.kind, at: min(end, Instant(seconds: event.at.seconds + offset)))
                case .answer(DriverCommand.quitNumber, _): loop.stop()
                default: break
                }
            case .line(nil, _), .late: loop.stop()
            default: break
            }
        }
    }

    private func stop(_ reason: String) {
        brokenBy = brokenBy ?? reason
        loop.stop()
    }

    // MARK: The driver

    private func take(_ line: Data, at now: Instant) {
        do throws(DriverLineError) {
            try take(DriverMessage(line), at: now)
        } catch {
            stop(error.description)
        }
    }

    private func take(_ message: DriverMessage, at now: Instant) throws(DriverLineError) {
        if case .hello(let hello) = message {
            guard self.hello == nil else { throw DriverLineError(description: "the driver sent a second hello line") }
            return begin(hello, at: now)
        }
        guard hello != nil else { throw DriverLineError(description: "the driver's first line is not a hello") }
        switch message {
        case .answer(let id, let refusal):
            guard let name = unanswered.removeValue(forKey: id) else { return }
            watch(at: now)
            guard let refusal else { return }
            failure = "the player cannot \(name): \(quoting: refusal)"
            loop.stop()
        case .event(let event): keep(event.kind, at: min(now, Instant(seconds: event.at.seconds + offset)))
        case .state(let t, let state):
            let at = min(now, Instant(seconds: t + offset))
            let seconds = { (value: Double) in Duration(reckonedNanoseconds: (value * 1e9).rounded()) }
            session.report(
                position: seconds(state.position),
                rate: state.rate,
                buffered: state.buffered.map(seconds),
                at: at
            )
        case .hello, .unknown: break
        }
    }

    private func begin(_ hello: DriverHello, at now: Instant) {
        self.hello = hello
        offset = now.seconds - hello.clock
        watch(at: now)
        let part = DrivenScenario(scenario, hello)
        omissions = part.omissions
        isNothingDriven = part.isEmpty
        script = ScenarioScript(part.scenario, items: stage?.items ?? [])
    }

    /// Waits for outstanding responses.
    private func watch(at now: Instant) {
        if let lateness { loop.cancel(lateness) }
        lateness = unanswered.isEmpty ? nil : loop.schedule(.late, at: now + Self.answerPatience)
    }

    private func send(_ command: SessionCommand, at now: Instant) {
        // A script's play means rate 1, but a player's button may resume at an earlier rate.
        if command == .play, session.wishedRate != 1, hello?.can.contains("rate") == true {
            send(.setRate(1), at: now)
        }
        guard var sent = command.driverCommand else {
            failure = "the driver protocol has no command for \(quoting: "\(command)")"
            return loop.stop()
        }
        if let name = command.callName {
            keep(.playerCommand(name: name, item: session.current ?? ""), at: now)
        }
        if case .setRate(let rate) = command { session.wish(rate: rate) }
        if case .open(let addresses) = command { sent.items = open(addresses, at: now) }
        commands += 1
        sent.id = commands
        unanswered[commands] = sent.name
        watch(at: now)
        stage?.driver.send(sent.line)
        if case .removeAll = command { keep(.queueEmptied(reason: "all items were removed"), at: now) }
    }

    private func open(_ addresses: [ItemAddress], at now: Instant) -> [DriverCommand.Item] {
        addresses.map { address in
            opened += 1
            let item = DriverCommand.Item(item: ItemID(opened).description, url: address.full)
            let isFirst = session.current == nil
            keep(.queueInserted(item: item.item, url: item.url), at: now)
            if isFirst { keep(.queueCurrent(item: item.item), at: now) }
            return item
        }
    }

    // MARK: The script

    /// Performs everything that the script has to do now.
    private func follow(at now: Instant) {
        while failure == nil {
            let view = ScenarioScript.View(session, log, at: now)
            guard let move = script?.next(for: view) else { return }
            isWaiting = if case .wait(nil) = move { true } else { false }
            switch move {
            case .done:
                // The last command may still be refused.
                if unanswered.isEmpty { loop.stop() }
                return
            case .fail(let reason):
                failure = reason
                return loop.stop()
            case .miss(let reason):
                missed.append(Finding(.stepFailed, reason, at: now.seconds, evidence))
                guard missed.count < Self.mostMissed else {
                    failure = "\(Self.mostMissed) steps failed; the rest is not run"
                    return loop.stop()
                }
            case .begin(let number, let words, let deed):
                keep(.stepBegan(number: number, step: words), at: now)
                switch deed {
                case .commands(let commands): for command in commands { send(command, at: now) }
                case .network(let change): carryOut(change, at: now)
                case .nothing: break
                }
            case .wait(let until):
                // Step time limits also apply to a player that died silently.
                if let until { plan(at: until) }
                return
            }
        }
    }

    private func carryOut(_ change: Scenario.NetworkChange, at now: Instant) {
        do {
            if let name = try stage?.change(change) { keep(.linkChanged(link: "", network: name), at: now) }
        } catch {
            failure = Message(quoting: "\(error)")
            loop.stop()
        }
    }

    /// Schedules a check of the script after all other events of that moment.
    private func plan(at instant: Instant) {
        if let planned {
            if planned.at <= instant { return }
            loop.cancel(planned.token)
        }
        planned = (instant, loop.schedule(.script, at: instant, priority: .settled))
    }
}
