internal import HLS

/// The documented rule of which variant is played.
///
/// Variants whose codecs cannot be played are left out; of the others the profile says which is first, and the next
/// is tried when one cannot be loaded. There is no change of variant while playing.
enum VariantChoice {
    /// The variants in the order in which they are tried.
    static func order(_ variants: [Variant], _ settings: PlatformProfile.Loading) -> [Variant] {
        let playable = variants.filter { variant in
            variant.codecs.allSatisfy { codec in settings.codecs.contains { codec.hasPrefix($0) } }
        }
        switch settings.firstVariant {
        case .listed: return playable
        case .highest: return stable(playable) { $0.bandwidth > $1.bandwidth }
        case .lowest: return stable(playable) { $0.bandwidth < $1.bandwidth }
        }
    }

    /// The playlist of the audio rendition that goes with a variant, as written; nil when the variant has its own sound.
    static func audio(for variant: Variant, in playlist: MultivariantPlaylist) -> String? {
        guard let group = variant.audioGroup else { return nil }
        let renditions = playlist.renditions(.audio, inGroup: group)
        return (renditions.first { $0.isDefault } ?? renditions.first { $0.isAutoselected } ?? renditions.first)?.uri
    }

    private static func stable(_ variants: [Variant], by isBefore: (Variant, Variant) -> Bool) -> [Variant] {
        variants.enumerated().sorted { left, right in
            if isBefore(left.element, right.element) { return true }
            if isBefore(right.element, left.element) { return false }
            return left.offset < right.offset
        }.map(\.element)
    }
}
