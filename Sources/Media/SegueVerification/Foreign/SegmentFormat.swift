/// The timestamp tag before a segment of packed audio (RFC 8216, 3.4).
struct PackedAudioTag: Equatable {
    var size: Int
    /// The segment's start in seconds; nil if the tag does not declare it.
    var seconds: Double?

    init?(_ bytes: [UInt8]) {
        guard bytes.count > 10, bytes.starts(with: "ID3".utf8) else { return nil }
        let length = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        guard 10 + length <= bytes.count else { return nil }
        size = 10 + length
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]
        let tag = bytes[10..<size]
        guard let start = tag.indices.first(where: { tag[$0...].starts(with: owner) }),
            start + owner.count + 8 <= size
        else { return }
        let time = tag[(start + owner.count)..<(start + owner.count + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        seconds = Double(time & 0x1_FFFF_FFFF) / 90000
    }
}

/// The format of segments without an initialization section (RFC 8216, 3.2 and 3.4), detected by their first bytes,
/// because libav's probing needs more than a few frames.
enum SegmentFormat {
    /// libav's format name; nil if unknown.
    static func name(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 6 else { return nil }
        // ISO/IEC 13818-1, 2.4.3.2: packets of 188 bytes that begin with 0x47.
        if bytes[0] == 0x47, bytes.count.isMultiple(of: 188), bytes.count == 188 || bytes[188] == 0x47 {
            return "mpegts"
        }
        // ISO/IEC 13818-7, 6.2: a sync word of twelve bits, and layer 0, unlike MPEG audio.
        if bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 { return "aac" }
        // ISO/IEC 11172-3, 2.4.1.3: layer III, with a valid bit rate and sampling frequency.
        if bytes[0] == 0xFF, bytes[1] & 0xE6 == 0xE2, bytes[2] >> 4 != 15, bytes[2] & 0x0C != 0x0C { return "mp3" }
        // ETSI TS 102 366, 4.3.1 and E.1.3.1.6: versions up to 10 are AC-3, later ones E-AC-3.
        if bytes[0] == 0x0B, bytes[1] == 0x77 { return bytes[5] >> 3 <= 10 ? "ac3" : "eac3" }
        return nil
    }
}
