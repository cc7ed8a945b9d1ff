extension ServerControl {
    /// The tag line; nil if the server offers nothing.
    var line: String? {
        var attributes: [String] = []
        if canBlockReload { attributes.append("CAN-BLOCK-RELOAD=YES") }
        if let canSkipUntil { attributes.append("CAN-SKIP-UNTIL=\(PlaylistNumber.text(canSkipUntil))") }
        if canSkipDateRanges { attributes.append("CAN-SKIP-DATERANGES=YES") }
        if let holdBack { attributes.append("HOLD-BACK=\(PlaylistNumber.text(holdBack))") }
        if let partHoldBack { attributes.append("PART-HOLD-BACK=\(PlaylistNumber.text(partHoldBack))") }
        return attributes.isEmpty ? nil : "#EXT-X-SERVER-CONTROL:" + attributes.joined(separator: ",")
    }
}

extension PlaylistSkip {
    var line: String {
        // The tabs between the IDs are the only control characters that a playlist may have in a line.
        let removed = recentlyRemovedDateRanges.map { ids in
            ",RECENTLY-REMOVED-DATERANGES=\"" + ids.map { quoted($0).dropFirst().dropLast() }.joined(separator: "\t")
                + "\""
        }
        return "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(segments)" + (removed ?? "")
    }
}

extension PartialSegment {
    var line: String {
        var line = "#EXT-X-PART:DURATION=\(PlaylistNumber.text(duration)),URI=\(quoted(uri))"
        if let byteRange { line += ",BYTERANGE=\"\(byteRange.length)@\(byteRange.offset)\"" }
        if isIndependent { line += ",INDEPENDENT=YES" }
        if isGap { line += ",GAP=YES" }
        return line
    }
}

extension PreloadHint {
    var line: String {
        var line = "#EXT-X-PRELOAD-HINT:TYPE=\(kind.rawValue),URI=\(quoted(uri))"
        if byteRangeStart != 0 { line += ",BYTERANGE-START=\(byteRangeStart)" }
        if let byteRangeLength { line += ",BYTERANGE-LENGTH=\(byteRangeLength)" }
        return line
    }
}

extension RenditionReport {
    var line: String {
        var line = "#EXT-X-RENDITION-REPORT:URI=\(quoted(uri))"
        if let lastMSN { line += ",LAST-MSN=\(lastMSN)" }
        if let lastPart { line += ",LAST-PART=\(lastPart)" }
        return line
    }
}
