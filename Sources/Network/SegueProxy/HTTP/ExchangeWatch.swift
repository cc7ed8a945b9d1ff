package import SegueBase

/// Follows the HTTP/1 requests and responses of a connection from the client's point of view: their times and sizes.
///
/// It keeps no bodies except playlists. Other protocols are reported once and not followed.
package struct ExchangeWatch: Sendable {
    /// A request and its response.
    package struct Exchange: Sendable, Equatable {
        /// The number of the request in the proxy.
        package let number: Int
        package let method: String
        /// The URL, with the host as named by the client.
        package let url: String
        /// The `Range` field of the request; empty without one.
        package let range: String
        /// True if the connection has carried a request before.
        package let isReused: Bool
        /// The time at which the client had sent the request's head.
        package let asked: Instant
        /// The status of the response; 0 before it.
        package fileprivate(set) var status = 0
        /// The arrival of the first byte of the response; nil before it.
        package fileprivate(set) var answered: Instant?
        /// The number of content bytes received.
        package fileprivate(set) var bytes = 0
        /// The description of the fault that the request met; empty for none.
        package fileprivate(set) var fault = ""
        fileprivate var wasInspected = false
    }

    /// The content of a response.
    package struct Body: Sendable, Equatable {
        /// The content as received.
        package fileprivate(set) var bytes: [UInt8] = []
        /// The content coding in lower case; empty for none.
        package let coding: String
    }

    /// The end of an exchange.
    package enum Ending: Sendable, Equatable {
        /// The response is complete.
        case whole
        /// The client cancelled the request.
        case cancelled
        /// The connection ended before the response was complete, with the reason.
        case failed(String)
    }

    /// The reason for which a connection is not followed.
    package enum Unread: String, Sendable {
        case tls
        /// A protocol after an upgrade.
        case upgraded
        case other
    }

    /// An event to report.
    package enum News: Sendable, Equatable {
        /// A request began.
        case asked(Exchange)
        /// The head of its response arrived.
        case answered(Exchange)
        case ended(Exchange, Ending)
        /// The connection is not followed from here on; the host is that in the bytes.
        case unread(Unread, host: String)
        /// A playlist, or its beginning, has arrived.
        case playlist(Exchange, Body)
    }

    /// The maximum number of open requests that are followed.
    private static let mostOpen = 256
    /// The maximum number of bytes of a playlist that are kept.
    static let playlistLimit = 1 << 20

    private let keepsPlaylists: Bool
    private var requests = MessageReader()
    private var answers = MessageReader()
    private var hello = TLSHello()
    private var open: [Exchange] = []
    private var count = 0
    private var isRead = true
    private var hasBegun = false
    /// The arrival of the first byte of a response with an incomplete head.
    private var firstByte: Instant?
    /// The playlist in transfer.
    private var playlist: Body?

    /// Creates a watch for a new connection.
    ///
    /// - Parameter keepsPlaylists: True if playlists are reported.
    package init(keepsPlaylists: Bool) { self.keepsPlaylists = keepsPlaylists }

    /// True if a response is incomplete.
    package var isBusy: Bool { !open.isEmpty }

    /// Processes bytes from the client.
    ///
    /// - Parameters:
    ///   - host: The host and port of a request that names none.
    ///   - number: Returns the number of a new request.
    /// - Returns: The events to report.
    package mutating func sent(
        _ bytes: UnsafeRawBufferPointer,
        to host: String,
        at now: Instant,
        number: () -> Int
    ) -> [News] {
        guard isRead else { return [] }
        if !hasBegun {
            switch hello.take(bytes) {
            case .incomplete: return []
            case .name(let name): return unread(.tls, host: name)
            case .none: hasBegun = true
            }
        }
        var news: [News] = []
        var rest = Slice(bytes)
        while isRead, let part = requests.next(&rest) {
            switch part {
            case .head(let head):
                requests.body = head.requestBody
                let asked = Exchange(
                    number: number(),
                    method: head.method,
                    url: Self.url(head, host),
                    range: head["range"] ?? "",
                    isReused: count > 0,
                    asked: now
                )
                count += 1
                open.append(asked)
                news.append(.asked(asked))
                if open.count > Self.mostOpen { news += unread(.other) }
            case .body, .end: break
            case .unreadable: news += unread(.other)
            }
        }
        return news
    }

    /// Sets the fault of the next request.
    package mutating func inspected(_ fault: String?) {
        guard let index = open.firstIndex(where: { !$0.wasInspected }) else { return }
        open[index].wasInspected = true
        open[index].fault = fault ?? ""
    }

    /// Processes bytes to the client.
    ///
    /// - Returns: The events to report.
    package mutating func got(_ bytes: UnsafeRawBufferPointer, at now: Instant) -> [News] {
        guard isRead, hasBegun else { return [] }
        var news: [News] = []
        var rest = Slice(bytes)
        while isRead {
            if !answers.isWithin, !rest.isEmpty { firstByte = now }
            let taken = rest
            guard let part = answers.next(&rest) else { break }
            switch part {
            case .head(let head): news += begin(head)
            case .body(let size, let isContent): if isContent { content(taken.prefix(size)) }
            case .end: news += end(.whole)
            case .unreadable: news += unread(.other)
            }
        }
        return news
    }

    /// Processes the end of the server's data.
    package mutating func answersEnded() -> [News] {
        guard isRead, hasBegun else { return [] }
        let wasWithin = answers.isWithin
        var news = !answers.ends() && wasWithin ? end(.whole) : []
        while !open.isEmpty { news += end(.failed("the server closed the connection before the answer was whole")) }
        return news
    }

    /// Processes the end of the connection.
    ///
    /// - Parameters:
    ///   - isGivenUp: True if the client broke the connection.
    /// - Returns: The ends of all open exchanges.
    package mutating func over(isGivenUp: Bool, _ reason: String) -> [News] {
        var news: [News] = []
        while !open.isEmpty { news += end(isGivenUp ? .cancelled : .failed(reason)) }
        isRead = false
        return news
    }

    private mutating func begin(_ head: HTTPHead) -> [News] {
        guard !open.isEmpty else { return unread(.other) }
        answers.body = head.answerBody(to: open[0].method)
        if open[0].answered == nil { open[0].answered = firstByte }
        let isInterim = (100..<200).contains(head.status) && head.status != 101
        guard !isInterim else { return [] }
        open[0].status = head.status
        if keepsPlaylists, Self.isPlaylist(head, to: open[0]) { playlist = Body(coding: Self.coding(head)) }
        let news = [News.answered(open[0])]
        let isTunnel = head.status == 101 || open[0].method == "CONNECT" && (200..<300).contains(head.status)
        guard isTunnel else { return news }
        return news + end(.whole) + unread(.upgraded)
    }

    private mutating func content(_ bytes: Slice<UnsafeRawBufferPointer>) {
        guard !open.isEmpty else { return }
        open[0].bytes += bytes.count
        if let kept = playlist?.bytes.count {
            playlist?.bytes.append(contentsOf: bytes.prefix(Self.playlistLimit - kept))
        }
    }

    /// Ends the first exchange, unless the response is interim.
    private mutating func end(_ ending: Ending) -> [News] {
        guard let ended = open.first, ended.status > 0 || ending != .whole else { return [] }
        open.removeFirst()
        defer { playlist = nil }
        guard let playlist, ending == .whole else { return [.ended(ended, ending)] }
        return [.ended(ended, ending), .playlist(ended, playlist)]
    }

    private mutating func unread(_ what: Unread, host: String = "") -> [News] {
        isRead = false
        playlist = nil
        var news: [News] = open.map { .ended($0, .failed("what crosses the connection is not HTTP from here on")) }
        open = []
        news.append(.unread(what, host: host))
        return news
    }

    private static func url(_ head: HTTPHead, _ host: String) -> String {
        guard head.target.hasPrefix("/") else { return head.target }
        return "http://\(head["host"] ?? host)\(head.target)"
    }

    private static func coding(_ head: HTTPHead) -> String {
        let coding = head["content-encoding"]?.lowercased().filter { !$0.isWhitespace } ?? ""
        return coding == "identity" ? "" : coding
    }

    private static func isPlaylist(_ head: HTTPHead, to exchange: Exchange) -> Bool {
        guard exchange.method == "GET", head.status == 200 else { return false }
        let type = head["content-type"]?.lowercased() ?? ""
        let path = exchange.url.prefix { $0 != "?" }.lowercased()
        return type.contains("mpegurl") || type.contains("dash+xml") || path.hasSuffix(".m3u8")
            || path.hasSuffix(".mpd")
    }
}
