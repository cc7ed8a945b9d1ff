internal import SegueBase
internal import SegueFFmpeg

/// The served tracks of a file, and the reasons why others are not served.
struct FileTracks: Sendable {
    /// The packets of the served streams.
    var index: FileIndex
    /// The video, or the error that prevents serving it; nil if there is none.
    var video: Result<CutVideo, PackagingError>?
    /// The audio, or the error that prevents serving it; nil if there is none.
    var audio: Result<CutAudio, PackagingError>?
    /// The other audio streams that may be served, in order.
    var otherAudio: [Int] = []
    /// The audio streams that cannot be served, with the reasons.
    var refusedAudio: [Int: PackagingError] = [:]

    var playableVideo: VideoTrack? { try? video?.get().track }
    var playableAudio: AudioTrack? { try? audio?.get().track }

    /// The sources of a rendition's segments.
    func contents(
        of rendition: Rendition,
        plan: SegmentPlan,
        file: String
    ) throws(PackagingError) -> RenditionContents {
        guard rendition.hasVideo, video != nil || rendition.audio == .none else {
            return RenditionContents(index: index, plan: plan, audio: try audible(file))
        }
        guard let video else { throw PackagingError(.nothingPlayable, file: file, "the file has no video") }
        var shown = try video.get()
        shown.hasKeyframesOnly = rendition.video == .keyframes
        // A video whose audio cannot be played is still served.
        let heard = rendition.audio == .none ? nil : try? audio?.get()
        return RenditionContents(index: index, plan: plan, video: shown, audio: heard)
    }

    private func audible(_ file: String) throws(PackagingError) -> CutAudio {
        guard let audio else { throw PackagingError(.noAudio, file: file, "the file has no audio") }
        return try audio.get()
    }
}
