internal import SeguePlaylists

/// The audio-only stream of a multivariant playlist: a variant without video, otherwise an audio rendition.
struct AudioOnlyStream: Equatable {
    /// The playlist's URI as written.
    let uri: String

    /// - Returns: Nil without an audio-only stream.
    init?(of playlist: MultivariantPlaylist) {
        // A variant is playable on its own; the one with the highest bit rate is used.
        let variants = playlist.variants.filter(Self.isAudioOnly)
        if let variant = variants.max(by: { $0.bandwidth < $1.bandwidth }) {
            uri = variant.uri
            return
        }
        let renditions = playlist.renditions.filter { $0.kind == .audio && $0.uri != nil }
        let best = renditions.first(where: \.isDefault) ?? renditions.first(where: \.isAutoselected) ?? renditions.first
        guard let uri = best?.uri else { return nil }
        self.uri = uri
    }

    /// Returns whether a variant declares audio only.
    static func isAudioOnly(_ variant: Variant) -> Bool {
        guard variant.resolution == nil, variant.videoGroup == nil, !variant.codecs.isEmpty else { return false }
        return variant.codecs.allSatisfy { codec in audioCodecs.contains { codec.lowercased().hasPrefix($0) } }
    }

    /// The prefixes of audio codecs (RFC 6381 and the MP4RA registry).
    private static let audioCodecs = [
        "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3", "dts", "mhm", "iamf",
    ]
}
