internal import SeguePlaylists

/// Detects other resources that users pass as playlists.
package enum MistakenPlaylist {
    private static let media: [(mark: [UInt8], name: String)] = [
        (Array("OggS".utf8), "Ogg"), (Array("fLaC".utf8), "FLAC"), (Array("RIFF".utf8), "RIFF"),
        ([0x1A, 0x45, 0xDF, 0xA3], "Matroska"),
    ]

    /// Describes a resource that is not a playlist.
    ///
    /// - Returns: A predicate such as `is HTML, not a playlist`, with the remedy; nil for a playlist, or a broken one.
    package static func description(of bytes: [UInt8]) -> String? {
        let head = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard !head.starts(with: Array("#EXTM3U".utf8)) else { return nil }
        if let layout = try? SegmentInspector.inspect(bytes).layout, layout != .mp4 {
            return segment(layout.words)
        }
        if isTransportStream(bytes) { return segment("MPEG-TS") }
        if let kind = media.first(where: { bytes.starts(with: $0.mark) }) { return file(kind.name) }
        if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) { return file("MP4") }
        if let kind = page(head) { return "is \(kind), not a playlist; check the URL and the credentials" }
        return bytes.prefix(1024).contains(0) ? "is binary data, not a playlist; playlists start with #EXTM3U" : nil
    }

    /// The kind of page that a server sends instead of a playlist; nil for other content.
    private static func page(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let start = String(decoding: text.prefix(64), as: UTF8.self).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") || start.hasPrefix("<head") { return "HTML" }
        if start.hasPrefix("<mpd") || (start.hasPrefix("<?xml") && isManifest(text)) { return "a DASH manifest" }
        if start.hasPrefix("<?xml") || start.hasPrefix("<!--") { return "XML or HTML" }
        let isObject =
            start.wholeMatch(of: /(?s)\{\s*("|\}).*/) != nil || start.wholeMatch(of: /(?s)\[\s*[\{"\]].*/) != nil
        return isObject ? "JSON" : nil
    }

    private static func isManifest(_ text: ArraySlice<UInt8>) -> Bool {
        String(decoding: text.prefix(1024), as: UTF8.self).contains("<MPD")
    }

    private static func segment(_ kind: String) -> String {
        "is a segment (\(kind)), not a playlist; name its playlist, which usually ends in .m3u8"
    }

    private static func file(_ kind: String) -> String {
        "is a media file (\(kind)), not a playlist; segue serve creates playlists for media files"
    }

    /// Returns true for whole packets of a transport stream.
    private static func isTransportStream(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 188 && bytes.count % 188 == 0
            && stride(from: 0, to: bytes.count, by: 188).prefix(8).allSatisfy { bytes[$0] == 0x47 }
    }
}

extension SegmentInspection.Layout {
    fileprivate var words: String {
        switch self {
        case .transportStream: "MPEG-TS"
        case .fragmentedMP4, .mp4: "fragmented MP4"
        case .packedAudio: "packed audio"
        case .webVTT: "WebVTT"
        }
    }
}
