import SegueBase
import SegueEvents
import Testing

@testable import SeguePlayerModel

/// The media service judges an item by the tracks of the removed one while these linger.
@Suite struct MediaServiceTests {
    private static let film = ItemID(1), song = ItemID(2)
    private static let removal = Instant(seconds: 10)

    /// Returns the decision about a song that replaces a film in the background, and the time from its request to it.
    ///
    /// - Parameters:
    ///   - known: The time from the request until the song's tracks are known.
    ///   - pause: The time from the film's removal to the request.
    private func decision(
        _ arrival: PlayGate.Arrival,
        known: Duration,
        lingers: String,
        pause: Duration = .zero,
        platform: String = "ios-4.3"
    ) throws -> (rejects: Bool, after: Duration) {
        var service = MediaService(profile: try Shipped.platform(platform, ["lingers": lingers]))
        let request = Self.removal + pause
        func settle(_ item: ItemID?, at now: Instant, inBackground: Bool) -> MediaService.Decision? {
            service.settle(
                MediaService.Items(current: item, wanted: item, played: item),
                at: now,
                isVideoForbidden: inBackground,
                tracks: { id in
                    if id == Self.song, now < request + known { return nil }
                    return ItemTracks(hasVideo: id == Self.film, hasAudio: true)
                },
                log: { _ in }
            )
        }
        service.request(PlayGate.Request(item: Self.film, arrival: .inserted), at: .zero)
        #expect(settle(Self.film, at: Instant(seconds: 5), inBackground: false) != nil)
        #expect(settle(nil, at: Self.removal, inBackground: true) == nil)
        service.request(PlayGate.Request(item: Self.song, arrival: arrival), at: request)
        for step in 0..<1000 {
            let now = request + .milliseconds(step * 10)
            switch settle(Self.song, at: now, inBackground: true) {
            case .allow: return (false, now - request)
            case .reject: return (true, now - request)
            case .ignore, nil: continue
            }
        }
        throw Undecided()
    }

    private struct Undecided: Error {}

    @Test(arguments: [(100, false), (240, false), (260, true), (900, true), (5000, true)])
    func `a queued item is rejected at once unless its tracks are known in time`(known: Int, rejects: Bool) throws {
        let found = try decision(.queued, known: .milliseconds(known), lingers: "1 s")
        #expect(found == (rejects, .milliseconds(250)))
    }

    @Test(arguments: [0, 100, 900])
    func `an item after a cancelled film is rejected, whatever the network`(known: Int) throws {
        let found = try decision(.inserted, known: .milliseconds(known), lingers: "1 s")
        #expect(found == (true, .milliseconds(250)))
        let later = try decision(.inserted, known: .milliseconds(known), lingers: "1 s", pause: .milliseconds(800))
        #expect(!later.rejects)
    }

    @Test func `without lingering, the service waits for the tracks`() throws {
        let found = try decision(.queued, known: .milliseconds(900), lingers: "0 s")
        #expect(found == (false, .milliseconds(900)))
        let earlier = try decision(.queued, known: .milliseconds(900), lingers: "0 s", platform: "ios-4.2")
        #expect(earlier == (false, .milliseconds(900)))
    }

    @Test func `longer lingering and a longer delay reject more`() throws {
        let delays = [0, 100, 200, 300, 500, 1000, 3000]
        let lingers = ["0 s", "100 ms", "250 ms", "300 ms", "1 s", "1 min"]
        for arrival in [PlayGate.Arrival.queued, .inserted] {
            let table = try lingers.map { lingers in
                try delays.map { try decision(arrival, known: .milliseconds($0), lingers: lingers).rejects ? 1 : 0 }
            }
            for row in table { #expect(row == row.sorted()) }
            for column in delays.indices { #expect(table.map { $0[column] } == table.map { $0[column] }.sorted()) }
            #expect(table.first?.contains(1) == false && table.last?.contains(1) == true)
        }
    }
}
