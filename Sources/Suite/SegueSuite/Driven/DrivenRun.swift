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
    package var hello: DriverHello? { dialog.hello }

    /// The omitted parts of the scenario, with reasons.
    package var omissions: [String] { part?.omissions ?? [] }

    /// The failed steps after which the script continued.
    package private(set) var missed: [Finding] = []

    /// The number of steps that are done.
    package var stepsDone: Int { script?.stepsDone ?? 0 }

    /// The metrics up to the last event.
    package var metrics: SessionMetrics { session.metrics }

    /// The end of a run before its script is done.
    private enum Ending {
        /// The request to end the run, with its reason.
        case requested(String)
        case failed(Message)
        case standstill(Message)
        /// The driver does not follow the protocol, or ended.
        case broken(String)
    }

    private let scenario: Scenario
    private var stage: PlayerStage?
    private let loop = EventLoop<Payload>(pace: .real(scale: 1))
    private var session: DrivenSession
    private var dialog = DriverDialog()
    /// The part of the scenario that the driver supports; nil before its first line.
    private var part: DrivenScenario?
    private var script: ScenarioScript?
    private var ending: Ending?
    private var planned: (at: Instant, token: EventToken)?
    private var lateness: EventToken?
    private var watch = StandstillWatch(limit: standstill)

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
        if case .broken = ending {} else { takeLastLines(before: end) }
        loop.mailbox.endExpecting()
        let (reason, finding) = outcome(at: end)
        keep(.caseEnded(reason: reason), at: end)
        return finding
    }

    /// The reason for the end of the run, and the finding if the scenario did not finish.
    private func outcome(at end: Instant) -> (reason: String, finding: Finding?) {
        switch ending {
        case .broken(let why): return (why, Finding(.driverFailed, Message(quoting: why), at: end.seconds))
        case _ where part?.isEmpty == true:
            let finding = Finding(.notDriven, Message(words: omissions.joined(separator: "; ")), at: end.seconds)
            return ("nothing of the scenario can be driven", finding)
        case .standstill(let state):
            return ("no progress: \(state)", Finding(.noProgress, state, at: end.seconds, evidence: evidence))
        case .failed(let why): return (why.text, Finding(.stepFailed, why, at: end.seconds, evidence: evidence))
        case .requested(let reason): return (reason, nil)
        case nil: return ("the scenario is done", nil)
        }
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
        case .line(nil, let reason): end(.broken("the driver ended: \(reason)"))
        case .event(let kind): keep(kind, at: now)
        case .late:
            lateness = nil
            let what = dialog.oldestUnanswered.map {
                "did not respond to \($0) within \(Int(Self.answerPatience.seconds)) s"
            }
            end(.broken("the driver \(what ?? "sent no line within \(Int(Self.patience.seconds)) s")"))
        case .watch: return watchProgress(at: now)
        case .script:
            planned = nil
            return follow(at: now)
        case .end(let reason):
            return end(.requested(reason))
        }
        if script != nil { plan(at: now) }
    }

    /// Ends a run without playback while the script waits for it.
    private func watchProgress(at now: Instant) {
        if watch.isOver(played: session.played(at: now), at: now) {
            let (seconds, state) = (Int(Self.standstill.seconds), session.stateDescription(at: now))
            return end(.standstill("\(script?.description ?? ""); no playback for \(seconds) s; \(state)"))
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
                case .event(let event): keep(event.kind, at: min(end, dialog.instant(of: event.at.seconds)))
                case .answer(DriverCommand.quitNumber, _): loop.stop()
                default: break
                }
            case .line(nil, _), .late: loop.stop()
            default: break
            }
        }
    }

    private func end(_ ending: Ending) {
        self.ending = ending
        loop.stop()
    }

    // MARK: The driver

    private func take(_ line: Data, at now: Instant) {
        do throws(DriverLineError) {
            try take(DriverMessage(line), at: now)
        } catch {
            end(.broken(error.description))
        }
    }

    private func take(_ message: DriverMessage, at now: Instant) throws(DriverLineError) {
        if case .hello(let hello) = message {
            guard dialog.hello == nil else { throw DriverLineError(description: "the driver sent a second hello line") }
            return begin(hello, at: now)
        }
        guard hello != nil else { throw DriverLineError(description: "the driver's first line is not a hello") }
        switch message {
        case .answer(let id, let refusal):
            guard let name = dialog.answered(id) else { return }
            awaitAnswers(at: now)
            if let refusal { end(.failed("the player cannot \(name): \(quoting: refusal)")) }
        case .event(let event): keep(event.kind, at: min(now, dialog.instant(of: event.at.seconds)))
        case .state(let t, let state):
            let at = min(now, dialog.instant(of: t))
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
        dialog.begin(hello, at: now)
        awaitAnswers(at: now)
        let part = DrivenScenario(scenario, hello)
        self.part = part
        script = ScenarioScript(part.scenario, items: stage?.items ?? [])
    }

    /// Limits the time for outstanding responses.
    private func awaitAnswers(at now: Instant) {
        if let lateness { loop.cancel(lateness) }
        lateness = dialog.isAnswered ? nil : loop.schedule(.late, at: now + Self.answerPatience)
    }

    private func send(_ command: SessionCommand, at now: Instant) {
        // A script's play means rate 1, but a player's button may resume at an earlier rate.
        if command == .play, session.wishedRate != 1, hello?.can.contains("rate") == true {
            send(.setRate(1), at: now)
        }
        guard var sent = command.driverCommand else {
            return end(.failed("the driver protocol has no command for \(quoting: "\(command)")"))
        }
        if let name = command.callName {
            keep(.playerCommand(name: name, item: session.current ?? ""), at: now)
        }
        if case .setRate(let rate) = command { session.wish(rate: rate) }
        if case .open(let addresses) = command { sent.items = open(addresses, at: now) }
        dialog.number(&sent)
        awaitAnswers(at: now)
        stage?.driver.send(sent.line)
        if case .removeAll = command { keep(.queueEmptied(reason: "all items were removed"), at: now) }
    }

    private func open(_ addresses: [ItemAddress], at now: Instant) -> [DriverCommand.Item] {
        addresses.map { address in
            let item = dialog.open(address.full)
            let isFirst = session.current == nil
            keep(.queueInserted(item: item.item, url: item.url), at: now)
            if isFirst { keep(.queueCurrent(item: item.item), at: now) }
            return item
        }
    }

    // MARK: The script

    /// Performs everything that the script has to do now.
    private func follow(at now: Instant) {
        while ending == nil {
            let view = ScenarioScript.View(session, log, at: now)
            guard let move = script?.next(for: view) else { return }
            watch.isWaiting = if case .wait(nil) = move { true } else { false }
            switch move {
            case .done:
                // The last command may still be refused.
                if dialog.isAnswered { loop.stop() }
                return
            case .fail(let reason): return end(.failed(reason))
            case .miss(let reason):
                missed.append(Finding(.stepFailed, reason, at: now.seconds, evidence: evidence))
                guard missed.count < Self.mostMissed else {
                    return end(.failed("\(Self.mostMissed) steps failed; the rest is not run"))
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
            end(.failed(Message(quoting: "\(error)")))
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
