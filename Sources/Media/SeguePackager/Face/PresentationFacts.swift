internal import SegueFFmpeg

/// What opening a file showed: all that is known of it without reading it again.
package struct PresentationFacts: Sendable, Codable {
    /// The audio that is served unless another track is requested.
    package struct Sound: Sendable, Codable {
        /// The number of its stream.
        var stream: Int
        /// True if it is MP3 that is delivered as it is.
        var isCopiedMP3: Bool
    }

    /// The film that is served.
    package struct Film: Sendable, Codable {
        /// True if it is delivered as HEVC.
        var isHEVC: Bool
        /// True if its frames are transcoded.
        var isTranscoded: Bool
    }

    /// What is in the file.
    package let source: MediaDescription
    /// Where it is cut.
    package let plan: SegmentPlan
    /// The containers that segments can be asked for in, the preferred one first; never none.
    package let containers: [SegmentContainer]
    /// The renditions below the item's own size.
    let ladder: [Rendition]
    /// True if the film's frames carry captions; nil where they are not delivered as they are.
    let hasCaptions: Bool?
    /// True if there is a film, be it one that cannot be served.
    let hasFilm: Bool
    /// The film, where it can be served.
    let film: Film?
    /// The audio, where it can be served.
    let sound: Sound?
    /// The streams of audio beside it that may be served.
    let otherSounds: [Int]

    /// The stream of the cover art that stands for a film where there is none; nil where there is a film, or no art.
    var artworkStream: StreamInfo? {
        guard !hasFilm, sound != nil else { return nil }
        return source.streams.first { $0.isAttachedPicture && $0.canDecode }
    }

    init(_ opened: Opening.Result) {
        source = opened.source
        plan = opened.plan
        containers = opened.recipient.containers
        let (tracks, video) = (opened.tracks, opened.tracks.playableVideo)
        ladder = Self.ladder(below: video, device: opened.recipient.device)
        hasCaptions = video.flatMap { Self.hasCaptions($0, tracks.index) }
        hasFilm = tracks.video != nil
        film = video.map { Film(isHEVC: $0.isHEVC, isTranscoded: $0.transcoded != nil) }
        sound = tracks.playableAudio.map { audio in
            if case .copied = audio.source, audio.stream.codec == "mp3" {
                Sound(stream: audio.stream.index, isCopiedMP3: true)
            } else {
                Sound(stream: audio.stream.index, isCopiedMP3: false)
            }
        }
        otherSounds = tracks.otherSounds
    }
}
