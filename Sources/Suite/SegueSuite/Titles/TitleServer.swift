package import SegueFetch

/// The client of a title's server.
package protocol TitleServer: AnyObject {
    /// Requests a resource, and waits until it is complete or has failed.
    ///
    /// - Returns: The response, with the failure if there was one.
    func ask(_ request: FetchRequest) -> TitleResponse
}

/// A response with its timing.
package struct TitleResponse: Sendable {
    /// The head, with the failure of an incomplete response.
    package let response: FetchResponse
    package let body: [UInt8]
    /// The time from the request to the head.
    package let firstByte: Duration
    /// The time from the head to the end.
    package let rest: Duration

    package init(response: FetchResponse, body: [UInt8], firstByte: Duration, rest: Duration) {
        self.response = response
        self.body = body
        self.firstByte = firstByte
        self.rest = rest
    }
}
