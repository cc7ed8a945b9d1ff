/// The servers that a playlist names with absolute URLs: in the lines and URIs of an HLS playlist, or in a DASH
/// manifest.
package enum PlaylistServers {
    /// The maximum number of servers.
    private static let most = 16

    /// Finds the servers in a playlist.
    ///
    /// - Parameter bytes: The playlist, or its beginning.
    /// - Returns: The first URL of each server, in order.
    package static func named(in bytes: [UInt8]) -> [(url: String, server: Endpoint)] {
        let text = String(decoding: bytes, as: UTF8.self)
        var found: [(url: String, server: Endpoint)] = []
        for url in text.contains("<MPD") ? urls(inManifest: text) : urls(inPlaylist: text) {
            guard let server = server(of: url), !found.contains(where: { $0.server == server }) else { continue }
            found.append((url, server))
            if found.count == most { break }
        }
        return found
    }

    /// The server of an absolute HTTP URL, in lower case; nil for any other text.
    package static func server(of url: String) -> Endpoint? {
        guard let mark = url.firstRange(of: "://") else { return nil }
        let port: Int
        switch url[..<mark.lowerBound].lowercased() {
        case "http": port = 80
        case "https": port = 443
        default: return nil
        }
        let authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
        return server(authority.split(separator: "@").last ?? "", port: port)
    }

    /// The server of a host with an optional port.
    package static func server(_ authority: some StringProtocol, port: Int) -> Endpoint? {
        let name = authority.lowercased()
        guard !name.isEmpty else { return nil }
        return Endpoint(name) ?? Endpoint(name + ":\(port)")
    }

    private static func urls(inPlaylist text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            guard line.hasPrefix("#") else { return String(line.prefix { $0 != " " }) }
            guard line.hasPrefix("#EXT"), let uri = line.firstRange(of: "URI=\"") else { return nil }
            return String(line[uri.upperBound...].prefix { $0 != "\"" })
        }
    }

    /// The elements and attributes with URLs to fetch (ISO/IEC 23009-1, section 5).
    private static let elements = ["BaseURL", "Location", "PatchLocation"]
    private static let attributes = [
        "media", "initialization", "index", "sourceURL", "bitstreamSwitching", "xlink:href",
    ]

    private static func urls(inManifest text: String) -> [String] {
        var urls: [String] = []
        for piece in text.split(separator: "<").prefix(100_000) {
            let tag = piece.prefix { $0 != ">" }
            let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
            if elements.contains(String(name)) {
                urls.append(piece.dropFirst(tag.count + 1).trimmed)
            }
            for attribute in attributes where tag.contains(attribute) {
                guard let place = tag.firstRange(of: " \(attribute)=\"") else { continue }
                urls.append(String(tag[place.upperBound...].prefix { $0 != "\"" }))
            }
        }
        return urls
    }
}

extension Substring {
    /// The text without surrounding white space.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
