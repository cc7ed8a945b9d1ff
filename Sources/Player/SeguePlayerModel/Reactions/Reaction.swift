package import SegueEvents

/// A rule of an app: acts to perform when a condition becomes true.
package struct Reaction: Sendable, Equatable {
    /// The rule's name, or its number in the file, from 1.
    package let name: String

    package let condition: Condition

    /// The number of seconds for which the condition must stay true before the app acts; nil for none.
    package let after: Expression?

    /// True if the app acts only the first time that the condition becomes true.
    package let isOnce: Bool

    /// The acts, in order; at least one.
    package let acts: [Act]

    package enum Act: Sendable, Equatable {
        /// An act that any app's code can perform on its player.
        case player(PlayerAct)
        /// Switches to a rendition of the current item at its playhead.
        case switchRendition(ItemRendition)
        /// Loads an item of another rendition at the playhead of the current one.
        case preload(ItemRendition)
        /// Recreates the current item at its position.
        case makeAgain
        case beginTask, endTask
        /// Stores values under names.
        case note([Definition])
    }

    /// The acts, as text for the log.
    var decision: String { "\(name): " + acts.map(\.description).joined(separator: ", ") }

    /// True if it ends playback.
    var endsPlayback: Bool {
        acts.contains { act in
            switch act {
            case .player(.pause), .player(.removeAll): true
            default: false
            }
        }
    }

    /// Returns whether a decision in a log is that of a rule that queues other titles, and not a replacement of an
    /// item.
    static func opensOthers(_ decision: String) -> Bool {
        guard let begin = decision.firstRange(of: ": ")?.upperBound else { return false }
        return decision[begin...].split(separator: ", ").contains { $0.hasPrefix("open ") || $0.hasPrefix("insert ") }
    }

    /// The condition, as text for the log.
    var reason: String { condition.description + (after.map { ", for \($0) s" } ?? "") }
}

extension Reaction.Act: CustomStringConvertible {
    package var description: String {
        switch self {
        case .player(let act): act.description
        case .switchRendition(let rendition): "switch to the \(rendition.rawValue) rendition"
        case .preload(let rendition): "load the \(rendition.rawValue) rendition"
        case .makeAgain: "recreate the item"
        case .beginTask: "begin a background task"
        case .endTask: "end the background task"
        case .note(let definitions): "let " + definitions.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
        }
    }
}

extension AppProfile {
    /// The decisions in a log with which the app's own rules end playback.
    package var endingDecisions: Set<String> { Set(reactions.filter(\.endsPlayback).map(\.decision)) }
}
