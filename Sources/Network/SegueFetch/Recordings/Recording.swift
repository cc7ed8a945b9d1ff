/// A server's responses with their times, enough to replay them.
package struct Recording: Sendable {
    private struct Question: Hashable {
        let isHead: Bool
        let url: String
    }

    /// The responses to each request, in order of time.
    private let answers: [Question: [RecordedExchange]]

    /// The URL of the first request; nil for an empty recording.
    package let entry: String?

    package var count: Int { exchanges.count }

    /// All exchanges, in the order of recording.
    package let exchanges: [RecordedExchange]

    /// Creates a recording from exchanges in any order.
    package init(_ exchanges: [RecordedExchange]) {
        let inOrder = exchanges.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
        answers = Dictionary(grouping: inOrder) {
            Question(isHead: $0.method == "HEAD", url: Recording.withoutFragment($0.url))
        }
        entry = inOrder.first?.url
        self.exchanges = exchanges
    }

    /// Returns the response to a request: the last one recorded until then, or else the first one.
    ///
    /// - Parameters:
    ///   - isHead: True if the method is HEAD.
    ///   - range: The requested range; nil for the whole resource.
    ///   - seconds: The time since the recording began.
    /// - Returns: The exchange with this range or with the whole resource; nil if none was recorded.
    package func exchange(
        for url: String,
        isHead: Bool = false,
        range: RecordedExchange.Span? = nil,
        at seconds: Double
    ) -> RecordedExchange? {
        let url = Recording.withoutFragment(url)
        // A GET answers a HEAD as well.
        guard
            let all = answers[Question(isHead: isHead, url: url)]
                ?? (isHead ? answers[Question(isHead: false, url: url)] : nil)
        else { return nil }
        if let range, let part = Recording.last(of: all.filter({ $0.range == range }), until: seconds) { return part }
        return Recording.last(of: all.filter { $0.range == nil }, until: seconds)
    }

    private static func last(of exchanges: [RecordedExchange], until seconds: Double) -> RecordedExchange? {
        exchanges.last { $0.at <= seconds } ?? exchanges.first
    }

    private static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}
