package import SegueBase
package import SegueEvents
package import SegueFetch

/// What a session wants done.
package enum SessionEffect: Sendable {
    /// Begin a request.
    case fetch(FetchRequest)
    /// End a request; nothing more of it is wanted.
    case cancel(FetchID)
    /// Read the answer of a request that was not to be read at first.
    case read(FetchID)
    /// Read nothing more of an answer until it is to be read again.
    case stopReading(FetchID)
    /// Hand in ``SessionInput/timer(_:)`` with this token at that instant.
    case timer(at: Instant, token: Int)
    /// Forget a timer.
    case cancelTimer(token: Int)
    /// Something happened.
    case log(EventKind)
    /// An app outside of the session is told something.
    case told(AppNews)
    /// A resource came whole; the session has let go of its bytes.
    case delivered(DeliveredResource)
}
