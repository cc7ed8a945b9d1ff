internal import SegueContainers
internal import SeguePlaylists

/// The kind of a body by its first bytes.
package enum BodyKind: String, Sendable, CaseIterable {
    case playlist = "a playlist"
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
        if isTransport(bytes) { return .transportStream }
        let boxes = ["ftyp", "styp", "moof", "moov", "sidx", "emsg", "prft", "free", "mdat"]
        if boxes.contains(where: { bytes.dropFirst(4).starts(with: $0.utf8) }) { return .movie }
        return isPackedAudio(bytes) ? .packedAudio : nil
    }

    /// Returns true if the first packets have sync bytes; encrypted bytes may start with one by chance.
    private static func isTransport(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= TransportPacket.size else { return false }
        return stride(from: 0, to: bytes.count, by: TransportPacket.size).prefix(5).allSatisfy {
            bytes[$0] == TransportPacket.syncByte
        }
    }

    /// Returns true for an ID3 tag, or for a frame that ends at the next one or at the end of the body.
    private static func isPackedAudio(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: "ID3".utf8) { return true }
        guard let frame = AudioFrame(bytes[...]), frame.size <= bytes.count else { return false }
        return frame.size == bytes.count || AudioFrame(bytes[frame.size...])?.codec == frame.codec
    }

    private static func text(_ bytes: [UInt8]) -> BodyKind? {
        var head = bytes.prefix(512)
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
        head = head.drop(while: isSpace)
        let words = String(decoding: head.prefix(256), as: UTF8.self).lowercased()
        if words.hasPrefix("#extm3u") { return .playlist }
        if words.hasPrefix("webvtt") { return .subtitles }
        if words.hasPrefix("<!doctype html") || words.hasPrefix("<html") || words.hasPrefix("<head") { return .html }
        if words.hasPrefix("<?xml") || words.hasPrefix("<error") { return words.contains("<html") ? .html : .xml }
        return isJSON(bytes) ? .json : nil
    }

    /// Returns true for text from a bracket to the matching one; encrypted bytes may start with a bracket by chance.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first(where: { !isSpace($0) }), let last = bytes.last(where: { !isSpace($0) }),
            (first, last) == (UInt8(ascii: "{"), UInt8(ascii: "}"))
                || (first, last) == (UInt8(ascii: "["), UInt8(ascii: "]")),
            !bytes.contains(where: { $0 < 0x20 && !isSpace($0) })
        else { return false }
        return String(validating: bytes, as: UTF8.self) != nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

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
