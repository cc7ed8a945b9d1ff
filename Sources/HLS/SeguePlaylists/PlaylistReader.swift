internal import SegueBase

/// Builds a playlist from its lines.
struct PlaylistReader {
    private let url: String?
    private let imports: [String: String]
    private let limits: PlaylistLimits
    private var variables: PlaylistVariables

    private var version: Int?
    private var isIndependent = false
    private var start: PlaylistStart?
    private var media = MediaReader()
    private var multivariant = MultivariantReader()
    private var firstImport: Int?
    private var firstMediaTag: (name: String, line: Int)?
    private var firstMultivariantTag: (name: String, line: Int)?

    init(url: String?, imports: [String: String], limits: PlaylistLimits) {
        self.url = url
        self.imports = imports
        self.limits = limits
        variables = PlaylistVariables(limits: limits)
    }

    mutating func read(_ tag: PlaylistTag) throws(PlaylistError) {
        switch tag.name {
        case "#EXT-X-VERSION":
            guard version == nil else { throw tag.repeated }
            let number = try tag.integer()
            guard number <= 13 else {
                throw PlaylistError(
                    .unsupportedVersion,
                    line: tag.line,
                    "version \(number) is later than 13, the last known"
                )
            }
            version = number
        case "#EXT-X-INDEPENDENT-SEGMENTS":
            guard !isIndependent else { throw tag.repeated }
            isIndependent = true
        case "#EXT-X-START": try readStart(tag)
        case "#EXT-X-DEFINE":
            if try variables.read(tag, url: url, imports: imports), firstImport == nil { firstImport = tag.line }
        default:
            if try media.read(tag, &variables) {
                if firstMediaTag == nil { firstMediaTag = (String(tag.name), tag.line) }
            } else if try multivariant.read(tag, &variables) {
                if firstMultivariantTag == nil { firstMultivariantTag = (String(tag.name), tag.line) }
            }
        }
        try checkMixing(at: tag.line)
        try checkSize(at: tag.line)
    }

    mutating func readURI(_ line: PlaylistLine) throws(PlaylistError) {
        let uri = try variables.put(into: line.text, line: line.number)
        if try !multivariant.readURI(uri) { try media.readURI(uri, line: line.number) }
        try checkSize(at: line.number)
    }

    mutating func finish() throws(PlaylistError) -> Playlist {
        if firstMultivariantTag != nil {
            guard firstImport == nil else {
                throw PlaylistError(.mixed, line: firstImport, "a multivariant playlist has nothing to import from")
            }
            var playlist = try multivariant.finish()
            playlist.declaredVersion = version
            playlist.isIndependent = isIndependent
            playlist.start = start
            playlist.variables = variables.values
            return .multivariant(playlist)
        }
        guard firstMediaTag != nil else {
            throw PlaylistError(.missing, line: nil, "the playlist has neither segments nor variants")
        }
        var playlist = try media.finish()
        playlist.declaredVersion = version
        playlist.isIndependent = isIndependent
        playlist.start = start
        return .media(playlist)
    }

    private mutating func readStart(_ tag: PlaylistTag) throws(PlaylistError) {
        guard start == nil else { throw tag.repeated }
        guard let attributes = try tag.attributes(&variables) else { return }
        guard let offset = try attributes.decimal("TIME-OFFSET") else { throw attributes.missing("TIME-OFFSET") }
        start = PlaylistStart(timeOffset: offset, isPrecise: attributes.flag("PRECISE"))
    }

    private func checkMixing(at line: Int) throws(PlaylistError) {
        guard let media = firstMediaTag, let multivariant = firstMultivariantTag else { return }
        let (first, second) = media.line < multivariant.line ? (media, multivariant) : (multivariant, media)
        throw PlaylistError(
            .mixed,
            line: line,
            "\(second.name) cannot stand in a playlist with \(first.name) (line \(first.line))"
        )
    }

    private func checkSize(at line: Int) throws(PlaylistError) {
        guard media.count + multivariant.count + variables.values.count <= limits.entries else {
            throw PlaylistError(.tooLarge, line: line, "the playlist has more than \(limits.entries) entries")
        }
    }
}
