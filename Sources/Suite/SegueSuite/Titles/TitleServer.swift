package import SegueFetch

/// A server that is asked for what a title has.
package protocol TitleServer: AnyObject {
    /// Asks for one resource, and waits until it has come whole or has failed.
    ///
    /// - Returns: The answer; its response tells what failed.
    func ask(_ request: FetchRequest) -> TitleAnswer
}

/// What a server answered, and how long it took.
package struct TitleAnswer: Sendable {
    /// The head, with why no more came where it did not come whole.
    package let response: FetchResponse
    /// The body.
    package let body: [UInt8]
    /// From the request to the head.
    package let firstByte: Duration
    /// From the head to the end.
    package let rest: Duration

    /// An answer.
    package init(response: FetchResponse, body: [UInt8], firstByte: Duration, rest: Duration) {
        self.response = response
        self.body = body
        self.firstByte = firstByte
        self.rest = rest
    }
}
