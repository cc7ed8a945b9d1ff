/// A stream that is made up: playlists and segments with nothing in them but what a player looks at, of any length and rate.
package struct MadeStream: Sendable, Hashable {
    /// How long it is, in seconds.
    package let seconds: Int

    /// How long a segment is, in seconds, above 0.
    package let segmentSeconds: Int

    /// How many bits a second it takes.
    package let bitrate: Int

    /// Whether it has pictures beside its sound.
    package let hasVideo: Bool

    /// Whether it has sound.
    package let hasAudio: Bool

    /// The most that one may ask for: a day of segments of a gigabyte at the most.
    package static let mostSeconds = 86_400
    private static let mostBytes = 1 << 30

    /// A stream; what is out of range is brought into it.
    package init(seconds: Int, segmentSeconds: Int, bitrate: Int, hasVideo: Bool, hasAudio: Bool = true) {
        self.seconds = min(max(1, seconds), MadeStream.mostSeconds)
        self.segmentSeconds = min(max(1, segmentSeconds), self.seconds)
        self.bitrate = max(1, bitrate)
        (self.hasVideo, self.hasAudio) = (hasVideo, hasAudio)
    }

    /// How many segments it has.
    package var count: Int { (seconds + segmentSeconds - 1) / segmentSeconds }

    private func duration(of segment: Int) -> Int { min(segmentSeconds, seconds - segment * segmentSeconds) }

    /// The playlist, whose segments are called `0.ts` and so on in a folder.
    package func playlist(in folder: String = "") -> String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:\(segmentSeconds)", "#EXT-X-PLAYLIST-TYPE:VOD",
        ]
        for segment in 0..<count { lines += ["#EXTINF:\(duration(of: segment)),", "\(folder)\(segment).ts"] }
        return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
    }

    /// A segment; nil where there is none of that number.
    package func segment(_ number: Int) -> [UInt8]? {
        guard (0..<count).contains(number) else { return nil }
        let bits = bitrate.multipliedReportingOverflow(by: duration(of: number))
        let size = bits.overflow ? MadeStream.mostBytes : min(bits.partialValue / 8, MadeStream.mostBytes)
        let start = UInt64(10 + number * segmentSeconds) * 90_000
        return TransportStream.segment(hasVideo: hasVideo, hasAudio: hasAudio, size: size, at: start)
    }
}
