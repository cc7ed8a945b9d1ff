internal import SegueBase
internal import SegueFetch

/// An open request, with the data received so far.
struct Transfer: Sendable {
    /// The maximum memory reserved in advance, whatever a server announces.
    private static let mostReserved = 4 << 20

    let id: FetchID
    let url: String
    let range: FetchRange?
    let began: Instant

    private(set) var response: FetchResponse?
    private(set) var bytes = FetchBytes()
    private var expected = 0
    private var watch: MinimumRateMonitor

    init(_ request: FetchRequest, began: Instant) {
        id = request.id
        url = request.url
        range = request.range
        self.began = began
        watch = MinimumRateMonitor(patience: request.patience, began: began)
    }

    mutating func receive(_ response: FetchResponse, at now: Instant) {
        self.response = response
        watch.begin(at: now, bytes: 0)
        expected = min(max(0, announcedLength ?? 0), Transfer.mostReserved)
    }

    mutating func receive(_ more: FetchBytes) { bytes.append(more, expecting: expected) }

    /// The URL after redirects.
    var finalURL: String { response.map { $0.url.isEmpty ? url : $0.url } ?? url }

    /// The announced size of the body, if any.
    var announcedLength: Int? {
        response?.headers.first { $0.name == "content-length" }.flatMap { Int($0.value) }
    }

    /// The maximum time without a byte, or with almost none.
    var patience: Duration { watch.patience }

    /// Returns a failure if the server has sent almost nothing for too long.
    mutating func look(at now: Instant) -> LoadFailure? {
        watch.look(at: now, bytes: bytes.count, url: url)
    }

    // MARK: The end

    /// Returns the complete resource, or the failure.
    ///
    /// A resource in a live playlist may appear a moment later.
    func result(isLive: Bool = false) -> Result<FetchBytes, LoadFailure> {
        let status = response?.status ?? 0
        guard status == 200 || status == 206 else {
            let error = PlaybackError(.http, code: status, "HTTP \(status): \(url)\(explanation)")
            let kind = FailureKind(status: status, isLive: isLive)
            return .failure(LoadFailure(error, kind, retryAfter: retryAfter))
        }
        guard let range else { return .success(bytes) }
        if status == 206 {
            guard Int64(bytes.count) == range.length else {
                return short("received \(bytes.count) of the \(range.length) bytes requested: \(url)")
            }
            return .success(bytes)
        }
        // A server without support for ranges sends the whole.
        guard range.offset + range.length <= Int64(bytes.count) else {
            return short("the requested range is beyond the end of the resource: \(url)")
        }
        return .success(bytes[Int(range.offset)..<Int(range.offset + range.length)])
    }

    private func short(_ message: String) -> Result<FetchBytes, LoadFailure> {
        .failure(LoadFailure(PlaybackError(.network, code: -1011, message), .truncated))
    }

    /// The delay that the server requests.
    private var retryAfter: Duration? {
        response.flatMap { RetryAfter.delay(in: $0.headers) }
    }

    /// The text of an error response, if it is short.
    private var explanation: String {
        guard !bytes.isEmpty, let text = String(validating: bytes.prefix(300).bytes, as: UTF8.self) else { return "" }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasPrefix("{") ? " \(line)" : ""
    }
}
