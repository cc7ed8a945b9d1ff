internal import SegueBase
internal import SeguePlaylists

/// Validates playlists by all rules of a single look.
package enum Validator {
    /// All rules, in the order in which they are checked.
    package static var rules: [Rule] {
        ofText.map(\.rule) + [readable.rule, useless] + ofDocument.map(\.rule) + ofMedia.map(\.rule)
            + ofMultivariant.map(\.rule) + HTTPRules.all.map(\.rule) + ReferenceRules.all.map(\.rule)
            + ofPresentation.map(\.rule)
    }

    /// The rules on the text of any playlist.
    private static let ofText =
        SyntaxRules.all + VersionRules.all + AttributeRules.all + DefineRules.all + KeyRules.all + DateRangeRules.all
        + SpliceRules.all
        + TimeRules.all + PartRules.all + ServerControlRules.all + MemberRules.all + VariantTextRules.all
        + AuthoringRules.all
        + CodecRules.all

    private static let ofDocument = MediaRules.all + TagRules.all + CachingRules.ofPlaylist
    /// The rules on all HTTP responses together.
    private static let ofPresentation =
        CrossOriginRules.ofPresentation + PresentationRules.all + ClientRules.ofPresentation
    private static let ofMedia = ofSegments + CachingRules.ofMedia
    /// The rules on segments, without their delivery.
    private static let ofSegments =
        SegmentRules.all + DurationRules.all + BitrateRules.all + SubtitleRules.ofMedia + IFrameRules.ofMedia
        + TransportRules.all + MovieRules.all + TimedTextRules.all + FaultRules.all + ContentRules.all
        + TimelineRules.ofMedia
        + DiscontinuityRules.ofMedia
        + DecodedRules.ofMedia
        + StreamRules.ofMedia + EncryptionRules.all
    private static let ofMultivariant =
        VariantRules.all + SteeringRules.all + RateRules.all + CombinationRules.all + IFrameRules.all
        + SubtitleRules.all
        + RenditionRules.all + GroupRules.all + ChildRules.all + StreamRules.all + TimelineRules.all
        + DiscontinuityRules.all + CaptionRules.all + DecodedRules.all
        + SamePictureRules.all + PeriodRules.all

    static let readable = Check<PlaylistDocument>(
        Rule(
            "playlist-readable",
            in: .syntax,
            clauses: "R4, R6.3.1, B4, B6.3.1",
            .must,
            requires: "a strict parser accepts the playlist",
            fix: "correct the reported line"
        )
    ) { document in
        document.refusal.map { [Violation(document.place(line: $0.line), Message(words: $0.message))] } ?? []
    }

    static let useless = Rule(
        "playlist-names",
        in: .syntax,
        clauses: "own",
        .advice,
        requires: "a playlist names variants or segments",
        fix: "list at least one segment or variant"
    )

    /// Validates a media playlist with its resources.
    package static func findings(_ subject: MediaSubject) -> [BrokenRule] {
        ofMediaAlone(subject) + ofPresentation.flatMap { $0.findings(subject.responses) }
    }

    private static func ofMediaAlone(_ subject: MediaSubject) -> [BrokenRule] {
        var found = findings(of: subject.document, ofMultivariant: false)
        found += ofMedia.flatMap { $0.findings(subject) }
        return found + subject.resources.flatMap { facts in HTTPRules.all.flatMap { $0.findings(facts) } }
    }

    /// Validates a single segment of a live stream, without its playlist.
    static func findings(ofSample subject: MediaSubject) -> [BrokenRule] {
        let ofDelivery = [
            DeliveryRules.whole, DeliveryRules.encodingTrue, DeliveryRules.body, DeliveryRules.contentRange,
        ]
        return ofSegments.flatMap { $0.findings(subject) }
            + subject.resources.flatMap { facts in ofDelivery.flatMap { $0.findings(facts) } }
    }

    /// Validates a multivariant playlist with its media playlists and their resources.
    package static func findings(_ subject: MultivariantSubject) -> [BrokenRule] {
        let media = subject.media + subject.iFrames
        let responses = (subject.document.http.map { [$0] } ?? []) + media.flatMap(\.subject.responses)
        return findings(of: subject.document, ofMultivariant: true) { ofMultivariant.flatMap { $0.findings(subject) } }
            + subject.children.flatMap(ofMediaAlone) + ofPresentation.flatMap { $0.findings(responses) }
    }

    /// Validates the text of a playlist, then other aspects.
    ///
    /// A missing playlist, or another resource in its place, yields only that finding.
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
        guard MistakenPlaylist.description(of: document.bytes) == nil else {
            return delivery + SyntaxRules.firstLine.findings(document)
        }
        let found =
            (ofText + ReferenceRules.all).flatMap { $0.findings(document) }
            + (ofMultivariant ? [] : ofDocument).flatMap { $0.findings(document) }
            + others()
        return delivery + found + unexplained(document, found)
    }

    /// Validates the HTTP responses for a playlist.
    ///
    /// A live one may change between requests.
    private static func delivery(of document: PlaylistDocument) -> [BrokenRule] {
        guard let facts = document.http else { return [] }
        let isLive = document.media.map { !$0.hasEndList } ?? false
        return HTTPRules.all.flatMap { $0.findings(facts) }.filter { finding in
            !isLive || ![HTTPRules.head.rule, HTTPRules.unchanged.rule].contains(finding.rule)
        }
    }

    /// The error of the strict parser, unless another finding reports it.
    private static func unexplained(_ document: PlaylistDocument, _ found: [BrokenRule]) -> [BrokenRule] {
        guard let refusal = document.refusal else { return [] }
        // A playlist without segments and variants breaks no requirement, but is useless.
        if refusal.line == nil, !document.lines.contains(where: { $0.isURI || $0.tag == "#EXTINF" }) {
            let isReported = found.contains { $0.rule.severity(in: .rfc) == .must }
            return isReported
                ? [] : [BrokenRule(rule: useless, place: document.place(), message: Message(words: refusal.message))]
        }
        let isReported = found.contains { finding in
            guard finding.place.url == document.url, finding.rule.severity(in: .rfc) == .must,
                finding.rule != SyntaxRules.mediaType.rule
            else { return false }
            switch refusal.reason {
            case .mixed where finding.rule == SyntaxRules.mixed.rule: return true
            // The rule reports a missing line at another line than the parser.
            case .missing where [VariantRules.uri.rule, MediaRules.durationGiven.rule].contains(finding.rule):
                return true
            default: return finding.place.line == refusal.line
            }
        }
        return isReported ? [] : readable.findings(document)
    }
}
