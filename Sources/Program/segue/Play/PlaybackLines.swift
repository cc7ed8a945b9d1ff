import SegueBase
import SegueEvents
import SegueSuite

/// The lines printed during playback.
struct PlaybackLines {
    /// The playlists that were printed; a live one is reloaded all the time.
    private var playlists: Set<String> = []

    /// Prints the line for an event, if it has one.
    mutating func tell(_ kind: EventKind, at now: Instant) {
        let declaration = kind.declaration
        guard declaration.level != .debug, !isBookkeeping(kind) else { return }
        if case .playlistLoaded(let item, let url, _, _) = kind, !playlists.insert("\(item) \(url)").inserted { return }
        let event = Event(at: now, kind)
        let mark = declaration.level == .error ? "!" : " "
        StandardOutput.write("\(column(now.seconds)) s \(mark) \(declaration.source.rawValue)  \(event.story)\n")
    }

    /// Returns whether an event is too frequent to print; the log has it.
    private func isBookkeeping(_ kind: EventKind) -> Bool {
        switch kind {
        case .requestBegan, .requestAnswered, .requestFinished, .accessLogEntry: true
        default: false
        }
    }

    private func column(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let fraction = String(thousandths % 1000)
        let text = "\(thousandths / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}

extension EventLog {
    /// The first error event; nil without one.
    var firstError: Event? { events.first { $0.kind.declaration.level == .error } }
}
