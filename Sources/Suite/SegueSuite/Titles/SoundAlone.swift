internal import SeguePlaylists

/// The sound alone of a multivariant playlist: a variant without a picture, or else a rendition of the sound.
struct SoundAlone: Equatable {
    /// Its playlist, as written.
    let uri: String

    /// The sound alone; nil where there is none.
    init?(of playlist: MultivariantPlaylist) {
        // A variant is what a player may be given by itself; among several the one with the most of the sound.
        let variants = playlist.variants.filter(Self.isSoundAlone)
        if let variant = variants.max(by: { $0.bandwidth < $1.bandwidth }) {
            uri = variant.uri
            return
        }
        let renditions = playlist.renditions.filter { $0.kind == .audio && $0.uri != nil }
        let best = renditions.first(where: \.isDefault) ?? renditions.first(where: \.isAutoselected) ?? renditions.first
        guard let uri = best?.uri else { return nil }
        self.uri = uri
    }

    /// Whether a variant says that it is sound and nothing else.
    static func isSoundAlone(_ variant: Variant) -> Bool {
        guard variant.resolution == nil, variant.videoGroup == nil, !variant.codecs.isEmpty else { return false }
        return variant.codecs.allSatisfy { codec in sounds.contains { codec.lowercased().hasPrefix($0) } }
    }

    /// How the names of sound codecs begin (RFC 6381, and the registry of MP4RA).
    private static let sounds = ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3", "dts", "mhm", "iamf"]
}
