internal import SeguePlaylists

/// The rule for the choice of renditions.
///
/// Audio: an autoselected rendition in the user's preferred language; else the default one; else an autoselected one;
/// else the first. Subtitles: the default one; else an autoselected and forced one in one of the user's languages; else
/// none.
enum RenditionChoice {
    /// Returns the playlist of the chosen audio rendition of each group, as written; none for a group whose chosen
    /// rendition is contained in the variants.
    static func audio(in playlist: MultivariantPlaylist, languages: [String]) -> [String: String] {
        Dictionary(grouping: playlist.renditions.lazy.filter { $0.kind == .audio }, by: \.group)
            .compactMapValues { audio(of: $0, languages)?.uri }
    }

    private static func audio(of group: [MediaRendition], _ languages: [String]) -> MediaRendition? {
        // A default rendition is autoselected, whatever it declares (RFC 8216, 4.3.4.1).
        let automatic = group.filter { $0.isAutoselected || $0.isDefault }
        let spoken = languages.lazy.compactMap { language in automatic.first { isSpoken($0, language) } }.first
        return spoken ?? group.first(where: \.isDefault) ?? automatic.first ?? group.first
    }

    /// Returns the playlist of the subtitle rendition of a variant, as written; nil if there is none to show.
    static func subtitles(for variant: Variant, in playlist: MultivariantPlaylist, languages: [String]) -> String? {
        guard let group = variant.subtitlesGroup else { return nil }
        let renditions = playlist.renditions(.subtitles, inGroup: group)
        if let chosen = renditions.first(where: { $0.isDefault && !$0.isForced }) { return chosen.uri }
        let forced = renditions.filter { $0.isForced && ($0.isAutoselected || $0.isDefault) }
        return languages.lazy.compactMap { language in forced.first { isSpoken($0, language) } }.first?.uri
    }

    /// Whether a rendition is in a language, regardless of region (RFC 4647, basic filtering).
    private static func isSpoken(_ rendition: MediaRendition, _ language: String) -> Bool {
        guard let its = rendition.language?.lowercased() else { return false }
        let wanted = language.lowercased()
        return its == wanted || its.hasPrefix(wanted + "-") || wanted.hasPrefix(its + "-")
    }
}
