internal import SegueBase
internal import SeguePlaylists

/// A multivariant playlist, and the variant in use.
///
/// ``VariantLadder`` contains the rule.
struct VariantChoice: Sendable {
    /// The criteria of a choice, apart from bandwidth.
    struct Wanted {
        /// The app's limit, in bits per second; 0 for none.
        let peak: Int
        /// True if video is wanted.
        let wantsVideo: Bool
        /// True if the loaded audio is a separate rendition.
        let isAudioSeparate: Bool
        /// True if that audio has failed, so that only a variant with another one is usable.
        let isAudioLost: Bool
    }

    let playlist: MultivariantPlaylist

    let url: String

    var ladder: VariantLadder

    /// The index of the variant in use; nil before the first.
    private(set) var index: Int?

    /// The announced codecs of the variant in use.
    private(set) var announced = AnnouncedCodecs()

    /// The audio rendition of each group, as written.
    private var audioURIs: [String: String]

    init(_ playlist: MultivariantPlaylist, from url: String, _ settings: PlatformProfile.Loading) {
        self.playlist = playlist
        self.url = url
        audioURIs = RenditionChoice.audio(in: playlist, languages: settings.support.languages)
        ladder = VariantLadder(playlist.variants, settings)
    }

    /// The variant in use; nil before the first.
    var current: Variant? { index.map { ladder.variants[$0] } }

    /// The declared bit rate of the variant in use, in bits per second; 0 before the first.
    var indicatedBitrate: Int {
        index.map { ladder.variants[$0].averageBandwidth ?? ladder.variants[$0].bandwidth } ?? 0
    }

    /// The peak bit rate of the variant in use, in bits per second; 0 before the first.
    var bandwidth: Int { index.map { ladder.variants[$0].bandwidth } ?? 0 }

    /// Changes the variant in use.
    mutating func use(_ next: Int) {
        index = next
        announced = AnnouncedCodecs(ladder.variants[next].codecs)
    }

    /// Applies a steering manifest: its pathways in order, before those that it does not list.
    ///
    /// Clones come last among the variants. A clone with an unknown base, or with a known name, is skipped.
    mutating func follow(_ manifest: SteeringManifest) {
        for clone in manifest.clones {
            let base = ladder.variants.filter { $0.pathway == clone.baseID }
            guard !base.isEmpty, !ladder.variants.contains(where: { $0.pathway == clone.id }),
                ladder.variants.count + base.count <= VariantChoice.mostVariants
            else { continue }
            ladder.add(base.map { copy(of: $0, clone) })
        }
        let known = Set(ladder.variants.map(\.pathway))
        let wanted = manifest.priority.filter(known.contains)
        guard !wanted.isEmpty else { return }
        ladder.pathways = wanted + ladder.pathways.filter { !wanted.contains($0) }
    }

    /// Adds a variant to a clone of its pathway, with its audio.
    private mutating func copy(of variant: Variant, _ clone: SteeringManifest.Clone) -> Variant {
        var copy = variant
        copy.pathwayID = clone.id
        copy.uri = clone.address(
            of: address(of: variant),
            replacedBy: variant.stableID.flatMap { clone.variantURIs[$0] }
        )
        guard let group = variant.audioGroup, let audioURI = audioURIs[group] else { return copy }
        let rendition = playlist.renditions.first { $0.kind == .audio && $0.uri == audioURI }
        let whole = rendition?.stableID.flatMap { clone.renditionURIs[$0] }
        copy.audioGroup = "\(clone.id)\n\(group)"
        audioURIs["\(clone.id)\n\(group)"] = clone.address(
            of: URIReference.resolve(audioURI, against: url),
            replacedBy: whole
        )
        return copy
    }

    /// The maximum number of variants, including clones.
    private static let mostVariants = 2000

    // MARK: URLs

    /// The media playlist of a variant.
    func address(of variant: Variant) -> String { URIReference.resolve(variant.uri, against: url) }

    /// The playlist of a variant's audio rendition; nil if the variant contains the audio.
    func audio(of variant: Variant) -> String? { audioURI(of: variant).map { URIReference.resolve($0, against: url) } }

    /// The playlist of the subtitles for the variant in use; nil if there are none to show.
    func subtitles(languages: [String]) -> String? {
        current.flatMap { RenditionChoice.subtitles(for: $0, in: playlist, languages: languages) }
            .map { URIReference.resolve($0, against: url) }
    }

    /// The audio rendition of a variant, as written; nil if the variant contains the audio.
    private func audioURI(of variant: Variant) -> String? {
        let uri = variant.audioGroup.flatMap { audioURIs[$0] }
        return uri == variant.uri ? nil : uri
    }

    // MARK: The choice

    /// Returns the variant to continue with; nil if none is left.
    func next(estimate: Double?, ahead: Duration, segment: Duration, _ wanted: Wanted, at now: Instant) -> Int? {
        guard let index else { return nil }
        let criteria = VariantLadder.Criteria(
            estimate: estimate,
            ahead: ahead,
            isSettled: ahead >= segment * 2,
            peak: wanted.peak,
            suits: suits(wanted)
        )
        return ladder.next(after: index, criteria, at: now)
    }

    /// Returns whether the app's requests rule out the variant in use, and allow another.
    func isRuledOut(_ wanted: Wanted) -> Bool {
        guard let current else { return false }
        let isTooHigh =
            wanted.peak > 0 && current.bandwidth > wanted.peak
            && ladder.variants.contains { $0.bandwidth < current.bandwidth }
        return isTooHigh || !wanted.isAudioSeparate && !wanted.wantsVideo && hasAudioOnly && !isAudioOnly(current)
    }

    /// Returns whether a variant's media match the loaded ones: separate audio, and video if wanted.
    func suits(_ wanted: Wanted) -> (Variant) -> Bool {
        let wantsAudioOnly = !wanted.wantsVideo && !wanted.isAudioSeparate && hasAudioOnly
        let present = current.flatMap(audioURI)
        return { other in
            let audioURI = audioURI(of: other)
            return (audioURI != nil) == wanted.isAudioSeparate && (!wanted.isAudioLost || audioURI != present)
                && (!wantsAudioOnly || isAudioOnly(other))
        }
    }

    private func isAudioOnly(_ variant: Variant) -> Bool {
        variant.resolution == nil && AnnouncedCodecs(variant.codecs).isAudioOnly
    }

    private var hasAudioOnly: Bool { ladder.variants.contains(where: isAudioOnly) }
}

/// The history of an item's variants, which survives a reload.
struct VariantRecord: Sendable {
    /// The maximum number of variants that are tried before the item fails.
    static let mostFailures = 32

    /// The number of variant changes during playback.
    var changes = 0

    /// The last variant that was left: its playlist, and its declared bit rate in bits per second.
    var left: (url: String, bitrate: Int)?

    /// The number of variants that failed without media between.
    var failures = 0

    /// The number of arrivals at the last choice; negative to force another choice.
    var judged = 0
}
