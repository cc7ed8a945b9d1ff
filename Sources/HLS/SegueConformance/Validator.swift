internal import SeguePlaylists

/// Holds playlists against every rule.
package enum Validator {
    /// Every rule, in the order in which they are documented.
    package static var rules: [Rule] {
        ofText.map(\.rule) + [readable.rule, useless] + ofDocument.map(\.rule) + ofMedia.map(\.rule)
            + ofMultivariant.map(\.rule) + HTTPRules.all.map(\.rule) + ReferenceRules.all.map(\.rule)
            + ofPresentation.map(\.rule)
    }

    /// The rules that any playlist's text is held against.
    private static let ofText =
        SyntaxRules.all + VersionRules.all + AttributeRules.all + DefineRules.all + KeyRules.all + DateRangeRules.all
        + SpliceRules.all
        + TimeRules.all + PartRules.all + ServerControlRules.all + MemberRules.all + VariantTextRules.all
        + AuthoringRules.all
        + CodecRules.all

    private static let ofDocument = MediaRules.all + TagRules.all + CachingRules.ofPlaylist
    /// What is said of all that HTTP delivered, together.
    private static let ofPresentation = CrossOriginRules.ofPresentation + PresentationRules.all
    private static let ofMedia =
        SegmentRules.all + DurationRules.all + BitrateRules.all + SubtitleRules.ofMedia + IFrameRules.ofMedia
        + TransportRules.all + MovieRules.all + FaultRules.all + ContentRules.all + TimelineRules.ofMedia
        + DecodedRules.ofMedia
        + StreamRules.ofMedia + EncryptionRules.all + CachingRules.ofMedia
    private static let ofMultivariant =
        VariantRules.all + SteeringRules.all + RateRules.all + CombinationRules.all + IFrameRules.all
        + SubtitleRules.all
        + RenditionRules.all + GroupRules.all + ChildRules.all + StreamRules.all + TimelineRules.all
        + DecodedRules.all

    /// What no other rule names, and players refuse nevertheless.
    static let readable = Check<PlaylistDocument>(
        Rule("playlist-readable", "R4, R6.3.1, B4, B6.3.1", .must, "a strict parser takes the playlist")
    ) { document in
        document.refusal.map { [Violation(document.place(line: $0.line), $0.message)] } ?? []
    }

    /// What leads to nothing.
    static let useless = Rule("playlist-names", "own", .advice, "a playlist names variants or segments")

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

    /// What a playlist breaks as text.
    ///
    /// Of what is not there, or is no playlist, nothing else is derived.
    private static func findings(
        of document: PlaylistDocument,
        ofMultivariant: Bool,
        _ others: () -> [BrokenRule] = { [] }
    ) -> [BrokenRule] {
        let delivery = delivery(of: document)
        guard !HTTPRules.isUseless(delivery) else { return delivery }
        if let absence = document.absence {
            return delivery + [BrokenRule(rule: HTTPRules.resolves.rule, place: document.place(), message: absence)]
        }
        guard MistakenPlaylist.words(document.bytes) == nil else {
            return delivery + SyntaxRules.firstLine.findings(document)
        }
        let found =
            (ofText + ReferenceRules.all).flatMap { $0.findings(document) }
            + (ofMultivariant ? [] : ofDocument).flatMap { $0.findings(document) }
            + others()
        return delivery + found + unexplained(document, found)
    }

    /// What HTTP says of a playlist; a live one may be another with each request.
    private static func delivery(of document: PlaylistDocument) -> [BrokenRule] {
        guard let facts = document.http else { return [] }
        let isLive = document.media.map { !$0.hasEndList } ?? false
        return HTTPRules.all.flatMap { $0.findings(facts) }.filter { finding in
            !isLive || ![HTTPRules.head.rule, HTTPRules.unchanged.rule].contains(finding.rule)
        }
    }

    /// Why a strict parser refuses a playlist, unless it is told already.
    private static func unexplained(_ document: PlaylistDocument, _ found: [BrokenRule]) -> [BrokenRule] {
        guard let refusal = document.refusal else { return [] }
        // What leads to nothing breaks no demand, and is of no use.
        if refusal.line == nil, !document.lines.contains(where: { $0.isURI || $0.tag == "#EXTINF" }) {
            let isTold = found.contains { $0.rule.severity(in: .rfc) == .must }
            return isTold ? [] : [BrokenRule(rule: useless, place: document.place(), message: refusal.message)]
        }
        let isTold = found.contains { finding in
            guard finding.place.url == document.url, finding.rule.severity(in: .rfc) == .must,
                finding.rule != SyntaxRules.mediaType.rule
            else { return false }
            switch refusal.reason {
            case .mixed where finding.rule == SyntaxRules.mixed.rule: return true
            // What is missing after a line is missed at a later one.
            case .missing where [VariantRules.uri.rule, MediaRules.durationGiven.rule].contains(finding.rule):
                return true
            default: return finding.place.line == refusal.line
            }
        }
        return isTold ? [] : readable.findings(document)
    }
}
