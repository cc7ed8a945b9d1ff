internal import SeguePlaylists

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

    /// The sample entries that codecs of HLS begin with (mp4ra.org); those of subtitles and of what is not modelled besides.
    static let sampleEntries = [
        "avc1", "avc2", "avc3", "avc4", "hvc1", "hvc2", "hev1", "hev2", "dvh1", "dvhe", "dva1", "dvav", "dav1", "av01",
        "vp08", "vp09", "vvc1", "vvi1", "mp4v", "mjpg", "mp4a", "ac-3", "ac-4", "ec-3", "mp3", "fLaC", "Opus", "opus",
        "alac", "dtsc", "dtse", "dtsh", "dtsl", "dtsx", "iamf", "mha1", "mhm1", "wvtt", "stpp",
    ]

    /// Whether some codecs begin with a text, or a codec is one as a whole.
    static func areSome(_ text: String) -> Bool {
        sampleEntries.contains { text == $0 || text.hasPrefix($0 + ".") || $0.hasPrefix(text) && !text.isEmpty }
    }

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
