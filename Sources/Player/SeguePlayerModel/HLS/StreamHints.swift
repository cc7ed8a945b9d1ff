internal import SegueBase
internal import SegueFetch

/// The requests for resources at which a playlist hints.
struct StreamHints: Sendable {
    /// The request for the hinted part.
    var part = HintLoad()

    /// The request for the hinted initialization section.
    var map = HintLoad()

    /// The instant at which a request times out, if any is open.
    var nextChange: Instant? {
        guard let other = map.nextChange else { return part.nextChange }
        return part.nextChange.map { min($0, other) } ?? other
    }

    /// Handles news of a request, for the playlist at a URL.
    mutating func receive(_ event: FetchEvent, of playlist: String, _ context: inout StepContext) {
        if part.transferID == event.id {
            part.receive(event, of: playlist, &context)
        } else {
            map.receive(event, of: playlist, &context)
        }
    }

    /// Cancels requests that have timed out.
    mutating func giveUpLate(of playlist: String, _ context: inout StepContext) {
        part.giveUpLate(of: playlist, &context)
        map.giveUpLate(of: playlist, &context)
    }

    mutating func stop(_ context: inout StepContext) {
        part.stop(&context)
        map.stop(&context)
    }
}
