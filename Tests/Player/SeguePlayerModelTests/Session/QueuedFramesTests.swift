import SegueBase
import SegueEvents
import Testing

@testable import SeguePlayerModel

/// The frames that a video layer queues while its film plays in the background of iOS 4.0.
@Suite struct QueuedFramesTests {
    /// A film that is left after 20 s.
    private func run(
        _ app: AppProfile?,
        platform: PlatformProfile? = nil,
        hasVideo: Bool = true,
        back: Double? = nil,
        until end: Double = 100
    ) throws -> Rig {
        let title = Title(name: "title", duration: 200, hasVideo: hasVideo)
        let rig = Rig(platform: try platform ?? Shipped.platform("ios-4.0"), app: app, titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 20)
        if let back { rig.plan(.comeBack, at: back) }
        _ = rig.runner.run(until: Instant(seconds: end))
        return rig
    }

    /// The numbers of frames in the log.
    private func queued(_ rig: Rig) -> [Int] {
        rig.kinds.compactMap { if case .pictureQueued(_, let frames) = $0 { frames } else { nil } }
    }

    /// An app that resumes in the background, and keeps its layer unless stated otherwise.
    private func resuming(_ layer: String = "keep") throws -> AppProfile {
        try Shipped.app("layer-trick", ["layer": layer])
    }

    @Test func `an app that only resumes plays on, and its queue of frames grows`() throws {
        let rig = try run(resuming(), until: 50)
        #expect(rig.trail.isPlaying)
        #expect(queued(rig) == [100, 200, 300, 400, 500, 600, 700])
        // The film resumes in didEnterBackground, after 300 ms.
        let first = try #require(rig.first { $0 == .pictureQueued(item: "item-1", frames: 100) })
        #expect(first == Instant(seconds: 24.3))
    }

    @Test func `the platform terminates it at the limit`() throws {
        let rig = try run(resuming())
        let ended = try #require(rig.first { if case .appTerminated("memory", _) = $0 { true } else { false } })
        #expect(ended == Instant(seconds: 56.3))
        #expect(!rig.trail.isPlaying)
        #expect(rig.session.phase == "terminated")
    }

    @Test func `the frames are shown fast when the user returns`() throws {
        let rig = try run(resuming(), back: 40, until: 60)
        let shown = rig.kinds.compactMap { kind -> [Double]? in
            if case .pictureHurried(_, let frames, let speed) = kind { [Double(frames), speed] } else { nil }
        }
        #expect(shown == [[492, 4]])
        #expect(rig.trail.isPlaying)
        #expect(!rig.kinds.contains { if case .appTerminated = $0 { true } else { false } })
    }

    @Test(arguments: [("detach", true, "ios-4.0"), ("keep", false, "ios-4.0"), ("keep", true, "ios-4.2")])
    func `without the layer, without video, and on later versions, no frames are queued`(
        layer: String,
        hasVideo: Bool,
        platform: String
    ) throws {
        let rig = try run(resuming(layer), platform: Shipped.platform(platform), hasVideo: hasVideo, back: 90)
        #expect(queued(rig).isEmpty)
        #expect(!rig.kinds.contains { if case .appTerminated = $0 { true } else { false } })
        #expect(!rig.kinds.contains { if case .pictureHurried = $0 { true } else { false } })
    }

    @Test func `the trick can be done when the media types are available`() throws {
        let yaml = """
            name: trick
            title: The trick at the notification
            based-on: layer-trick
            layer: { value: keep, source: a test }
            reactions:
              - name: remove
                when: { events: { kind: item.mediaTypesAvailable, count: "> 0" } }
                do: detach-layer
            """
        let app = try AppProfile(yaml: yaml, file: Shipped.path("apps/a-test.yaml"))
        let rig = try run(app)
        #expect(rig.kinds.contains(.itemMediaTypesAvailable(item: "item-1", hasVideo: true, hasAudio: true)))
        #expect(rig.session.backgroundOutcome(at: rig.loop.now) == .continues)
        #expect(queued(rig).isEmpty)
        #expect(!rig.kinds.contains { if case .platformPaused = $0 { true } else { false } })
    }

    @Test func `only a movie player announces its media types, once for each item`() throws {
        for (player, count) in [("movie-player", 1), ("queue-player", 0)] {
            let app = try Shipped.app("switch-if-rate", ["player": player, "switches": "never"])
            let rig = try run(app, platform: Shipped.platform("ios-4.2"), back: 30)
            let found = rig.kinds.count { if case .itemMediaTypesAvailable = $0 { true } else { false } }
            #expect(found == count)
        }
    }

    @Test func `frames that the limit does not stop are counted without end`() throws {
        let platform = try Shipped.platform("ios-4.0", ["queued-frame-limit": "never", "queued-frame-rate": "1000"])
        let rig = try run(resuming(), platform: platform, until: 200)
        #expect(queued(rig).last ?? 0 > 150_000)
        #expect(rig.trail.isPlaying)
    }
}
