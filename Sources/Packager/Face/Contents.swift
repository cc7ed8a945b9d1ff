internal import Media
internal import Timeline

/// What a presentation knows of its file beyond what it tells: the tracks, and which of their frames go where.
///
/// The contents of a rendition are those of the file with its own tracks put in.
struct Contents: Sendable {
    /// The packets of the streams that are served.
    var index: FileIndex
    /// The pictures; an error says why they cannot be served, nil that there are none.
    var video: Result<VideoTrack, PackagingError>?
    /// The sound; an error says why it cannot be served, nil that there is none.
    var audio: Result<AudioTrack, PackagingError>?
    /// The streams of sound beside the best that may be served, in order.
    var otherSounds: [Int] = []
    /// The streams of sound that cannot be served, and why.
    var refusedSounds: [Int: PackagingError] = [:]
    /// For each segment the first picture in it, and the number of all pictures at the end.
    var videoStarts: [Int] = []
    /// For each segment the first frame of sound in it, and the number of all frames at the end.
    var audioStarts: [Int] = []

    /// Whether of each segment's pictures only the first is delivered.
    var hasKeyframesOnly = false

    var playableVideo: VideoTrack? { try? video?.get() }
    var playableAudio: AudioTrack? { try? audio?.get() }

    /// The tracks of a rendition.
    ///
    /// - Throws: The reason why the file has no such rendition.
    func tracks(of rendition: Rendition, file: String) throws(PackagingError) -> (VideoTrack?, AudioTrack?) {
        guard rendition.hasPicture else { return (nil, try audible(file)) }
        if rendition.sound == .none {
            guard let video else { throw PackagingError(.nothingPlayable, file: file, "it has no film") }
            return (try video.get(), nil)
        }
        guard let video else { return (nil, try audible(file)) }
        // A film whose sound cannot be played is still a film.
        return (try video.get(), playableAudio)
    }

    /// The contents with another track of sound in the place of the best.
    func with(sound track: AudioTrack, cutAs plan: SegmentPlan) -> Contents {
        var contents = self
        contents.audio = .success(track)
        contents.audioStarts = track.segmentStarts(plan)
        return contents
    }

    private func audible(_ file: String) throws(PackagingError) -> AudioTrack {
        guard let audio else { throw PackagingError(.noSound, file: file, "it has no sound") }
        return try audio.get()
    }
}

extension VideoTrack {
    /// For each segment the first picture in it, and the number of all pictures at the end.
    func segmentStarts(_ plan: SegmentPlan) -> [Int] {
        let times = cutTimes
        return plan.segments.map { segment in
            let cut = (segment.start + plan.origin).ceiled(scale: timescale)
            let key = times.partitioningIndex { $0 >= cut }
            return segment.number == 0 ? 0 : key < keys.count ? keys[key] : pts.count
        } + [pts.count]
    }
}

extension AudioTrack {
    /// For each segment the first frame in it, and the number of all frames at the end.
    func segmentStarts(_ plan: SegmentPlan) -> [Int] {
        plan.segments.map { $0.number == 0 ? 0 : firstFrame(from: $0.start + plan.origin) } + [starts.count]
    }
}
