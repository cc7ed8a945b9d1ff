internal import SegueBase
internal import SeguePlaylists

/// A multivariant playlist, and which of its variants is played; ``VariantLadder`` has the rule.
struct VariantChoice: Sendable {
    /// What the choice goes by, besides the line.
    struct Wanted {
        /// The app's limit, in bits per second; 0 for none.
        let peak: Int
        /// Whether pictures are wanted.
        let pictures: Bool
        /// Whether the sound that is loaded is a rendition of its own.
        let soundApart: Bool
        /// Whether that has failed, so that only a variant with another one is of use.
        let isSoundLost: Bool
    }

    let playlist: MultivariantPlaylist

    /// Where it came from.
    let url: String

    var ladder: VariantLadder

    /// The variant in use, by its place in the ladder; nil before the first.
    private(set) var index: Int?

    /// What the playlist says that the media of the variant in use are coded with.
    private(set) var announced = AnnouncedCodecs()

    /// The audio rendition of each group, as written.
    private var sounds: [String: String]

    init(_ playlist: MultivariantPlaylist, from url: String, _ settings: PlatformProfile.Loading) {
        self.playlist = playlist
        self.url = url
        sounds = RenditionChoice.audio(in: playlist, languages: settings.support.languages)
        ladder = VariantLadder(playlist.variants, settings)
    }

    /// The variant in use; nil before the first.
    var current: Variant? { index.map { ladder.variants[$0] } }

    /// What is declared for the variant in use, in bits per second; 0 before the first.
    var indicatedBitrate: Int {
        index.map { ladder.variants[$0].averageBandwidth ?? ladder.variants[$0].bandwidth } ?? 0
    }

    /// What it may take, in bits per second; 0 before the first.
    var bandwidth: Int { index.map { ladder.variants[$0].bandwidth } ?? 0 }

    /// Another variant is in use.
    mutating func use(_ next: Int) {
        index = next
        announced = AnnouncedCodecs(ladder.variants[next].codecs)
    }

    /// Does as a steering manifest says: its pathways, in its order, before those that it does not name.
    ///
    /// Clones come last among the variants; one whose base is not known, or whose name is, is passed over.
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

    /// A variant in a clone of its pathway, with the sound that goes with it.
    private mutating func copy(of variant: Variant, _ clone: SteeringManifest.Clone) -> Variant {
        var copy = variant
        copy.pathwayID = clone.id
        copy.uri = clone.address(
            of: address(of: variant),
            replacedBy: variant.stableID.flatMap { clone.variantURIs[$0] }
        )
        guard let group = variant.audioGroup, let sound = sounds[group] else { return copy }
        let rendition = playlist.renditions.first { $0.kind == .audio && $0.uri == sound }
        let whole = rendition?.stableID.flatMap { clone.renditionURIs[$0] }
        copy.audioGroup = "\(clone.id)\n\(group)"
        sounds["\(clone.id)\n\(group)"] = clone.address(
            of: URIReference.resolve(sound, against: url),
            replacedBy: whole
        )
        return copy
    }

    /// How many variants there are at the most, clones included.
    private static let mostVariants = 2000

    // MARK: Addresses

    /// The media playlist of a variant.
    func address(of variant: Variant) -> String { URIReference.resolve(variant.uri, against: url) }

    /// The playlist of the audio rendition that goes with a variant; nil where its own media have the sound.
    func audio(of variant: Variant) -> String? { sound(of: variant).map { URIReference.resolve($0, against: url) } }

    /// The playlist of the subtitles that go with the variant in use; nil where there are none to show.
    func subtitles(languages: [String]) -> String? {
        current.flatMap { RenditionChoice.subtitles(for: $0, in: playlist, languages: languages) }
            .map { URIReference.resolve($0, against: url) }
    }

    /// The audio rendition that goes with a variant, as written; nil where its own media have the sound.
    private func sound(of variant: Variant) -> String? {
        let uri = variant.audioGroup.flatMap { sounds[$0] }
        return uri == variant.uri ? nil : uri
    }

    // MARK: The choice

    /// The variant to go on with, for a line of so many bits per second, so much ahead, and segments of a length; nil where
    /// none is left.
    func next(estimate: Double?, ahead: Duration, segment: Duration, _ wanted: Wanted, at now: Instant) -> Int? {
        guard let index else { return nil }
        let wish = VariantLadder.Wish(
            estimate: estimate,
            ahead: ahead,
            isSettled: ahead >= segment * 2,
            peak: wanted.peak,
            suits: suits(wanted)
        )
        return ladder.next(after: index, wish, at: now)
    }

    /// Whether the variant in use is one that the app's wishes rule out, where there is another.
    func isRuledOut(_ wanted: Wanted) -> Bool {
        guard let current else { return false }
        let isTooHigh =
            wanted.peak > 0 && current.bandwidth > wanted.peak
            && ladder.variants.contains { $0.bandwidth < current.bandwidth }
        return isTooHigh || !wanted.soundApart && !wanted.pictures && hasSoundAlone && !isSoundAlone(current)
    }

    /// Whether a variant's media go with what is loaded: sound apart with sound apart, and pictures where wanted.
    func suits(_ wanted: Wanted) -> (Variant) -> Bool {
        let wantsSoundAlone = !wanted.pictures && !wanted.soundApart && hasSoundAlone
        let present = current.flatMap(sound)
        return { other in
            let sound = sound(of: other)
            return (sound != nil) == wanted.soundApart && (!wanted.isSoundLost || sound != present)
                && (!wantsSoundAlone || isSoundAlone(other))
        }
    }

    private func isSoundAlone(_ variant: Variant) -> Bool {
        variant.resolution == nil && AnnouncedCodecs(variant.codecs).isSoundAlone
    }

    private var hasSoundAlone: Bool { ladder.variants.contains(where: isSoundAlone) }
}

/// What is remembered of an item's variants, also where it is loaded anew.
struct VariantRecord: Sendable {
    /// The most variants that are tried one after another before the item has failed.
    static let mostFailures = 32

    /// How often a variant was left while playing.
    var changes = 0

    /// The variant that was left last: its playlist, and what was declared for it in bits per second.
    var left: (url: String, bitrate: Int)?

    /// How many variants failed without media between.
    var failures = 0

    /// The arrivals of the variant's stream that the choice of a variant has taken into account; below 0 for it to choose
    /// again.
    var judged = 0
}
