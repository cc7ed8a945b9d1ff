internal import SegueBase
internal import SegueFetch

/// The conditions for loading at one instant.
struct LoadConditions {
    let playhead: Duration

    /// True if no request for media may begin.
    var isHeld: Bool

    let depth: BufferDepth

    /// The codecs in the multivariant playlist.
    let announced: AnnouncedCodecs

    let maker: RequestMaker
}

/// A segment or part to request.
struct WantedMedia {
    let slot: SegmentTimeline.Slot
    /// The missing range of an interrupted segment; nil for the whole.
    let rest: FetchRange?
    /// The segment or part after it, if known.
    let following: SegmentTimeline.Slot?
    /// The URL of its playlist.
    let playlist: String
    /// True if the response is not read at first.
    var isUnread = false
}

/// The limits of a stream's buffer.
struct BufferDepth: Sendable {
    /// The buffer at which loading pauses.
    let limit: Duration
    /// The buffer at which loading resumes.
    let resume: Duration
    /// The end of a transport stream that does not count.
    let tail: Duration

    /// The limits of the platform, or those that the app requests.
    init(_ settings: PlatformProfile.Loading, _ preferences: LoadingPreferences) {
        tail = settings.buffering.tail
        guard preferences.forwardBuffer > .zero else {
            (limit, resume) = (settings.buffering.bufferLimit, settings.buffering.bufferResume)
            return
        }
        let share = settings.buffering.bufferResume.seconds / settings.buffering.bufferLimit.seconds
        limit = preferences.forwardBuffer
        resume = .nanoseconds(Int64(preferences.forwardBuffer.seconds * share * 1e9))
    }
}
