internal import SeguePlaylists

/// The codecs of a variant, according to the multivariant playlist.
struct AnnouncedCodecs: Sendable, Equatable {
    /// The codecs of tracks in segments, by the prefix of an RFC 6381 name.
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

    /// The sample entries of codecs in HLS (mp4ra.org), including those of subtitles and of formats that are not
    /// modeled.
    static let sampleEntries = [
        "avc1", "avc2", "avc3", "avc4", "hvc1", "hvc2", "hev1", "hev2", "dvh1", "dvhe", "dva1", "dvav", "dav1", "av01",
        "vp08", "vp09", "vvc1", "vvi1", "mp4v", "mjpg", "mp4a", "ac-3", "ac-4", "ec-3", "mp3", "fLaC", "Opus", "opus",
        "alac", "dtsc", "dtse", "dtsh", "dtsl", "dtsx", "iamf", "mha1", "mhm1", "wvtt", "stpp",
    ]

    /// Returns whether a text is a prefix of a codec's name, or a complete name.
    static func areSome(_ text: String) -> Bool {
        sampleEntries.contains { text == $0 || text.hasPrefix($0 + ".") || $0.hasPrefix(text) && !text.isEmpty }
    }

    private let texts: [String]
    private var video: Set<String> = []
    private var audio: Set<String> = []

    /// The codecs with RFC 6381 names; none announces nothing.
    init(_ codecs: [String] = []) {
        texts = codecs
        for codec in codecs {
            guard let known = AnnouncedCodecs.names.first(where: { codec.hasPrefix($0.prefix) }) else { continue }
            if known.isVideo { video.formUnion(known.codecs) } else { audio.formUnion(known.codecs) }
        }
    }

    /// True if only audio is announced.
    var isAudioOnly: Bool { video.isEmpty && !audio.isEmpty }

    /// Checks that media match the announcement, for the kinds of tracks that it includes.
    ///
    /// - Throws: ``PlaybackError`` if they do not.
    func check(_ holds: SegmentInspection, url: String) throws(PlaybackError) {
        for track in holds.tracks {
            let announced = track.kind == .video ? video : track.kind == .audio ? audio : []
            guard !announced.isEmpty, !announced.contains(track.codec) else { continue }
            let what = "\(track.codec), but the playlist declares \(texts.joined(separator: ","))"
            throw PlaybackError(.media, code: 2, "the segment has \(what): \(url)")
        }
    }
}
