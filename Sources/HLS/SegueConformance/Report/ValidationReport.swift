/// The result of a validation, for people and for programs.
package struct ValidationReport: Sendable {
    /// The amount of data that the validation read.
    package struct Extent: Sendable {
        package var playlists: Int
        package var segments: Int
        package var bytes: Int

        package init(playlists: Int, segments: Int, bytes: Int) {
            (self.playlists, self.segments, self.bytes) = (playlists, segments, bytes)
        }
    }

    /// The playlist as the user named it.
    package let place: String
    /// The findings that count, one for each cause.
    package let found: [FindingGroup]
    /// The findings that only Apple's authoring specification requires to be fixed, while its profile is not chosen.
    package let uncounted: [FindingGroup]
    /// The waived findings, each with its waiver.
    package let waived: [(finding: BrokenRule, waiver: Waiver)]
    /// The waivers that match no finding.
    package let unused: [Waiver]
    /// Sentences about resources that were not checked.
    package let leftOut: [String]
    let extent: Extent

    /// A report.
    ///
    /// - Parameters:
    ///   - place: The playlist as the user named it.
    ///   - profile: The texts whose requirements count.
    ///   - waivers: The accepted findings; the first matching waiver applies.
    ///   - extent: The amount of data that the validation read.
    ///   - leftOut: Sentences about resources that were not checked.
    package init(
        place: String,
        findings: [BrokenRule],
        profile: Profile = .all,
        waivers: [Waiver],
        extent: Extent,
        leftOut: [String] = []
    ) {
        (self.place, self.leftOut, self.extent) = (place, leftOut, extent)
        let all = findings.map { finding in (finding, waivers.first { $0.covers(finding) }) }
        let judged = all.filter { $0.0.rule.severity(in: profile) != nil }
        found = FindingGroup.groups(judged.filter { $0.1 == nil }.map(\.0), in: profile)
        uncounted = FindingGroup.groups(
            all.filter { $0.1 == nil && $0.0.rule.severity(in: profile) == nil }.map(\.0),
            in: .all
        )
        waived = judged.compactMap { finding, waiver in waiver.map { (finding, $0) } }
        let used = Set(all.compactMap(\.1))
        unused = waivers.filter { !used.contains($0) }
    }

    /// Returns true if a finding has at least the severity.
    package func holds(_ severity: Severity) -> Bool { found.contains { $0.severity >= severity } }
}
