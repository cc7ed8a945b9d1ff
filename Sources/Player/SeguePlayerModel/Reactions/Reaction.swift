package import SegueEvents

/// A rule of an app: what it does when something comes to be so.
package struct Reaction: Sendable, Equatable {
    /// Its name, or its number in the file, from 1.
    package let name: String

    /// What must come to hold.
    package let condition: Condition

    /// How long it must go on holding, in seconds, before the app acts; nil for no time at all.
    package let after: Expression?

    /// Whether the app acts the first time only, and not each time that the condition comes to hold.
    package let isOnce: Bool

    /// What the app does, in order; at least one.
    package let acts: [Act]

    /// Something that it does.
    package enum Act: Sendable, Equatable {
        /// What every app's code can do with its player.
        case player(PlayerAct)
        /// Goes over to a rendition of the current item at its playhead.
        case goOver(ItemRendition)
        /// Loads an item of another rendition at the playhead of the current one.
        case preload(ItemRendition)
        /// Makes the current item again, where it was.
        case makeAgain
        case beginTask, endTask
        /// Notes values under names.
        case note([Definition])
    }

    /// What it does, as a log tells it.
    var decision: String { "\(name): " + acts.map(\.description).joined(separator: ", ") }

    /// Whether a decision, as a log tells it, is that of a rule that puts other titles into the queue, and not an item in
    /// the place of another one.
    static func opensOthers(_ decision: String) -> Bool {
        guard let begin = decision.firstRange(of: ": ")?.upperBound else { return false }
        return decision[begin...].split(separator: ", ").contains { $0.hasPrefix("open ") || $0.hasPrefix("insert ") }
    }

    /// Why, as a log tells it.
    var reason: String { condition.description + (after.map { ", for \($0) s" } ?? "") }
}

extension Reaction.Act: CustomStringConvertible {
    package var description: String {
        switch self {
        case .player(let act): act.description
        case .goOver(let rendition): "switch to the \(rendition.rawValue) rendition"
        case .preload(let rendition): "load the \(rendition.rawValue) rendition"
        case .makeAgain: "make the item again"
        case .beginTask: "begin a background task"
        case .endTask: "end the background task"
        case .note(let definitions): "let " + definitions.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
        }
    }
}
