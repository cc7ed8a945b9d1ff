internal import Fetch
internal import Timeline

/// A request under way, with what has come of it.
struct Transfer: Sendable {
    let id: FetchID
    let url: String
    let range: FetchRange?
    let began: Instant

    private(set) var response: FetchResponse?
    private(set) var bytes: [UInt8] = []

    init(id: FetchID, url: String, range: FetchRange?, began: Instant) {
        self.id = id
        self.url = url
        self.range = range
        self.began = began
    }

    mutating func receive(_ response: FetchResponse) { self.response = response }

    mutating func receive(_ more: [UInt8]) {
        if bytes.isEmpty { bytes = more } else { bytes += more }
    }

    /// Where the answer came from, redirects followed.
    var finalURL: String { response.map { $0.url.isEmpty ? url : $0.url } ?? url }

    /// The whole of what was asked for, or why it is not there.
    func result() -> Result<[UInt8], PlaybackError> {
        let status = response?.status ?? 0
        guard status == 200 || status == 206 else {
            return .failure(PlaybackError(.http, status, "HTTP \(status): \(url)\(explanation)"))
        }
        guard let range else { return .success(bytes) }
        if status == 206 {
            guard Int64(bytes.count) == range.length else {
                return .failure(
                    PlaybackError(
                        .network,
                        -1011,
                        "\(bytes.count) bytes came of a range of \(range.length): \(url)"
                    )
                )
            }
            return .success(bytes)
        }
        // A server that knows no ranges sends the whole.
        guard range.offset + range.length <= Int64(bytes.count) else {
            return .failure(PlaybackError(.network, -1011, "the range lies behind the end: \(url)"))
        }
        return .success(Array(bytes[Int(range.offset)..<Int(range.offset + range.length)]))
    }

    /// What the server said about an error, as far as it is short text.
    private var explanation: String {
        guard !bytes.isEmpty, let text = String(validating: bytes.prefix(300), as: UTF8.self) else { return "" }
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasPrefix("{") ? " \(line)" : ""
    }
}
