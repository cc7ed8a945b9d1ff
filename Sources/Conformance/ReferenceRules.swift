internal import HLS

/// The rules on the URIs that a playlist names.
enum ReferenceRules {
    static let all: [Check<PlaylistDocument>] = [scheme, dots, user]

    /// The URIs of a playlist with their lines.
    private static func references(_ document: PlaylistDocument) -> [(line: Int, uri: String)] {
        document.lines.compactMap { line in
            if line.isURI { return (line.number, line.text) }
            guard line.text.utf8.contains(UInt8(ascii: "\"")), let tag = line.tag, tag != "#EXT-X-DATERANGE",
                let uri = RawAttributes(line.value)["URI"]
            else { return nil }
            // Keys of other formats and data of a session are named in their own ways.
            let isFree = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA"].contains(tag)
            return isFree && !uri.hasPrefix("file:") ? nil : (line.number, uri)
        }
    }

    /// What comes over a network leads nowhere else.
    static let scheme = Check<PlaylistDocument>(
        Rule("uri-scheme", "R2, B2", .should, "what a playlist from a server names is fetched by http or https")
    ) { document in
        guard document.http != nil else { return [] }
        return references(document).compactMap { line, uri in
            let url = URIReference.resolve(uri, against: document.url)
            guard !url.lowercased().hasPrefix("http://"), !url.lowercased().hasPrefix("https://") else { return nil }
            let scheme = url.prefix { $0 != ":" }
            return Violation(document.place(line: line), "its scheme is \(scheme), which is not followed")
        }
    }

    /// Paths are plain.
    static let dots = Check<PlaylistDocument>(
        Rule("uri-dots", "own", .advice, "no URI has dots that are percent-encoded, or climbs above its server's root")
    ) { document in
        references(document).compactMap { line, uri in
            guard mayClimb(uri) else { return nil }
            let path = uri.prefix { $0 != "?" && $0 != "#" }
            let parts = path.split(separator: "/").map { $0.lowercased() }
            let encoded = parts.first { part in
                part.contains("%2e") && ["", ".", ".."].contains(part.replacing("%2e", with: "."))
            }
            if let encoded { return Violation(document.place(line: line), "its path has \(encoded.debugDescription)") }
            guard !path.contains("://"), parts.contains("..") else { return nil }
            let base = document.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst(2).dropLast()
            var depth = path.hasPrefix("/") ? 0 : base.count
            for part in parts {
                depth += part == ".." ? -1 : part == "." ? 0 : 1
                guard depth >= 0 else { return Violation(document.place(line: line), "it climbs above the root") }
            }
            return nil
        }
    }

    /// Whether a URI has a percent sign, or two dots in a row: few have.
    private static func mayClimb(_ uri: String) -> Bool {
        var before: UInt8 = 0
        for byte in uri.utf8 {
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: ".") && before == byte { return true }
            before = byte
        }
        return false
    }

    /// Names and passwords are no part of an address.
    static let user = Check<PlaylistDocument>(
        Rule("uri-user", "H4.2.4", .should, "no URI has a user's name or password in it")
    ) { document in
        references(document).compactMap { line, uri in
            guard uri.utf8.contains(UInt8(ascii: "@")), let start = uri.firstRange(of: "://")?.upperBound else {
                return nil
            }
            let authority = uri[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            return authority.contains("@") ? Violation(document.place(line: line), "it has") : nil
        }
    }
}
