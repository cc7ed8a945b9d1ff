internal import Notation
internal import Timeline

extension Playlist {
    /// The playlist as it is written out.
    package var text: String {
        switch self {
        case .media(let playlist): playlist.text
        case .multivariant(let playlist): playlist.text
        }
    }
}

extension MediaPlaylist {
    /// The least version that what is used in the playlist requires (RFC 8216, 7).
    package var requiredVersion: Int {
        var version = 1
        for segment in segments {
            if segment.duration.denominator != 1 { version = max(version, 3) }
            if segment.byteRange != nil { version = max(version, 4) }
            if segment.map != nil { version = max(version, isIFramesOnly ? 5 : 6) }
            for key in segment.keys {
                if key.initializationVector != nil { version = max(version, 2) }
                if key.keyFormat != "identity" || key.keyFormatVersions != nil { version = max(version, 5) }
            }
        }
        return isIFramesOnly ? max(version, 4) : version
    }

    /// The playlist as it is written out.
    ///
    /// Durations have six decimals. Each is the difference of two rounded positions, so that the sum of what is
    /// written never leaves the exact sum by more than half a microsecond.
    package var text: String {
        var lines = ["#EXTM3U"]
        let version = requiredVersion
        if version > 1 { lines.append("#EXT-X-VERSION:\(version)") }
        lines.append("#EXT-X-TARGETDURATION:\(targetDuration)")
        if mediaSequence != 0 { lines.append("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)") }
        if discontinuitySequence != 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)") }
        if let kind { lines.append("#EXT-X-PLAYLIST-TYPE:\(kind.rawValue)") }
        if isIFramesOnly { lines.append("#EXT-X-I-FRAMES-ONLY") }
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start { lines.append(start.line) }
        var writer = SegmentWriter(writesWholeSeconds: version < 3)
        for segment in segments { writer.write(segment, to: &lines) }
        if hasEndList { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Writes segments one after the other, each tag only where it changes.
private struct SegmentWriter {
    let writesWholeSeconds: Bool
    private var position = Rational.zero
    private var written: Int64 = 0
    private var map: MediaMap?
    private var keys: [MediaKey] = []

    init(writesWholeSeconds: Bool) { self.writesWholeSeconds = writesWholeSeconds }

    private mutating func write(_ wanted: [MediaKey], to lines: inout [String]) {
        guard wanted != keys else { return }
        keys = wanted
        lines += keys.isEmpty ? ["#EXT-X-KEY:METHOD=NONE"] : keys.map(\.line)
    }

    mutating func write(_ segment: MediaSegment, to lines: inout [String]) {
        if segment.startsDiscontinuity { lines.append("#EXT-X-DISCONTINUITY") }
        if segment.map != map {
            map = segment.map
            if let map {
                // The keys in force where an initialization section is named are its own as well.
                write(map.keys, to: &lines)
                lines.append(map.line)
            }
        }
        write(segment.keys, to: &lines)
        if let date = segment.programDateTime { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date)") }
        if segment.isGap { lines.append("#EXT-X-GAP") }
        if let range = segment.byteRange { lines.append("#EXT-X-BYTERANGE:\(range.length)@\(range.offset)") }
        position += segment.duration
        let end = position.rounded(scale: 1_000_000)
        let length =
            writesWholeSeconds
            ? "\((end - written) / 1_000_000)" : DecimalText.fixed(units: end - written, places: 6)
        written = end
        lines.append("#EXTINF:\(length),\(segment.title.onOneLine)")
        lines.append(segment.uri.onOneLine)
    }
}

extension MultivariantPlaylist {
    /// The least version that what is used in the playlist requires (RFC 8216, 7).
    package var requiredVersion: Int {
        if !variables.isEmpty { return 8 }
        return renditions.contains { $0.instreamID?.hasPrefix("SERVICE") == true } ? 7 : 1
    }

    /// The playlist as it is written out.
    package var text: String {
        var lines = ["#EXTM3U"]
        let version = requiredVersion
        if version > 1 { lines.append("#EXT-X-VERSION:\(version)") }
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start { lines.append(start.line) }
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            lines.append("#EXT-X-DEFINE:NAME=\(quoted(name)),VALUE=\(quoted(value))")
        }
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

extension PlaylistStart {
    fileprivate var line: String {
        let offset = DecimalText.fixed(units: timeOffset.rounded(scale: 1_000_000), places: 6)
        return "#EXT-X-START:TIME-OFFSET=\(offset)" + (isPrecise ? ",PRECISE=YES" : "")
    }
}

extension MediaMap {
    fileprivate var line: String {
        let range = byteRange.map { ",BYTERANGE=\"\($0.length)@\($0.offset)\"" } ?? ""
        return "#EXT-X-MAP:URI=\(quoted(uri))" + range
    }
}

extension MediaKey {
    fileprivate var line: String {
        var attributes = ["METHOD=\(method)", "URI=\(quoted(uri))"]
        if let initializationVector { attributes.append("IV=\(initializationVector)") }
        if keyFormat != "identity" { attributes.append("KEYFORMAT=\(quoted(keyFormat))") }
        if let keyFormatVersions { attributes.append("KEYFORMATVERSIONS=\(quoted(keyFormatVersions))") }
        return "#EXT-X-KEY:" + attributes.joined(separator: ",")
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
        return attributes
    }
}

extension MediaRendition {
    fileprivate var line: String {
        var attributes = ["TYPE=\(kind.rawValue)", "GROUP-ID=\(quoted(group))", "NAME=\(quoted(name))"]
        if let language { attributes.append("LANGUAGE=\(quoted(language))") }
        if isDefault { attributes.append("DEFAULT=YES") }
        if isAutoselected || isDefault { attributes.append("AUTOSELECT=YES") }
        if isForced { attributes.append("FORCED=YES") }
        if let channels { attributes.append("CHANNELS=\(quoted(channels))") }
        if let instreamID { attributes.append("INSTREAM-ID=\(quoted(instreamID))") }
        if !characteristics.isEmpty {
            attributes.append("CHARACTERISTICS=\(quoted(characteristics.joined(separator: ",")))")
        }
        if let uri { attributes.append("URI=\(quoted(uri))") }
        return "#EXT-X-MEDIA:" + attributes.joined(separator: ",")
    }
}

/// A quoted string; what may not stand in one is written as another character (RFC 8216, 4.2).
private func quoted(_ text: String) -> String {
    "\"" + String(text.onOneLine.map { $0 == "\"" ? "'" : $0 }) + "\""
}

extension String {
    /// The text without control characters, which playlists may not have (RFC 8216, 4.1); spaces stand for them.
    fileprivate var onOneLine: String {
        guard unicodeScalars.contains(where: \.isForbidden) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.isForbidden ? " " : scalar) }
        return String(scalars)
    }
}

extension Unicode.Scalar {
    /// Whether playlists may not have it: U+0000 to U+001F and U+007F to U+009F.
    fileprivate var isForbidden: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
