import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `An AirPlay receiver` {
    /// Plays an item with a cookie of the app for 20 s on the device, and then on a receiver.
    private func play(
        _ platform: String = "ios-15",
        hasVideo: Bool = true,
        back: Double? = nil,
        refuses: @escaping (FetchRequest) -> Bool = { _ in false }
    ) throws -> Rig {
        let title = Title(name: "title", duration: 90, hasVideo: hasVideo)
        let rig = Rig(
            platform: try Shipped.platform(platform),
            titles: [title],
            instead: { refuses($0) ? (403, []) : nil }
        )
        var item = NewItem(url: title.address.full, startingAt: nil, isExact: true, place: .last)
        item.headers = ["Cookie": "token=1"]
        rig.plan(.insertItem(item), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.changeRoute(.airplay), at: 20)
        if let back { rig.plan(.changeRoute(.speaker), at: back) }
        _ = rig.runner.run(until: Instant(seconds: 60))
        return rig
    }

    private func hasCookie(_ request: FetchRequest) -> Bool { request.headers.contains { $0 == ("Cookie", "token=1") } }

    @Test func `requests the item again without the header fields of the app, and plays on`() throws {
        let rig = try play()
        let playlists = rig.fetcher.asked.filter { $0.url.hasSuffix(".m3u8") }
        #expect(playlists.map(hasCookie) == [true, false])
        let own = rig.fetcher.asked.prefix { $0.id != playlists[1].id }
        #expect(own.count > 2 && own.allSatisfy(hasCookie))
        #expect(rig.fetcher.asked.dropFirst(own.count).allSatisfy { !hasCookie($0) })
        #expect(rig.trail.stretches.map(\.reason) == ["route"])
        let resumed = try #require(rig.trail.runningSince)
        #expect(resumed > Instant(seconds: 20) && resumed < Instant(seconds: 22))
    }

    @Test func `fails with an unknown error if a token has expired`() throws {
        var isExpired = false
        let rig = try play(refuses: { request in
            guard request.url.hasSuffix(".m3u8") else { return false }
            defer { isExpired = true }
            return isExpired
        })
        #expect(rig.session.isFailed)
        let failure = try #require(
            rig.kinds.compactMap {
                if case .itemFailed(_, let domain, let code, _) = $0 { (domain, code) } else { nil }
            }
            .first
        )
        #expect(failure.0 == "AVFoundationErrorDomain" && failure.1 == -11800)
    }

    @Test func `cannot play what requires a cookie, unlike a device that loads for it`() throws {
        let rig = try play(back: 21, refuses: { !$0.headers.contains { $0.name == "Cookie" } })
        #expect(rig.session.isFailed)
        let local = try play("desktop", refuses: { !$0.headers.contains { $0.name == "Cookie" } })
        #expect(local.trail.isPlaying && local.trail.stretches.isEmpty)
    }

    @Test func `leaves audio without video to the device`() throws {
        let rig = try play(hasVideo: false)
        #expect(rig.trail.stretches.isEmpty && rig.trail.isPlaying)
        #expect(rig.fetcher.asked.allSatisfy(hasCookie))
    }

    @Test func `returns the item to the device, which loads it again with the header fields`() throws {
        let rig = try play(back: 40)
        let playlists = rig.fetcher.asked.filter { $0.url.hasSuffix(".m3u8") }
        #expect(playlists.map(hasCookie) == [true, false, true])
    }
}
