/// The protocol of a resource, whose fourth field follows the DLNA guidelines.
package enum ProtocolInfo {
    /// The protocol of an original file with byte ranges.
    ///
    /// - Parameters:
    ///   - profile: The DLNA profile; nil if it is unknown.
    /// - Returns: The protocol.
    package static func file(_ type: String, profile: String? = nil) -> String {
        "http-get:*:\(type):" + (profile.map { "DLNA.ORG_PN=\($0);" } ?? "") + features
    }

    /// The protocol of an HLS playlist.
    package static func playlist(_ type: String) -> String { "http-get:*:\(type):*" }

    /// The value of `contentFeatures.dlna.org` for an original file.
    package static let features = "DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(flags)"

    /// Streaming, background transfer, connection stalling, and DLNA 1.5: bits 24, 22, 21, and 20 of the first 32,
    /// followed by 96 reserved bits.
    private static let flags = "01700000" + String(repeating: "0", count: 24)

    /// The DLNA profile of an audio file, if container and stream determine it.
    ///
    /// - Parameters:
    ///   - container: The container's name in libav.
    ///   - codec: The codec's name in libav.
    ///   - channels: The number of channels.
    ///   - bitsPerSecond: The bit rate; 0 if it is unknown.
    /// - Returns: The profile, or nil if it is undetermined.
    package static func profile(
        container: String,
        codec: String,
        channels: Int,
        sampleRate: Int,
        bitsPerSecond: Int64
    ) -> String? {
        switch (container, codec) {
        case ("mp3", "mp3") where channels <= 2 && [32_000, 44_100, 48_000].contains(sampleRate): "MP3"
        case (_, "aac")
        where container.contains("mp4") && channels <= 2 && (8000...48_000).contains(sampleRate)
            && (1...320_000).contains(bitsPerSecond):
            "AAC_ISO_320"
        default: nil
        }
    }
}
