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
        switch (state, input) {
        case (.initialised, .open), (.stopped, .open): (.starting, StopReason.none)
        // Connected anew: what was temporary is over.
        case (.starting, .answered): (.waitingForData, StopReason.none)
        case (_, .answered) where reason == .temporary && state != .stopped: (nil, StopReason.none)
        case (.waitingForData, .enough), (.buffering, .enough): (.waitingForQueueToStart, nil)
        case (.waitingForData, .sounded), (.waitingForQueueToStart, .sounded), (.buffering, .sounded),
            (.paused, .sounded):
            (.playing, nil)
        case (.playing, .ranDry), (.waitingForQueueToStart, .ranDry): (.buffering, nil)
        case (.waitingForData, .paused), (.waitingForQueueToStart, .paused), (.playing, .paused), (.buffering, .paused):
            (.paused, nil)
        case (.paused, .resumed): (.waitingForQueueToStart, nil)
        // Nothing is there to be played out.
        case (.starting, .lost), (.waitingForData, .lost), (.buffering, .lost): (.starting, .temporary)
        case (.waitingForQueueToStart, .lost), (.playing, .lost), (.paused, .lost): (nil, .temporary)
        case (.starting, .ended), (.waitingForData, .ended), (.buffering, .ended): (.stopped, .endOfFile)
        case (.waitingForQueueToStart, .ended), (.playing, .ended), (.paused, .ended): (nil, .endOfFile)
        case (.starting, .failed), (.waitingForData, .failed), (.buffering, .failed), (.initialised, .failed):
            (.stopped, .error)
        case (.waitingForQueueToStart, .failed), (.playing, .failed), (.paused, .failed): (.stopping, .error)
        case (.initialised, .quit), (.starting, .quit), (.waitingForData, .quit), (.buffering, .quit):
            (.stopped, .userAction)
        case (.waitingForQueueToStart, .quit), (.playing, .quit), (.paused, .quit):
            (.stopping, reason == .endOfFile ? nil : .userAction)
        case (.stopping, .silent): (.stopped, nil)
        default: (nil, nil)
        }
    }
}
