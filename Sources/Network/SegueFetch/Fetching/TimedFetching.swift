/// A blocking fetcher for one resource at a time per thread.
package protocol TimedFetching: Sendable {
    /// Fetches a resource; blocks until the response is complete or has failed.
    ///
    /// The request's patience limits the time.
    ///
    /// - Returns: The response and its timing.
    func timed(_ request: FetchRequest) -> TimedAnswer
}

/// A response with its timing.
package struct TimedAnswer: Sendable {
    /// The head, with the failure of an incomplete response.
    package let response: FetchResponse
    package let body: [UInt8]
    /// The time from the request to the head, including the handshake of a new connection.
    package let firstByte: Duration
    /// The time from the head to the end.
    package let rest: Duration

    package init(response: FetchResponse, body: [UInt8], firstByte: Duration, rest: Duration) {
        (self.response, self.body, self.firstByte, self.rest) = (response, body, firstByte, rest)
    }
}
