/// Fetches one resource at a time and waits for it; several threads may each ask for something at once.
package protocol TimedFetching: Sendable {
    /// Fetches one resource; waits until it has come whole or has failed.
    ///
    /// The request's patience bounds that.
    ///
    /// - Parameter request: What is wanted.
    /// - Returns: The answer, with how long it took.
    func timed(_ request: FetchRequest) -> TimedAnswer
}

/// An answer with how long it took.
package struct TimedAnswer: Sendable {
    /// The head, with why no more came where it did not come whole.
    package let response: FetchResponse
    /// The body.
    package let body: [UInt8]
    /// From the request to the head; a handshake is part of it where the connection was none before.
    package let firstByte: Duration
    /// From the head to the end.
    package let rest: Duration

    /// An answer.
    package init(response: FetchResponse, body: [UInt8], firstByte: Duration, rest: Duration) {
        (self.response, self.body, self.firstByte, self.rest) = (response, body, firstByte, rest)
    }
}
