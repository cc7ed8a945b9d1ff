package import SegueBase

/// A violation of a rule in a run.
package struct BrokenRule: Sendable, Equatable {
    /// A rule for every app.
    package enum Rule: String, Sendable, CaseIterable {
        /// The platform must not reject an item.
        case rejected
        /// No call may be an error of the app.
        case exception
        /// The app must not crash, and must not be terminated for its use of memory.
        case crash
        /// In the foreground, audio must play if the user wants it and nothing prevents it.
        case silent
        /// The same applies in the background.
        case background
        /// Audio must not play after the user has paused, or has removed the headphones.
        case unwished
        /// After a seek, audio must continue at the position of the seek.
        case lostSeek = "lost-seek"
        /// The position in an item must change only when the user changes it.
        case jump
        /// A background task must end when it is no longer needed.
        case task
        /// A failed request must not be repeated without a delay.
        case storm
        /// An item must not be loaded again without a cause.
        case twice
        /// Audio in between must reset the delay of retries.
        case backoff
        /// Audio must play at the rate that the user has set.
        case rate
        /// The title must be the one that the user has chosen, or the one that follows.
        case order
    }

    package let rule: Rule

    /// A description in one line.
    package let message: String

    /// The time of detection.
    package let at: Instant
}
