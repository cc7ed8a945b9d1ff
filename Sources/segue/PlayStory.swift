import Regression
import Timeline

/// What a person reads while something is played.
enum PlayStory {
    /// One line for an event; nothing for those that only a log wants.
    static func tell(_ kind: EventKind, at now: Instant) {
        let about = kind.about
        guard about.level != .debug, !isBookkeeping(kind) else { return }
        let event = Event(at: now, kind)
        let mark = about.level == .error ? "!" : " "
        StandardOutput.write("\(column(now.seconds)) s \(mark) \(about.source.rawValue)  \(event.story)\n")
    }

    /// Why it failed, in one line.
    static func reason(_ failure: Event) -> String {
        switch failure.kind {
        case .itemFailed(let item, _, _, let message), .itemFailedToPlayToEnd(let item, let message):
            "\(item) failed: \(message)"
        case .platformRejected(let item, let reason): "\(item) was rejected: \(reason)"
        default: failure.story
        }
    }

    /// What was measured, in one line.
    static func summary(_ metrics: CaseMetrics) -> String {
        var parts = ["heard \(number(metrics.heardSeconds)) s"]
        if let startup = metrics.startupSeconds { parts.append("started after \(number(startup)) s") }
        if let stalls = metrics.stalls {
            let length = metrics.stallSeconds.map { stalls > 0 ? " (\(number($0)) s)" : "" } ?? ""
            parts.append("\(stalls) stall\(stalls == 1 ? "" : "s")\(length)")
        }
        if let background = metrics.background { parts.append("in the background: \(background)") }
        if let gap = metrics.switchGapSeconds { parts.append("\(number(gap)) s of silence at the switch") }
        if let bytes = metrics.bytes { parts.append("\(bytes) bytes") }
        return parts.joined(separator: ", ")
    }

    /// Every request and segment would drown the story; the log has them.
    private static func isBookkeeping(_ kind: EventKind) -> Bool {
        switch kind {
        case .requestBegan, .requestAnswered, .requestFinished, .accessLogEntry: true
        default: false
        }
    }

    private static func number(_ value: Double) -> String { EventValue.number((value * 1000).rounded() / 1000).json }

    private static func column(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let fraction = String(thousandths % 1000)
        let text = "\(thousandths / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}
