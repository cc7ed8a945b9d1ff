internal import SegueBase

extension MediaPlaylist {
    /// The minimum version for the used features (RFC 8216, 7).
    public var requiredVersion: Int {
        var version = isIFramesOnly ? 4 : 1
        if let skip { version = skip.recentlyRemovedDateRanges == nil ? 9 : 10 }
        for segment in segments {
            if segment.duration.denominator != 1 { version = max(version, 3) }
            if segment.byteRange != nil { version = max(version, 4) }
            version = max(version, requiredVersion(segment.map, segment.keys))
        }
        if let open, !open.parts.isEmpty { version = max(version, requiredVersion(open.map, open.keys)) }
        return version
    }

    private func requiredVersion(_ map: MediaMap?, _ keys: [MediaKey]) -> Int {
        var version = map == nil ? 1 : isIFramesOnly ? 5 : 6
        for key in keys { version = max(version, key.requiredVersion) }
        for key in map?.keys ?? [] { version = max(version, key.requiredVersion) }
        return version
    }

    /// The text of the playlist.
    ///
    /// Durations have six decimals. Each is the difference of two rounded positions, so that their sum differs from the
    /// exact sum by at most half a microsecond.
    public var text: String {
        var lines = ["#EXTM3U"]
        let version = requiredVersion
        if version > 1 { lines.append("#EXT-X-VERSION:\(version)") }
        lines.append("#EXT-X-TARGETDURATION:\(targetDuration)")
        if let serverControl, let line = serverControl.line { lines.append(line) }
        if let partTarget { lines.append("#EXT-X-PART-INF:PART-TARGET=\(PlaylistNumber.text(partTarget))") }
        // Chromium 156 plays a playlist without this tag as complete, as measured.
        if mediaSequence != 0 || (kind == .event && !hasEndList) {
            lines.append("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)")
        }
        if discontinuitySequence != 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)") }
        if let kind { lines.append("#EXT-X-PLAYLIST-TYPE:\(kind.rawValue)") }
        if isIFramesOnly { lines.append("#EXT-X-I-FRAMES-ONLY") }
        if isIndependent { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start { lines.append(start.line) }
        if let skip { lines.append(skip.line) }
        var writer = SegmentWriter(writesWholeSeconds: version < 3, skip: skip)
        var dates = DateRangeWriter(dateRanges, first: firstListedSequence)
        for (index, segment) in segments.enumerated() {
            dates.write(upTo: index, to: &lines)
            writer.write(segment, to: &lines)
        }
        dates.writeRest(to: &lines)
        if let open, !open.parts.isEmpty { writer.write(open, to: &lines) }
        lines += preloadHints.map(\.line)
        lines += renditionReports.map(\.line)
        if hasEndList { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension MediaKey {
    /// The minimum version that it needs.
    fileprivate var requiredVersion: Int {
        if keyFormat != "identity" || keyFormatVersions != nil || method == "SAMPLE-AES" { return 5 }
        return initializationVector == nil ? 1 : 2
    }
}
