/// The state machine of an endless stream's player.
///
/// Its states and stop reasons are those of the audio streamers in the first iPhone applications. Source:
/// https://github.com/mattgallagher/AudioStreamer/blob/master/Classes/AudioStreamer.m
struct StreamCourse: Sendable, Equatable {
    enum State: String, Sendable, CaseIterable {
        /// Nothing is open: at the start, and again after a stop.
        case initialised
        /// The request is open.
        case starting
        case waitingForData
        /// Enough is buffered, and audio has not begun.
        case waitingForQueueToStart
        case playing
        /// The buffer ran out.
        case buffering
        /// Buffered media play to their end, or are discarded.
        case stopping
        case stopped
        case paused
    }

    enum StopReason: String, Sendable, CaseIterable {
        case none, endOfFile, userAction, error
        /// The buffered media are discarded, and new ones take their place: there after a seek, here after a long pause.
        case temporary
    }

    enum Input: String, Sendable, CaseIterable {
        /// The stream is requested.
        case open
        /// The server responded.
        case answered
        /// Enough is buffered to begin.
        case enough
        case becameAudible
        /// The buffer ran out.
        case ranDry
        case paused
        /// The user resumes playback.
        case resumed
        /// The connection is lost, and will be reopened.
        case lost
        /// The buffered media are discarded, to be replaced by new ones.
        case cleared
        /// The server ended the stream.
        case ended
        /// The stream cannot continue.
        case failed
        /// The user ended it, or went to another item.
        case quit
        /// The last audio has ended.
        case silent
        /// The resources of a stopped stream are released.
        case released
    }

    private(set) var state = State.initialised
    private(set) var reason = StopReason.none

    /// Handles an event, and returns whether anything changed.
    mutating func handle(_ input: Input) -> Bool {
        let before = self
        let next = next(input)
        (state, reason) = (next.state ?? state, next.reason ?? reason)
        return self != before
    }

    private typealias Next = (state: State?, reason: StopReason?)

    private func next(_ input: Input) -> Next {
        let kept: Next = (nil, nil)
        switch input {
        case .open: return state == .initialised ? (.starting, StopReason.none) : kept
        case .answered:
            if state == .starting { return (.waitingForData, StopReason.none) }
            // With new data, a temporary stop is over.
            return reason == .temporary && state != .stopped ? (nil, StopReason.none) : kept
        case .enough: return [.waitingForData, .buffering].contains(state) ? (.waitingForQueueToStart, nil) : kept
        case .becameAudible:
            return [.waitingForData, .waitingForQueueToStart, .buffering, .paused].contains(state)
                ? (.playing, nil) : kept
        case .ranDry: return [.playing, .waitingForQueueToStart].contains(state) ? (.buffering, nil) : kept
        case .paused:
            return [.waitingForData, .waitingForQueueToStart, .playing, .buffering].contains(state)
                ? (.paused, nil) : kept
        case .resumed: return state == .paused ? (.waitingForQueueToStart, nil) : kept
        case .lost: return byStock(dry: (.starting, StopReason.none), stocked: kept) ?? kept
        case .cleared: return byStock(dry: (.starting, .temporary), stocked: (nil, .temporary)) ?? kept
        case .ended: return byStock(dry: (.stopped, .endOfFile), stocked: (nil, .endOfFile)) ?? kept
        case .failed:
            return byStock(dry: (.stopped, .error), stocked: (.stopping, .error)) ?? kept
        case .quit:
            let byUser: Next = (.stopped, .userAction)
            let playedOut: Next = (.stopping, reason == .endOfFile ? nil : .userAction)
            return byStock(dry: byUser, stocked: playedOut) ?? kept
        case .silent: return state == .stopping ? (.stopped, nil) : kept
        case .released: return state == .stopped ? (.initialised, nil) : kept
        }
    }

    /// The next state, which depends on whether audio is left to play; nil if nothing is open or it is already stopping.
    private func byStock(dry: Next, stocked: Next) -> Next? {
        switch state {
        case .starting, .waitingForData, .buffering: dry
        case .waitingForQueueToStart, .playing, .paused: stocked
        case .initialised, .stopping, .stopped: nil
        }
    }
}
