/// Reads the tags of multivariant playlists.
struct MultivariantReader {
    private var playlist = MultivariantPlaylist(variants: [])
    private var pending: Variant?

    /// True if the next URI is that of an ignored variant.
    private var ignoresURI = false

    /// The last ignored variant, for the error if there is no other.
    private var ignored: Int?

    /// The number of entries so far.
    var count: Int {
        playlist.variants.count + playlist.iFrameVariants.count + playlist.renditions.count
            + playlist.sessionData.count + playlist.sessionKeys.count
    }

    /// Handles a tag; returns false for a tag that multivariant playlists do not have.
    mutating func read(_ tag: PlaylistTag, _ variables: inout PlaylistVariables) throws(PlaylistError) -> Bool {
        switch tag.name {
        case "#EXT-X-STREAM-INF":
            guard pending == nil, !ignoresURI else {
                throw PlaylistError(
                    .missing,
                    line: tag.line,
                    "\(tag.name) follows another one without a URI in between"
                )
            }
            pending = try variant(tag, &variables)
            ignoresURI = pending == nil
            if ignoresURI { ignored = tag.line }
        case "#EXT-X-I-FRAME-STREAM-INF":
            if let variant = try variant(tag, &variables) { playlist.iFrameVariants.append(variant) }
        case "#EXT-X-MEDIA":
            guard let attributes = try tag.attributes(&variables) else { break }
            if let rendition = try rendition(attributes) { playlist.renditions.append(rendition) }
        case "#EXT-X-SESSION-DATA":
            guard let attributes = try tag.attributes(&variables) else { break }
            if let data = try sessionData(attributes) { playlist.sessionData.append(data) }
        case "#EXT-X-SESSION-KEY":
            guard let attributes = try tag.attributes(&variables) else { break }
            guard let key = try MediaKey(attributes) else { throw attributes.bad("METHOD", "one that encrypts") }
            playlist.sessionKeys.append(key)
        case "#EXT-X-CONTENT-STEERING":
            guard let attributes = try tag.attributes(&variables) else { break }
            guard playlist.contentSteering == nil else { throw tag.repeated }
            playlist.contentSteering = ContentSteering(
                serverURI: try attributes.requiredString("SERVER-URI"),
                pathwayID: try attributes.string("PATHWAY-ID")
            )
        default: return false
        }
        return true
    }

    /// Handles a URI; returns false without a preceding variant.
    mutating func readURI(_ uri: String) throws(PlaylistError) -> Bool {
        guard !ignoresURI else {
            ignoresURI = false
            return true
        }
        guard var variant = pending else { return false }
        variant.uri = uri
        playlist.variants.append(variant)
        pending = nil
        return true
    }

    func finish() throws(PlaylistError) -> MultivariantPlaylist {
        guard pending == nil, !ignoresURI else {
            throw PlaylistError(.missing, line: nil, "no URI follows the last #EXT-X-STREAM-INF")
        }
        guard !playlist.variants.isEmpty else {
            let message =
                ignored == nil ? "the playlist has no #EXT-X-STREAM-INF" : "every variant requires an unknown feature"
            throw PlaylistError(.missing, line: ignored, message)
        }
        return playlist
    }

    /// Reads a variant; nil if it requires unknown features (rfc8216bis, 4.4.6.2, 6.3.1).
    private func variant(
        _ tag: PlaylistTag,
        _ variables: inout PlaylistVariables
    ) throws(PlaylistError) -> Variant? {
        guard let attributes = try tag.attributes(&variables, knowing: "REQ-VIDEO-LAYOUT") else { return nil }
        guard let bandwidth = try attributes.integer("BANDWIDTH") else { throw attributes.missing("BANDWIDTH") }
        var variant = Variant(uri: "", bandwidth: bandwidth)
        if tag.name == "#EXT-X-I-FRAME-STREAM-INF" { variant.uri = try attributes.requiredString("URI") }
        variant.videoLayouts = try attributes.strings("REQ-VIDEO-LAYOUT")
        guard variant.videoLayouts.allSatisfy(MultivariantReader.isKnown(layout:)) else { return nil }
        variant.averageBandwidth = try attributes.integer("AVERAGE-BANDWIDTH")
        variant.codecs = try attributes.strings("CODECS")
        variant.supplementalCodecs = try attributes.strings("SUPPLEMENTAL-CODECS")
        variant.score = try attributes.length("SCORE")
        variant.allowedProtection = try attributes.string("ALLOWED-CPC")?.split(separator: ",").map {
            ContentProtection($0)
        }
        variant.stableID = try attributes.string("STABLE-VARIANT-ID")
        variant.pathwayID = try attributes.string("PATHWAY-ID")
        variant.resolution = try attributes.resolution("RESOLUTION")
        variant.frameRate = try attributes.decimal("FRAME-RATE")
        variant.videoRange = attributes.word("VIDEO-RANGE")
        variant.hdcpLevel = attributes.word("HDCP-LEVEL")
        variant.audioGroup = try attributes.string("AUDIO")
        variant.videoGroup = try attributes.string("VIDEO")
        variant.subtitlesGroup = try attributes.string("SUBTITLES")
        variant.closedCaptionsGroup = attributes.word("CLOSED-CAPTIONS")
        return variant
    }

    private static let layouts: Set<Substring> = [
        "CH-STEREO", "CH-MONO", "PROJ-RECT", "PROJ-EQUI", "PROJ-HEQU", "PROJ-PRIM", "PROJ-AIV",
    ]

    private static func isKnown(layout: String) -> Bool { layout.split(separator: "/").allSatisfy(layouts.contains) }

    /// Reads session data; nil for an unknown format.
    private func sessionData(_ attributes: AttributeList) throws(PlaylistError) -> SessionData? {
        let id = try attributes.requiredString("DATA-ID")
        let language = try attributes.string("LANGUAGE")
        // With both attributes, which is not allowed, the value is used.
        if let value = try attributes.string("VALUE") {
            return SessionData(dataID: id, content: .value(value), language: language)
        }
        guard let uri = try attributes.string("URI") else { throw attributes.missing("VALUE or URI") }
        guard let format = SessionData.Format(rawValue: attributes.word("FORMAT") ?? "JSON") else { return nil }
        return SessionData(dataID: id, content: .resource(uri: uri, format: format), language: language)
    }

    /// Reads a rendition; nil for an unknown type (rfc8216bis, 6.3.1).
    private func rendition(_ attributes: AttributeList) throws(PlaylistError) -> MediaRendition? {
        guard let type = attributes.word("TYPE") else { throw attributes.missing("TYPE") }
        guard let kind = MediaRendition.Kind(rawValue: type) else { return nil }
        let (group, name) = (try attributes.requiredString("GROUP-ID"), try attributes.requiredString("NAME"))
        var rendition = MediaRendition(kind: kind, group: group, name: name)
        rendition.language = try attributes.string("LANGUAGE")
        rendition.isDefault = attributes.flag("DEFAULT")
        rendition.isAutoselected = attributes.flag("AUTOSELECT")
        rendition.isForced = attributes.flag("FORCED")
        rendition.uri = try attributes.string("URI")
        rendition.channels = try attributes.string("CHANNELS")
        rendition.instreamID = try attributes.string("INSTREAM-ID")
        rendition.characteristics = try (attributes.string("CHARACTERISTICS") ?? "").split(separator: ",").map(
            String.init
        )
        rendition.associatedLanguage = try attributes.string("ASSOC-LANGUAGE")
        rendition.stableID = try attributes.string("STABLE-RENDITION-ID")
        rendition.bitDepth = try attributes.integer("BIT-DEPTH")
        rendition.sampleRate = try attributes.integer("SAMPLE-RATE")
        return rendition
    }
}
