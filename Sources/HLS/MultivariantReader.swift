/// Reads the tags of multivariant playlists.
struct MultivariantReader {
    private var playlist = MultivariantPlaylist(variants: [])
    private var pending: Variant?

    var count: Int { playlist.variants.count + playlist.iFrameVariants.count + playlist.renditions.count }

    /// Takes a tag; false when it is none of a multivariant playlist's.
    mutating func read(_ tag: PlaylistTag, _ variables: inout PlaylistVariables) throws(PlaylistError) -> Bool {
        switch tag.name {
        case "#EXT-X-STREAM-INF":
            guard pending == nil else {
                throw PlaylistError(.missing, line: tag.line, "\(tag.name) follows another without a URI between")
            }
            pending = try variant(tag.attributes(&variables))
        case "#EXT-X-I-FRAME-STREAM-INF":
            let attributes = try tag.attributes(&variables)
            var variant = try variant(attributes)
            variant.uri = try attributes.requiredString("URI")
            playlist.iFrameVariants.append(variant)
        case "#EXT-X-MEDIA":
            if let rendition = try rendition(tag.attributes(&variables)) { playlist.renditions.append(rendition) }
        case "#EXT-X-SESSION-DATA", "#EXT-X-SESSION-KEY", "#EXT-X-CONTENT-STEERING": break
        default: return false
        }
        return true
    }

    /// Takes a URI; false when no variant waits for one.
    mutating func readURI(_ uri: String) throws(PlaylistError) -> Bool {
        guard var variant = pending else { return false }
        variant.uri = uri
        playlist.variants.append(variant)
        pending = nil
        return true
    }

    func finish() throws(PlaylistError) -> MultivariantPlaylist {
        guard pending == nil else {
            throw PlaylistError(.missing, line: nil, "the last #EXT-X-STREAM-INF has no URI after it")
        }
        guard !playlist.variants.isEmpty else {
            throw PlaylistError(.missing, line: nil, "the playlist has no #EXT-X-STREAM-INF")
        }
        return playlist
    }

    private func variant(_ attributes: AttributeList) throws(PlaylistError) -> Variant {
        guard let bandwidth = try attributes.integer("BANDWIDTH") else { throw attributes.missing("BANDWIDTH") }
        var variant = Variant(uri: "", bandwidth: bandwidth)
        variant.averageBandwidth = try attributes.integer("AVERAGE-BANDWIDTH")
        variant.codecs = try (attributes.string("CODECS") ?? "").split(separator: ",").map { codec in
            String(codec.drop { $0 == " " }.prefix { $0 != " " })
        }
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

    /// A rendition; nil for one of a type that is not known, which is to be ignored (RFC 8216bis, 6.3.1).
    private func rendition(_ attributes: AttributeList) throws(PlaylistError) -> MediaRendition? {
        guard let type = attributes.word("TYPE") else { throw attributes.missing("TYPE") }
        guard let kind = MediaRendition.Kind(rawValue: type) else { return nil }
        return MediaRendition(
            kind: kind,
            group: try attributes.requiredString("GROUP-ID"),
            name: try attributes.requiredString("NAME"),
            language: try attributes.string("LANGUAGE"),
            isDefault: attributes.flag("DEFAULT"),
            isAutoselected: attributes.flag("AUTOSELECT"),
            isForced: attributes.flag("FORCED"),
            uri: try attributes.string("URI"),
            channels: try attributes.string("CHANNELS"),
            instreamID: try attributes.string("INSTREAM-ID"),
            characteristics: try (attributes.string("CHARACTERISTICS") ?? "").split(separator: ",").map(String.init)
        )
    }
}
