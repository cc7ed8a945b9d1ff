internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

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

extension Presentation {
    /// The video transcoded to a rung, prepared on first use.
    func film(atRung size: Int, _ cancellation: Cancellation) throws(PackagingError) -> CutVideo {
        if let known = rungs.withLock({ $0[size] }) { return try known.get() }
        guard let video = try tracks.contents(of: .video, plan: plan, file: identity.path).video?.track,
            let rung = LadderRung(size), ladder.contains(where: { $0.video == .rung(size) }),
            let index = tracks.index.streams[video.stream.index]
        else {
            throw PackagingError(
                .nothingPlayable,
                file: identity.path,
                "the shorter side of the video does not exceed \(size) pixels"
            )
        }
        try checkIdentity()
        let found: Result<CutVideo, PackagingError>
        do {
            let packets = PacketSource(
                file: identity.path,
                index: tracks.index,
                pool: pool,
                cancellation: cancellation
            )
            let reader = packets.reader()
            var limits = rung.limits
            limits.profile = device.videoLimits.profile
            limits.level = device.videoLimits.level
            limits.frameRate = device.videoLimits.frameRate
            let track = try VideoTrack(
                transcoding: try DisplayOrder.filled(index, reader: reader, pool: pool),
                reason: "a lower bit rate is requested",
                limits: limits,
                held: video.transcoded?.held,
                reader: reader
            )
            found = .success(CutVideo(track, plan))
        } catch {
            let failure = PackagingError.wrapping(error, file: identity.path)
            if [.cancelled, .changed].contains(failure.reason) { throw failure }
            found = .failure(failure)
        }
        rungs.withLock { $0[size] = found }
        return try found.get()
    }
}
