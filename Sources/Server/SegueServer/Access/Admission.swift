import SegueAccess
import SegueOrigin
import Synchronization

/// The right of a client to the rest of a response that has begun.
///
/// A key may be revoked, and a session may end, while a download or a radio station lasts.
final class Admission: Sendable {
    /// The right has ended; the connection is closed.
    struct Ended: Error {}

    /// The interval between two checks.
    private static let interval = Duration.seconds(1)

    private let gate: AccessGate
    /// The request with its credentials.
    private let request: OriginRequest
    private let visitor: Visitor
    /// The person's password; nil for a visitor without one.
    private let password: PasswordHash?
    private let checked = Mutex(ContinuousClock.now)

    /// - Parameters:
    ///   - request: The request as received.
    ///   - visitor: The visitor that the gate let in.
    init(_ gate: AccessGate, to request: OriginRequest, of visitor: Visitor) {
        (self.gate, self.request, self.visitor) = (gate, request, visitor)
        password = gate.person(visitor)?.password
    }

    /// Asks the gate again, at most once a second.
    ///
    /// - Throws: ``Ended`` if it would not let the visitor in.
    func check(at now: ContinuousClock.Instant = .now) async throws {
        let isDue = checked.withLock { checked in
            guard now - checked >= Self.interval else { return false }
            checked = now
            return true
        }
        if isDue, await !gate.stillAdmits(visitor, by: request, password: password) { throw Ended() }
    }
}
