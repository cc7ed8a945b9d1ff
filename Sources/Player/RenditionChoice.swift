internal import HLS

/// The documented rule of which renditions are played beside a variant.
///
/// Of sound: the default one; else one that may be chosen by itself, in the user's most wanted language; else the first.
/// Of subtitles: the default one; else one that may be chosen by itself in one of the user's languages, if it is forced;
/// else none.
enum RenditionChoice {
    /// The playlist of the audio rendition that goes with a variant, as written; nil when the variant has its own sound.
    static func audio(for variant: Variant, in playlist: MultivariantPlaylist, languages: [String]) -> String? {
        guard let group = variant.audioGroup else { return nil }
        let renditions = playlist.renditions(.audio, inGroup: group)
        let automatic = renditions.filter(\.isAutoselected)
        let spoken = languages.lazy.compactMap { language in
            automatic.first { isSpoken($0, language) }
        }.first
        return (renditions.first(where: \.isDefault) ?? spoken ?? automatic.first ?? renditions.first)?.uri
    }

    /// The playlist of the subtitle rendition that goes with a variant, as written; nil when there is none to show.
    static func subtitles(for variant: Variant, in playlist: MultivariantPlaylist, languages: [String]) -> String? {
        guard let group = variant.subtitlesGroup else { return nil }
        let renditions = playlist.renditions(.subtitles, inGroup: group)
        if let chosen = renditions.first(where: { $0.isDefault && !$0.isForced }) { return chosen.uri }
        let forced = renditions.filter { $0.isForced && ($0.isAutoselected || $0.isDefault) }
        return languages.lazy.compactMap { language in forced.first { isSpoken($0, language) } }.first?.uri
    }

    /// Whether a rendition is in a language, whatever the region (RFC 4647, basic filtering).
    private static func isSpoken(_ rendition: MediaRendition, _ language: String) -> Bool {
        guard let its = rendition.language?.lowercased() else { return false }
        let wanted = language.lowercased()
        return its == wanted || its.hasPrefix(wanted + "-") || wanted.hasPrefix(its + "-")
    }
}
