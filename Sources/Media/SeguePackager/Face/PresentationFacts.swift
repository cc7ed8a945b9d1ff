internal import SegueFFmpeg

/// The facts found on opening a file, available without reading it again.
package struct PresentationFacts: Sendable, Codable {
    /// The default audio track.
    package struct Audio: Sendable, Codable, Equatable {
        var stream: Int
        var isTranscoded: Bool
        /// True if the track is MP3 and copied.
        var isCopiedMP3: Bool
    }

    /// The served video.
    package struct Film: Sendable, Codable, Equatable {
        /// True if it is delivered as HEVC.
        var isHEVC: Bool
        var isTranscoded: Bool
    }

    package let source: MediaDescription
    package let plan: SegmentPlan
    /// The available containers in order of preference; never empty.
    package let containers: [SegmentContainer]
    /// The renditions below the source's size.
    let ladder: [Rendition]
    /// True if the video carries captions; nil if it is not copied.
    let hasCaptions: Bool?
    /// True if there is video, even if it cannot be served.
    let hasFilm: Bool
    /// The video, if it can be served.
    let film: Film?
    /// The audio, if it can be served.
    let audio: Audio?
    /// The other audio streams that may be served.
    let otherAudio: [Int]
    /// The subtitle streams without any cue.
    let emptySubtitles: Set<Int>

    /// Returns true if these are the facts of a file that contains an earlier state of it, and is served in the same way.
    package func continues(_ earlier: PresentationFacts) -> Bool {
        film == earlier.film && audio == earlier.audio && containers == earlier.containers
            && plan.origin == earlier.plan.origin && plan.timestampOffset == earlier.plan.timestampOffset
            && plan.segments.starts(with: earlier.plan.segments.prefix(earlier.plan.settledCount))
    }

    /// The cover art stream that replaces missing video; nil if there is video or no art.
    var artworkStream: StreamInfo? {
        guard !hasFilm, audio != nil else { return nil }
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
        audio = tracks.playableAudio.map { audio in
            let isCopied = if case .copied = audio.source { true } else { false }
            return Audio(
                stream: audio.stream.index,
                isTranscoded: !isCopied,
                isCopiedMP3: isCopied && audio.stream.codec == "mp3"
            )
        }
        otherAudio = tracks.otherAudio
        emptySubtitles = tracks.index.emptySubtitles
    }
}
