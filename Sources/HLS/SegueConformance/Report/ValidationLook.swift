/// What one look at a presentation found, before a profile and waivers say what of it counts.
package struct ValidationLook: Sendable {
    /// What was found.
    package var findings: [BrokenRule]
    /// How many playlists were looked into.
    package var playlists: Int
    /// How many segments were.
    package var segments: Int
    /// How many bytes all of that was.
    package var bytes: Int
    /// What was not looked at, and why, in sentences.
    package var leftOut: [String]

    /// A look; one at nothing where nothing is said.
    package init(
        findings: [BrokenRule] = [],
        playlists: Int = 0,
        segments: Int = 0,
        bytes: Int = 0,
        leftOut: [String] = []
    ) {
        (self.findings, self.playlists, self.segments) = (findings, playlists, segments)
        (self.bytes, self.leftOut) = (bytes, leftOut)
    }
}
