import SegueFFmpeg
import SeguePackager
import SeguePlaylists

/// A selectable track in `/api/items/ID`, or the reason why it cannot be served.
struct TrackDocument: Encodable {
    /// The number of the stream.
    var stream: Int
    /// `sound` or `subtitles`.
    var kind: String
    /// The name for display, as in the multivariant playlist.
    var name: String
    /// The language as a BCP 47 tag; nil if it is unknown.
    var language: String?
    /// The media playlist; nil if it cannot be served.
    var playlist: String?
    /// The multivariant playlist with the subtitles drawn into the video; nil if that is impossible.
    var burned: String?
    /// The reason why it cannot be served.
    var reason: String?

    /// All audio and subtitle tracks.
    static func all(of presentation: any Presenting, base: String) -> [TrackDocument] {
        let refused = presentation.refusedAudio.mapValues(\.message)
            .merging(presentation.refusedSubtitles) { first, _ in first }
        var (audioTracks, subtitles) = (MemberNames(), MemberNames())
        return presentation.source.streams.compactMap { stream in
            let media: MediaRendition
            let link: String
            switch stream.kind {
            case .audio:
                guard presentation.offersAudio(stream.index) || refused[stream.index] != nil else { return nil }
                media = audioTracks.member(.audio, stream, group: "")
                link = "\(base)/index.m3u8?rendition=\(Rendition.audio(stream.index).rawValue)"
            case .subtitle:
                media = subtitles.member(.subtitles, stream, group: "")
                link = "\(base)/index.m3u8?subtitles=\(stream.index)"
            default: return nil
            }
            let reason = refused[stream.index]
            let isBurnable = presentation.burnableSubtitles.contains { $0.index == stream.index }
            return TrackDocument(
                stream: stream.index,
                kind: stream.kind == .audio ? "sound" : "subtitles",
                name: media.name,
                language: LanguageTag(stream.language).isKnown ? media.language : nil,
                playlist: reason == nil ? link : nil,
                burned: isBurnable ? "\(base)/master.m3u8?burn=\(stream.index)" : nil,
                reason: reason
            )
        }
    }
}
