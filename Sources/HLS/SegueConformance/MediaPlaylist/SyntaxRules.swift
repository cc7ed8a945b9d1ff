internal import Foundation
internal import SegueBase

/// The rules on the text of every playlist.
enum SyntaxRules {
    static let all: [Check<PlaylistDocument>] = [
        firstLine, encoding, byteOrderMark, controls, lineEnds, lastLine, composed, uriForm, whiteSpace, mediaType,
        attributes, duplicates, mixed,
    ]

    static let firstLine = Check<PlaylistDocument>(
        Rule(
            "first-line",
            in: .syntax,
            clauses: "R4.3.1.1, B4.4.1.1",
            .must,
            requires: "the first line is #EXTM3U",
            fix: "start the playlist with #EXTM3U"
        )
    ) { document in
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = document.bytes.starts(with: mark) ? document.bytes.dropFirst(3) : document.bytes[...]
        let first = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        // White space has a rule of its own.
        var kept = first
        while let last = kept.last, last == 0x20 || last == 0x09 { kept = kept.dropLast() }
        guard !kept.elementsEqual("#EXTM3U".utf8) else { return [] }
        if let words = MistakenPlaylist.description(of: document.bytes) {
            return [Violation(document.place(line: 1), "the resource \(words)")]
        }
        let shown = String(decoding: first.prefix(40), as: UTF8.self).debugDescription
        return [Violation(document.place(line: 1), "the first line is \(shown), expected #EXTM3U")]
    }

    static let encoding = Check<PlaylistDocument>(
        Rule(
            "utf-8",
            in: .syntax,
            clauses: "R4.1, B4.1",
            .must,
            requires: "the playlist is UTF-8",
            fix: "write the playlist as UTF-8"
        )
    ) { document in
        guard String(validating: document.bytes, as: UTF8.self) == nil else { return [] }
        return [Violation(document.place(), "the playlist contains invalid UTF-8")]
    }

    static let byteOrderMark = Check<PlaylistDocument>(
        Rule(
            "byte-order-mark",
            in: .syntax,
            clauses: "R4.1, B4.1",
            .must,
            requires: "the playlist has no byte order mark",
            fix: "write the playlist without a byte order mark"
        )
    ) { document in
        guard document.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return [] }
        return [Violation(document.place(line: 1), "the playlist starts with a byte order mark")]
    }

    static let controls = Check<PlaylistDocument>(
        Rule(
            "control-characters",
            in: .syntax,
            clauses: "R4.1, B4.1",
            .must,
            requires: "no line has control characters",
            fix: "remove the character"
        )
    ) { document in
        document.lines(with: .control).violations { line in
            // A CR within a line has a rule of its own.
            let found = line.text.unicodeScalars.first {
                ($0.value < 0x20 && $0.value != 0x0D) || (0x7F...0x9F).contains($0.value)
            }
            return found.map {
                Violation(document.place(line: line.number), "the line contains U+\(code($0.value))")
            }
        }
    }

    static let lineEnds = Check<PlaylistDocument>(
        Rule(
            "line-ends",
            in: .syntax,
            clauses: "R4.1, B4.1",
            .must,
            requires: "lines end with LF or CR LF",
            fix: "write LF"
        )
    ) { document in
        document.lines(with: .lineEnd).violations {
            Violation(document.place(line: $0.number), "the line contains a CR")
        }
    }

    static let lastLine = Check<PlaylistDocument>(
        Rule(
            "last-line",
            in: .syntax,
            clauses: "own",
            .advice,
            requires: "the last line ends with a line break",
            fix: "add a line break"
        )
    ) { document in
        guard let last = document.bytes.last, last != 0x0A else { return [] }
        return [Violation(document.place(line: document.lines.last?.number), "the last line has no line break")]
    }

    static let uriForm = Check<PlaylistDocument>(
        Rule(
            "uri-form",
            in: .syntax,
            clauses: "own",
            .advice,
            requires: "URIs contain only characters of RFC 3986, and no fragment",
            fix: "percent-encode the character"
        )
    ) { document in
        document.lines(with: .uncommon).violations { line in
            let uri = line.isURI ? line.value : line.list?["URI"]
            guard let uri, !uri.isAll(of: LineTraits.common), !uri.hasPrefix("data:") else { return nil }
            if let odd = uri.unicodeScalars.first(where: { !isOfURI($0) }) {
                return Violation(document.place(line: line.number), "a URI contains \(String(odd).debugDescription)")
            }
            guard uri.utf8.contains(UInt8(ascii: "#")) else { return nil }
            return Violation(document.place(line: line.number), "a URI has a fragment, which clients do not send")
        }
    }

    private static func isOfURI(_ scalar: Unicode.Scalar) -> Bool {
        // White space has a rule of its own.
        (0x20...0x7E).contains(scalar.value) && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
            || scalar.properties.isWhitespace
    }

    static let composed = Check<PlaylistDocument>(
        Rule(
            "composed",
            in: .syntax,
            clauses: "R4.1, B4.1",
            .must,
            requires: "the playlist is in Unicode normalization form C",
            fix: "normalize the text to NFC"
        )
    ) { document in
        document.lines(with: .foreign).violations { line in
            guard
                !line.text.unicodeScalars.elementsEqual(line.text.precomposedStringWithCanonicalMapping.unicodeScalars)
            else { return nil }
            return Violation(document.place(line: line.number), "the line is not in NFC")
        }
    }

    static let whiteSpace = Check<PlaylistDocument>(
        Rule(
            "white-space",
            in: .syntax,
            clauses: "R4.1, R4.2, B4.1, B4.2",
            .must,
            requires: "white space occurs in quoted strings, titles, and comments only",
            fix: "remove the white space"
        )
    ) { document in
        document.lines(with: [.blank, .foreign, .control]).violations { line in
            hasSpace(line)
                ? Violation(document.place(line: line.number), "the line contains white space outside of quotes") : nil
        }
    }

    private static func hasSpace(_ line: PlaylistDocument.Line) -> Bool {
        if line.isURI {
            return line.text.unicodeScalars.contains {
                $0.properties.isWhitespace && $0.value != 0x09 && $0.value != 0x0D
            }
        }
        guard line.text.utf8.contains(0x20) else { return false }
        switch line.tag {
        case nil: return !line.text.utf8.contains(UInt8(ascii: "#"))
        case "#EXTINF": return line.text.prefix { $0 != "," }.contains(" ")
        case "#EXTM3U", "#EXTM3U ": return true
        case let tag?:
            guard line.isListed || plain.contains(tag) else { return false }
            // Every second piece is between quotes.
            return line.text.utf8.split(separator: 0x22, omittingEmptySubsequences: false).enumerated().contains {
                $0.isMultiple(of: 2) && $1.contains(0x20)
            }
        }
    }

    /// Tags with a plain value or without a value.
    private static let plain: Set<String> = [
        "#EXT-X-VERSION", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE",
        "#EXT-X-DISCONTINUITY-SEQUENCE", "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY",
        "#EXT-X-BYTERANGE", "#EXT-X-DISCONTINUITY", "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-GAP", "#EXT-X-BITRATE",
    ]

    private static func code(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static let mediaType = Check<PlaylistDocument>(
        Rule(
            "playlist-type",
            in: .delivery,
            clauses: "R4, B4",
            .must,
            requires: "a playlist is recognizable by its media type or its suffix",
            fix: "name it *.m3u8, or send application/vnd.apple.mpegurl"
        )
    ) { document in
        let types = ["application/vnd.apple.mpegurl", "audio/mpegurl"]
        if let type = document.http?.get.mediaType, types.contains(type) { return [] }
        let path = document.url.prefix { $0 != "?" && $0 != "#" }
        let isNamed = path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
        guard let http = document.http else {
            return isNamed ? [] : [Violation(document.place(), "the file name ends in neither .m3u8 nor .m3u")]
        }
        guard !isNamed || http.get.mediaType.hasPrefix("text/html") else { return [] }
        return [
            Violation(
                document.place(),
                "the media type is \(http.get.mediaType.debugDescription) and the path has no playlist suffix"
            )
        ]
    }

    static let attributes = Check<PlaylistDocument>(
        Rule(
            "attribute-list",
            in: .syntax,
            clauses: "R4.2, B4.2",
            .must,
            requires: "attribute lists are well formed",
            fix: "write NAME=VALUE pairs separated by commas"
        )
    ) { document in
        document.listed.violations { line in
            line.list?.problem.map {
                Violation(document.place(line: line.number), "\(line.tag ?? ""): \($0)")
            }
        }
    }

    static let duplicates = Check<PlaylistDocument>(
        Rule(
            "duplicate-attribute",
            in: .syntax,
            clauses: "R4.2, B4.2",
            .must,
            requires: "no attribute list contains a name twice",
            fix: "remove the second attribute"
        )
    ) { document in
        document.listed.lazy.flatMap { line in
            (line.list?.repeated ?? []).map {
                Violation(document.place(line: line.number), "\(line.tag ?? "") has \($0) twice")
            }
        }.violations { $0 }
    }

    static let ofMedia: Set<String> = [
        "#EXTINF", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE",
        "#EXT-X-DISCONTINUITY", "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-BYTERANGE",
        "#EXT-X-MAP", "#EXT-X-KEY", "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-GAP", "#EXT-X-BITRATE", "#EXT-X-PART",
        "#EXT-X-PART-INF", "#EXT-X-SERVER-CONTROL", "#EXT-X-DATERANGE", "#EXT-X-SKIP", "#EXT-X-PRELOAD-HINT",
        "#EXT-X-RENDITION-REPORT",
    ]
    static let ofMultivariant: Set<String> = [
        "#EXT-X-MEDIA", "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-SESSION-DATA", "#EXT-X-SESSION-KEY",
        "#EXT-X-CONTENT-STEERING",
    ]

    static let ofEither = ofMedia.union(ofMultivariant)

    static let mixed = Check<PlaylistDocument>(
        Rule(
            "mixed-tags",
            in: .syntax,
            clauses: "R4.3.2, R4.3.3, R4.3.4, B4.1 should, B4.4.3, B4.4.4, B4.4.6",
            .must,
            requires: "media and multivariant tags do not occur in one playlist",
            fix: "split the playlist in two"
        )
    ) { document in
        guard ofMedia.contains(where: document.has),
            let line = ofMultivariant.compactMap({ document.tags($0).first }).min(by: { $0.number < $1.number })
        else { return [] }
        let message: Message = "\(line.tag ?? "") occurs in a playlist with media playlist tags"
        return [Violation(document.place(line: line.number), message)]
    }
}

extension PlaylistDocument {
    /// The lines with at least one of some traits.
    fileprivate func lines(with wanted: LineTraits) -> LazyFilterSequence<[Line]> {
        // If no line has the traits, none is visited.
        (traits.isDisjoint(with: wanted) ? [] : lines).lazy.filter { !$0.traits.isDisjoint(with: wanted) }
    }
}
