/// The servers that a playlist names with whole URLs: an HLS playlist in its lines and URIs, a DASH manifest where it
/// says what is to be fetched.
package enum PlaylistServers {
    /// Nobody is told of more.
    private static let most = 16

    /// What is named in a playlist.
    ///
    /// - Parameter bytes: The playlist, or its beginning.
    /// - Returns: The first URL for each server, in their order; the server with its port.
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

    /// The server of an absolute URL of HTTP, in small letters; nil for any other.
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

    /// The server that a host, with or without a port, names.
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

    /// What a manifest has to be fetched: in these elements, and in these attributes (ISO/IEC 23009-1, section 5).
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
    /// Without white space at its ends.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
