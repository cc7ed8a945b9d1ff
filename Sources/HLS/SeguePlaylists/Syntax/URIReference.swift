/// URI references and their resolution (RFC 3986, 5.2).
package enum URIReference {
    /// Resolves a reference to an absolute URI.
    ///
    /// Characters that URIs must not contain (spaces, quotes, non-ASCII) are percent-encoded; percent signs are kept.
    ///
    /// - Parameters:
    ///   - reference: The reference in the playlist.
    ///   - base: The absolute URI of the playlist.
    /// - Returns: The absolute URI if `base` is absolute.
    package static func resolve(_ reference: String, against base: String) -> String {
        Base(base).resolve(reference)
    }

    /// The base of references: the absolute URI of a playlist, parsed once.
    package final class Base: Sendable {
        private let parts: Parts

        /// The prefix for plain references; nil if paths must be merged.
        private let folder: String?

        /// A base URI.
        package init(_ uri: String) {
            parts = Parts(encoded(uri))
            folder = parts.folder
        }

        /// Resolves a reference as ``URIReference/resolve(_:against:)`` does.
        package func resolve(_ reference: String) -> String {
            if let folder, isPlain(reference) { return folder + reference }
            let reference = Parts(encoded(reference))
            var target = Parts()
            target.fragment = reference.fragment
            if reference.scheme != nil {
                (target.scheme, target.authority) = (reference.scheme, reference.authority)
                (target.path, target.query) = (removingDots(reference.path), reference.query)
                return target.text
            }
            target.scheme = parts.scheme
            if reference.authority != nil {
                target.authority = reference.authority
                (target.path, target.query) = (removingDots(reference.path), reference.query)
                return target.text
            }
            target.authority = parts.authority
            if reference.path.isEmpty {
                (target.path, target.query) = (parts.path, reference.query ?? parts.query)
            } else {
                let path = reference.path.hasPrefix("/") ? reference.path : merged(reference.path, parts)
                (target.path, target.query) = (removingDots(path), reference.query)
            }
            return target.text
        }
    }

    /// Returns the first query parameter of each name, not percent-decoded; nil for a name without a value.
    package static func queryParameters(of uri: String) -> [String: String?] {
        var all: [String: String?] = [:]
        for pair in (Parts(uri).query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if all[name] == nil { all.updateValue(parts.count == 2 ? String(parts[1]) : nil, forKey: name) }
        }
        return all
    }

    private struct Parts: Sendable {
        var scheme: String?
        var authority: String?
        var path = ""
        var query: String?
        var fragment: String?

        init() {}

        init(_ text: String) {
            var rest = Substring(text)
            if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
                fragment = String(rest[rest.index(after: hash)...])
                rest = rest[..<hash]
            }
            if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
                query = String(rest[rest.index(after: mark)...])
                rest = rest[..<mark]
            }
            if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), URIReference.isScheme(rest[..<colon]) {
                scheme = String(rest[..<colon])
                rest = rest[rest.index(after: colon)...]
            }
            if rest.hasPrefix("//") {
                rest = rest.dropFirst(2)
                let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
                authority = String(rest[..<end])
                rest = rest[end...]
            }
            path = String(rest)
        }

        /// The URI up to the last slash of its path; nil if it is not absolute, or its path has dot segments.
        var folder: String? {
            guard let scheme, let authority, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
                !URIReference.hasDots(path)
            else { return nil }
            return "\(scheme)://\(authority)\(path[...slash])"
        }

        var text: String {
            (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
                + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
        }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func merged(_ path: String, _ base: Parts) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.lastIndex(of: "/") else { return path }
        return base.path[...slash] + path
    }

    /// Removes `.` and `..` from a path (RFC 3986, 5.2.4).
    private static func removingDots(_ path: String) -> String {
        guard hasDots(path) else { return path }
        let isAbsolute = path.hasPrefix("/")
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(isAbsolute ? 1 : 0)
        var result: [Substring] = []
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { result.append("") }
            case "..":
                _ = result.popLast()
                if isLast { result.append("") }
            default: result.append(part)
            }
        }
        return (isAbsolute ? "/" : "") + result.joined(separator: "/")
    }

    /// Returns true if a segment of a path starts with a dot.
    private static func hasDots(_ path: String) -> Bool {
        var before = UInt8(ascii: "/")
        for byte in path.utf8 {
            if byte == UInt8(ascii: "."), before == UInt8(ascii: "/") { return true }
            before = byte
        }
        return false
    }

    /// Returns true for a relative path that needs no change, with or without a query.
    private static func isPlain(_ reference: String) -> Bool {
        var before = UInt8(ascii: "/")
        for byte in reference.utf8 {
            switch byte {
            case UInt8(ascii: ":"), UInt8(ascii: "#"): return false
            case UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "?"):
                if before == UInt8(ascii: "/") { return false }
            default: if !isAllowed(byte) { return false }
            }
            before = byte
        }
        return !reference.isEmpty
    }

    private static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isAllowed) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isAllowed(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F...0xFF: false
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: true
        }
    }
}
