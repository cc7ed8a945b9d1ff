/// The purpose of an app of a style, and its bug.
struct Manner: Sendable {
    /// A bug that apps of every style can have.
    enum Flaw: Sendable {
        /// The delay of retries grows with each outage of a session.
        case backoffNeverReset
        /// A title is loaded a second time before it is heard.
        case loadsTwice
        /// The end of a title counts twice.
        case countsTwice
        /// The end of a call resumes what the user had paused.
        case resumesWhatWasPaused
        /// A seek before the item is ready is lost.
        case losesEarlySeek
        /// The completion of a seek plays.
        case playsAfterSeek
        /// A new item plays at the normal rate.
        case forgetsRate
        /// The code waits for a state that does not come, without letting time pass.
        case hangs
        /// The second player goes on after a stop, or after a pause during a call.
        case loopsAfterStop, loopsAfterCall
    }

    /// True if it is one station, which is retried for as long as its listener wants it.
    var isRadio = false
    /// True if the next title plays when one has ended.
    var advances = true
    /// True if a title is repeated.
    var repeats = false
    var flaw: Flaw?

    func has(_ flaw: Flaw) -> Bool { self.flaw == flaw }

    /// The delay before a retry, from the number of failures before; nil after the last retry.
    func delay(after failures: Int) -> Duration? {
        if isRadio { return min(.seconds(1 << min(failures, 5)), .seconds(30)) }
        return failures < 5 ? .seconds(1 << failures) : nil
    }
}
