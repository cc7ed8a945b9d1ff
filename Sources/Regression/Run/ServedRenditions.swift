internal import Packager
internal import Player

/// Which renditions of a file are served, and why the others are not.
struct ServedRenditions {
    /// What is played: the whole where it is served, else the sound alone; nil where neither is.
    let item: ItemAddress?

    private let refused: [Rendition: Finding]

    init(_ presentation: Presentation, origin: ItemOrigin) {
        var refused: [Rendition: Finding] = [:]
        for rendition in Rendition.allCases {
            do throws(PackagingError) {
                _ = try presentation.rendition(rendition, in: presentation.preferredContainer(for: rendition))
            } catch {
                let message = "no \(rendition.rawValue) rendition: \(error.message)"
                refused[rendition] = Finding(rule: "refused", message: message)
            }
        }
        self.refused = refused
        let sound = refused[.background] == nil ? origin.playlist(of: .background) : nil
        if refused[.full] == nil {
            item = ItemAddress(full: origin.playlist(of: .full), background: sound)
        } else {
            item = sound.map { ItemAddress(full: $0, background: $0) }
        }
    }

    /// Why a file of which nothing is served is not.
    var refusals: [Finding] { Rendition.allCases.compactMap { refused[$0] } }

    /// The renditions that a scenario plays, as far as they are served: the sound alone in place of a whole that is not.
    func renditions(for scenario: Scenario) -> [Rendition] {
        let wanted = scenario.renditions.map { refused[$0] == nil ? $0 : .background }
        return Rendition.allCases.filter { wanted.contains($0) && refused[$0] == nil }
    }

    /// The refusals that a scenario meets.
    func refusals(for scenario: Scenario) -> [Finding] { scenario.renditions.compactMap { refused[$0] } }
}
