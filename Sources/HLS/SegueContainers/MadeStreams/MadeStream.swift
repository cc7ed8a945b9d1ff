/// A synthetic stream: playlists and segments of any length and bit rate that contain only the headers that a player
/// reads.
package struct MadeStream: Sendable, Hashable {
    /// The duration in seconds.
    package let seconds: Int

    /// The segment duration in seconds, above 0.
    package let segmentSeconds: Int

    /// The bit rate in bit/s.
    package let bitrate: Int

    package let hasVideo: Bool

    package let hasAudio: Bool

    /// The limits of the parameters: one day, and one gigabyte for a segment.
    package static let mostSeconds = 86_400
    private static let mostBytes = 1 << 30

    /// A stream; parameters are clamped to the limits.
    package init(seconds: Int, segmentSeconds: Int, bitrate: Int, hasVideo: Bool, hasAudio: Bool = true) {
        self.seconds = min(max(1, seconds), MadeStream.mostSeconds)
        self.segmentSeconds = min(max(1, segmentSeconds), self.seconds)
        self.bitrate = max(1, bitrate)
        (self.hasVideo, self.hasAudio) = (hasVideo, hasAudio)
    }

    /// The number of segments.
    package var count: Int { (seconds + segmentSeconds - 1) / segmentSeconds }

    private func duration(of segment: Int) -> Int { min(segmentSeconds, seconds - segment * segmentSeconds) }

    /// The playlist, with segments named `0.ts` and so on.
    package func playlist(in folder: String = "") -> String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:\(segmentSeconds)", "#EXT-X-PLAYLIST-TYPE:VOD",
        ]
        for segment in 0..<count { lines += ["#EXTINF:\(duration(of: segment)),", "\(folder)\(segment).ts"] }
        return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
    }

    /// Returns a segment; nil beyond the last one.
    package func segment(_ number: Int) -> [UInt8]? {
        guard (0..<count).contains(number) else { return nil }
        let bits = bitrate.multipliedReportingOverflow(by: duration(of: number))
        let size = bits.overflow ? MadeStream.mostBytes : min(bits.partialValue / 8, MadeStream.mostBytes)
        let start = UInt64(10 + number * segmentSeconds) * 90_000
        return TransportStream.segment(hasVideo: hasVideo, hasAudio: hasAudio, size: size, at: start)
    }
}
