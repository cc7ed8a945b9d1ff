internal import SeguePlaylists

/// The kind of a body by its first bytes.
package enum BodyKind: String, Sendable, CaseIterable {
    case playlist
    case transportStream = "a transport stream"
    case movie = "fragmented MP4"
    case packedAudio = "packed audio"
    case subtitles = "WebVTT"
    case html = "an HTML page"
    case xml = "XML"
    case json = "JSON"
    case empty = "empty"
    /// None of these: a key, an encrypted segment, or broken data.
    case unknown

    /// Detects the kind of a body.
    package init(_ bytes: [UInt8]) {
        self = bytes.isEmpty ? .empty : Self.media(bytes) ?? Self.text(bytes) ?? .unknown
    }

    private static func media(_ bytes: [UInt8]) -> BodyKind? {
        if bytes[0] == 0x47, bytes.count < 189 || bytes[188] == 0x47 { return .transportStream }
        let boxes = ["ftyp", "styp", "moof", "moov", "sidx", "emsg", "prft", "free", "mdat"]
        if boxes.contains(where: { bytes.dropFirst(4).starts(with: $0.utf8) }) { return .movie }
        let isSyncWord = bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0
        return isSyncWord || bytes.starts(with: "ID3".utf8) ? .packedAudio : nil
    }

    private static func text(_ bytes: [UInt8]) -> BodyKind? {
        var head = bytes.prefix(512)
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
        head = head.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let words = String(decoding: head.prefix(256), as: UTF8.self).lowercased()
        if words.hasPrefix("#extm3u") { return .playlist }
        if words.hasPrefix("webvtt") { return .subtitles }
        if words.hasPrefix("<!doctype html") || words.hasPrefix("<html") || words.hasPrefix("<head") { return .html }
        if words.hasPrefix("<?xml") || words.hasPrefix("<error") { return words.contains("<html") ? .html : .xml }
        let isObject = words.hasPrefix("{") || words.hasPrefix("[")
        return isObject && words.dropFirst().contains("\"") ? .json : nil
    }

    /// Returns true for an audio, video, or WebVTT media type in lower case.
    static func isMediaType(_ type: String) -> Bool {
        type.hasPrefix("video/") || type.hasPrefix("audio/") || ["text/vtt", "application/mp4"].contains(type)
    }

    /// The media types that Apple's specification recommends; nil if it has none for this kind.
    var mediaTypes: [String]? {
        switch self {
        case .playlist: ["application/vnd.apple.mpegurl", "audio/mpegurl"]
        case .transportStream: ["video/mp2t"]
        case .movie: ["video/mp4", "video/iso.segment", "audio/mp4", "application/mp4"]
        case .packedAudio: ["audio/aac", "audio/mpeg", "audio/ac3", "audio/eac3"]
        case .subtitles: ["text/vtt", "text/plain"]
        default: nil
        }
    }

    /// True if no playlist entry can have this kind.
    package var isPage: Bool { [.html, .xml, .json, .empty].contains(self) }
}
