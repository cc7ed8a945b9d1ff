import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Gaps of playlists` {
    private let title = Title(name: "film", duration: 30)

    /// Thirty seconds in five segments, some of which are gaps.
    private func playlist(gaps: Set<Int>, folder: String = "full") -> [UInt8] {
        let entries = (0..<5).map { (gaps.contains($0) ? "#EXT-X-GAP\n" : "") + "#EXTINF:6,\n\(folder)/\($0).ts\n" }
        return Array("#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-TARGETDURATION:6\n\(entries.joined())#EXT-X-ENDLIST\n".utf8)
    }

    private func rig(gaps: Set<Int>) throws -> Rig {
        let playlist = playlist(gaps: gaps)
        let rig = Rig(
            platform: try Shipped.platform("desktop"),
            titles: [title],
            instead: { $0.url.hasSuffix("full.m3u8") ? (200, playlist) : nil }
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    @Test func `a gap has neither audio nor video, and the log shows it`() throws {
        let rig = try rig(gaps: [2])
        rig.runner.run()
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(24))
        #expect(rig.trail.played(at: rig.loop.now) == .seconds(30))
        let stretches = rig.trail.stretches(at: rig.loop.now)
        #expect(stretches.map(\.isHeard) == [true, false, true])
        #expect(stretches.map(\.isShown) == [true, false, true])
        #expect(stretches.map(\.reason) == ["gap", "gap", "end"])
        #expect(stretches.map(\.start) == [.zero, .seconds(12), .seconds(18)])
        #expect(stretches[1].ended - stretches[1].began == .seconds(6))
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
        let told = rig.kinds.compactMap { kind -> String? in
            switch kind {
            case .soundBegan(_, let position): "sound from \(position)"
            case .soundEnded(_, let position, let reason): "sound to \(position): \(reason)"
            case .pictureBegan(_, let position): "picture from \(position)"
            case .pictureEnded(_, let position, let reason): "picture to \(position): \(reason)"
            default: nil
            }
        }
        #expect(
            told == [
                "sound from 0.0", "picture from 0.0", "picture to 12.0: gap", "sound to 12.0: gap", "picture from 18.0",
                "sound from 18.0", "sound to 30.0: end", "picture to 30.0: end",
            ]
        )
    }

    @Test(
        arguments: [([0], 24, 6), ([3, 4], 18, 0), ([1, 3], 18, 0), ([0, 1, 2, 3], 6, 24)] as [(Set<Int>, Int, Int)]
    )
    func `the time at which a duration will have been heard accounts for a gap`(gaps: Set<Int>, heard: Int, first: Int)
        throws
    {
        let rig = try rig(gaps: gaps)
        rig.runner.run()
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(heard))
        #expect(rig.trail.stretches.first(where: \.isHeard)?.start == .seconds(first))
        #expect(rig.kinds.contains { if case .itemPlayedToEnd = $0 { true } else { false } })
    }

    @Test func `an app is not suspended for the silence of a gap`() throws {
        var trail = AudioTrail()
        trail.begin(.init(item: ItemID(1), url: "u", hasAudio: true, rate: 1), position: .zero, at: .zero)
        trail.change(isGap: true, isShown: false, position: .seconds(6), at: Instant(seconds: 6), reason: "gap")
        #expect(!trail.isHeard && trail.isPlayingAudio)
        #expect(trail.heard(at: Instant(seconds: 9)) == .seconds(6))
        #expect(trail.lastAudioTime(at: Instant(seconds: 9)) == Instant(seconds: 9))
        #expect(trail.instant(whenHeard: .seconds(7), at: Instant(seconds: 9)) == nil)
    }

    /// Two variants of five segments each, some of which are gaps.
    private func variants(low: Set<Int>, high: Set<Int>, _ changes: [String: String] = [:]) throws -> Rig {
        let all = Variants(rungs: [
            Variants.Rung(name: "low", bandwidth: 500_000), .init(name: "high", bandwidth: 900_000),
        ])
        let platform = try Shipped.platform("desktop", ["first-variant": "highest"].merging(changes) { $1 })
        return all.rig(platform, line: Line(delay: .milliseconds(10), bitsPerSecond: 10_000_000)) { request in
            guard request.url.hasSuffix("index.m3u8") else { return nil }
            let gaps = request.url.contains("/low/") ? low : high
            let text = String(decoding: self.playlist(gaps: gaps, folder: "x"), as: UTF8.self).replacing("x/", with: "")
            return (200, Array(text.utf8))
        }
    }

    @Test func `another variant fills a gap`() throws {
        let rig = try variants(low: [1], high: [2, 3])
        rig.runner.run()
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(30))
        #expect(rig.trail.stretches.count == 1)
        let segments = rig.paths.filter { $0.hasSuffix(".ts") }
        #expect(segments.contains("low/2.ts") && !segments.contains("high/2.ts"))
    }

    @Test func `a gap in all variants is passed in the current one, after one look at each`() throws {
        let rig = try variants(low: [2], high: [2])
        rig.runner.run()
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(24))
        #expect(rig.chosen == ["high"])
        #expect(rig.paths.filter { $0 == "low/index.m3u8" }.count == 1)
    }
}
