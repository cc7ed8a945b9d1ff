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
        let parts = url.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, case let scheme = parts[0].lowercased(), scheme == "http" || scheme == "https",
            parts[1].hasPrefix("//")
        else { return nil }
        let rest = parts[1].dropFirst(2).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        self.scheme = scheme
        self.authority = String(authority)
        let target = rest.dropFirst(authority.count)
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
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
        let afterBrackets = authority.split(separator: "]").last ?? ""
        return afterBrackets.contains(":") ? authority : authority + (scheme == "https" ? ":443" : ":80")
    }
}
