import SegueConcurrency
import SegueFFmpeg

/// A request as it comes to those who answer for a resource.
struct ResourceRequest: Sendable {
    /// The request.
    var request: OriginRequest
    /// What stands behind the `?` of its target.
    var query: Query
    /// Stops the work.
    var cancellation: Cancellation
}
