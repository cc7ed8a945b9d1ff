internal import HLS

/// Holds playlists against every rule.
package enum Validator {
    /// Every rule, in the order in which they are documented.
    package static var rules: [Rule] {
        (SyntaxRules.all + VersionRules.all).map(\.rule) + [readable.rule] + ofDocument.map(\.rule)
            + ofMedia.map(\.rule) + ofMultivariant.map(\.rule) + HTTPRules.all.map(\.rule)
            + ReferenceRules.all.map(\.rule)
            + ofPresentation.map(\.rule)
    }

    private static let ofDocument = MediaRules.all + TagRules.all + CachingRules.ofPlaylist
    /// What is said of all that HTTP delivered, together.
    private static let ofPresentation = CrossOriginRules.ofPresentation + PresentationRules.all
    private static let ofMedia =
        SegmentRules.all + DurationRules.all + SubtitleRules.ofMedia + IFrameRules.ofMedia + TransportRules.all
        + MovieRules.all + CachingRules.ofMedia
    private static let ofMultivariant =
        VariantRules.all + RateRules.all + CombinationRules.all + IFrameRules.all + SubtitleRules.all
        + RenditionRules.all
        + GroupRules.all

    /// What no other rule names, and players refuse nevertheless.
    static let readable = Check<PlaylistDocument>(
        Rule("playlist-readable", "R4, R6.3.2", .must, "a strict parser takes the playlist")
    ) { document in
        document.refusal.map { [Violation(document.place(line: $0.line), $0.message)] } ?? []
    }

    /// What a media playlist, with what it leads to, breaks.
    package static func findings(_ subject: MediaSubject) -> [BrokenRule] {
        ofMediaAlone(subject) + ofPresentation.flatMap { $0.findings(subject.answers) }
    }

    private static func ofMediaAlone(_ subject: MediaSubject) -> [BrokenRule] {
        var found = findings(of: subject.document, ofMultivariant: false)
        found += ofMedia.flatMap { $0.findings(subject) }
        return found + subject.resources.flatMap { facts in HTTPRules.all.flatMap { $0.findings(facts) } }
    }

    /// What a multivariant playlist and all that it leads to break.
    package static func findings(_ subject: MultivariantSubject) -> [BrokenRule] {
        let media = subject.media + subject.iFrames
        let answers = (subject.document.http.map { [$0] } ?? []) + media.flatMap(\.subject.answers)
        return findings(of: subject.document, ofMultivariant: true) { ofMultivariant.flatMap { $0.findings(subject) } }
            + media.flatMap { ofMediaAlone($0.subject) } + ofPresentation.flatMap { $0.findings(answers) }
    }

    /// What a playlist breaks as text; the strict parser is only asked when no other rule has found why it refuses.
    private static func findings(
        of document: PlaylistDocument,
        ofMultivariant: Bool,
        _ others: () -> [BrokenRule] = { [] }
    ) -> [BrokenRule] {
        var found = (document.http.map { facts in HTTPRules.all.flatMap { $0.findings(facts) } } ?? [])
        guard !HTTPRules.isUseless(found) else { return found }
        found += (SyntaxRules.all + VersionRules.all + ReferenceRules.all).flatMap { $0.findings(document) }
        found += (ofMultivariant ? [] : ofDocument).flatMap { $0.findings(document) } + others()
        let isExplained = found.contains { $0.rule.severity() == .must }
        return found + (isExplained ? [] : readable.findings(document))
    }
}
