internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// A version of a file's video that is encoded only on request.
struct FilmVersion: Sendable, Hashable {
    /// The size of a ladder rung; nil for the video's own size.
    let rung: Int?
    /// The bitmap subtitle stream in the video; nil without.
    let burned: Int?

    /// The version in a rendition; nil if it is the video as opened.
    init?(_ rendition: Rendition) {
        if case .rung(let size) = rendition.video { rung = size } else { rung = nil }
        burned = rendition.burned
        guard rung != nil || burned != nil else { return nil }
    }
}

extension Presentation {
    /// The video in a version, prepared on first use.
    func film(_ version: FilmVersion, _ cancellation: Cancellation) throws(PackagingError) -> CutVideo {
        if let known = films.withLock({ $0[version] }) { return try known.get() }
        let video = try tracks.contents(of: .video, plan: plan, file: identity.path).video?.track
        let limits = try version.limits(in: self)
        let burned = try version.stream(in: self)
        guard let video, let index = tracks.index.streams[video.stream.index] else {
            throw PackagingError(.nothingPlayable, file: identity.path, "the file has no video to encode")
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
            let track = try VideoTrack(
                transcoding: try DisplayOrder.filled(index, reader: reader, pool: pool),
                reason: burned.map { "the subtitles of stream \($0.index) are drawn into the video" }
                    ?? "a lower bit rate is requested",
                limits: limits,
                held: video.transcoded?.held,
                burned: burned,
                reader: reader
            )
            found = .success(CutVideo(track, plan))
        } catch {
            let failure = PackagingError.wrapping(error, file: identity.path)
            if [.cancelled, .changed].contains(failure.reason) { throw failure }
            found = .failure(failure)
        }
        films.withLock { $0[version] = found }
        return try found.get()
    }
}

extension FilmVersion {
    /// The limits for the video.
    fileprivate func limits(in presentation: Presentation) throws(PackagingError) -> VideoLimits {
        guard let size = rung else { return presentation.device.videoLimits }
        guard let found = LadderRung(size), presentation.ladder.contains(where: { $0.video == .rung(size) }) else {
            throw PackagingError(
                .nothingPlayable,
                file: presentation.identity.path,
                "the shorter side of the video does not exceed \(size) pixels"
            )
        }
        var limits = found.limits
        limits.profile = presentation.device.videoLimits.profile
        limits.level = presentation.device.videoLimits.level
        limits.frameRate = presentation.device.videoLimits.frameRate
        return limits
    }

    /// The bitmap subtitles in the video; nil without.
    fileprivate func stream(in presentation: Presentation) throws(PackagingError) -> StreamInfo? {
        guard let number = burned else { return nil }
        guard let stream = presentation.burnableSubtitles.first(where: { $0.index == number }) else {
            throw PackagingError(
                .nothingPlayable,
                file: presentation.identity.path,
                "stream \(number) has no bitmap subtitles that can be drawn into the video"
            )
        }
        return stream
    }
}
