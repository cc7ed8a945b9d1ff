internal import Media
internal import Timeline

/// What a presentation knows of its file beyond what it tells: the tracks, and which of their frames go where.
struct Contents: Sendable {
    /// The packets of the streams that are served.
    var index: FileIndex
    /// The pictures; an error says why they cannot be served, nil that there are none.
    var video: Result<VideoTrack, PackagingError>?
    /// The sound; an error says why it cannot be served, nil that there is none.
    var audio: Result<AudioTrack, PackagingError>?
    /// For each segment the first picture in it, and the number of all pictures at the end.
    var videoStarts: [Int] = []
    /// For each segment the first frame of sound in it, and the number of all frames at the end.
    var audioStarts: [Int] = []

    var playableVideo: VideoTrack? { try? video?.get() }
    var playableAudio: AudioTrack? { try? audio?.get() }

    /// The tracks of a rendition.
    ///
    /// - Throws: The reason why the file has no such rendition.
    func tracks(of rendition: Rendition, file: String) throws(PackagingError) -> (VideoTrack?, AudioTrack?) {
        switch rendition {
        case .full:
            guard let video else { return (nil, try audible(file)) }
            // A film whose sound cannot be played is still a film.
            return (try video.get(), playableAudio)
        case .background: return (nil, try audible(file))
        }
    }

    private func audible(_ file: String) throws(PackagingError) -> AudioTrack {
        guard let audio else { throw PackagingError(.noSound, file: file, "it has no sound") }
        return try audio.get()
    }
}
