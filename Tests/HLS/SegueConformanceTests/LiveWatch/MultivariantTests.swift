import SegueBase
import SegueConformance
import SeguePlaylists
import Testing

@Suite struct MultivariantTests {
    private static func run(
        _ kind: Stage.Kind = .pair,
        made: @escaping @Sendable (Double) -> Double = { $0 + 400.5 },
        _ change: @escaping @Sendable (inout Stage.Exchange) -> Void
    ) -> (watch: StreamWatch, rules: Set<String>, asked: [(at: Double, name: String)]) {
        var stage = Stage(kind: kind)
        stage.made = made
        stage.change = change
        let (watch, findings, answers) = stage.watch(for: 300)
        let asked = answers.filter { $0.url.hasSuffix("m3u8") }
            .map { ($0.began.seconds, String($0.url.dropFirst(Stage.base.count))) }
        return (watch, Set(findings.map(\.broken.rule.id)), asked)
    }

    private static func last(_ name: String, _ asked: [(at: Double, name: String)]) -> Double? {
        asked.last { $0.name == name }?.at
    }

    @Test func `the multivariant playlist is reloaded twice a minute until the stream ends`() {
        let live = Self.run { _ in }
        let times = live.asked.filter { $0.name == "master.m3u8" }.map(\.at)
        #expect(times.count == 10)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 30 })
        let ended = Self.run { exchange in
            guard exchange.at > 70, exchange.playlist != nil, let name = exchange.url.split(separator: "/").last else {
                return
            }
            exchange.playlist = Stage(kind: .pair).playlist(String(name.prefix(1)), media: 470.5)
            exchange.playlist?.hasEndList = true
        }
        #expect(ended.rules.isEmpty && ended.watch.hasEnded)
        #expect(ended.asked.count { $0.name == "master.m3u8" } == 4)
    }

    @Test func `a new variant is watched, a removed one is not`() {
        let (watch, rules, asked) = Self.run { exchange in
            if exchange.at > 50 { exchange.multivariant?.variants[1] = Variant(uri: "c.m3u8", bandwidth: 7) }
            if exchange.at > 45, exchange.url.hasSuffix("b.m3u8") {
                exchange.playlist = Stage(kind: .pair).playlist("b", media: 447.5)
            }
        }
        // It stalled for longer than allowed before it was removed.
        #expect(rules == ["live-news", "live-in-step"])
        #expect(watch.parts.map(\.url) == ["a", "c"].map { Stage.base + $0 + ".m3u8" })
        #expect(Self.last("c.m3u8", asked).map { $0 > 290 } ?? false)
        #expect(Self.last("b.m3u8", asked).map { $0 > 60 && $0 < 75 } ?? false)
    }

    @Test func `a playlist removed with its entry is not missed`() {
        let (watch, rules, asked) = Self.run { exchange in
            if exchange.at > 50 { exchange.multivariant?.variants.removeLast() }
            if exchange.at > 62, exchange.url.contains("/b") { exchange.status = 404 }
        }
        #expect(rules == [])
        #expect(watch.parts.count == 1 && Self.last("b.m3u8", asked).map { $0 < 70 } ?? false)
    }

    @Test func `a URI may change while its name stays`() {
        let (watch, rules, _) = Self.run { exchange in
            exchange.multivariant?.variants[1].stableID = "low"
            if exchange.at > 50 { exchange.multivariant?.variants[1].uri = "c.m3u8" }
        }
        #expect(rules == [])
        #expect(watch.parts.map(\.url) == ["a", "c"].map { Stage.base + $0 + ".m3u8" })
    }

    @Test func `all URIs may change at once`() {
        let (watch, rules, _) = Self.run { exchange in
            exchange.multivariant?.variants[0].stableID = "high"
            exchange.multivariant?.variants[1].stableID = "low"
            guard exchange.at > 50 else { return }
            exchange.multivariant?.variants[0].uri = "c.m3u8"
            exchange.multivariant?.variants[1].uri = "d.m3u8"
        }
        #expect(rules == [])
        #expect(watch.parts.map(\.url) == ["c", "d"].map { Stage.base + $0 + ".m3u8" })
    }

    @Test func `as many entries may move at once as are watched`() {
        let (watch, rules, _) = Self.run { exchange in
            guard exchange.multivariant != nil else { return }
            let name = exchange.at > 20 ? "c" : "a"
            exchange.multivariant?.variants = (0..<40).map { number in
                var variant = Variant(uri: "\(name)\(number).m3u8", bandwidth: 1000 + number)
                variant.stableID = "\(number)"
                return variant
            }
        }
        #expect(rules == [])
        #expect(Set(watch.parts.map(\.url)) == Set((0..<40).map { "\(Stage.base)c\($0).m3u8" }))
    }

    @Test func `URIs generated for each client are left alone`() {
        let (watch, rules, asked) = Self.run { exchange in
            for index in 0..<2 { exchange.multivariant?.variants[index].uri += "?session=\(exchange.at)" }
        }
        #expect(rules == [])
        #expect(asked.count { $0.name == "master.m3u8" } == 3)
        #expect(watch.parts.count == 2 && watch.figures.segments > 150)
    }

    @Test func `a later audio group and another bit rate are the same content`() {
        let (_, rules, _) = Self.run { exchange in
            for index in exchange.multivariant?.variants.indices ?? 0..<0 {
                exchange.multivariant?.variants[index].codecs = ["avc1.64001f", "mp4a.40.2"]
                exchange.multivariant?.variants[index].stableID = "\(index)"
                if exchange.at > 50 { exchange.multivariant?.variants[index].bandwidth = 1234 }
            }
            guard exchange.at > 50, var other = exchange.multivariant?.variants[0] else { return }
            other.codecs = ["avc1.64001f", "ec-3"]
            exchange.multivariant?.variants.append(other)
        }
        #expect(rules == [])
    }

    @Test func `invented entries of a multivariant playlist do not fill the memory`() {
        let (watch, _, asked) = Self.run { exchange in
            guard exchange.at > 20 else { return }
            for number in 0..<500 where exchange.multivariant != nil {
                let uri = "z\(Int(exchange.at)).\(number).m3u8"
                exchange.multivariant?.variants.append(Variant(uri: uri, bandwidth: 9))
            }
        }
        #expect(watch.parts.count <= 40)
        #expect(Set(asked.map(\.name)).count < 300)
    }

    @Test func `I-frames of long segments arrive in time`() {
        let (watch, rules, asked) = Self.run(.trickPlay, made: { ($0 > 50 && $0 < 53 ? 50 : $0) + 400.5 }) { exchange in
            guard exchange.url.hasSuffix("i.m3u8"), var playlist = exchange.playlist else { return }
            // Four segments of a second each arrive at once.
            playlist.targetDuration = 1
            playlist.mediaSequence *= 2
            playlist.segments = playlist.segments.enumerated().flatMap { index, segment in
                guard index.isMultiple(of: 2) else { return [MediaSegment]() }
                return (0..<4).map { number in
                    var frame = segment
                    frame.duration = Rational(1)
                    frame.byteRange?.offset = Int64(200 * number)
                    frame.byteRange?.length = 200
                    if number > 0 { frame.programDateTime = nil }
                    return frame
                }
            }
            // The last ones are listed until the next ones determine their deadline.
            playlist.segments.removeLast(2)
            exchange.playlist = playlist
        }
        #expect(rules == [])
        #expect(watch.parts.count == 3 && watch.figures.stalls == 0)
        // At the same interval as the others.
        #expect(asked.count { $0.name == "i.m3u8" } < 110)
    }
}
