import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Live playlists` {
    private func desktop(_ changes: [String: String] = [:]) throws -> PlatformProfile {
        try Shipped.platform("desktop", changes)
    }

    private func playlistRequests(_ rig: Rig) -> [Double] {
        rig.runner.log.events.compactMap { event in
            if case .requestBegan(_, _, "playlist") = event.kind { event.at.seconds } else { nil }
        }
    }

    private func errors(_ rig: Rig) -> [ErrorLogEntry] { rig.session.player.current?.journal.errors ?? [] }

    @Test func `playback starts three target durations before the edge, and reaches the end`() throws {
        let rig = LiveTitle(end: 12).rig(try desktop())
        rig.runner.run()
        #expect(rig.session.isFinished)
        // Segments 2 to 11: the first one that starts 12 s before the end of five segments is number 2.
        #expect(rig.trail.stretches.first?.start == .seconds(8))
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(40))
        #expect(rig.kinds.contains(.itemReadyToPlay(item: "item-1", duration: -1)))
        #expect(rig.kinds.contains(.itemDurationKnown(item: "item-1", duration: 48)))
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test func `a playlist reloads after its target duration, and after half of it without changes`() throws {
        let rig = LiveTitle().rig(try desktop(), change: { text, _ in text })
        rig.runner.run(until: Instant(seconds: 21))
        let times = playlistRequests(rig)
        // New segments appear at 4, 8, …: each reload with a new one is followed by the next 4 s after its start.
        #expect(times.count == 6)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 3.99 && $1 - $0 < 4.01 }, "\(times)")
        let still = LiveTitle().rig(try desktop(), change: { _, _ in LiveTitle().playlist(at: .zero) })
        still.runner.run(until: Instant(seconds: 11))
        let again = playlistRequests(still)
        #expect(zip(again, again.dropFirst()).map { (($1 - $0) * 100).rounded() / 100 }.prefix(4) == [4, 2, 2, 2])
    }

    @Test func `a playlist that stops changing fails when its media have been played`() throws {
        let rig = LiveTitle().rig(
            try desktop(["stuck-reloads": "4"]),
            change: { _, _ in LiveTitle().playlist(at: .zero) }
        )
        rig.runner.run()
        #expect(rig.session.isFailed)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(12))
        #expect(errors(rig).map(\.error.code) == [PlaybackError.PlaylistCode.stuck.rawValue])
        #expect(errors(rig)[0].error.message.contains("did not change in 4 reloads"))
    }

    @Test func `a segment that is announced too early appears in the error log while playback continues`() throws {
        let rig = LiveTitle(end: 10).rig(
            try desktop(),
            instead: { request, now in request.url.hasSuffix("/6.ts") && now.seconds < 9 ? (404, []) : nil }
        )
        rig.runner.run()
        #expect(rig.session.isFinished)
        let failed = rig.kinds.compactMap { kind in
            if case .errorLogEntry(_, let url, let status, _, _, _) = kind { "\(status) \(url)" } else { nil }
        }
        #expect(Set(failed) == ["404 http://origin/6.ts"])
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test func `an item behind the window continues further ahead, with a notice`() throws {
        let rig = LiveTitle(end: 60).rig(try desktop())
        rig.plan(.pause, at: 5)
        rig.plan(.play, at: 100)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.kinds.contains { if case .itemTimeJumped = $0 { true } else { false } })
        let removed = try #require(rig.session.player.removed.last)
        #expect(removed.journal.errors.contains { $0.error.code == PlaybackError.PlaylistCode.lost.rawValue })
        let starts = rig.trail.stretches.map(\.start.seconds)
        #expect(starts.last.map { $0 > 90 } == true, "\(starts)")
    }

    @Test func `an item behind the window fails on platforms that do so`() throws {
        let rig = LiveTitle(end: 60).rig(try Shipped.platform("android-media3"))
        rig.plan(.pause, at: 5)
        rig.plan(.play, at: 100)
        rig.runner.run(until: Instant(seconds: 300))
        #expect(rig.session.isFailed && errors(rig).last?.error.code == PlaybackError.PlaylistCode.lost.rawValue)
        #expect(!rig.kinds.contains { if case .itemTimeJumped = $0 { true } else { false } })
        // Starts at 8 s. Fifty seconds and no more are loaded ahead of 13 s, and played.
        let end = try #require(rig.trail.stretches.last?.end.seconds)
        #expect(end >= 60 && end <= 68, "\(end)")
        // A seek to a position that is gone is different: it ends at available media.
        let sought = LiveTitle(end: 60).rig(try Shipped.platform("android-media3"))
        sought.plan(.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero), at: 50)
        sought.runner.run(until: Instant(seconds: 300))
        #expect(sought.session.isFinished)
    }

    @Test func `a seek ends within the seekable range`() throws {
        let rig = LiveTitle(window: nil, before: 20).rig(try desktop())
        rig.plan(.seek(to: .seconds(1000), toleranceBefore: .zero, toleranceAfter: .zero), at: 2)
        rig.plan(.seek(to: .seconds(10), toleranceBefore: .zero, toleranceAfter: .zero), at: 4)
        rig.runner.run(until: Instant(seconds: 5))
        let jumps = rig.kinds.compactMap { kind in
            if case .itemTimeJumped(_, let position) = kind { position } else { nil }
        }
        // 80 s are listed; three target durations before the end is 68 s.
        #expect(jumps == [68, 10])
    }

    @Test(arguments: [
        ("#EXT-X-TARGETDURATION:4", "#EXT-X-TARGETDURATION:40", "the target duration changed from 4.0 s to 40 s"),
        ("#EXT-X-MEDIA-SEQUENCE:3", "#EXT-X-MEDIA-SEQUENCE:-1", "EXT-X-MEDIA-SEQUENCE"),
        ("#EXT-X-VERSION:3", "#EXT-X-STREAM-INF:BANDWIDTH=1\nlive.m3u8", ""),
    ])
    func `a contradictory playlist fails with an entry in the error log`(
        right: String,
        wrong: String,
        reason: String
    ) throws {
        let rig = LiveTitle().rig(
            try desktop(),
            change: { text, now in now.seconds > 12 ? text.replacing(right, with: wrong) : text }
        )
        rig.runner.run(until: Instant(seconds: 200))
        #expect(rig.session.isFailed || rig.session.isFinished)
        #expect(
            errors(rig).contains { $0.error.domain == .playlist && $0.error.message.contains(reason) },
            "\(errors(rig))"
        )
    }

    @Test func `a restarted media sequence fails the playlist, and an older version is tolerated`() throws {
        let anew = LiveTitle().rig(
            try desktop(),
            change: { text, now in
                guard now.seconds > 22 else { return text }
                return LiveTitle().playlist(at: .zero)
            }
        )
        anew.runner.run(until: Instant(seconds: 200))
        #expect(anew.session.isFailed)
        #expect(errors(anew).last?.error.message.contains("decreased from") == true)
        let older = LiveTitle(end: 14).rig(
            try desktop(),
            change: { text, now in
                let isOlder = now.seconds > 11 && now.seconds < 13
                return isOlder ? LiveTitle(end: 14).playlist(at: Instant(seconds: 4)) : text
            }
        )
        older.runner.run()
        #expect(older.session.isFinished)
        #expect(older.kinds.contains { if case .errorLogEntry = $0 { true } else { false } })
    }
}
