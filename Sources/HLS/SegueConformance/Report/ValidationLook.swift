/// The result of one look at a presentation, before a profile and waivers apply.
package struct ValidationLook: Sendable {
    package var findings: [BrokenRule]
    /// The amount of data that was read.
    package var extent: ValidationReport.Extent
    /// Sentences about resources that were not checked.
    package var leftOut: [String]

    /// A look; by default, at nothing.
    package init(
        findings: [BrokenRule] = [],
        extent: ValidationReport.Extent = ValidationReport.Extent(playlists: 0, segments: 0, bytes: 0),
        leftOut: [String] = []
    ) {
        (self.findings, self.extent, self.leftOut) = (findings, extent, leftOut)
    }
}
