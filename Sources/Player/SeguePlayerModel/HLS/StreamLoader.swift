internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loads the segments of one stream in order from the playhead, within the limits of the profile, and reloads its live
/// playlist.
struct StreamLoader: Sendable {
    var progress: StreamProgress
    var intake: StreamIntake
    var firstLook = FirstLook()

    var request = SegmentRequest()

    /// The request for the following segment, which is not read yet.
    var prefetched = SegmentPrefetch()

    var hints = StreamHints()

    /// The permanent failure of the next segment.
    ///
    /// Loaded media can still be played.
    var failure: PlaybackError?

    var pause = BufferPause()

    init(role: StreamRole, playlist: StreamPlaylist, position: Duration) {
        progress = StreamProgress(playlist, at: position)
        intake = StreamIntake(role: role)
    }

    // MARK: State

    var role: StreamRole { intake.content.role }

    /// True if a request for media is open.
    var isLoading: Bool { request.transfer != nil }

    /// True if loading is paused because enough is buffered.
    var isResting: Bool { pause.isOn }

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
        pause.end()
    }

    /// Continues with another variant's playlist at the end of the loaded media.
    mutating func change(
        to timeline: SegmentTimeline,
        from url: String,
        at position: Duration,
        _ context: inout StepContext
    ) {
        stop(&context)
        if intake.content.isTransportStream {
            progress.pieces.lose(context.settings.buffering.changeLoses, from: position)
        }
        progress.change(to: timeline, from: url, at: position)
        intake.content.change()
        request.forgive()
        failure = nil
    }

    /// Releases all media, and stops loading.
    mutating func layDown(_ context: inout StepContext) {
        stop(&context)
        pause.end()
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
