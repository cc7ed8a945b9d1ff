package import SegueFetch

/// What became of one request, put together.
package struct FetchResult {
    /// The response's head; nil where none came.
    package private(set) var response: FetchResponse?
    /// What came of its body.
    package private(set) var body: [UInt8] = []
    /// Whether all of it came.
    package private(set) var isFinished = false
    /// Why it failed; nil where it did not.
    package private(set) var error: FetchError?

    /// The result of a request's events, in their order.
    package init(_ events: [FetchEvent]) {
        for event in events {
            switch event {
            case .response(_, let response): self.response = response
            case .data(_, let more): body += more.bytes
            case .finished: isFinished = true
            case .failed(_, let error): self.error = error
            }
        }
    }
}

extension FetchEvent {
    /// Whether a request has come to its end.
    package var isFinish: Bool { if case .finished = self { true } else { false } }

    /// Whether it is a piece of a body.
    package var isData: Bool { if case .data = self { true } else { false } }

    /// Why a request failed; nil for any other event.
    package var error: FetchError? { if case .failed(_, let error) = self { error } else { nil } }
}
