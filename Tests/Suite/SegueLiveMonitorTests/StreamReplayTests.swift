import SegueConformance
import SegueFetch
import SegueLiveMonitor
import Testing

@Suite struct StreamReplayTests {
    private static func list(_ first: Int) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            + (first..<first + 8).map { "#EXTINF:4,\n\($0).ts\n" }.joined()
    }

    private static func recording(_ lists: [(at: Double, first: Int)]) -> (Recording, [String: String]) {
        let exchanges = lists.enumerated().map { number, list in
            var exchange = RecordedExchange(at: list.at, url: "http://h/a.m3u8", status: 200)
            exchange.body = "\(number)"
            return exchange
        }
        let bodies = Dictionary(uniqueKeysWithValues: lists.enumerated().map { ("\($0)", self.list($1.first)) })
        return (Recording(exchanges), bodies)
    }

    private static func rules(_ lists: [(at: Double, first: Int)]) throws -> [String] {
        let (recording, bodies) = recording(lists)
        let replay = StreamReplay.watch(recording) { $0.body.flatMap { bodies[$0] }.map { Array($0.utf8) } }
        return try #require(replay).log.kept.map(\.broken.rule.id)
    }

    @Test func `a recording of another recorder is replayed in order of time`() throws {
        #expect(try Self.rules([(8, 12), (0, 10), (4, 11)]) == ["live-date-given"])
        #expect(try Self.rules([(8, 11), (0, 10), (4, 12)]) == ["live-date-given", "live-sequence"])
    }

    @Test func `an empty recording has no watch`() {
        #expect(StreamReplay.watch(Recording([]), body: { _ in [] }).map(\.log.kept.count) == nil)
    }
}
