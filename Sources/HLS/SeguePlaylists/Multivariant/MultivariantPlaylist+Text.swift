internal import SegueBase

extension MultivariantPlaylist {
    /// The minimum version for the used features (RFC 8216, 7).
    public var requiredVersion: Int {
        if renditions.contains(where: { $0.instreamID != nil && $0.kind != .closedCaptions }) { return 13 }
        if (variants + iFrameVariants).contains(where: { !$0.videoLayouts.isEmpty }) { return 12 }
        if !variables.isEmpty { return 8 }
        return renditions.contains { $0.instreamID?.hasPrefix("SERVICE") == true } ? 7 : 1
    }

    /// The text of the playlist.
    public var text: String {
        var lines = ["#EXTM3U"]
        let version = requiredVersion
        if version > 1 { lines.append("#EXT-X-VERSION:\(version)") }
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start { lines.append(start.line) }
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            lines.append("#EXT-X-DEFINE:NAME=\(quoted(name)),VALUE=\(quoted(value))")
        }
        if let contentSteering { lines.append(contentSteering.line) }
        lines += sessionData.map(\.line)
        lines += sessionKeys.map { "#EXT-X-SESSION-KEY:" + $0.attributes }
        lines += renditions.map(\.line)
        for variant in variants {
            lines.append("#EXT-X-STREAM-INF:" + variant.attributes.joined(separator: ","))
            lines.append(variant.uri.onOneLine)
        }
        for variant in iFrameVariants {
            let attributes = variant.attributes + ["URI=\(quoted(variant.uri))"]
            lines.append("#EXT-X-I-FRAME-STREAM-INF:" + attributes.joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Variant {
    fileprivate var attributes: [String] {
        var attributes = ["BANDWIDTH=\(bandwidth)"]
        if let averageBandwidth { attributes.append("AVERAGE-BANDWIDTH=\(averageBandwidth)") }
        if !codecs.isEmpty { attributes.append("CODECS=\(quoted(codecs.joined(separator: ",")))") }
        if let resolution { attributes.append("RESOLUTION=\(resolution)") }
        if let frameRate {
            let thousandths = frameRate.rounded(scale: 1000)
            attributes.append("FRAME-RATE=\(DecimalText.fixed(units: thousandths, places: 3))")
        }
        if let videoRange { attributes.append("VIDEO-RANGE=\(videoRange)") }
        if let hdcpLevel { attributes.append("HDCP-LEVEL=\(hdcpLevel)") }
        if let audioGroup { attributes.append("AUDIO=\(quoted(audioGroup))") }
        if let videoGroup { attributes.append("VIDEO=\(quoted(videoGroup))") }
        if let subtitlesGroup { attributes.append("SUBTITLES=\(quoted(subtitlesGroup))") }
        if let closedCaptionsGroup {
            let value = closedCaptionsGroup == "NONE" ? closedCaptionsGroup : quoted(closedCaptionsGroup)
            attributes.append("CLOSED-CAPTIONS=\(value)")
        }
        return attributes + laterAttributes
    }

    /// The attributes that RFC 8216 does not define.
    private var laterAttributes: [String] {
        var attributes: [String] = []
        if !supplementalCodecs.isEmpty {
            attributes.append("SUPPLEMENTAL-CODECS=\(quoted(supplementalCodecs.joined(separator: ",")))")
        }
        if let score { attributes.append("SCORE=\(PlaylistNumber.text(score))") }
        if let allowedProtection {
            attributes.append("ALLOWED-CPC=\(quoted(allowedProtection.map(\.text).joined(separator: ",")))")
        }
        if !videoLayouts.isEmpty {
            attributes.append("REQ-VIDEO-LAYOUT=\(quoted(videoLayouts.joined(separator: ",")))")
        }
        if let stableID { attributes.append("STABLE-VARIANT-ID=\(quoted(stableID))") }
        if let pathwayID { attributes.append("PATHWAY-ID=\(quoted(pathwayID))") }
        return attributes
    }
}

extension MediaRendition {
    fileprivate var line: String {
        var attributes = ["TYPE=\(kind.rawValue)", "GROUP-ID=\(quoted(group))", "NAME=\(quoted(name))"]
        if let language { attributes.append("LANGUAGE=\(quoted(language))") }
        if let associatedLanguage { attributes.append("ASSOC-LANGUAGE=\(quoted(associatedLanguage))") }
        if let stableID { attributes.append("STABLE-RENDITION-ID=\(quoted(stableID))") }
        if isDefault { attributes.append("DEFAULT=YES") }
        if isAutoselected || isDefault { attributes.append("AUTOSELECT=YES") }
        if isForced { attributes.append("FORCED=YES") }
        if let bitDepth { attributes.append("BIT-DEPTH=\(bitDepth)") }
        if let sampleRate { attributes.append("SAMPLE-RATE=\(sampleRate)") }
        if let channels { attributes.append("CHANNELS=\(quoted(channels))") }
        if let instreamID { attributes.append("INSTREAM-ID=\(quoted(instreamID))") }
        if !characteristics.isEmpty {
            attributes.append("CHARACTERISTICS=\(quoted(characteristics.joined(separator: ",")))")
        }
        if let uri { attributes.append("URI=\(quoted(uri))") }
        return "#EXT-X-MEDIA:" + attributes.joined(separator: ",")
    }
}

extension SessionData {
    fileprivate var line: String {
        var attributes = ["DATA-ID=\(quoted(dataID))"]
        switch content {
        case .value(let value): attributes.append("VALUE=\(quoted(value))")
        case .resource(let uri, let format):
            attributes.append("URI=\(quoted(uri))")
            if format != .json { attributes.append("FORMAT=\(format.rawValue)") }
        }
        if let language { attributes.append("LANGUAGE=\(quoted(language))") }
        return "#EXT-X-SESSION-DATA:" + attributes.joined(separator: ",")
    }
}

extension ContentSteering {
    fileprivate var line: String {
        let pathway = pathwayID.map { ",PATHWAY-ID=\(quoted($0))" } ?? ""
        return "#EXT-X-CONTENT-STEERING:SERVER-URI=\(quoted(serverURI))" + pathway
    }
}
