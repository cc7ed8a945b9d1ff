internal import SegueBase
internal import SegueEvents

extension RunTimeline.Mark {
    /// The mark of an event; nil for an event that a timeline omits or shows in another way.
    init?(_ event: Event) {
        let words: Words? =
            switch event.kind {
            case .playerCommand(let name, let item): RunTimeline.Mark.command(name, item)
            case .appDecided(_, let decision, let reason):
                ("the app decides: \(decision)\(reason.isEmpty ? "" : ", as \(reason)")", "", .decision)
            case .appUnavailable(_, let reason): ("the app cannot run here: \(reason)", "unavailable", .error)
            case .appMisdeclared(_, _, let problem, let fix): ("\(problem): \(fix)", "misdeclared", .error)
            case .platformOutput(let isAudible, let reason):
                isAudible
                    ? ("the app's audio is audible again", "audible", .step)
                    : ("the platform silences the app: \(reason)", "silenced", .decision)
            case .platformOtherAudio(let isPlaying, _):
                ("another app's audio \(isPlaying ? "begins" : "ends")", "other audio", .step)
            case .platformOtherAudioDucked(let isDucked):
                ("another app's audio becomes \(isDucked ? "quieter" : "as loud as before")", "", .detail)
            case .appTerminated("crash", let reason): ("the app crashes: \(reason)", "crash", .error)
            case .appTerminated(_, let reason): ("the platform terminates the app: \(reason)", "terminated", .error)
            case .backgroundTaskExpired: ("the app's background task expired", "task expires", .error)
            case .platformPaused(let item, let reason):
                ("the platform pauses \(item): \(reason)", "platform pauses", .decision)
            case .platformRejected(let item, let reason):
                ("the platform rejects \(item): \(reason)", "\(item) is rejected", .error)
            case .platformLifecycle(let phase): RunTimeline.Mark.phase(phase)
            case .pictureQueued(let item, let frames): ("the layer has queued \(frames) frames of \(item)", "", .detail)
            case .pictureHurried(_, let frames, let speed):
                (
                    "the layer shows \(frames) queued frames, \(RunTimeline.Mark.short(speed)) times as fast",
                    "hurried video", .error
                )
            case .itemReadyToPlay(let item, _): ("\(item) is ready to play", "\(item) is ready", .step)
            case .itemFailed(let item, _, _, let message): ("\(item) fails: \(message)", "\(item) fails", .error)
            case .itemPlayedToEnd(let item): ("\(item) has played to its end", "end", .step)
            case .itemStalled(let item, _): ("\(item) stalls: its buffer is empty", "stall", .error)
            case .playlistVariantChosen(_, _, let bandwidth):
                ("a variant of \(bandwidth / 1000) kbit/s is chosen", "", .detail)
            case .seekEnded(_, let position, let isFinished):
                isFinished ? ("the seek ended at \(RunTimeline.Mark.short(position)) s", "", .detail) : nil
            case .finding(let rule, let message): ("finding \(rule): \(message)", rule, .error)
            case .requestFailed(_, let reason, _): ("a request fails: \(reason)", "", .detail)
            case .playerTimeControl, .segmentLoaded, .itemFailedToPlayToEnd, .errorLogEntry, .originServed,
                .originMeasured, .accessRefused:
                nil
            default: RunTimeline.Mark.other(event)
            }
        guard let words else { return nil }
        self.init(at: event.at.seconds, label: words.label, short: words.short, weight: words.weight)
        switch event.kind {
        case .platformRejected: kind = .rejection
        case .itemStalled: kind = .stall
        default: break
        }
    }

    private typealias Words = (label: String, short: String, weight: Weight)

    private static func command(_ name: String, _ item: String) -> Words? {
        switch name {
        case "insert", "open": nil
        case "play", "playImmediately": ("\(name) is called\(item.isEmpty ? "" : " for \(item)")", name, .decision)
        default: ("\(name) is called\(item.isEmpty ? "" : " for \(item)")", name, .step)
        }
    }

    private static func phase(_ name: String) -> Words? {
        switch name {
        case "willResignActive": ("the user leaves the app", "user leaves", .step)
        case "didEnterBackground": ("the app is in the background", "", .detail)
        case "suspended": ("the app is suspended", "suspended", .decision)
        case "willEnterForeground": ("the user returns", "user returns", .step)
        default: nil
        }
    }

    /// The mark of any other event of notice level or above.
    private static func other(_ event: Event) -> Words? {
        switch event.kind.declaration.level {
        case .debug, .info: return nil
        case .notice, .warning, .error:
            let record = event.kind.record
            let values = record.fields.map { field -> String in
                if case .text(let text) = field.value { return text }
                return field.value.json
            }
            let words = ([record.name] + values.filter { !$0.isEmpty }).joined(separator: ", ")
            return (words, "", event.kind.declaration.level == .error ? .error : .detail)
        }
    }

    private static func short(_ value: Double) -> String { DecimalText.short(value, places: 3) }
}
