import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Retries` {
    private func loading(_ changes: [String: String] = [:]) throws -> PlatformProfile.Loading {
        try Shipped.platform("desktop", changes).loading
    }

    private func failure(_ kind: FailureKind?, retryAfter: Duration? = nil) -> LoadFailure {
        LoadFailure(PlaybackError(.network, code: -1, "no luck"), kind, retryAfter: retryAfter)
    }

    @Test func `each delay is twice the previous one, up to a maximum`() throws {
        let settings = try loading(["retries": "6", "retry-delay": "1 s", "retry-delay-limit": "5 s"])
        var attempts = Attempts()
        var waits: [Double] = []
        while attempts.fail(failure(.lost), at: .zero, settings) { waits.append((attempts.retryAt ?? .zero).seconds) }
        #expect(waits == [1, 2, 4, 5, 5, 5])
    }

    @Test(arguments: FailureKind.allCases)
    func `the number of retries depends on the kind of failure`(kind: FailureKind) throws {
        let settings = try loading(["retries": "3", "retries-by-kind": "[busy 6, \(kind.rawValue) 1]"])
        var attempts = Attempts()
        let isRepeated = (0..<2).map { _ in attempts.fail(failure(kind), at: .zero, settings) }
        #expect(isRepeated == [true, false])
    }

    @Test func `permanent failures are not retried`() throws {
        var attempts = Attempts()
        let isRepeated = attempts.fail(failure(nil), at: .zero, try loading())
        #expect(!isRepeated)
        #expect(FailureKind(status: 403, isLive: true) == nil)
        #expect(FailureKind(.tooLarge) == nil && FailureKind(.badURL) == nil && FailureKind(.tooManyRedirects) == nil)
    }

    @Test(arguments: [
        (404, false, FailureKind.missing), (404, true, .liveMissing), (410, true, .liveMissing), (429, false, .busy),
        (503, true, .busy), (500, false, .server), (504, false, .server), (408, false, .server),
    ])
    func `statuses have kinds`(status: Int, isLive: Bool, kind: FailureKind) {
        #expect(FailureKind(status: status, isLive: isLive) == kind)
    }

    @Test func `a Retry-After date is relative to the server's own clock`() {
        let request = FetchRequest(id: FetchID(1), url: "http://a/b", patience: .seconds(10), limit: 1000)
        var transfer = Transfer(request, began: .zero)
        let headers = [
            (name: "date", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
            (name: "retry-after", value: "Sun, 06 Nov 1994 08:49:57 GMT"),
        ]
        transfer.receive(FetchResponse(status: 503, headers: headers, url: "http://a/b", serverAddress: ""), at: .zero)
        guard case .failure(let failure) = transfer.result() else { return #expect(Bool(false)) }
        #expect(failure.retryAfter == .seconds(20))
    }

    @Test func `a Retry-After applies, within limits`() throws {
        var attempts = Attempts()
        let settings = try loading(["retry-delay": "1 s", "retry-delay-limit": "8 s"])
        let waits = [20, 9999].map { seconds in
            _ = attempts.fail(failure(.busy, retryAfter: .seconds(seconds)), at: .zero, settings)
            return attempts.retryAt?.seconds
        }
        #expect(waits == [20, 60])

        let title = Title(name: "title", duration: 60)
        var answers = 0
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: [title]) { request in
            guard request.url.hasSuffix("full/1.ts") else { return nil }
            answers += 1
            return answers == 1 ? (503, []) : nil
        }
        rig.fetcher.moreHeaders = { _ in [(name: "retry-after", value: "4")] }
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        let asked = rig.runner.log.events.filter { event in
            if case .requestBegan(_, let url, _) = event.kind { url.hasSuffix("full/1.ts") } else { false }
        }.map(\.at.seconds)
        #expect(asked.count == 2)
        #expect(asked[1] - asked[0] > 4 && asked[1] - asked[0] < 4.1)
    }
}
