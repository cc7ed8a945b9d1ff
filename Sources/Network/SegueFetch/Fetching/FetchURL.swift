/// The parts of an absolute HTTP URL that a client needs.
package struct FetchURL {
    /// `http` or `https`, in lower case.
    package let scheme: String

    /// The host with its port, as written.
    package let authority: String

    /// The path with its query, from its first slash.
    package let target: String

    /// Takes a URL apart; nil when it is not an absolute HTTP URL.
    package init?(_ url: String) {
        // Byte by byte, as it is done with each request; what parts a URL is ASCII.
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

    /// What tells the server from others: the scheme, and the host in lower case with its port.
    package var origin: String { "\(scheme)://\(hostAndPort.lowercased())" }

    /// The last part of the path, without the query.
    package var lastPathPart: String {
        let path = target.prefix { $0 != "?" }
        return String(path[(path.lastIndex(of: "/") ?? path.startIndex)...].dropFirst())
    }

    /// The host with its port, also where it is the scheme's own.
    package var hostAndPort: String {
        let afterBrackets = authority.utf8.reversed().prefix { $0 != UInt8(ascii: "]") }
        return afterBrackets.contains(UInt8(ascii: ":")) ? authority : authority + (scheme == "https" ? ":443" : ":80")
    }
}
