package import SegueBase
package import SegueEvents
package import SegueFetch

/// An action that a session requests.
package enum SessionEffect: Sendable {
    case fetch(FetchRequest)
    /// Cancels a request.
    case cancel(FetchID)
    /// Reads a response that was not read at first.
    case read(FetchID)
    /// Stops reading a response until it is read again.
    case stopReading(FetchID)
    /// Delivers ``SessionInput/timer(_:)`` with this token at that instant.
    case timer(at: Instant, token: Int)
    case cancelTimer(token: Int)
    case log(EventKind)
    /// Notifies an app outside of the session.
    case told(AppNews)
    /// A resource is complete. The session no longer holds its bytes.
    case delivered(DeliveredResource)
}
