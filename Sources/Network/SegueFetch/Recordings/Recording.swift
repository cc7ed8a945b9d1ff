/// What a server answered, and when: enough to answer the same again.
package struct Recording: Sendable {
    private struct Question: Hashable {
        let isHead: Bool
        let url: String
    }

    /// What was answered to each question, in the order of time.
    private let answers: [Question: [RecordedExchange]]

    /// What was asked for first; nil where nothing was.
    package let entry: String?

    /// How many exchanges there are.
    package var count: Int { exchanges.count }

    /// All of them, as they were written down.
    package let exchanges: [RecordedExchange]

    /// A recording of exchanges, in any order.
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

    /// What is answered to a request: the last answer until then, or the first where none had come.
    ///
    /// - Parameters:
    ///   - url: What is asked for, absolute.
    ///   - isHead: Whether the head alone is.
    ///   - range: The part that is asked for; nil for the whole.
    ///   - seconds: When, in seconds since the recording began.
    /// - Returns: The exchange, which has that very part, or the whole; nil where nothing of the kind was recorded.
    package func exchange(
        for url: String,
        isHead: Bool = false,
        range: RecordedExchange.Span? = nil,
        at seconds: Double
    ) -> RecordedExchange? {
        let url = Recording.withoutFragment(url)
        // What a HEAD is answered with, a GET tells as well.
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
