/// Something about a session that holds or not: what a step waits for, or what it expects.
package indirect enum Condition: Sendable, Equatable {
    case number(NumberSubject, Comparison)
    /// One of some words.
    case word(WordSubject, [String])
    case flag(FlagSubject, Bool)
    /// How many events there were, since the beginning or since a labelled step began.
    case events(EventMatch, Comparison, since: String?)
    case all([Condition])
    case any([Condition])
    case not(Condition)

    /// A number of a session that conditions and expressions can name.
    package enum NumberSubject: String, Sendable, CaseIterable {
        // Of the current item.
        case position, duration, buffered
        // Of the player.
        case rate, queue, item, heard, played, time
        // Of the item that is loaded ahead.
        case preloaded
        // Of the logs of the current item, or of the last one where there is none.
        case stalls, requests, segments, bytes, watched, downloaded, overdue, entries, errors, code
        case httpStatus = "http-status"
        // Of all items of the same title as that one.
        case failures
    }

    /// A text of a session.
    package enum WordSubject: String, Sendable, CaseIterable {
        case status
        case timeControl = "time-control"
        case waitingFor = "waiting-for"
        case phase
        case rendition
        /// A part of what the item failed with, or of the last entry of its error log.
        case error

        /// The words that it can be; nil for any.
        var choices: [String]? {
            switch self {
            case .status: ["unknown", "readyToPlay", "failed", "none"]
            case .timeControl: ["paused", "waiting", "playing"]
            case .rendition: ["full", "background", "none"]
            // An empty text is a player that waits for nothing.
            case .waitingFor:
                EventCatalogue.declaration(of: "player.timeControl")?.words["waitingFor"]?.filter { !$0.isEmpty }
            case .phase: EventCatalogue.declaration(of: "platform.lifecycle")?.words["phase"]
            case .error: nil
            }
        }
    }

    /// Something of a session that is so or not.
    package enum FlagSubject: String, Sendable, CaseIterable {
        case video, audio
        case likelyToKeepUp = "likely-to-keep-up"
        case bufferEmpty = "buffer-empty"
        case bufferFull = "buffer-full"
        /// Whether sound is heard.
        case audible
        /// Whether the platform holds the player paused.
        case held
        /// Whether the queue has played to its end.
        case finished
    }
}

extension Condition: CustomStringConvertible {
    package var description: String {
        switch self {
        case .number(let subject, let comparison): "\(subject.rawValue) \(comparison)"
        case .word(let subject, let words): "\(subject.rawValue) \(words.joined(separator: " or "))"
        case .flag(let subject, let value): "\(value ? "" : "not ")\(subject.rawValue)"
        case .events(let match, let count, let since):
            "\(count) of \(match)\(since.map { " since \($0)" } ?? "")"
        case .all(let parts): parts.map(\.description).joined(separator: ", ")
        case .any(let parts): parts.map { "(\($0))" }.joined(separator: " or ")
        case .not(let part): "not (\(part))"
        }
    }
}
