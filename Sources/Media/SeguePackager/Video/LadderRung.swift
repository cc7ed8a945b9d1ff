internal import SegueFFmpeg

/// A rung of the bit rate ladder.
///
/// Sizes and rates follow Apple's HLS authoring specification for H.264 (section 2, "Video average bit rate") at 16:9;
/// other aspect ratios fit the same box.
package struct LadderRung: Sendable, Hashable {
    /// The maximum shorter side, in pixels; names the rung.
    package let size: Int
    package let limits: VideoLimits

    /// All rungs, the largest first.
    package static let all = [
        (1080, 1920, 6_000_000), (720, 1280, 3_000_000), (540, 960, 2_000_000), (432, 768, 1_100_000),
        (360, 640, 365_000), (234, 416, 145_000),
    ].map { short, long, rate in
        LadderRung(size: short, limits: VideoLimits(longSide: long, shortSide: short, bitsPerSecond: rate))
    }

    private init(size: Int, limits: VideoLimits) {
        self.size = size
        self.limits = limits
    }

    /// The rung of a size; nil if the ladder has none.
    package init?(_ size: Int) {
        guard let rung = Self.all.first(where: { $0.size == size }) else { return nil }
        self = rung
    }
}

extension PresentationFacts {
    /// The renditions below the video's own size that the device supports; none without video.
    static func ladder(below video: VideoTrack?, device: DeviceProfile) -> [Rendition] {
        // libav decodes the base layer only.
        guard let video, video.stream.dolbyVision?.hasPlainBase != false else { return [] }
        let (width, height) = video.size
        let limits = device.videoLimits
        return LadderRung.all.filter { rung in
            min(width, height) > rung.size && limits.longSide >= rung.limits.longSide
                && limits.shortSide >= rung.limits.shortSide
        }.compactMap { Rendition(video: .rung($0.size), audio: .none) }
    }
}
