package import SegueBase
package import SegueData
internal import SegueEvents
package import SeguePackager
internal import SeguePlayerModel

/// A script of what a user does with a player, and what a file needs for it.
package struct Scenario: Sendable {
    /// What a file must have for the scenario to make sense.
    package struct Needs: Sendable, Equatable {
        /// At least one sound track.
        package var sound = false
        /// At least one moving picture.
        package var picture = false
        /// At least so long, in seconds.
        package var seconds = Rational.zero
        /// More than one segment, so that a seek can leave the one that plays.
        package var seekable = false
        /// At least so many items, where the run is given a list of them.
        package var items = 1
    }

    /// Steps that are done one after the other, beside those of other tracks.
    package struct Track: Sendable, Equatable {
        /// Its name; empty for the scenario's own steps.
        package let name: String
        /// Its steps, at least one.
        package let steps: [Step]
    }

    /// The name by which it is asked for.
    package let name: String

    /// What it shows, in a sentence.
    package let about: String

    /// The platform where none is named; nil where one must be.
    package let platform: String?

    /// What a file must have.
    package let needs: Needs

    /// How long the server takes for each request, in virtual time.
    package let think: Duration

    /// How long a step may wait that names no bound of its own.
    package let within: Duration

    /// The rules that it breaks on purpose.
    package let withoutRules: [String]

    /// Names with the values that they stand for, wherever they are asked for.
    let definitions: [Definition]

    /// What is done; the scenario's own steps first.
    package internal(set) var tracks: [Track]

    /// The same with other steps.
    func with(tracks: [Track]) -> Scenario {
        var other = self
        other.tracks = tracks
        return other
    }

    /// The scenario's own steps.
    package var steps: [Step] { tracks.first?.steps ?? [] }

    /// What is done, in all tracks.
    private var acts: [Act] { tracks.flatMap { $0.steps.compactMap(\.act) } }

    /// Whether the app goes to the background.
    package var hasBackground: Bool { acts.contains(.background) || acts.contains(.lock) }

    /// Whether it changes the network, or has requests go wrong, which a simulated one can do alone.
    package var changesNetwork: Bool {
        acts.contains(where: \.isOfNetwork)
    }

    /// Whether errors are part of it.
    package var expectsErrors: Bool { withoutRules.contains(Scenario.errorRule) }

    /// The rule by which errors are looked for.
    static let errorRule = "unexpected-error"

    /// The platform of a run.
    ///
    /// - Parameter named: The platform that the run names; nil where it names none.
    /// - Returns: That, or the scenario's own.
    /// - Throws: ``HarnessError`` where neither names one.
    package func platform(or named: String?) throws(HarnessError) -> String {
        guard let platform = named ?? platform else {
            throw HarnessError(
                file: name,
                key: "platform",
                message: "is missing; name one in the scenario, or with --platform"
            )
        }
        return platform
    }

    /// The renditions whose content the scenario delivers.
    package var renditions: [Rendition] {
        var renditions: [Rendition] = []
        for act in acts {
            guard let items = act.opened, items.url == nil else { continue }
            let rendition: Rendition = items.rendition == .background ? .background : .full
            if !renditions.contains(rendition) { renditions.append(rendition) }
        }
        if hasBackground, !renditions.contains(.background) { renditions.append(.background) }
        return renditions
    }
}
