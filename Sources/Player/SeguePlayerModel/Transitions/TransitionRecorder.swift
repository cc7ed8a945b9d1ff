internal import SegueBase
package import SegueEvents

/// Derives the transitions of app, platform, and player from the events of a run, whichever player logged them.
struct TransitionRecorder {
    private(set) var trace = TransitionTrace()

    /// The states by machine and item.
    private var states: [Place: String] = [:]
    private var queued = 0
    private var now = Instant.zero
    private var kind: EventKind?
    /// The last event of this instant that may cause a transition.
    private var cause: String?
    /// The last event of this instant that an app may answer.
    private var input: String?
    /// True after a step of the scenario, until the app decides something.
    private var isUserActing = false

    private struct Place: Hashable {
        let machine: Transition.Machine
        let item: String?
    }

    mutating func follow(_ event: Event) {
        if event.at > now { (cause, input, isUserActing) = (nil, nil, false) }
        (now, kind) = (event.at, event.kind)
        followApp(event.kind)
        followPlatform(event.kind)
        followPlayer(event.kind)
        followItems(event.kind)
    }

    // MARK: The app and its platform

    private mutating func followApp(_ kind: EventKind) {
        switch kind {
        case .stepBegan:
            isUserActing = true
            caused("the user")
        case .appNoted(_, let note): enter(.policy, note, on: input)
        case .appDecided(_, let decision, let reason):
            isUserActing = false
            enter(.policy, reason.isEmpty ? decision : "\(decision), as \(reason)", on: input)
        case .appUnavailable(_, let reason): enter(.policy, "unavailable: \(reason)", on: input)
        case .appException(let call, _): enter(.calls, "an exception in \(call)", on: input)
        case .appMisdeclared(_, let key, let problem, _): enter(.declaration, "\(key): \(problem)", on: input)
        case .backgroundTaskBegan: enter(.backgroundTask, "held", on: input)
        case .backgroundTaskEnded: enter(.backgroundTask, "none", on: input)
        case .backgroundTaskExpired: enter(.backgroundTask, "expired", on: "time")
        case .playerCommand(let name, let item):
            if isUserActing {
                enter(.controls, name, on: "the user", item: item)
            } else {
                enter(.calls, name, on: input, item: item)
            }
            cause = name
        default: break
        }
    }

    private mutating func followPlatform(_ kind: EventKind) {
        switch kind {
        case .platformLifecycle(let phase):
            enter(.lifeCycle, phase, on: cause)
            caused(phase)
        case .platformBelief(let item, let hasVideo):
            enter(.mediaService, hasVideo ? "video" : "no video", on: cause, item: item)
            cause = "the media service"
        case .platformPaused(let item, let reason):
            enter(.mediaService, "pause, as \(reason)", on: cause, item: item)
            cause = "the platform's pause"
        case .platformRejected(let item, _):
            enter(.mediaService, "rejection", on: cause, item: item)
            cause = "the rejection"
        case .platformRoute(let route, _):
            enter(.route, route, on: cause)
            caused("route change")
        case .platformOutput(let isAudible, let reason):
            enter(.output, isAudible ? "audible" : "silenced, as \(reason)", on: cause)
            cause = "the platform's output"
        case .platformOtherAudio(let isPlaying, _):
            enter(.otherAudio, isPlaying ? "playing" : "none", on: cause)
            caused("other audio")
        default: break
        }
    }

    /// Records an event that an app may answer.
    private mutating func caused(_ name: String) { (cause, input) = (name, name) }

    // MARK: The player

    private mutating func followPlayer(_ kind: EventKind) {
        switch kind {
        case .playerTimeControl(let status, let reason):
            enter(.playback, reason.isEmpty ? status : "\(status) (\(reason))", on: cause)
        case .queueInserted: queue(queued + 1, on: cause)
        case .queueRemoved(_, let reason): queue(max(0, queued - 1), on: reason)
        case .queueEmptied(let reason): queue(0, on: reason)
        case .soundBegan(let item, _): enter(.audio, "audible", on: cause, item: item)
        case .soundEnded(let item, _, let reason):
            enter(.audio, "silent", on: reason, item: item)
        case .seekBegan(let item, _, _, _): enter(.seek, "seeking", on: cause, item: item)
        case .seekEnded(let item, _, let isFinished):
            enter(.seek, isFinished ? "finished" : "replaced", on: cause, item: item)
            cause = "seek ended"
        default: break
        }
    }

    private mutating func queue(_ count: Int, on cause: String?) {
        guard count != queued else { return }
        queued = count
        enter(.queue, count == 1 ? "1 item" : "\(count) items", on: cause)
    }

    private mutating func followItems(_ kind: EventKind) {
        switch kind {
        case .itemLoading(let item): enter(.item, "loading", on: cause, item: item)
        case .playlistLoaded: cause = "playlist"
        case .segmentLoaded(let item, _, _, _, _, _, _):
            cause = "segment"
            let state = states[Place(machine: .item, item: item)]
            guard state == nil || state == "loading" else { return }
            enter(.item, "first segment", on: cause, item: item)
        case .itemTracksKnown(let item, _, _):
            enter(.item, "tracks known", on: cause, item: item)
            caused("tracks known")
        case .itemReadyToPlay(let item, _):
            enter(.item, "ready", on: cause, item: item)
            caused("item ready")
        case .itemFailed(let item, _, _, _):
            enter(.item, "failed", on: cause, item: item)
            caused("item failed")
        case .itemPlayedToEnd(let item):
            enter(.item, "played to its end", on: "time", item: item)
            caused("end of the item")
        case .itemStalled(let item, _):
            enter(.buffer, "empty", on: "time", item: item)
            states[Place(machine: .buffer, item: nil)] = nil
            caused("stall")
        case .requestFailed: cause = "request failed"
        default: break
        }
    }

    // MARK: States

    private mutating func enter(
        _ machine: Transition.Machine,
        _ state: String,
        on cause: String?,
        item: String? = nil
    ) {
        let place = Place(machine: machine, item: machine == .item ? item : nil)
        let transition = Transition(
            machine,
            from: states[place] ?? machine.firstState,
            on: cause ?? "time",
            to: state,
            event: kind?.declaration.name ?? ""
        )
        states[place] = state
        trace.add(transition, at: now.seconds, item: item.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension TransitionTrace {
    /// The transitions of a run.
    package init(log: EventLog) {
        var recorder = TransitionRecorder()
        for event in log.events { recorder.follow(event) }
        self = recorder.trace
    }
}
