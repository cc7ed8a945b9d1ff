import SegueFFmpeg
import SeguePlaylists

/// The traits of a track, by which people and players choose.
struct MemberTraits: Sendable, Equatable {
    var language: String?
    var title: String?
    var isForced = false
    var isCommentary = false
    var describesVideo = false
    var describesMusicAndSound = false

    init() {}

    /// The traits in a stream's metadata.
    init(_ stream: StreamInfo) {
        (language, title) = (stream.language, stream.title)
        (isForced, isCommentary) = (stream.isForced, stream.isCommentary)
        (describesVideo, describesMusicAndSound) = (stream.describesVideo, stream.describesMusicAndSound)
    }
}

/// Unique names for the members of a rendition group.
struct MemberNames {
    private var names: Set<String> = []
    private var chosen: Set<[String]> = []

    /// Creates a member of a group; the caller sets its URI.
    ///
    /// - Returns: The member, with a name that is unique in the group.
    mutating func member(_ kind: MediaRendition.Kind, _ stream: StreamInfo, group: String) -> MediaRendition {
        member(kind, MemberTraits(stream), group: group)
    }

    mutating func member(_ kind: MediaRendition.Kind, _ stream: MemberTraits, group: String) -> MediaRendition {
        let language = LanguageTag(stream.language)
        var characteristics: [String] = []
        if stream.describesVideo { characteristics.append("public.accessibility.describes-video") }
        if kind == .subtitles, stream.describesMusicAndSound {
            characteristics += [
                "public.accessibility.transcribes-spoken-dialog", "public.accessibility.describes-music-and-sound",
            ]
        }
        // Of members that a player cannot distinguish, the first is selectable automatically; a commentary never is.
        let isFirst = chosen.insert([language.text, stream.isForced ? "forced" : ""] + characteristics).inserted
        var member = MediaRendition(
            kind: kind,
            group: group,
            name: unique(name(stream, language: language, kind: kind)),
            language: language.text
        )
        member.isAutoselected = isFirst && !stream.isCommentary
        member.isForced = kind == .subtitles && stream.isForced
        member.characteristics = characteristics
        return member
    }

    private func name(_ stream: MemberTraits, language: LanguageTag, kind: MediaRendition.Kind) -> String {
        let title = stream.title?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        if !title.isEmpty { return title }
        let plain = language.name ?? (kind == .audio ? "Audio" : "Subtitles")
        var remarks: [String] = []
        if stream.isCommentary { remarks.append("commentary") }
        if stream.describesVideo { remarks.append("audio description") }
        if stream.describesMusicAndSound { remarks.append("for the hard of hearing") }
        if kind == .subtitles, stream.isForced { remarks.append("forced") }
        return remarks.isEmpty ? plain : "\(plain) (\(remarks.joined(separator: ", ")))"
    }

    private mutating func unique(_ name: String) -> String {
        var result = name
        var number = 1
        while !names.insert(result).inserted {
            number += 1
            result = "\(name) \(number)"
        }
        return result
    }
}
