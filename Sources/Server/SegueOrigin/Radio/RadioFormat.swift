/// The audio coding of a station.
package enum RadioFormat: String, Sendable, CaseIterable, Codable {
    /// MPEG-1 layer III.
    case mp3
    /// AAC-LC in ADTS.
    case aac

    static let sampleRate = 44_100

    /// The bit rate in bits per second.
    var bitRate: Int { 128_000 }

    /// The duration of 1152 samples (ISO/IEC 11172-3, 2.4.2.1) or 1024 samples (ISO/IEC 13818-7, 3.1).
    package var frameDuration: Duration { .seconds(1) * (self == .mp3 ? 1152 : 1024) / Self.sampleRate }

    /// The encoder's name in libav.
    var encoder: String { self == .mp3 ? "libmp3lame" : "aac" }

    var contentType: String { self == .mp3 ? "audio/mpeg" : "audio/aac" }

    /// A frame in its transport format: AAC gets an ADTS header (ISO/IEC 13818-7, 6.2), MP3 has its own.
    func framed(_ bytes: [UInt8]) -> [UInt8] {
        guard self == .aac else { return bytes }
        // MPEG-4, no CRC, AAC-LC, 44.1 kHz (4), two channels, a full buffer (0x7FF), one block.
        let size = bytes.count + 7
        let (rateIndex, channels) = (4, 2)
        let head: [Int] = [
            0xFF, 0xF1, 1 << 6 | rateIndex << 2 | channels >> 2, (channels & 3) << 6 | size >> 11, size >> 3 & 0xFF,
            (size & 7) << 5 | 0x1F, 0xFC,
        ]
        return head.map { UInt8($0) } + bytes
    }
}
