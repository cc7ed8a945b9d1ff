internal import HLS

/// What a multivariant playlist says that a variant's media are coded with.
struct AnnouncedCodecs: Sendable, Equatable {
    /// By the beginning of a codec's RFC 6381 name, what a segment's tracks are called then.
    private static let names: [(prefix: String, codecs: Set<String>, isVideo: Bool)] = [
        ("avc", ["h264"], true), ("hvc1", ["hevc"], true), ("hev1", ["hevc"], true), ("dvh", ["hevc"], true),
        ("av01", ["av1"], true), ("dav1", ["av1"], true), ("vp09", ["vp9"], true), ("vp08", ["vp8"], true),
        ("mp4v", ["mpeg4", "mpeg2video", "mpeg1video"], true), ("mp4a.40.34", ["mp3"], false),
        ("mp4a.69", ["mp3", "mp2", "mp1"], false), ("mp4a.6B", ["mp3", "mp2", "mp1"], false),
        ("mp4a.6b", ["mp3", "mp2", "mp1"], false), ("mp4a.a5", ["ac3"], false), ("mp4a.A5", ["ac3"], false),
        ("mp4a.a6", ["eac3"], false), ("mp4a.A6", ["eac3"], false), ("mp4a.40", ["aac", "aac_latm"], false),
        ("mp4a", ["aac", "aac_latm", "mp3"], false), ("ac-3", ["ac3"], false), ("ec-3", ["eac3"], false),
        ("mp3", ["mp3"], false), ("fLaC", ["flac"], false), ("Opus", ["opus"], false), ("opus", ["opus"], false),
        ("alac", ["alac"], false),
    ]

    private let texts: [String]
    private var video: Set<String> = []
    private var audio: Set<String> = []

    /// What is announced by names as RFC 6381 has them; nothing is where there are none.
    init(_ codecs: [String] = []) {
        texts = codecs
        for codec in codecs {
            guard let known = AnnouncedCodecs.names.first(where: { codec.hasPrefix($0.prefix) }) else { continue }
            if known.isVideo { video.formUnion(known.codecs) } else { audio.formUnion(known.codecs) }
        }
    }

    /// Whether sound is all that is announced.
    var isSoundAlone: Bool { video.isEmpty && !audio.isEmpty }

    /// Makes sure that media are what was announced, as far as anything was of their kind.
    ///
    /// - Throws: ``PlaybackError`` when they are not.
    func check(_ holds: SegmentInspection, url: String) throws(PlaybackError) {
        for track in holds.tracks {
            let announced = track.kind == .video ? video : track.kind == .audio ? audio : []
            guard !announced.isEmpty, !announced.contains(track.codec) else { continue }
            let what = "\(track.codec) where the playlist announces \(texts.joined(separator: ","))"
            throw PlaybackError(.media, 2, "the segment has \(what): \(url)")
        }
    }
}
