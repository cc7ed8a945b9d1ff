internal import SeguePlaylists

/// The documented rule of which renditions are played beside a variant.
///
/// Of sound: one that may be chosen by itself, in the user's most wanted language; else the default one; else one that may
/// be chosen by itself; else the first.
/// Of subtitles: the default one; else one that may be chosen by itself in one of the user's languages, if it is forced;
/// else none.
enum RenditionChoice {
    /// The playlist of the audio rendition that is chosen of each group, as written; none for a group whose chosen
    /// rendition is in the variants' own media.
    static func audio(in playlist: MultivariantPlaylist, languages: [String]) -> [String: String] {
        Dictionary(grouping: playlist.renditions.lazy.filter { $0.kind == .audio }, by: \.group)
            .compactMapValues { audio(of: $0, languages)?.uri }
    }

    private static func audio(of group: [MediaRendition], _ languages: [String]) -> MediaRendition? {
        // A default one may be chosen by itself, whatever it says (RFC 8216, 4.3.4.1).
        let automatic = group.filter { $0.isAutoselected || $0.isDefault }
        let spoken = languages.lazy.compactMap { language in automatic.first { isSpoken($0, language) } }.first
        return spoken ?? group.first(where: \.isDefault) ?? automatic.first ?? group.first
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
