import SegueHLS
import Testing

/// A server of subtitles, on demand and live, as third-party code.
private struct Subtitles: Sendable {
    /// Segments of four seconds each, of which a live playlist lists six.
    static let length = 4
    static let listed = 6

    /// A fault that a test injects.
    enum Fault: Sendable { case none, missing, wrongText, stuck, lostEarly, numbersAgain, throwing, hanging, limited }

    var fault = Fault.none

    func answer(_ request: ServerRequest) async throws -> ServerAnswer {
        if fault == .throwing { throw Broken() }
        if fault == .hanging, request.target.hasSuffix(".vtt") { try await Task.sleep(for: .seconds(86_400)) }
        let now = Int(request.time / .seconds(1))
        let path = request.target.split(separator: "?").first ?? ""
        switch path {
        case "/film.m3u8": return list(0..<3, ended: true)
        case "/live.m3u8":
            let last = fault == .stuck ? min(now, 20) : now
            let first = last / Self.length
            return list(first..<first + Self.listed, ended: false)
        default:
            guard let number = Int(path.dropFirst().prefix { $0 != "." }) else { return .notFound }
            if fault == .missing, number == 1 { return .notFound }
            if fault == .limited, number == 1 { return ServerAnswer(status: 429, headers: [("Retry-After", "59")]) }
            if fault == .lostEarly, number < now / Self.length + 2 { return .notFound }
            return ServerAnswer(text(number), headers: [("Content-Type", "text/vtt")])
        }
    }

    private struct Broken: Error {}

    private func list(_ numbers: Range<Int>, ended: Bool) -> ServerAnswer {
        let segments = numbers.map { MediaSegment(uri: "\($0).vtt", duration: Rational(Int64(Self.length))) }
        let playlist = MediaPlaylist(
            segments: segments,
            kind: ended ? .vod : nil,
            hasEndList: ended,
            mediaSequence: fault == .numbersAgain && numbers.lowerBound > 5 ? 0 : numbers.lowerBound
        )
        return ServerAnswer(
            playlist.text,
            headers: [("Content-Type", "application/vnd.apple.mpegurl"), ("Cache-Control", "no-cache")]
        )
    }

    private func text(_ number: Int) -> String {
        guard fault != .wrongText else { return "<html>no</html>" }
        let start = number * Self.length
        let time = { (seconds: Int) in
            "\(seconds / 60 < 10 ? "0" : "")\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60).000"
        }
        return """
            WEBVTT
            X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0

            \(time(start)) --> \(time(start + 2))
            Line \(number).

            """
    }

    func check() -> StreamCheck {
        var check = StreamCheck { try await answer($0) }
        check.judgesDelivery = false
        return check
    }
}

@Suite struct `A check of a server's own code` {
    private let film = "http://server/film.m3u8"
    private let live = "http://server/live.m3u8"

    @Test func `finds nothing where nothing is wrong`() async throws {
        #expect(try await Subtitles().check().findings(of: film) == [])
    }

    @Test func `finds what playlists lead to`() async throws {
        let missing = try await Subtitles(fault: .missing).check().findings(of: film)
        #expect(missing.map(\.rule) == ["uri-resolves"] && missing.first?.places.map(\.url) == ["http://server/1.vtt"])
        let page = try await Subtitles(fault: .wrongText).check().findings(of: film)
        #expect(
            !page.isEmpty && page.allSatisfy { $0.places.allSatisfy { $0.url.hasSuffix(".vtt") || $0.segment != nil } }
        )
    }

    @Test func `looks at how it is delivered, too, unless told otherwise`() async throws {
        var check = Subtitles().check()
        check.judgesDelivery = true
        // The server knows no ranges, and has no answer for what is not there.
        #expect(try await check.findings(of: film).contains { $0.rule == "range-206" })
    }

    @Test func `says why where there is no playlist`() async throws {
        let none = await #expect(throws: StreamFailure.self) {
            _ = try await Subtitles().check().findings(of: "http://server/none.m3u8")
        }
        #expect(none?.description == "http://server/none.m3u8: the server returned 404")
        let broken = await #expect(throws: StreamFailure.self) {
            _ = try await Subtitles(fault: .throwing).check().findings(of: film)
        }
        #expect(broken?.description.contains("the server's code threw Broken()") == true)
        await #expect(throws: StreamFailure.self) { _ = try await Subtitles().check().findings(of: "film.m3u8") }
    }

    @Test func `ends where the server's code does not`() async throws {
        var check = Subtitles(fault: .hanging).check()
        check.patience = .milliseconds(20)
        let findings = try await check.findings(of: film)
        #expect(findings.contains { $0.message.contains("the server's code took longer than 0.02 seconds") })
    }

    @Test(.timeLimit(.minutes(1))) func `does not wait for code that refuses a request for a while`() async throws {
        let findings = try await Subtitles(fault: .limited).check().findings(of: film)
        #expect(findings.contains { $0.rule == "uri-resolves" && $0.message.contains("429") })
    }

    @Test func `watches an hour of a live stream, and finds nothing`() async throws {
        #expect(try await Subtitles().check().findings(of: live, watchedFor: .seconds(3600)) == [])
    }

    @Test func `tells when a live stream goes wrong`() async throws {
        let stuck = try await Subtitles(fault: .stuck).check().findings(of: live, watchedFor: .seconds(60))
        let late = try #require(stuck.first { $0.rule == "live-news" })
        // The last news come at 20 s, and the next are due within one and a half targets.
        #expect(late.time.map { $0 > .seconds(24) && $0 < .seconds(40) } == true)
        let again = try await Subtitles(fault: .numbersAgain).check().findings(of: live, watchedFor: .seconds(60))
        #expect(again.contains { $0.severity == .must && $0.time.map { $0 >= .seconds(24) } == true })
        let lost = try await Subtitles(fault: .lostEarly).check().findings(of: live, watchedFor: .seconds(60))
        #expect(lost.contains { $0.message.contains("404") })
    }
}
