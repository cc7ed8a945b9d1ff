import SegueFFmpeg
import SeguePackager
import SeguePlaylists

/// A track that a viewer may choose, as `/api/items/ID` shows it, or why it cannot be had.
struct TrackDocument: Encodable {
    /// The number of the stream.
    var stream: Int
    /// `sound` or `subtitles`.
    var kind: String
    /// Its name for people, as in the multivariant playlist.
    var name: String
    /// Its language after BCP 47; nil when it is not known.
    var language: String?
    /// Its media playlist; nil where it cannot be had.
    var playlist: String?
    /// Why it cannot be had.
    var reason: String?

    /// All tracks of sound and subtitles.
    static func all(of presentation: any Presenting, base: String) -> [TrackDocument] {
        let refused = presentation.refusedSounds.mapValues(\.message)
            .merging(presentation.refusedSubtitles) { first, _ in first }
        var (sounds, subtitles) = (MemberNames(), MemberNames())
        return presentation.source.streams.compactMap { stream in
            let media: MediaRendition
            let link: String
            switch stream.kind {
            case .audio:
                guard presentation.offersSound(stream.index) || refused[stream.index] != nil else { return nil }
                media = sounds.member(.audio, stream, group: "")
                link = "\(base)/index.m3u8?rendition=\(Rendition.sound(stream.index).rawValue)"
            case .subtitle:
                media = subtitles.member(.subtitles, stream, group: "")
                link = "\(base)/index.m3u8?subtitles=\(stream.index)"
            default: return nil
            }
            let reason = refused[stream.index]
            return TrackDocument(
                stream: stream.index,
                kind: stream.kind == .audio ? "sound" : "subtitles",
                name: media.name,
                language: LanguageTag(stream.language).isKnown ? media.language : nil,
                playlist: reason == nil ? link : nil,
                reason: reason
            )
        }
    }
}
