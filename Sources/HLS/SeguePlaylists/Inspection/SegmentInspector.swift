/// Inspects a segment by parsing its bytes, without decoding them.
///
/// The parser accepts any bytes: it checks all lengths and counts, and its cost is linear in the size.
package enum SegmentInspector {
    /// Inspects a segment or an initialization section.
    ///
    /// - Parameters:
    ///   - bytes: The whole resource, or the byte range of the segment.
    ///   - initialization: The inspected initialization section; nil if there is none.
    /// - Returns: The content, with the codecs, clocks, and streams of the initialization section.
    /// - Throws: ``SegmentError`` if the bytes have no format that HLS defines.
    package static func inspect(
        _ bytes: [UInt8],
        initialization: SegmentInspection? = nil
    ) throws(SegmentError) -> SegmentInspection {
        guard !bytes.isEmpty else { throw SegmentError("the segment is empty") }
        let bytes = bytes[...]
        if isWebVTT(bytes) {
            return SegmentInspection(
                layout: .webVTT,
                tracks: [SegmentTrack(number: 0, kind: .text, codec: "webvtt")],
                hasInitialization: false,
                hasMedia: true
            )
        }
        if MP4Inspector.recognises(bytes) { return try MP4Inspector.inspect(bytes, initialization: initialization) }
        if let offset = TransportStreamInspector.firstPacket(in: bytes) {
            return try TransportStreamInspector.inspect(bytes[offset...], initialization: initialization)
        }
        if let inspection = PackedAudioInspector.inspect(bytes) { return inspection }
        throw SegmentError("not a segment: neither MPEG-TS, fMP4, packed audio nor WebVTT")
    }

    private static func isWebVTT(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        guard text.starts(with: Array("WEBVTT".utf8)) else { return false }
        return text.dropFirst(6).first.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? true
    }
}
