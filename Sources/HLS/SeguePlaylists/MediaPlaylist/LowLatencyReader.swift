internal import SegueBase

/// Reads the low-latency tags of media playlists.
struct LowLatencyReader {
    private(set) var serverControl: ServerControl?
    private(set) var partTarget: Rational?
    private(set) var skip: PlaylistSkip?
    private(set) var preloadHints: [PreloadHint] = []
    private(set) var renditionReports: [RenditionReport] = []

    /// The number of parts, hints, and reports so far.
    private(set) var count = 0

    /// The parts of the next segment.
    private var parts: [PartialSegment] = []
    private var lastPart: PartialSegment?
    private var hasServerControl = false

    /// Handles a tag; returns false for other tags.
    mutating func read(
        _ tag: PlaylistTag,
        after segments: Int,
        _ variables: inout PlaylistVariables
    ) throws(PlaylistError) -> Bool {
        switch tag.name {
        case "#EXT-X-PART": try readPart(tag, &variables)
        case "#EXT-X-PRELOAD-HINT": try readHint(tag, &variables)
        case "#EXT-X-RENDITION-REPORT": try readReport(tag, &variables)
        case "#EXT-X-PART-INF":
            guard let attributes = try tag.attributes(&variables) else { return true }
            guard partTarget == nil else { throw tag.repeated }
            guard let target = try attributes.length("PART-TARGET") else { throw attributes.missing("PART-TARGET") }
            partTarget = target
        case "#EXT-X-SERVER-CONTROL":
            guard let attributes = try tag.attributes(&variables) else { return true }
            guard !hasServerControl else { throw tag.repeated }
            hasServerControl = true
            let control = try ServerControl(attributes)
            serverControl = control == ServerControl() ? nil : control
        case "#EXT-X-SKIP":
            guard let attributes = try tag.attributes(&variables) else { return true }
            guard skip == nil else { throw tag.repeated }
            guard segments == 0 else {
                throw PlaylistError(.badLine, line: tag.line, "\(tag.name) stands after segments")
            }
            guard let count = try attributes.integer("SKIPPED-SEGMENTS") else {
                throw attributes.missing("SKIPPED-SEGMENTS")
            }
            skip = PlaylistSkip(
                segments: count,
                recentlyRemovedDateRanges: try attributes.string("RECENTLY-REMOVED-DATERANGES").map {
                    $0.split(separator: "\t").map(String.init)
                }
            )
        default: return false
        }
        return true
    }

    /// Returns the parts since the last segment, which belong to the next one.
    mutating func takeParts() -> [PartialSegment] {
        defer { parts = [] }
        return parts
    }

    private mutating func readPart(_ tag: PlaylistTag, _ variables: inout PlaylistVariables) throws(PlaylistError) {
        guard let attributes = try tag.attributes(&variables) else { return }
        let uri = try attributes.requiredString("URI")
        guard let duration = try attributes.length("DURATION") else { throw attributes.missing("DURATION") }
        let part = PartialSegment(
            uri: uri,
            duration: duration,
            isIndependent: attributes.flag("INDEPENDENT"),
            byteRange: try byteRange(of: uri, attributes),
            isGap: attributes.flag("GAP")
        )
        parts.append(part)
        lastPart = part
        count += 1
    }

    /// Returns the byte range of a part; without an offset, it continues the previous part.
    private func byteRange(of uri: String, _ attributes: AttributeList) throws(PlaylistError) -> ByteRange? {
        guard let text = try attributes.string("BYTERANGE") else { return nil }
        guard let range = PlaylistNumber.byteRange(text[...]) else {
            throw attributes.bad("BYTERANGE", "LENGTH or LENGTH@OFFSET")
        }
        if let offset = range.offset { return ByteRange(offset: offset, length: range.length) }
        guard let lastPart, lastPart.uri == uri, let former = lastPart.byteRange else {
            throw attributes.bad("BYTERANGE", "with an offset, and no part of the same resource is before it")
        }
        let offset = former.offset + former.length
        guard offset <= 1 << 53 else { throw attributes.bad("BYTERANGE", "below 2^53") }
        return ByteRange(offset: offset, length: range.length)
    }

    private mutating func readHint(_ tag: PlaylistTag, _ variables: inout PlaylistVariables) throws(PlaylistError) {
        guard let attributes = try tag.attributes(&variables) else { return }
        guard let type = attributes.word("TYPE") else { throw attributes.missing("TYPE") }
        // Hints of other types are to be ignored (RFC 8216bis, 6.3.8).
        guard let kind = PreloadHint.Kind(rawValue: type) else { return }
        let hint = PreloadHint(
            kind: kind,
            uri: try attributes.requiredString("URI"),
            byteRangeStart: Int64(try attributes.integer("BYTERANGE-START") ?? 0),
            byteRangeLength: try attributes.integer("BYTERANGE-LENGTH").map(Int64.init)
        )
        preloadHints.append(hint)
        count += 1
    }

    private mutating func readReport(_ tag: PlaylistTag, _ variables: inout PlaylistVariables) throws(PlaylistError) {
        guard let attributes = try tag.attributes(&variables) else { return }
        let report = RenditionReport(
            uri: try attributes.requiredString("URI"),
            lastMSN: try attributes.integer("LAST-MSN"),
            lastPart: try attributes.integer("LAST-PART")
        )
        renditionReports.append(report)
        count += 1
    }
}

extension ServerControl {
    fileprivate init(_ attributes: AttributeList) throws(PlaylistError) {
        self.init(
            canSkipUntil: try attributes.length("CAN-SKIP-UNTIL"),
            canSkipDateRanges: attributes.flag("CAN-SKIP-DATERANGES"),
            holdBack: try attributes.length("HOLD-BACK"),
            partHoldBack: try attributes.length("PART-HOLD-BACK"),
            canBlockReload: attributes.flag("CAN-BLOCK-RELOAD")
        )
    }
}
