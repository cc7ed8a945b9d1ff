/// Where the player of an endless stream is, and why it stops: a machine of values.
///
/// Its states and stop reasons are those of the audio streamers that came with the first iPhone applications.
struct StreamCourse: Sendable, Equatable {
    /// Where it is.
    enum State: String, Sendable, CaseIterable {
        case initialised
        /// The request is under way.
        case starting
        case waitingForData
        /// There is enough to begin; the sound has not begun.
        case waitingForQueueToStart
        case playing
        /// It ran dry.
        case buffering
        /// What is buffered is played out, or thrown away.
        case stopping
        case stopped
        case paused
    }

    /// Why it stops, or stopped.
    enum StopReason: String, Sendable, CaseIterable {
        case none, endOfFile, userAction, error
        /// The connection is lost, and is made again.
        case temporary
    }

    /// What happens to it.
    enum Input: String, Sendable, CaseIterable {
        /// The stream is asked for.
        case open
        /// The server answered.
        case answered
        /// There is enough to begin.
        case enough
        /// Sound begins.
        case sounded
        /// Nothing is buffered any more.
        case ranDry
        case paused
        /// The user wishes to play again.
        case resumed
        /// The connection is lost, and will be made again.
        case lost
        /// The server ended the stream.
        case ended
        /// It cannot go on.
        case failed
        /// The user ended it, or went to another item.
        case quit
        /// The last sound is over.
        case silent
    }

    private(set) var state = State.initialised
    private(set) var reason = StopReason.none

    /// Takes in what happened.
    ///
    /// - Returns: Whether anything changed.
    mutating func take(_ input: Input) -> Bool {
        let before = self
        let next = next(input)
        (state, reason) = (next.state ?? state, next.reason ?? reason)
        return self != before
    }

    private typealias Next = (state: State?, reason: StopReason?)

    private func next(_ input: Input) -> Next {
        let kept: Next = (nil, nil)
        switch input {
        case .open: return [.initialised, .stopped].contains(state) ? (.starting, StopReason.none) : kept
        case .answered:
            if state == .starting { return (.waitingForData, StopReason.none) }
            // Connected anew: what was temporary is over.
            return reason == .temporary && state != .stopped ? (nil, StopReason.none) : kept
        case .enough: return [.waitingForData, .buffering].contains(state) ? (.waitingForQueueToStart, nil) : kept
        case .sounded:
            return [.waitingForData, .waitingForQueueToStart, .buffering, .paused].contains(state)
                ? (.playing, nil) : kept
        case .ranDry: return [.playing, .waitingForQueueToStart].contains(state) ? (.buffering, nil) : kept
        case .paused:
            return [.waitingForData, .waitingForQueueToStart, .playing, .buffering].contains(state)
                ? (.paused, nil) : kept
        case .resumed: return state == .paused ? (.waitingForQueueToStart, nil) : kept
        case .lost: return byStock(dry: (.starting, .temporary), stocked: (nil, .temporary)) ?? kept
        case .ended: return byStock(dry: (.stopped, .endOfFile), stocked: (nil, .endOfFile)) ?? kept
        case .failed:
            return byStock(unopened: (.stopped, .error), dry: (.stopped, .error), stocked: (.stopping, .error)) ?? kept
        case .quit:
            let byUser: Next = (.stopped, .userAction)
            let playedOut: Next = (.stopping, reason == .endOfFile ? nil : .userAction)
            return byStock(unopened: byUser, dry: byUser, stocked: playedOut) ?? kept
        case .silent: return state == .stopping ? (.stopped, nil) : kept
        }
    }

    /// What is next, by whether there is sound left to be played out; nil where it stops already.
    private func byStock(unopened: Next? = nil, dry: Next, stocked: Next) -> Next? {
        switch state {
        case .initialised: unopened
        case .starting, .waitingForData, .buffering: dry
        case .waitingForQueueToStart, .playing, .paused: stocked
        case .stopping, .stopped: nil
        }
    }
}
