internal import SegueFFmpeg

/// A detector of captions in coded frames (CEA-608 and 708, embedded as in ATSC A/53, part 4, 6.2.3).
enum CaptionMark {
    /// Country, provider, `GA94`, and the data type of captions.
    private static let mark: [UInt8] = [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]

    /// True if a coded frame has caption data with at least one packet.
    static func isIn(_ frame: [UInt8]) -> Bool {
        guard frame.count > mark.count else { return false }
        for start in 0..<frame.count - mark.count
        where frame[start] == mark[0] && frame[start..<start + mark.count].elementsEqual(mark) {
            // The processing flag and the packet count.
            let flags = frame[start + mark.count]
            if flags & 0x40 != 0, flags & 0x1F > 0 { return true }
        }
        return false
    }
}

extension PresentationFacts {
    /// True if the first video frames carry captions; nil if the video is not copied.
    static func hasCaptions(_ video: VideoTrack, _ index: FileIndex) -> Bool? {
        guard case .copied = video.source, ["h264", "hevc"].contains(video.codec),
            let first = index.streams[video.stream.index]?.firstPacket, !first.isEmpty
        else { return nil }
        return CaptionMark.isIn(first)
    }
}
