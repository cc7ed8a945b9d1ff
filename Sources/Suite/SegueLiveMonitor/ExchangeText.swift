internal import SegueBase
internal import SegueConformance
internal import SegueFetch

/// Conversions between responses and their recordings.
extension RecordedExchange {
    /// A recording of a response, with times in whole microseconds.
    init(_ answer: WatchResponse, headers: [(name: String, value: String)]) {
        self.init(
            at: answer.began.seconds,
            method: answer.method == .head ? "HEAD" : "GET",
            url: answer.url,
            range: answer.method == .firstByte
                ? Self.first : answer.span.map { Span(offset: $0.offset, length: $0.length) },
            status: answer.status,
            headers: headers.map { Field(name: $0.name, value: $0.value) }
        )
        redirectedTo = answer.finalURL == answer.url ? nil : answer.finalURL
        took = (answer.ended - answer.began).seconds
        failure = answer.failure?.text
        (kept, lost) = (answer.connection.kept, answer.connection.lost)
        if kept == 0 { (kept, lost) = (nil, nil) }
    }

    /// The range of a request for the first byte.
    private static let first = Span(offset: 0, length: 1)

    /// The response that a replay passes to a watch.
    func answer(_ body: [UInt8]) -> WatchResponse {
        let began = Instant(microseconds: at)
        var answer = WatchResponse(
            method: method == "HEAD" ? .head : range == Self.first ? .firstByte : .get,
            url: url,
            began: began,
            ended: Instant(microseconds: at + (took ?? 0)),
            status: status
        )
        answer.headers = RecordedExchange.headers(headers.map { ($0.name, $0.value) })
        answer.finalURL = redirectedTo ?? url
        answer.bytes = body
        if range != Self.first { answer.span = range.map { HTTPFacts.Span(offset: $0.offset, length: $0.length) } }
        answer.failure = failure.map { Message(quoting: $0) }
        answer.connection = ConnectionUse(kept: kept ?? 0, lost: lost ?? 0)
        return answer
    }

    /// Header fields by name; several of one name are joined.
    static func headers(_ fields: [(name: String, value: String)]) -> [String: String] {
        Dictionary(fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    }
}

extension Instant {
    /// The nearest whole microsecond.
    init(microseconds seconds: Double) {
        let bounded = seconds.isFinite ? min(max(seconds, 0), 4e9) : 0
        self.init(nanoseconds: Int64((bounded * 1e6).rounded()) * 1000)
    }
}
