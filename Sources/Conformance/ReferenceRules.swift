internal import HLS

/// The rules on the URIs that a playlist names.
enum ReferenceRules {
    static let all: [Check<PlaylistDocument>] = [scheme, dots, user]

    /// The URI that a line names; nil where it names none.
    private static func reference(_ line: PlaylistDocument.Line) -> String? {
        if line.isURI { return line.text }
        guard let tag = line.tag, tag != "#EXT-X-DATERANGE", let uri = line.list?["URI"] else { return nil }
        // Keys of other formats and data of a session are named in their own ways.
        let isFree = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA"].contains(tag)
        return isFree && !uri.hasPrefix("file:") ? nil : uri
    }

    /// What comes over a network leads nowhere else.
    static let scheme = Check<PlaylistDocument>(
        Rule("uri-scheme", "R2, B2", .should, "what a playlist from a server names is fetched by http or https")
    ) { document in
        guard document.http != nil else { return [] }
        return document.lines.violations { line in
            guard let uri = reference(line) else { return nil }
            let url = URIReference.resolve(uri, against: document.url)
            guard !url.lowercased().hasPrefix("http://"), !url.lowercased().hasPrefix("https://") else { return nil }
            let scheme = url.prefix { $0 != ":" }
            return Violation(document.place(line: line.number), "its scheme is \(scheme), which is not followed")
        }
    }

    /// Paths are plain.
    static let dots = Check<PlaylistDocument>(
        Rule("uri-dots", "own", .advice, "no URI has dots that are percent-encoded, or climbs above its server's root")
    ) { document in
        guard document.traits.contains(.climbing) else { return [] }
        return document.lines.violations { line in
            // Few lines have a percent sign, or two dots in a row.
            guard line.traits.contains(.climbing), let uri = reference(line) else { return nil }
            let path = uri.prefix { $0 != "?" && $0 != "#" }
            let parts = path.split(separator: "/").map { $0.lowercased() }
            let encoded = parts.first { part in
                part.contains("%2e") && ["", ".", ".."].contains(part.replacing("%2e", with: "."))
            }
            if let encoded {
                return Violation(document.place(line: line.number), "its path has \(encoded.debugDescription)")
            }
            guard !path.contains("://"), parts.contains("..") else { return nil }
            let base = document.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst(2).dropLast()
            var depth = path.hasPrefix("/") ? 0 : base.count
            for part in parts {
                depth += part == ".." ? -1 : part == "." ? 0 : 1
                guard depth >= 0 else {
                    return Violation(document.place(line: line.number), "it climbs above the root")
                }
            }
            return nil
        }
    }

    /// Names and passwords are no part of an address.
    static let user = Check<PlaylistDocument>(
        Rule("uri-user", "H4.2.4", .should, "no URI has a user's name or password in it")
    ) { document in
        guard document.traits.contains(.atSign) else { return [] }
        return document.lines.violations { line in
            guard line.traits.contains(.atSign), let uri = reference(line),
                let start = uri.firstRange(of: "://")?.upperBound
            else {
                return nil
            }
            let authority = uri[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            return authority.contains("@") ? Violation(document.place(line: line.number), "it has") : nil
        }
    }
}
