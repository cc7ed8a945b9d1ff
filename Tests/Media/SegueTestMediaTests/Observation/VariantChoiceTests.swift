import SegueBase
import SegueEvents
import Testing

@testable import SegueTestMedia

@Suite struct `Choices of variants, held against a recording` {
    private typealias Moment = VariantChoices.Moment

    private static func moments(_ list: [(Double, Int)]) -> [Moment] { list.map { Moment(mark: $0.1, time: $0.0) } }

    @Test(
        arguments: [
            // Each is seen after the media loaded before it has been played.
            ([(1.0, 1), (5, 2), (8, 3)], [(2.0, 1), (15, 2), (20, 3)], [2.0, 15, 20]),
            // A choice replaced by another one is not seen.
            ([(1, 1), (5, 2), (6, 3)], [(2, 1), (15, 3)], [2, nil, 15]),
            // A revoked choice is not the one seen much later.
            ([(1, 1), (5, 2), (8, 1), (50, 2)], [(2, 1), (60, 2)], [2, nil, nil, 60]),
            ([(5, 2), (8, 1), (9, 2)], [(15, 2), (18, 1), (20, 2)], [15, 18, 20]),
            // Nothing is seen long before it was chosen, and other marks do not match.
            ([(10, 2)], [(5, 2)], [nil]),
            ([(10, 2)], [(12, 3)], [nil]),
            ([], [(12, 3)], []),
            ([(10, 2)], [], [nil]),
        ] as [([(Double, Int)], [(Double, Int)], [Double?])]
    )
    func `the maximum number is matched in order`(
        chosen: [(Double, Int)],
        seen: [(Double, Int)],
        expected: [Double?]
    ) {
        let pairs = VariantChoices.pairs(Self.moments(chosen), Self.moments(seen))
        #expect(pairs.map { $0?.time } == expected)
    }

    /// A video from 3 s of the recording on, with another variant from 7 s on.
    private static var observation: Observation {
        let showings = (0..<200).map { number in
            let first = 3 + Double(number) / 25
            let mark = number < 100 ? 1 : 2
            return Recording.Showing(.number(number), first: first, last: first + 0.02, count: 2, mark: mark)
        }
        let recording = Recording(
            duration: 20,
            frameInterval: 0.02,
            titles: [Recording.Title(name: "film", frameTimes: (0..<200).map { Double($0) / 25 })],
            showings: showings,
            hearings: [Recording.Hearing(title: 0, first: 3, end: 11, source: 0)]
        )
        return Observation(of: recording)
    }

    private func agreement(_ variants: MarkedVariants) -> Agreement {
        let events: [(Double, EventKind)] = [
            (0, .playlistVariantChosen(item: "a", url: "http://host/film/v0/index.m3u8", bandwidth: 1)),
            (1, .soundBegan(item: "a", position: 0)),
            (1, .pictureBegan(item: "a", position: 0)),
            (2, .playlistVariantChosen(item: "a", url: "http://host/film/v1/index.m3u8", bandwidth: 2)),
            (3, .playlistVariantChosen(item: "a", url: "http://host/film/v2/index.m3u8", bandwidth: 3)),
        ]
        let logged = events.map { Event(at: Instant(seconds: $0.0), $0.1) }
        return Agreement(of: Statement.all(of: logged, variants: variants), with: Self.observation)
    }

    @Test func `a choice is seen at the first frame with its mark`() throws {
        let variants = try #require(MarkedVariants(["1=/v0/", "2=/v1/", "3=/v2/"]))
        let agreement = agreement(variants)
        #expect(agreement.statements.map(\.observed) == [3, 3, 3, 7, nil])
        #expect(agreement.statements.map { $0.difference?.rounded() } == [1000, 0, 0, 3000, nil])
        #expect(agreement.untrue.map(\.statement) == ["playlist.variantChosen a, variant 3"])
        #expect(agreement.statements[3].observedPosition == 4)
    }

    @Test func `a wrong mark is not observed`() throws {
        let variants = try #require(MarkedVariants(["1=/v0/", "4=/v1/"]))
        #expect(agreement(variants).untrue.map(\.statement) == ["playlist.variantChosen a, variant 4"])
        #expect(agreement(.none).statements.count == 2)
    }

    @Test(arguments: ["v0/", "=v0/", "one=v0/", "0=v0/", "1="])
    func `an invalid mark is rejected`(word: String) {
        #expect(MarkedVariants(["1=v0/", word]) == nil)
    }

    @Test func `a URL with no part or two parts has no mark`() throws {
        let variants = try #require(MarkedVariants(["1=v0/", "2=v1/", "1=low"]))
        #expect(variants.mark(of: "http://host/v0/low.m3u8") == 1)
        #expect(variants.mark(of: "http://host/v1/v0/a.m3u8") == nil)
        #expect(variants.mark(of: "http://host/a.m3u8") == nil)
    }
}
