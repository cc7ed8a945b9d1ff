internal import SegueBase
internal import SegueFFmpeg

/// The tracks of a file that are served, and why the others are not.
struct FileTracks: Sendable {
    /// The packets of the streams that are served.
    var index: FileIndex
    /// The frames; an error says why they cannot be served, nil that there are none.
    var video: Result<CutVideo, PackagingError>?
    /// The audio; an error says why it cannot be served, nil that there is none.
    var audio: Result<CutAudio, PackagingError>?
    /// The streams of audio beside the best that may be served, in order.
    var otherSounds: [Int] = []
    /// The streams of audio that cannot be served, and why.
    var refusedSounds: [Int: PackagingError] = [:]

    var playableVideo: VideoTrack? { try? video?.get().track }
    var playableAudio: AudioTrack? { try? audio?.get().track }

    /// What the segments of a rendition are made from.
    func contents(
        of rendition: Rendition,
        plan: SegmentPlan,
        file: String
    ) throws(PackagingError) -> RenditionContents {
        guard rendition.hasPicture, video != nil || rendition.sound == .none else {
            return RenditionContents(index: index, plan: plan, audio: try audible(file))
        }
        guard let video else { throw PackagingError(.nothingPlayable, file: file, "it has no film") }
        var pictures = try video.get()
        pictures.hasKeyframesOnly = rendition.picture == .keyframes
        // A film whose audio cannot be played is still a film.
        let sound = rendition.sound == .none ? nil : try? audio?.get()
        return RenditionContents(index: index, plan: plan, video: pictures, audio: sound)
    }

    private func audible(_ file: String) throws(PackagingError) -> CutAudio {
        guard let audio else { throw PackagingError(.noSound, file: file, "it has no sound") }
        return try audio.get()
    }
}
