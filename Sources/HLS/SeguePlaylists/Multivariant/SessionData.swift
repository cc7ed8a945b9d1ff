/// Something that an application may want to know of a presentation (`EXT-X-SESSION-DATA`; RFC 8216, 4.3.4.4).
public struct SessionData: Sendable, Hashable {
    /// What a resource is.
    public enum Format: String, Sendable {
        /// JSON.
        case json = "JSON"
        /// Any bytes.
        case raw = "RAW"
    }

    /// A value, or where there is one.
    public enum Content: Sendable, Hashable {
        /// The value itself.
        case value(String)
        /// Where the value is, as written, and what it is.
        case resource(uri: String, format: Format)
    }

    /// What names it, as a reverse DNS name.
    public var dataID: String

    /// The value, or where it is.
    public var content: Content

    /// The language of the value (RFC 5646); nil when not given.
    public var language: String?

    /// Data of a session.
    ///
    /// - Parameters:
    ///   - dataID: What names it, as a reverse DNS name.
    ///   - content: The value, or where it is.
    ///   - language: The language of the value (RFC 5646); nil when not given.
    public init(dataID: String, content: Content, language: String? = nil) {
        self.dataID = dataID
        self.content = content
        self.language = language
    }
}

/// What protection a system for keys needs, any of which will do (`ALLOWED-CPC`; RFC 8216bis, 4.4.6.2).
public struct ContentProtection: Sendable, Hashable {
    /// How the key is represented.
    public var keyFormat: String

    /// What that system calls the configurations that will do; empty says that none will.
    public var labels: [String]

    /// Protection by a system.
    ///
    /// - Parameters:
    ///   - keyFormat: How the key is represented.
    ///   - labels: What that system calls the configurations that will do; empty says that none will.
    public init(keyFormat: String, labels: [String]) {
        self.keyFormat = keyFormat
        self.labels = labels
    }

    /// Reads `KEYFORMAT:LABEL/LABEL`; key formats may have colons of their own.
    init(_ text: Substring) {
        let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        keyFormat = String(text[..<colon])
        labels = text[colon...].dropFirst().split(separator: "/").map(String.init)
    }

    var text: String { labels.isEmpty ? keyFormat + ":" : keyFormat + ":" + labels.joined(separator: "/") }
}
