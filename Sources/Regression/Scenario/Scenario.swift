package import Packager
package import Timeline

/// A script of what a user does with a player, and what a file needs for it.
package struct Scenario: Sendable, Equatable {
    /// One thing to do or to wait for.
    package enum Step: Sendable, Equatable {
        /// Puts an item into the empty queue.
        case open(Rendition)
        case play
        case pause
        /// Goes to a position, exactly.
        case seek(Rational)
        /// Goes to the background.
        case background
        /// Comes back to the foreground.
        case foreground
        /// Until so much has been heard since the step began, or this share of the item, or the item ends.
        case hear(seconds: Rational?, share: Rational?)
        /// Until so much time has passed, or the item ends.
        case stay(seconds: Rational)
    }

    /// What a file must have for the scenario to make sense.
    package struct Needs: Sendable, Equatable {
        /// At least one sound track.
        package var sound = false
        /// At least one moving picture.
        package var picture = false
        /// At least so long, in seconds.
        package var seconds = Rational.zero
    }

    /// The name by which it is asked for.
    package let name: String

    /// What it shows, in a sentence.
    package let about: String

    /// The platform where none is named.
    package let platform: String

    /// What a file must have.
    package let needs: Needs

    /// How long the server takes for each request, in virtual time.
    package let think: Duration

    /// What is done, in order; at least one.
    package let steps: [Step]

    /// Whether the app goes to the background.
    package var hasBackground: Bool { steps.contains(.background) }

    /// The renditions whose content the scenario delivers.
    package var renditions: [Rendition] {
        var renditions: [Rendition] = []
        for case .open(let rendition) in steps where !renditions.contains(rendition) { renditions.append(rendition) }
        if hasBackground, !renditions.contains(.background) { renditions.append(.background) }
        return renditions
    }
}

extension Scenario.Step: CustomStringConvertible {
    package var description: String {
        switch self {
        case .open(let rendition): "open \(rendition.rawValue)"
        case .play: "play"
        case .pause: "pause"
        case .seek(let target): "seek to \(target.seconds) s"
        case .background: "background"
        case .foreground: "foreground"
        case .hear(nil, nil): "hear the rest"
        case .hear(let seconds?, nil): "hear \(seconds.seconds) s"
        case .hear(nil, let share?): "hear \(share) of the item"
        case .hear(let seconds?, let share?): "hear \(seconds.seconds) s or \(share) of the item"
        case .stay(let seconds): "stay \(seconds.seconds) s"
        }
    }
}
