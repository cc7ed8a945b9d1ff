internal import SegueFetch
internal import SeguePlaylists

/// The first response for an item's URL, held until it is identified as a playlist or as media.
struct EntryAnswer: Sendable {
    /// The kind of the response.
    enum Kind: Sendable {
        case playlist
        case media
        /// The request failed.
        case failure
    }

    private let url: String
    private(set) var response: FetchResponse?
    private(set) var bytes = FetchBytes()
    private var isRefused = false

    /// The maximum size of an error's body that is kept.
    private static let mostOfError = 4 << 10

    private static let mark = Array("#EXTM3U".utf8)
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let types: Set<String> = [
        "application/vnd.apple.mpegurl", "application/mpegurl", "application/x-mpegurl", "audio/mpegurl",
        "audio/x-mpegurl", "vnd.apple.mpegurl",
    ]

    init(url: String) { self.url = url }

    /// Returns whether a URL's path ends like that of a playlist.
    static func namesPlaylist(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }

    /// Handles an event, and returns the kind when it is known.
    mutating func receive(_ event: FetchEvent) -> Kind? {
        switch event {
        case .response(_, let response):
            self.response = response
            isRefused = response.status != 200 && response.status != 206
            guard !isRefused else { return nil }
            let type = response.header("content-type")?.prefix { $0 != ";" }.lowercased() ?? ""
            let isNamed = Self.namesPlaylist(url) || Self.namesPlaylist(response.url)
            return isNamed || Self.types.contains(type.split(separator: " ").first.map(String.init) ?? "")
                ? .playlist : nil
        case .data(_, let more):
            guard !isRefused else {
                bytes.append(more.prefix(Self.mostOfError - bytes.count))
                return nil
            }
            bytes.append(more)
            let bytes = self.bytes.prefix(Self.byteOrderMark.count + Self.mark.count).bytes
            let text = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
            if text.count >= Self.mark.count { return text.starts(with: Self.mark) ? .playlist : .media }
            return Self.mark.starts(with: text) || Self.byteOrderMark.starts(with: bytes) ? nil : .media
        case .finished:
            // A probe for the first bytes ends before the mark does.
            let isStart = response?.status == 206 && !bytes.isEmpty && EntryAnswer.mark.starts(with: bytes.bytes)
            return isRefused ? .failure : isStart ? .playlist : .media
        case .failed: return .failure
        }
    }
}

extension FetchResponse {
    /// Returns the first field with a lowercase name.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
