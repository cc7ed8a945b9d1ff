internal import SegueFetch

/// A segment that was inspected when another component fetched it, so that a validation need not fetch it again.
package struct InspectedSegment: Sendable {
    var facts: SegmentFacts
    let http: HTTPFacts

    /// Inspects a response to a request without a byte range.
    ///
    /// - Parameters:
    ///   - url: The URL of the segment, which the server did not redirect.
    ///   - response: The head of the response.
    ///   - bytes: The body.
    ///   - initialization: The initialization section; nil if the segment has none.
    package init(
        at url: String,
        headers: [(name: String, value: String)],
        bytes: [UInt8],
        initialization: InitializationFacts?
    ) {
        facts = .inspecting(bytes, number: 0, url: url, initialization: initialization)
        let fields = Dictionary(headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        let answer = HTTPAnswer(status: 200, headers: fields, size: bytes.count)
        var http = HTTPFacts(.segment, url: url, get: answer)
        (http.bare, http.body, http.origin) = (answer, BodyKind(bytes), ResourceReader.origin)
        self.http = http
    }
}
