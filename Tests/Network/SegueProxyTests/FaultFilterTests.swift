import SegueNetworkModel
import SegueProxy
import Testing

@Suite struct `Faults of requests` {
    private static let request = "GET /a.ts HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let body = String(repeating: "0123456789", count: 10)
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + body
    private static let chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3c\r\n\(body.prefix(60))\r\n28;x=y\r\n\(body.suffix(40))"
        + "\r\n0\r\nX: y\r\n\r\n"

    /// The bytes for the client when the server sends texts in pieces of a size.
    private static func run(
        _ effect: RequestFault.Effect?,
        requests: String = request,
        answers: String = answer,
        piece: Int,
        ends: Bool = false
    ) -> (forwarded: String, actions: [FaultFilter.Action]) {
        var filter = FaultFilter()
        var forwarded: [UInt8] = []
        for bytes in pieces(requests, piece) { forwarded += filter.request(bytes) { _ in effect } }
        for bytes in pieces(answers, piece) { filter.answer(bytes) }
        if ends { filter.answerEnded() }
        var actions: [FaultFilter.Action] = []
        while let action = filter.next() {
            if case .send(let bytes) = action, case .send(let before) = actions.last {
                actions[actions.count - 1] = .send(before + bytes)
            } else {
                actions.append(action)
            }
        }
        return (String(decoding: forwarded, as: UTF8.self), actions)
    }

    private static func pieces(_ text: String, _ size: Int) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
    }

    private static func text(_ action: FaultFilter.Action?) -> String {
        if case .send(let bytes) = action { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    @Test(arguments: [1, 7, 1000])
    func `a request without a fault passes unchanged, with its response`(piece: Int) {
        for answer in [Self.answer, Self.chunked] {
            let (forwarded, actions) = Self.run(nil, answers: answer + answer, piece: piece)
            #expect(forwarded == Self.request)
            #expect(actions.map { Self.text($0) } == [answer + answer])
        }
    }

    @Test(arguments: [1, 7, 1000])
    func `other protocols pass unchanged`(piece: Int) {
        let (forwarded, actions) = Self.run(.status(500), requests: "SSH-2.0\n\r\n\r\n", answers: "hello", piece: piece)
        #expect(forwarded == "SSH-2.0\n\r\n\r\n")
        #expect(actions.map { Self.text($0) } == ["hello"])
    }

    @Test func `a status replaces the server's response, and the server never receives the request`() {
        let post = "POST /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"
        let (forwarded, actions) = Self.run(.status(503), requests: post, answers: "", piece: 3)
        #expect(forwarded.isEmpty)
        #expect(Self.text(actions.first).hasPrefix("HTTP/1.1 503 Fault\r\n"))
        // Pages of other origins may read the response.
        #expect(Self.text(actions.first).contains("\r\nAccess-Control-Allow-Origin: *\r\n"))
    }

    @Test(arguments: [1, 7, 1000])
    func `resets and closes after the given bytes of the body`(piece: Int) {
        for (effect, end) in [
            (RequestFault.Effect.reset(after: 70), FaultFilter.Action.reset), (.truncation(after: 70), .close),
        ] {
            let plain = Self.run(effect, piece: piece).actions
            #expect(plain.count == 2 && plain.last == end)
            #expect(Self.text(plain.first).hasSuffix("\r\n\r\n" + Self.body.prefix(70)))
            // The framing of chunks does not count.
            let chunked = Self.run(effect, answers: Self.chunked, piece: piece).actions
            #expect(chunked.last == end && Self.text(chunked.first).hasSuffix("28;x=y\r\n0123456789"))
        }
    }

    @Test(arguments: [1, 7, 1000])
    func `a stall delays the following bytes`(piece: Int) {
        let actions = Self.run(.stall(after: 10, length: .seconds(3)), piece: piece).actions
        #expect(actions.count == 3 && actions[1] == .wait(.seconds(3)))
        #expect(Self.text(actions[0]) + Self.text(actions[2]) == Self.answer)
        #expect(Self.text(actions[2]).utf8.count == 90)
    }

    @Test(arguments: [1, 7, 1000])
    func `slices have pauses in between`(piece: Int) {
        let actions = Self.run(.slices(bytes: 30, pause: .seconds(1)), piece: piece).actions
        #expect(actions.count(where: { $0 == .wait(.seconds(1)) }) == 3)
        #expect(actions.map { Self.text($0) }.joined() == Self.answer)
    }

    @Test(arguments: [1, 7, 1000])
    func `inverts the given bytes only`(piece: Int) {
        let actions = Self.run(.corruption(bytes: 2, after: 5), piece: piece).actions
        guard case .send(let bytes) = actions.first else { return #expect(Bool(false)) }
        var expected = Array(Self.answer.utf8)
        for index in expected.count - 95..<expected.count - 93 { expected[index] = ~expected[index] }
        #expect(bytes == expected)
    }

    @Test func `announces a wrong length, and closes the connection`() {
        let actions = Self.run(.wrongLength(by: 11), piece: 9).actions
        #expect(Self.text(actions.first) == Self.answer.replacing("100", with: "111") && actions.last == .close)
    }

    @Test func `changing a field keeps non-UTF-8 bytes of others`() {
        let odd: [UInt8] = [0xE4, 0xFF, 0x80, 0xC3, 0xBC, 0x85]
        var filter = FaultFilter()
        _ = filter.request(Array(Self.request.utf8)) { _ in .wrongLength(by: 5) }
        filter.answer(Array("HTTP/1.1 200 OK\r\nX: ".utf8) + odd + Array("\r\nContent-Length: 1\r\n\r\n".utf8))
        let changed = Array("HTTP/1.1 200 OK\r\nX: ".utf8) + odd + Array("\r\nContent-Length: 6\r\n\r\n".utf8)
        #expect(filter.next() == .send(changed))
    }

    @Test func `a target is read as UTF-8`() {
        var filter = FaultFilter()
        var targets: [String] = []
        _ = filter.request(Array("GET /film-ä.ts HTTP/1.1\r\nHost: x\r\n\r\n".utf8)) { target in
            targets.append(target)
            return nil
        }
        #expect(targets == ["/film-ä.ts"])
    }

    @Test func `a slow close has no length, and comes in time`() {
        for answer in [Self.answer, Self.chunked] {
            let actions = Self.run(.slowClose(.seconds(2)), answers: answer, piece: 9).actions
            #expect(actions.dropFirst() == [.wait(.seconds(2)), .close])
            #expect(Self.text(actions.first) == "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n" + Self.body)
        }
    }

    @Test func `requests a wrong range, and announces the right one`() {
        let request = "GET /a HTTP/1.1\r\nRange: bytes=100-199\r\n\r\n"
        let answer = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 288-387/5000\r\nContent-Length: 3\r\n\r\nabc"
        let (forwarded, actions) = Self.run(.wrongRange(by: 188), requests: request, answers: answer, piece: 9)
        #expect(forwarded == request.replacing("100-199", with: "288-387"))
        #expect(Self.text(actions.first) == answer.replacing("288-387", with: "100-199"))
    }

    @Test func `a limit includes heads`() {
        let actions = Self.run(.limit(bytes: 60), answers: Self.answer + Self.answer, piece: 9).actions
        #expect(actions.last == .close && Array(Self.text(actions.first).utf8) == Array(Self.answer.utf8.prefix(60)))
    }

    @Test func `a response delimited by the connection is complete`() {
        let answer = "HTTP/1.0 200 OK\r\n\r\nabc"
        let actions = Self.run(nil, answers: answer, piece: 5, ends: true).actions
        #expect(actions.map { Self.text($0) } == [answer, ""] && actions.last == .close)
    }

    @Test(arguments: [1, 7, 1000], [0, 20, 60, 200])
    func `a limit below the carried bytes closes before the next response`(
        piece: Int,
        limit: Int
    ) {
        var filter = FaultFilter()
        var effects: [RequestFault.Effect?] = [nil, nil, .limit(bytes: limit)]
        for _ in 0..<3 {
            for bytes in Self.pieces(Self.request, piece) {
                _ = filter.request(bytes) { _ in effects.removeFirst() }
            }
            for bytes in Self.pieces(Self.answer, piece) { filter.answer(bytes) }
        }
        var (sent, last) = ("", FaultFilter.Action?.none)
        while let action = filter.next() { (sent, last) = (sent + Self.text(action), action) }
        #expect(sent == Self.answer + Self.answer && last == .close)
    }

    @Test(arguments: [1, 7, 1000], [1, 39])
    func `a limit within a head truncates it`(piece: Int, limit: Int) {
        let actions = Self.run(.limit(bytes: limit), piece: piece).actions
        #expect(actions.count == 2 && actions.last == .close)
        #expect(Array(Self.text(actions.first).utf8) == Array(Self.answer.utf8.prefix(limit)))
    }

    @Test(arguments: [
        ("bytes=0-9223372036854775807", "bytes=188-9223372036854775807"),
        ("bytes=9223372036854775806-", "bytes=9223372036854775807-"),
        ("bytes=0-99999999999999999999999", "bytes=188-99999999999999999999999"), ("bytes=x", "bytes=x"),
    ])
    func `a moved range saturates`(asked: String, expected: String) {
        let request = "GET /a HTTP/1.1\r\nRange: \(asked)\r\n\r\n"
        let answer =
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9223372036854775807/9223372036854775807\r\n\r\n"
        let (forwarded, actions) = Self.run(.wrongRange(by: 188), requests: request, answers: answer, piece: 9)
        #expect(forwarded == request.replacing(asked, with: expected))
        #expect(Self.text(actions.first).contains("bytes 0-9223372036854775619/9223372036854775807\r\n"))
    }

    @Test(arguments: [(500, "9223372036854775807"), (-500, "9223372036854775307")])
    func `a wrong length saturates`(difference: Int, expected: String) {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n"
        let actions = Self.run(.wrongLength(by: difference), answers: answer, piece: 9).actions
        #expect(Self.text(actions.first).contains("Content-Length: \(expected)\r\n"))
    }

    @Test(arguments: ["FFFFFFFFFFFFFFFFFF", "7fffffffffffffff", "100000000000"])
    func `an oversized chunk does not end`(size: String) {
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n" + Self.body
        let actions = Self.run(.truncation(after: 70), answers: answer, piece: 9).actions
        #expect(Self.text(actions.first).hasSuffix("\r\n" + Self.body.prefix(70)) && actions.last == .close)
    }

    @Test func `an unchanged head passes byte for byte`() {
        let request = "GET /a HTTP/1.1\r\nHost:x\r\nX:\t b \r\nRange: bytes=0-1\r\n\r\n"
        let answer = "HTTP/1.1 200\r\nContent-Length:0\r\nX-B:  c\r\n\r\n"
        for effect in [
            RequestFault.Effect?.none, .stall(after: 5, length: .seconds(1)), .corruption(bytes: 1, after: 0),
        ] {
            let (forwarded, actions) = Self.run(effect, requests: request, answers: answer, piece: 3)
            #expect(forwarded == request && actions.map { Self.text($0) } == [answer])
        }
    }
}
