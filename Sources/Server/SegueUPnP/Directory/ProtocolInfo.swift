/// The fourth field of a resource's protocol: what DLNA's guidelines have players know before they ask.
package enum ProtocolInfo {
    /// A file that is served as it is, with byte ranges.
    ///
    /// - Parameters:
    ///   - type: Its media type.
    ///   - profile: The profile of DLNA's that it surely is of; nil where that is not known.
    /// - Returns: The protocol.
    package static func file(_ type: String, profile: String? = nil) -> String {
        "http-get:*:\(type):" + (profile.map { "DLNA.ORG_PN=\($0);" } ?? "") + features
    }

    /// A playlist, for players that know HTTP Live Streaming.
    package static func playlist(_ type: String) -> String { "http-get:*:\(type):*" }

    /// What `contentFeatures.dlna.org` says of a file that is served as it is.
    package static let features = "DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=\(flags)"

    /// Streams, may be fetched in the background, waits when its client does not read, and is of DLNA 1.5: bits 24, 22,
    /// 21 and 20 of the first 32, and 96 that are reserved.
    private static let flags = "01700000" + String(repeating: "0", count: 24)

    /// The profile of a file of sound, where container and stream alone make it certain.
    ///
    /// - Parameters:
    ///   - container: libav's name of the container.
    ///   - codec: libav's name of the codec.
    ///   - channels: The channels.
    ///   - sampleRate: Samples a second.
    ///   - bitsPerSecond: The bit rate; 0 where it is not known.
    /// - Returns: The profile; nil where nothing is certain.
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
