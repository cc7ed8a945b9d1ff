package import SegueBase
package import SegueData
internal import SegueEvents
package import SeguePackager
internal import SeguePlayerModel

/// A script of user actions on a player, with the needs of its content.
package struct Scenario: Sendable {
    /// The properties that a file must have for the scenario.
    package struct Needs: Sendable, Equatable {
        /// At least one audio track.
        package var audio = false
        /// At least one video track.
        package var video = false
        /// The minimum duration in seconds.
        package var seconds = Rational.zero
        /// More than one segment, so that a seek can leave the current one.
        package var seekable = false
        /// The minimum number of items, for runs with a list.
        package var items = 1
    }

    /// A sequence of steps, in parallel with those of other tracks.
    package struct Track: Sendable, Equatable {
        /// The name; empty for the scenario's own steps.
        package let name: String
        /// The steps, at least one.
        package let steps: [Step]
    }

    package let name: String

    /// A description in a sentence.
    package let about: String

    /// The default platform; nil if one must be named.
    package let platform: String?

    /// The default platform of a suite of titles only; nil if one must be named.
    package let titlesPlatform: String?

    package let needs: Needs

    /// The server's time for each request, in virtual time.
    package let think: Duration

    /// The time limit of steps without their own.
    package let within: Duration

    /// The rules that the scenario breaks on purpose.
    package let withoutRules: [String]

    /// The named expressions.
    let definitions: [Definition]

    /// The tracks; the scenario's own steps first.
    package internal(set) var tracks: [Track]

    func with(tracks: [Track]) -> Scenario {
        var other = self
        other.tracks = tracks
        return other
    }

    /// The scenario's own steps.
    package var steps: [Step] { tracks.first?.steps ?? [] }

    private var acts: [Act] { tracks.flatMap { $0.steps.compactMap(\.act) } }

    package var hasBackground: Bool { acts.contains(.background) || acts.contains(.lock) }

    /// True if it changes the network or adds request faults, which only a simulated network supports.
    package var changesNetwork: Bool {
        acts.contains(where: \.isOfNetwork)
    }

    /// True if errors are part of it.
    package var expectsErrors: Bool { withoutRules.contains(Scenario.errorRule) }

    /// The rule that finds errors.
    static let errorRule = "unexpected-error"

    /// The platform of a run: the named one, otherwise the scenario's own.
    ///
    /// - Throws: ``HarnessError`` if there is neither.
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
