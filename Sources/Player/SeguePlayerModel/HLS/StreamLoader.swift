internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loads the segments of one stream in order from the playhead, within the limits of the profile, and reloads its live
/// playlist.
struct StreamLoader: Sendable {
    let role: StreamRole

    /// True if it loads only for inspection, without delivery.
    var isProbe = false

    /// True if the beginning of its first segment has been inspected.
    var isLookedInto = false

    var progress: StreamProgress
    var content: StreamContent

    var request = SegmentRequest()

    /// The request for the following segment, which is not read yet.
    var prefetched = SegmentPrefetch()

    var hints = StreamHints()
    var speed = LoadSpeed()

    /// The number of segments that arrived.
    var arrivals = 0

    /// The permanent failure of the next segment.
    ///
    /// Loaded media can still be played.
    var failure: PlaybackError?

    /// True if loading is paused because enough is buffered.
    var isResting = false

    init(role: StreamRole, playlist: StreamPlaylist, position: Duration) {
        self.role = role
        progress = StreamProgress(playlist, at: position)
        content = StreamContent(role: role)
    }

    // MARK: State

    /// True if a request for media is open.
    var isLoading: Bool { request.transfer != nil }

    var isLoadedToEnd: Bool { progress.isLoadedToEnd }

    /// The next segment or part to load; nil if there is none, or none yet.
    var nextSlot: SegmentTimeline.Slot? { progress.nextSlot }

    /// Returns the end of the contiguous buffer from a position; the position itself if nothing is buffered.
    func bufferedEnd(from position: Duration) -> Duration { progress.bufferedEnd(from: position) }

    // MARK: Moving

    /// Releases media before the playhead, and loads from there if necessary.
    mutating func move(to position: Duration, _ context: inout StepContext) {
        guard let place = progress.move(to: position) else { return }
        restart(&context) { $0.restart(at: place.number, part: place.part) }
    }

    private mutating func restart(_ context: inout StepContext, _ change: (inout StreamProgress) -> Void) {
        stop(&context)
        change(&progress)
        request.forgive()
        failure = nil
        isResting = false
    }

    /// Continues with another variant's playlist at the end of the loaded media.
    mutating func change(
        to timeline: SegmentTimeline,
        from url: String,
        at position: Duration,
        _ context: inout StepContext
    ) {
        stop(&context)
        if content.isTransportStream { progress.pieces.lose(context.settings.buffering.changeLoses, from: position) }
        progress.change(to: timeline, from: url, at: position)
        content.change()
        request.forgive()
        failure = nil
    }

    /// Releases all media, and stops loading.
    mutating func layDown(_ context: inout StepContext) {
        stop(&context)
        isResting = false
        progress.layDown()
    }

    /// Loads again beside playback: immediately, or when a changed playlist has been reloaded.
    mutating func resume(at position: Duration, _ context: inout StepContext) {
        restart(&context) { $0.restartBeside(at: position) }
    }

    /// Cancels the open requests.
    mutating func stop(_ context: inout StepContext) {
        request.stop(&context)
        prefetched.stop(&context)
        progress.pieces.underway = nil
        hints.stop(&context)
        progress.playlist.stop(&context)
    }
}
