/// The use of connections that were kept from earlier requests (RFC 9112, 9.3).
package struct ConnectionUse: Sendable, Equatable {
    /// The number of requests that were sent on a kept connection.
    package var kept: Int
    /// The number of those whose connection ended without a response, so that they were sent again.
    package var lost: Int

    package init(kept: Int = 0, lost: Int = 0) { (self.kept, self.lost) = (kept, lost) }

    /// Adds the use by another request.
    package mutating func add(_ other: ConnectionUse) {
        kept += other.kept
        lost += other.lost
    }

    /// The least number of lost requests that are no coincidence.
    private static let leastLost = 3

    /// True if enough requests were lost to show that the server closes connections that it offers to keep.
    ///
    /// A server may close an idle connection at the moment of a request, so single losses are normal. Choice: three
    /// losses, and a tenth of the requests on kept connections.
    package var isUnreliable: Bool { lost >= Self.leastLost && lost * 10 >= kept }
}
