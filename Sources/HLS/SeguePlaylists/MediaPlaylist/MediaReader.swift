internal import SegueBase

/// Reads the tags of media playlists.
struct MediaReader {
    /// The maximum number of keys of a segment, far above the number of key systems.
    private static let mostKeys = 32

    /// The tags that apply to one segment.
    private struct NextSegment {
        var info: (duration: Rational, title: String)?
        var range: (length: Int64, offset: Int64?, line: Int)?
        var startsDiscontinuity = false
        var programDateTime: String?
        var isGap = false
    }

    private var playlist = MediaPlaylist(segments: [], kind: nil, hasEndList: false)
    private var targetDuration: Int?
    private var mediaSequence: Int?
    private var discontinuitySequence: Int?
    private var lowLatency = LowLatencyReader()
    private var dateRanges = DateRangeReader()
    private var inheritance = InheritanceReader()

    // In force until changed.
    private var map: MediaMap?
    private var keys: [MediaKey] = []
    private var keysMayGrow = false
    private var bitrate: Int?

    private var next = NextSegment()

    /// The number of entries so far.
    var count: Int { playlist.segments.count + lowLatency.count + dateRanges.count }

    /// Handles a tag; returns false for a tag that media playlists do not have.
    mutating func read(_ tag: PlaylistTag, _ variables: inout PlaylistVariables) throws(PlaylistError) -> Bool {
        switch tag.name {
        case "#EXTINF": try readInfo(tag)
        case "#EXT-X-TARGETDURATION": targetDuration = try once(targetDuration, tag)
        case "#EXT-X-MEDIA-SEQUENCE": mediaSequence = try once(mediaSequence, tag)
        case "#EXT-X-DISCONTINUITY-SEQUENCE": discontinuitySequence = try once(discontinuitySequence, tag)
        case "#EXT-X-PLAYLIST-TYPE": playlist.kind = MediaPlaylist.Kind(rawValue: String(tag.value))
        case "#EXT-X-I-FRAMES-ONLY": playlist.isIFramesOnly = true
        case "#EXT-X-ENDLIST": playlist.hasEndList = true
        case "#EXT-X-DISCONTINUITY": next.startsDiscontinuity = true
        case "#EXT-X-GAP": next.isGap = true
        case "#EXT-X-PROGRAM-DATE-TIME": next.programDateTime = String(tag.value)
        case "#EXT-X-BYTERANGE":
            guard let parts = PlaylistNumber.byteRange(tag.value) else {
                throw PlaylistError(.badLine, line: tag.line, "\(tag.name) is not LENGTH or LENGTH@OFFSET")
            }
            next.range = (parts.length, parts.offset, tag.line)
        case "#EXT-X-MAP": try readMap(tag, &variables)
        case "#EXT-X-KEY": try readKey(tag, &variables)
        case "#EXT-X-DATERANGE": try dateRanges.read(tag, after: playlist.segments.count, &variables)
        case "#EXT-X-BITRATE":
            bitrate = try tag.integer()
            inheritance.readBitrate(before: playlist.segments.count)
        default: return try lowLatency.read(tag, after: playlist.segments.count, &variables)
        }
        return true
    }

    mutating func readURI(_ uri: String, line: Int) throws(PlaylistError) {
        guard let info = next.info else {
            throw PlaylistError(.missing, line: line, "no #EXTINF or #EXT-X-STREAM-INF precedes the URI")
        }
        var segment = MediaSegment(uri: uri, duration: info.duration)
        segment.title = info.title
        segment.byteRange = try byteRange(of: uri)
        segment.startsDiscontinuity = next.startsDiscontinuity
        segment.map = map
        segment.keys = keys
        segment.programDateTime = next.programDateTime
        segment.isGap = next.isGap
        segment.parts = lowLatency.takeParts()
        segment.bitrate = segment.byteRange == nil ? bitrate : nil
        playlist.segments.append(segment)
        next = NextSegment()
        keysMayGrow = false
    }

    mutating func finish() throws(PlaylistError) -> MediaPlaylist {
        guard let targetDuration else {
            throw PlaylistError(.missing, line: nil, "the playlist has no #EXT-X-TARGETDURATION")
        }
        guard next.info == nil else { throw PlaylistError(.missing, line: nil, "no URI follows the last #EXTINF") }
        var skip = lowLatency.skip
        skip?.inherited = inheritance.finish(playlist.segments.count)
        let parts = lowLatency.takeParts()
        playlist.targetDuration = targetDuration
        playlist.mediaSequence = mediaSequence ?? 0
        playlist.discontinuitySequence = discontinuitySequence ?? 0
        playlist.serverControl = lowLatency.serverControl
        playlist.partTarget = lowLatency.partTarget
        playlist.skip = skip
        if !parts.isEmpty {
            playlist.open = OpenSegment(
                parts: parts,
                startsDiscontinuity: next.startsDiscontinuity,
                map: map,
                keys: keys,
                programDateTime: next.programDateTime
            )
        }
        playlist.dateRanges = dateRanges.finish(firstListed: playlist.firstListedSequence, isDelta: skip != nil)
        playlist.preloadHints = lowLatency.preloadHints
        playlist.renditionReports = lowLatency.renditionReports
        return playlist
    }

    private func once(_ former: Int?, _ tag: PlaylistTag) throws(PlaylistError) -> Int {
        guard former == nil else { throw tag.repeated }
        return try tag.integer()
    }

    private mutating func readInfo(_ tag: PlaylistTag) throws(PlaylistError) {
        let parts = tag.value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        guard let text = parts.first, let duration = PlaylistNumber.decimal(text.prefix { $0 != " " }) else {
            throw PlaylistError(
                .badLine,
                line: tag.line,
                "#EXTINF has no duration: \(tag.value.prefix(40).debugDescription)"
            )
        }
        guard next.info == nil else {
            throw PlaylistError(.missing, line: tag.line, "#EXTINF follows another one without a URI in between")
        }
        next.info = (duration, parts.count == 2 ? String(parts[1]) : "")
    }

    private mutating func readMap(_ tag: PlaylistTag, _ variables: inout PlaylistVariables) throws(PlaylistError) {
        guard let attributes = try tag.attributes(&variables) else { return }
        var map = MediaMap(uri: try attributes.requiredString("URI"))
        if let text = try attributes.string("BYTERANGE") {
            guard let range = PlaylistNumber.byteRange(text[...]) else {
                throw attributes.bad("BYTERANGE", "LENGTH@OFFSET")
            }
            map.byteRange = ByteRange(offset: range.offset ?? 0, length: range.length)
        }
        map.keys = keys
        self.map = map
        inheritance.readMap(before: playlist.segments.count)
    }

    private mutating func readKey(_ tag: PlaylistTag, _ variables: inout PlaylistVariables) throws(PlaylistError) {
        guard let attributes = try tag.attributes(&variables) else { return }
        let key = try MediaKey(attributes)
        if !keysMayGrow { keys = [] }
        inheritance.readKey(before: playlist.segments.count)
        guard let key else { return keys = [] }
        // Keys of several formats between two segments all hold; one of the same format takes the other's place.
        keys.removeAll { $0.keyFormat == key.keyFormat }
        guard keys.count < MediaReader.mostKeys else {
            throw PlaylistError(.tooLarge, line: tag.line, "a segment has more than \(MediaReader.mostKeys) keys")
        }
        keys.append(key)
        keysMayGrow = true
    }

    /// Returns the byte range of the next segment; without an offset, it continues the previous range.
    private mutating func byteRange(of uri: String) throws(PlaylistError) -> ByteRange? {
        guard let range = next.range else { return nil }
        if let offset = range.offset { return ByteRange(offset: offset, length: range.length) }
        // The range before it may be among those that a delta update leaves out.
        if playlist.segments.isEmpty, lowLatency.skip.map({ $0.segments > 0 }) ?? false {
            inheritance.continueRange(of: 0)
            return ByteRange(offset: 0, length: range.length)
        }
        guard let former = playlist.segments.last, former.uri == uri, let before = former.byteRange else {
            throw PlaylistError(
                .missing,
                line: range.line,
                "#EXT-X-BYTERANGE has no offset, and no range of the same resource precedes it"
            )
        }
        inheritance.continueRange(of: playlist.segments.count)
        let (offset, overflows) = before.offset.addingReportingOverflow(before.length)
        guard !overflows, offset <= 1 << 53 else {
            throw PlaylistError(.badLine, line: range.line, "the byte ranges exceed 2^53")
        }
        return ByteRange(offset: offset, length: range.length)
    }
}

extension MediaKey {
    /// Reads a key from attributes; nil for METHOD=NONE.
    init?(_ attributes: AttributeList) throws(PlaylistError) {
        guard let method = attributes.word("METHOD") else { throw attributes.missing("METHOD") }
        guard method != "NONE" else { return nil }
        self.init(
            method: method,
            uri: try attributes.requiredString("URI"),
            initializationVector: attributes.word("IV"),
            keyFormat: try attributes.string("KEYFORMAT") ?? "identity",
            keyFormatVersions: try attributes.string("KEYFORMATVERSIONS")
        )
    }
}
