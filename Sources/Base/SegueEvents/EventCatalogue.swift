/// All kinds of events.
package enum EventCatalogue {
    /// One event of each kind, in the order of the documentation, with empty values.
    package static let examples: [EventKind] = orderedNames.map { name in
        do {
            return try EventKind(blank: name)
        } catch {
            preconditionFailure("\(name) is not the name of an event: \(error)")
        }
    }

    private static let orderedNames = [
        "case.began", "case.ended", "step.began", "finding", "platform.lifecycle", "platform.paused",
        "platform.rejected", "platform.belief", "platform.route", "platform.output", "platform.otherAudio",
        "platform.otherAudioDucked", "platform.remoteCommand", "app.noted", "app.decided", "app.unavailable",
        "app.exception", "app.misdeclared",
        "app.terminated", "background.taskBegan", "background.taskEnded", "background.taskExpired", "player.command",
        "player.rate", "player.timeControl", "queue.inserted", "queue.refused", "queue.removed", "queue.current",
        "queue.emptied", "item.loading", "item.tracksKnown", "item.mediaTypesAvailable", "item.startMoved",
        "item.trackUnchanged", "item.readyToPlay", "item.durationKnown", "item.failed",
        "item.showsFailure", "item.playedToEnd", "item.failedToPlayToEnd", "item.stalled", "item.timeJumped",
        "buffer.empty", "buffer.likelyToKeepUp", "buffer.full", "seek.began", "seek.ended", "sound.began",
        "sound.ended", "picture.began", "picture.ended", "picture.queued", "picture.hurried", "interstitial.began",
        "interstitial.assetBegan",
        "interstitial.failed", "interstitial.ended", "scan.began", "scan.frame", "scan.ended", "scan.refused",
        "playlist.loaded", "playlist.variantChosen", "segment.loaded", "stream.state", "stream.title",
        "access.logEntry", "error.logEntry", "request.began", "request.answered", "request.finished", "request.failed",
        "request.cancelled", "link.opened", "link.closed", "link.failed", "link.request", "link.unread",
        "link.bypassed", "link.fault", "link.changed", "link.lateness", "origin.served", "access.refused",
        "origin.measured",
    ]

    /// The names of all kinds in logs.
    package static let names = Set(orderedNames)

    private static let declarations = Dictionary(
        uniqueKeysWithValues: examples.map { ($0.name, $0.declaration) }
    )

    /// The declaration of the kind with a name; nil for an unknown name.
    package static func declaration(of name: String) -> EventDeclaration? { declarations[name] }

    /// The page of documentation, as Markdown.
    package static var markdown: String {
        var page = """
            # Events

            A log holds one JSON object per line, ordered by time. Each has `t` (seconds since the run began, with microseconds),
            `source`, `kind`, `level`, and the fields of its kind. `segue events` generates this page.

            | kind | source | level | fields | meaning |
            |---|---|---|---|---|

            """
        for example in examples {
            let declaration = example.declaration
            let fields = example.record.fields.map { "`\($0.name)` \($0.value.typeName)" }.joined(separator: ", ")
            page +=
                "| `\(declaration.name)` | \(declaration.source.rawValue) | \(declaration.level.rawValue) | \(fields)"
            page += " | \(declaration.meaning) |\n"
        }
        return page
    }
}

extension EventValue {
    fileprivate var typeName: String {
        switch self {
        case .text: "text"
        case .integer: "whole number"
        case .number: "number"
        case .flag: "true or false"
        }
    }
}
