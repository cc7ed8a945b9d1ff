internal import SegueBase
internal import SeguePlaylists

/// The rules on the URIs that a playlist names.
enum ReferenceRules {
    static let all: [Check<PlaylistDocument>] = [scheme, dots, user]

    /// The URI of a line; nil if it has none.
    private static func reference(_ line: PlaylistDocument.Line) -> String? {
        if line.isURI { return line.text }
        guard let tag = line.tag, tag != "#EXT-X-DATERANGE", let uri = line.list?["URI"] else { return nil }
        // Key formats and session data have URI schemes of their own.
        let isFree = ["#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA"].contains(tag)
        return isFree && !uri.hasPrefix("file:") ? nil : uri
    }

    static let scheme = Check<PlaylistDocument>(
        Rule(
            "uri-scheme",
            in: .resources,
            clauses: "R2, B2",
            .should,
            requires: "a playlist from a server names http and https resources only",
            fix: "use an http or https URL"
        )
    ) { document in
        guard document.http != nil else { return [] }
        return document.lines.violations { line in
            guard let uri = reference(line) else { return nil }
            let url = URIReference.resolve(uri, against: document.url)
            guard !url.lowercased().hasPrefix("http://"), !url.lowercased().hasPrefix("https://") else { return nil }
            let scheme = url.prefix { $0 != ":" }
            return Violation(document.place(line: line.number), "the URI scheme is \(scheme), expected http or https")
        }
    }

    static let dots = Check<PlaylistDocument>(
        Rule(
            "uri-dots",
            in: .resources,
            clauses: "own",
            .advice,
            requires: "no URI has percent-encoded dot segments or climbs above the root of its server",
            fix: "write the resolved path"
        )
    ) { document in
        guard document.traits.contains(.climbing) else { return [] }
        let base = document.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst(2).dropLast().count
        return document.lines.violations { line in
            // Few lines have a percent sign or two consecutive dots.
            guard line.traits.contains(.climbing), let uri = reference(line) else { return nil }
            let path = uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            let steps = path.split(separator: UInt8(ascii: "/")).map { PathStep($0) }
            if let encoded = steps.lazy.compactMap(\.encoded).first {
                return Violation(
                    document.place(line: line.number),
                    "the path contains \(value: encoded.debugDescription)"
                )
            }
            guard steps.contains(.up), !Substring(path).contains("://") else { return nil }
            var depth = path.first == UInt8(ascii: "/") ? 0 : base
            for step in steps {
                depth += step == .up ? -1 : step == .here ? 0 : 1
                guard depth >= 0 else {
                    return Violation(document.place(line: line.number), "the path climbs above the root of the server")
                }
            }
            return nil
        }
    }

    static let user = Check<PlaylistDocument>(
        Rule(
            "uri-user",
            in: .resources,
            clauses: "H4.2.4",
            .should,
            requires: "no URI contains a user name or password",
            fix: "authenticate with a header field or a token"
        )
    ) { document in
        guard document.traits.contains(.atSign) else { return [] }
        return document.lines.violations { line in
            guard line.traits.contains(.atSign), let uri = reference(line),
                let start = uri.firstRange(of: "://")?.upperBound
            else {
                return nil
            }
            let authority = uri[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            return authority.contains("@")
                ? Violation(document.place(line: line.number), "the URI contains credentials") : nil
        }
    }
}

/// The effect of one component of a path.
private enum PathStep: Equatable {
    case down, here, up
    /// One or two dots, at least partly percent-encoded, in lower case.
    case encodedDots(String)

    init(_ part: Substring.UTF8View) {
        var (dots, isEncoded, rest) = (0, false, part)
        while let first = rest.first, dots < 3 {
            if first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.count >= 3, rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
                (rest, isEncoded) = (rest.dropFirst(3), true)
            } else {
                break
            }
            dots += 1
        }
        guard rest.isEmpty, dots == 1 || dots == 2 else {
            self = .down
            return
        }
        self = isEncoded ? .encodedDots(Substring(part).lowercased()) : dots == 2 ? .up : .here
    }

    /// The component if its dots are encoded.
    var encoded: String? { if case .encodedDots(let text) = self { text } else { nil } }
}
