import SegueConcurrency
import SegueFFmpeg

/// A request as handlers receive it.
struct ResourceRequest: Sendable {
    var request: OriginRequest
    /// The query of the request's target.
    var query: Query
    /// The cancellation of the work.
    var cancellation: Cancellation
}
