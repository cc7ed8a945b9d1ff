import SegueBase
import SegueProxy
import Testing

@Suite struct `Exchange watch` {
    private static let get = "GET /a.ts?b=c HTTP/1.1\r\nHost: films.example\r\nRange: bytes=0-9\r\n\r\n"
    private static let head = "HEAD /a.ts HTTP/1.1\r\nHost: films.example\r\n\r\n"
    private static let post =
        "POST /a HTTP/1.1\r\nHost: films.example\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nGET\r\n0\r\n\r\n"
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    private static let url = "http://films.example/a.ts"

    /// The bytes of a client and its server in order, and the expected events.
    private static let talks: [(said: [(up: Bool, text: String)], told: [String])] = [
        ([(true, get), (false, ok)], ["GET \(url)?b=c [bytes=0-9]", "200", "whole 200 5"]),
        (
            [(true, get + head), (false, ok + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")],
            ["GET \(url)?b=c [bytes=0-9]", "HEAD \(url) reused", "200", "whole 200 5", "200", "whole 200 0"]
        ),
        (
            [
                (true, post + head),
                (false, "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"),
            ],
            [
                "POST http://films.example/a", "HEAD \(url) reused", "204", "whole 204 0", "304", "whole 304 0",
            ]
        ),
        (
            [
                (true, get), (false, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <b>\r\n\r\n"),
                (
                    false,
                    "HTTP/1.1 206 Partial\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nabcd\r\nA\r\n0123456789\r\n0\r\nT: u\r\n\r\n"
                ),
            ],
            ["GET \(url)?b=c [bytes=0-9]", "206", "whole 206 14"]
        ),
        (
            [
                (true, "GET http://b.example:81/x HTTP/1.0\r\n\r\n"), (false, "HTTP/1.0 200 OK\r\n\r\nto the end"),
                (false, ""),
            ],
            ["GET http://b.example:81/x", "200", "whole 200 10"]
        ),
        (
            [(true, get), (false, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), (false, "")],
            ["GET \(url)?b=c [bytes=0-9]", "200", "failed 200 5"]
        ),
        ([(true, get), (true, "")], ["GET \(url)?b=c [bytes=0-9]", "cancelled 0 0"]),
        (
            [
                (true, "GET /chat HTTP/1.1\r\nUpgrade: x\r\n\r\n"), (false, "HTTP/1.1 101 Switching\r\n\r\n\u{1}\u{2}"),
                (true, get),
            ],
            ["GET http://server:80/chat", "101", "whole 101 0", "unread upgraded "]
        ),
        (
            [(true, get), (false, "220 smtp.example\r\n\r\n"), (true, get)],
            ["GET \(url)?b=c [bytes=0-9]", "failed 0 0", "unread other "]
        ),
        ([(true, "hello there\r\n\r\n"), (true, get)], ["unread other "]),
        ([(true, "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n")], ["unread other "]),
        (
            [(true, "GET / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n")], ["unread other "]
        ),
        (
            [(true, get), (false, "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n")],
            ["GET \(url)?b=c [bytes=0-9]", "failed 0 0", "unread other "]
        ),
        ([(true, String(repeating: "x", count: 70_000))], ["unread other "]),
    ]

    @Test(arguments: talks.indices, [1, 2, 7, 100_000])
    func `reports requests and responses, in pieces of any size`(talk: Int, size: Int) {
        var watch = ExchangeWatch(keepsPlaylists: false)
        var told: [String] = []
        var number = 0
        for (up, text) in Self.talks[talk].said {
            if text.isEmpty {
                told += (up ? watch.over(isGivenUp: true, "") : watch.answersEnded()).map(Self.words)
            }
            for piece in Self.pieces(text, size) {
                piece.withUnsafeBytes { bytes in
                    let news =
                        up
                        ? watch.sent(bytes, to: "server:80", at: .zero) {
                            number += 1
                            return number
                        } : watch.got(bytes, at: .zero)
                    told += news.map(Self.words)
                }
            }
        }
        #expect(told == Self.talks[talk].told)
    }

    private static func pieces(_ text: String, _ size: Int) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    private static func words(_ news: ExchangeWatch.News) -> String {
        switch news {
        case .asked(let exchange):
            "\(exchange.method) \(exchange.url)" + (exchange.range.isEmpty ? "" : " [\(exchange.range)]")
                + (exchange.isReused ? " reused" : "")
        case .answered(let exchange): "\(exchange.status)"
        case .ended(let exchange, .whole): "whole \(exchange.status) \(exchange.bytes)"
        case .ended(let exchange, .cancelled): "cancelled \(exchange.status) \(exchange.bytes)"
        case .ended(let exchange, .failed): "failed \(exchange.status) \(exchange.bytes)"
        case .unread(let what, let host): "unread \(what) \(host)"
        case .playlist(let exchange, let body): "playlist \(exchange.url) \(body.bytes.count)"
        }
    }

    @Test func `an exchange has the times at its client, and its fault`() {
        var watch = ExchangeWatch(keepsPlaylists: true)
        var ended: ExchangeWatch.Exchange?
        func say(_ text: String, at seconds: Double, isUp: Bool) {
            Array(text.utf8).withUnsafeBytes { bytes in
                let now = Instant(seconds: seconds)
                let news = isUp ? watch.sent(bytes, to: "s:1", at: now) { 7 } : watch.got(bytes, at: now)
                for case .ended(let exchange, _) in news { ended = exchange }
            }
        }
        say("GET /a HTTP/1.1\r\n", at: 1, isUp: true)
        say("\r\n", at: 2, isUp: true)
        watch.inspected("answered with 503")
        say("HTTP/1.1 503 ", at: 3, isUp: false)
        say("Fault\r\nContent-Length: 1\r\n\r\n", at: 4, isUp: false)
        #expect(ended == nil)
        say("x", at: 5, isUp: false)
        #expect(ended?.asked == Instant(seconds: 2) && ended?.answered == Instant(seconds: 3))
        #expect(ended?.fault == "answered with 503" && ended?.number == 7)
        #expect(!watch.isBusy)
    }

    @Test(arguments: [
        ("/a.m3u8", "", 200, true), ("/a", "Content-Type: application/vnd.apple.mpegurl\r\n", 200, true),
        ("/a.mpd?x", "", 200, true), ("/a", "Content-Type: application/dash+xml\r\n", 200, true),
        ("/a.m3u8", "Content-Encoding: identity\r\n", 200, true), ("/a.m3u8", "", 404, false),
        ("/a.ts", "", 200, false),
    ])
    func `a playlist is kept`(path: String, field: String, status: Int, isKept: Bool) {
        var watch = ExchangeWatch(keepsPlaylists: true)
        let request = Array("GET \(path) HTTP/1.1\r\n\r\n".utf8)
        let answer = Array("HTTP/1.1 \(status) X\r\n\(field)Content-Length: 3\r\n\r\nabc".utf8)
        _ = request.withUnsafeBytes { watch.sent($0, to: "s:1", at: .zero) { 1 } }
        let news = answer.withUnsafeBytes { watch.got($0, at: .zero) }
        let kept = news.compactMap { if case .playlist(_, let body) = $0 { body.bytes } else { nil } }
        #expect(kept == (isKept ? [Array("abc".utf8)] : []))
    }

    @Test func `a playlist is kept up to the limit`() {
        var watch = ExchangeWatch(keepsPlaylists: true)
        let request = Array("GET /a.m3u8 HTTP/1.1\r\n\r\n".utf8)
        let body = [UInt8](repeating: 10, count: 3 << 20)
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
        _ = request.withUnsafeBytes { watch.sent($0, to: "s:1", at: .zero) { 1 } }
        let news = answer.withUnsafeBytes { watch.got($0, at: .zero) }
        guard case .playlist(let exchange, let body) = news.last else { return #expect(Bool(false)) }
        #expect(body.bytes.count == 1 << 20 && exchange.bytes == 3 << 20)
    }

    /// A ClientHello of TLS 1.2 with one cipher and the extensions given.
    private static func hello(_ extensions: [UInt8]) -> [UInt8] {
        let body: [UInt8] =
            [3, 3] + [UInt8](repeating: 9, count: 32) + [2, 1, 1] + [0, 2, 0x13, 1] + [1, 0]
            + [0, UInt8(extensions.count)] + extensions
        return [22, 3, 1, 0, UInt8(body.count + 4), 1, 0, 0, UInt8(body.count)] + body
    }

    private static let name = Array("films.example".utf8)
    private static let named: [UInt8] =
        [0, 23, 0, 0] + [0, 0, 0, UInt8(name.count + 5), 0, UInt8(name.count + 3), 0, 0, UInt8(name.count)] + name

    @Test(arguments: [1, 3, 500])
    func `reports only the name of a TLS server`(size: Int) {
        for (bytes, host) in [(Self.hello(Self.named), "films.example"), (Self.hello([0, 23, 0, 0]), "")] {
            var watch = ExchangeWatch(keepsPlaylists: false)
            var told: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes {
                    told += watch.sent($0, to: "s:1", at: .zero) { 1 }.map(Self.words)
                }
            }
            #expect(told == ["unread tls \(host)"])
        }
    }
}
