/// The parts of an absolute HTTP URL.
package struct FetchURL {
    /// `http` or `https`, in lower case.
    package let scheme: String

    /// The host and port, as written.
    package let authority: String

    /// The path and query, from the first slash.
    package let target: String

    /// Parses a URL; nil if it is not an absolute HTTP URL.
    package init?(_ url: String) {
        // Works on bytes for speed; all delimiters are ASCII.
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            case let scheme = url[..<colon].lowercased(), scheme == "http" || scheme == "https",
            bytes[colon...].starts(with: "://".utf8), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        let rest = bytes[bytes.index(colon, offsetBy: 3)...].prefix { $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard !authority.isEmpty else { return nil }
        self.scheme = scheme
        self.authority = String(url[authority.startIndex..<authority.endIndex])
        let target = url[authority.endIndex..<rest.endIndex]
        self.target = target.utf8.first == UInt8(ascii: "/") ? String(target) : "/" + target
    }

    /// The origin: the scheme, and the host in lower case with its port.
    package var origin: String { "\(scheme)://\(hostAndPort.lowercased())" }

    /// The last path component.
    package var lastPathPart: String {
        let path = target.prefix { $0 != "?" }
        return String(path[(path.lastIndex(of: "/") ?? path.startIndex)...].dropFirst())
    }

    /// The host with its port, including a default port.
    package var hostAndPort: String {
        let afterBrackets = authority.utf8.reversed().prefix { $0 != UInt8(ascii: "]") }
        return afterBrackets.contains(UInt8(ascii: ":")) ? authority : authority + (scheme == "https" ? ":443" : ":80")
    }
}
