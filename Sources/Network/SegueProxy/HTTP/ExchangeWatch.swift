package import SegueBase

/// Follows the requests and answers of a connection as its client sees them: when it asks, when the answer's first byte
/// is there, and when all of it is.
///
/// It reads HTTP/1 both ways and keeps no body; what is not HTTP is told once and not looked at from there on.
package struct ExchangeWatch: Sendable {
    /// A request, and what has come of it.
    package struct Exchange: Sendable, Equatable {
        /// Counts the requests of a proxy.
        package let number: Int
        /// The method.
        package let method: String
        /// The URL, with the host as the client has named it.
        package let url: String
        /// The range that is asked for, as it stands in the request; empty where none is.
        package let range: String
        /// Whether the connection has carried a request before.
        package let isReused: Bool
        /// When the request's head had left the client.
        package let asked: Instant
        /// The answer's status; 0 as long as there is none.
        package fileprivate(set) var status = 0
        /// When the first byte of the answer had come; nil as long as it has not.
        package fileprivate(set) var answered: Instant?
        /// How many bytes of content have come.
        package fileprivate(set) var bytes = 0
        /// The fault that the request met, in words; empty where it met none.
        package fileprivate(set) var fault = ""
        fileprivate var wasInspected = false
    }

    /// The content of an answer.
    package struct Body: Sendable, Equatable {
        /// As it came.
        package fileprivate(set) var bytes: [UInt8] = []
        /// The content coding that it is packed in, in small letters; empty for none.
        package let coding: String
    }

    /// How an exchange ended.
    package enum Ending: Sendable, Equatable {
        /// The answer came whole.
        case whole
        /// The client gave it up.
        case cancelled
        /// The connection ended before the answer did, for a reason in words.
        case failed(String)
    }

    /// What cannot be read.
    package enum Unread: String, Sendable {
        /// TLS, or what looks like it.
        case tls
        /// Another protocol that both sides have agreed on.
        case upgraded
        /// Anything else.
        case other
    }

    /// What there is to tell.
    package enum News: Sendable, Equatable {
        /// A request began.
        case asked(Exchange)
        /// The head of its answer came.
        case answered(Exchange)
        /// It is over.
        case ended(Exchange, Ending)
        /// From here on nothing is read; the host, where the bytes name it.
        case unread(Unread, host: String)
        /// A playlist has come, or as much of it as is looked at.
        case playlist(Exchange, Body)
    }

    /// How many requests may wait for their answers before nobody follows them any more.
    private static let mostOpen = 256
    /// How much of a playlist is looked at.
    static let playlistLimit = 1 << 20

    private let keepsPlaylists: Bool
    private var requests = MessageReader()
    private var answers = MessageReader()
    private var hello = TLSHello()
    private var open: [Exchange] = []
    private var count = 0
    private var isRead = true
    private var hasBegun = false
    /// Bytes of an answer have come whose head has not.
    private var firstByte: Instant?
    /// The playlist that is coming.
    private var playlist: Body?

    /// Follows a new connection.
    ///
    /// - Parameter keepsPlaylists: Whether playlists are told.
    package init(keepsPlaylists: Bool) { self.keepsPlaylists = keepsPlaylists }

    /// Whether a request waits for the rest of its answer.
    package var isBusy: Bool { !open.isEmpty }

    /// The client has sent bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - host: The host and port that a request is for which names none.
    ///   - now: When.
    ///   - number: A number for each request.
    /// - Returns: What there is to tell.
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

    /// The next request has come to where faults are, and met this one or none.
    package mutating func inspected(_ fault: String?) {
        guard let index = open.firstIndex(where: { !$0.wasInspected }) else { return }
        open[index].wasInspected = true
        open[index].fault = fault ?? ""
    }

    /// The client has got bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - now: When.
    /// - Returns: What there is to tell.
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

    /// The server has nothing more to say.
    package mutating func answersEnded() -> [News] {
        guard isRead, hasBegun else { return [] }
        let wasWithin = answers.isWithin
        var news = !answers.ends() && wasWithin ? end(.whole) : []
        while !open.isEmpty { news += end(.failed("the server closed the connection before the answer was whole")) }
        return news
    }

    /// The connection is over.
    ///
    /// - Parameters:
    ///   - isGivenUp: Whether its client has broken it off.
    ///   - reason: Why, in words.
    /// - Returns: What became of the requests that were under way.
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

    /// The first of the exchanges is over; an interim answer ends none.
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
