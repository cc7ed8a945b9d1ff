internal import SegueFFmpeg

/// A fingerprint of the coding in a packet's header, to detect changes.
enum CodingKey {
    /// A number that changes with the coding; nil for codecs without such a header.
    static func of(_ bytes: UnsafeRawBufferPointer, codec: String, newExtradata: [UInt8]?) -> UInt64? {
        if let newExtradata { return UInt64(newExtradata.withUnsafeBytes { Checksum.adler32($0) }) | 1 << 40 }
        switch codec {
        case "aac":
            guard let header = ADTSHeader(bytes) else { return nil }
            return UInt64(header.profile) << 16 | UInt64(header.rateIndex) << 8 | UInt64(header.channelConfiguration)
        case "mp3", "mp2", "mp1":
            guard let header = MPEGAudioHeader(bytes) else { return nil }
            return UInt64(header.sampleRate) << 16 | UInt64(header.layer) << 8 | UInt64(header.channels)
        case "ac3", "eac3":
            guard let header = AC3Header(bytes) else { return nil }
            return UInt64(header.sampleRate) << 16 | UInt64(header.audioCodingMode) << 8 | (header.hasLFE ? 1 : 0)
        default: return nil
        }
    }
}
