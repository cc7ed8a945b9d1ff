internal import SegueBase
internal import SegueFetch

/// A request under way, with what has come of it.
struct Transfer: Sendable {
    /// Room is made for so many bytes at the most before they come, whatever a server announces.
    private static let mostReserved = 4 << 20

    let id: FetchID
    let url: String
    let range: FetchRange?
    let began: Instant

    private(set) var response: FetchResponse?
    private(set) var bytes = FetchBytes()
    private var expected = 0
    private var watch: TrickleWatch

    init(_ request: FetchRequest, began: Instant) {
        id = request.id
        url = request.url
        range = request.range
        self.began = began
        watch = TrickleWatch(patience: request.patience, began: began)
    }

    mutating func receive(_ response: FetchResponse, at now: Instant) {
        self.response = response
        watch.begin(at: now, bytes: 0)
        expected = min(max(0, announcedLength ?? 0), Transfer.mostReserved)
    }

    mutating func receive(_ more: FetchBytes) { bytes.append(more, expecting: expected) }

    /// Where the answer came from, redirects followed.
    var finalURL: String { response.map { $0.url.isEmpty ? url : $0.url } ?? url }

    /// How many bytes the body will have; nil when the server does not say.
    var announcedLength: Int? {
        response?.headers.first { $0.name == "content-length" }.flatMap { Int($0.value) }
    }

    /// How long it may go without a byte, or with next to none.
    var patience: Duration { watch.patience }

    /// Looks whether it gets on: whether a server that sends a byte now and then has kept it up for too long.
    ///
    /// - Returns: Why it has failed; nil when it has not.
    mutating func look(at now: Instant) -> LoadFailure? {
        watch.look(at: now, bytes: bytes.count, url: url)
    }

    // MARK: The end

    /// The whole of what was asked for, or why it is not there.
    ///
    /// - Parameter isLive: Whether a live playlist names it, so that what is missing may be there in a moment.
    /// - Returns: The bytes, or the reason.
    func result(isLive: Bool = false) -> Result<FetchBytes, LoadFailure> {
        let status = response?.status ?? 0
        guard status == 200 || status == 206 else {
            let error = PlaybackError(.http, status, "HTTP \(status): \(url)\(explanation)")
            let kind = FailureKind(status: status, isLive: isLive)
            return .failure(LoadFailure(error, kind, retryAfter: retryAfter))
        }
        guard let range else { return .success(bytes) }
        if status == 206 {
            guard Int64(bytes.count) == range.length else {
                return short("\(bytes.count) bytes came of a range of \(range.length): \(url)")
            }
            return .success(bytes)
        }
        // A server that knows no ranges sends the whole.
        guard range.offset + range.length <= Int64(bytes.count) else {
            return short("the range lies behind the end: \(url)")
        }
        return .success(bytes[Int(range.offset)..<Int(range.offset + range.length)])
    }

    private func short(_ message: String) -> Result<FetchBytes, LoadFailure> {
        .failure(LoadFailure(PlaybackError(.network, -1011, message), .truncated))
    }

    /// How long the server asks to wait: so many seconds, or until a date, reckoned from the one that it gives as its own.
    private var retryAfter: Duration? {
        func header(_ name: String) -> String? { response?.headers.first { $0.name == name }?.value }
        guard let asked = header("retry-after") else { return nil }
        var seconds = Double(asked)
        if let until = HTTPDate.secondsSince1970(asked), let date = header("date").flatMap(HTTPDate.secondsSince1970) {
            seconds = Double(max(0, until - date))
        }
        return seconds.flatMap { (0...1_000_000).contains($0) ? .nanoseconds(Int64($0 * 1e9)) : nil }
    }

    /// What the server said about an error, as far as it is short text.
    private var explanation: String {
        guard !bytes.isEmpty, let text = String(validating: bytes.prefix(300).bytes, as: UTF8.self) else { return "" }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasPrefix("{") ? " \(line)" : ""
    }
}
