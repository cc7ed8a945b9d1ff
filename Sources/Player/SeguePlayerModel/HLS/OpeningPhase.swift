/// The playlist of an item that is loading before playback.
enum OpeningPhase: Sendable {
    case idle
    /// The item's own URL: a playlist of either kind.
    case entry(PlaylistLoad)
    /// The first segments of the audio rendition, before the playlist of the variant.
    case audioSegments
    /// The media playlist of the first variant.
    case variant(PlaylistLoad)
    /// The media playlist of its audio rendition.
    case audio(PlaylistLoad)
    /// The media playlist of another variant to probe.
    case probe(PlaylistLoad)
    /// None: all have arrived.
    case open
    case failed(PlaybackError)

    var load: PlaylistLoad? {
        switch self {
        case .entry(let load), .variant(let load), .audio(let load), .probe(let load): load
        case .idle, .audioSegments, .open, .failed: nil
        }
    }

    /// Changes the load in place.
    mutating func change<Result>(_ body: (inout PlaylistLoad) -> Result) -> Result? {
        let back: (PlaylistLoad) -> OpeningPhase
        switch self {
        case .entry: back = OpeningPhase.entry
        case .variant: back = OpeningPhase.variant
        case .audio: back = OpeningPhase.audio
        case .probe: back = OpeningPhase.probe
        case .idle, .audioSegments, .open, .failed: return nil
        }
        guard var load else { return nil }
        // A single reference avoids a copy of the data on each change.
        self = .idle
        defer { self = back(load) }
        return body(&load)
    }

    /// The stream whose playlist is loading.
    var role: StreamRole {
        switch self {
        case .audioSegments, .audio: .audio
        case .idle, .entry, .variant, .probe, .open, .failed: .main
        }
    }
}
