/// Session data for applications (`EXT-X-SESSION-DATA`; RFC 8216, 4.3.4.4).
public struct SessionData: Sendable, Hashable {
    /// The format of a resource.
    public enum Format: String, Sendable {
        /// JSON (RFC 8259).
        case json = "JSON"
        /// Raw bytes of any format.
        case raw = "RAW"
    }

    /// A value or its location.
    public enum Content: Sendable, Hashable {
        /// The value itself.
        case value(String)
        /// The URI of the value as written, and its format.
        case resource(uri: String, format: Format)
    }

    /// The reverse DNS name.
    public var dataID: String

    /// The value or its location.
    public var content: Content

    /// The language of the value (RFC 5646); nil if not given.
    public var language: String?

    /// Session data.
    ///
    /// - Parameters:
    ///   - dataID: The reverse DNS name.
    ///   - content: The value or its location.
    ///   - language: The language of the value (RFC 5646); nil if not given.
    public init(dataID: String, content: Content, language: String? = nil) {
        self.dataID = dataID
        self.content = content
        self.language = language
    }
}

/// The allowed content protection of a key system (`ALLOWED-CPC`; rfc8216bis, 4.4.6.2).
public struct ContentProtection: Sendable, Hashable {
    /// The key format.
    public var keyFormat: String

    /// The labels of the allowed configurations; empty if none is allowed.
    public var labels: [String]

    /// The protection of a key system.
    ///
    /// - Parameters:
    ///   - keyFormat: The key system, as in the KEYFORMAT of keys.
    ///   - labels: The labels of the allowed configurations; empty if none is allowed.
    public init(keyFormat: String, labels: [String]) {
        self.keyFormat = keyFormat
        self.labels = labels
    }

    /// Parses `KEYFORMAT:LABEL/LABEL`.
    ///
    /// Key formats may contain colons.
    init(_ text: Substring) {
        let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        keyFormat = String(text[..<colon])
        labels = text[colon...].dropFirst().split(separator: "/").map(String.init)
    }

    var text: String { labels.isEmpty ? keyFormat + ":" : keyFormat + ":" + labels.joined(separator: "/") }
}
