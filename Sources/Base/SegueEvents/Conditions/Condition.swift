/// A condition on a session, for which a step waits or which it expects.
package indirect enum Condition: Sendable, Equatable {
    case number(NumberSubject, Comparison)
    /// A text that is one of some words.
    case word(WordSubject, [String])
    case flag(FlagSubject, Bool)
    /// The number of events since the beginning or since a labeled step.
    case events(EventMatch, Comparison, since: String?)
    case all([Condition])
    case any([Condition])
    case not(Condition)

    /// A number of a session, for conditions and expressions.
    package enum NumberSubject: String, Sendable, CaseIterable {
        // The current item
        case position, duration, buffered
        // The player
        case rate, queue, item, heard, played, time
        // The preloaded item
        case preloaded
        // The logs of the current item, or of the last one
        case stalls, requests, segments, bytes, watched, downloaded, overdue, entries, errors, code
        case httpStatus = "http-status"
        // All items with the title of that item
        case failures
    }

    /// A text of a session.
    package enum WordSubject: String, Sendable, CaseIterable {
        case status
        case timeControl = "time-control"
        case waitingFor = "waiting-for"
        case phase
        case rendition
        /// A part of the item's error, or of the last entry of its error log.
        case error

        /// The possible words; nil for any text.
        var choices: [String]? {
            switch self {
            case .status: ["unknown", "readyToPlay", "failed", "none"]
            case .timeControl: ["paused", "waiting", "playing"]
            case .rendition: ["full", "background", "none"]
            // An empty text is a player that does not wait.
            case .waitingFor:
                EventCatalogue.declaration(of: "player.timeControl")?.words["waitingFor"]?.filter { !$0.isEmpty }
            case .phase: EventCatalogue.declaration(of: "platform.lifecycle")?.words["phase"]
            case .error: nil
            }
        }
    }

    /// A Boolean of a session.
    package enum FlagSubject: String, Sendable, CaseIterable {
        case video, audio
        case likelyToKeepUp = "likely-to-keep-up"
        case bufferEmpty = "buffer-empty"
        case bufferFull = "buffer-full"
        /// True if audio is audible.
        case audible
        /// True if the platform holds the player paused.
        case held
        /// True if the queue has played to its end.
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
