import SegueBase
import SegueEvents
import Testing

@testable import SeguePlayerModel

/// The video layer of an app, and the platforms' treatment of it.
@Suite struct LayerTests {
    private static let title = Title(name: "title", duration: 120)

    /// Plays a film from the start, and carries out commands, each with its second.
    private func run(
        _ platform: PlatformProfile,
        _ app: AppProfile? = nil,
        hasVideo: Bool = true,
        until end: Double = 40,
        _ plan: (SessionCommand, Double)...
    ) -> Rig {
        var title = Self.title
        title.hasVideo = hasVideo
        let rig = Rig(platform: platform, app: app, titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        for (command, second) in plan { rig.plan(command, at: second) }
        _ = rig.runner.run(until: Instant(seconds: end))
        return rig
    }

    /// The instants at which the app's process ended, with the causes.
    private func terminations(of rig: Rig) -> [String] {
        rig.runner.log.events.compactMap { event in
            guard case .appTerminated(let cause, _) = event.kind else { return nil }
            return "\(cause) \(event.at.seconds)"
        }
    }

    // MARK: The sender of the pause

    @Test(arguments: ["ios-4.0", "ios-4.1", "ios-4.2", "ios-4.3", "ios-12.2"], [true, false])
    func `an item without a layer is not paused, as the layer is the sender`(
        platform: String,
        hasVideo: Bool
    ) throws {
        let player = platform == "ios-4.0" ? "movie-player" : "queue-player"
        for (layer, pauses) in [("none", false), ("keep", hasVideo || platform == "ios-4.3")] {
            let app = try Shipped.app("switch-if-rate", ["switches": "never", "layer": layer, "player": player])
            let rig = run(try Shipped.platform(platform), app, hasVideo: hasVideo, (.goHome, 20))
            let reasons = rig.kinds.compactMap { kind in
                if case .platformPaused(_, let reason) = kind { reason } else { nil }
            }
            #expect(rig.trail.isPlaying != pauses, "\(layer): \(reasons)")
            #expect(reasons.first?.hasSuffix("; the video layer sends the pause") ?? false == pauses)
        }
    }

    @Test func `a platform that pauses without a layer says so in a field`() throws {
        let app = try Shipped.app("switch-if-rate", ["switches": "never", "layer": "none"])
        for (scope, hasVideo, plays) in [
            ("everything", true, false), ("everything", false, false), ("items-with-video", true, false),
            ("items-with-video", false, true),
        ] {
            let platform = try Shipped.platform("ios-4.3", ["pauses-without-layer": scope])
            #expect(run(platform, app, hasVideo: hasVideo, (.goHome, 20)).trail.isPlaying == plays, "\(scope)")
        }
    }

    @Test(arguments: [("ios-4.3", true), ("ios-12.2", false)])
    func `an item that is resumed in the background is judged without a layer as the platform says`(
        platform: String,
        isJudged: Bool
    ) throws {
        let app = try Shipped.app("switch-if-rate", ["switches": "never", "layer": "none"])
        let rig = run(try Shipped.platform(platform), app, (.goHome, 20), (.pause, 22), (.play, 24))
        #expect(rig.trail.isPlaying != isJudged)
    }

    // MARK: Disconnecting

    @Test(arguments: [
        ("ios-4.3", "detach", "queue-player", ["crash 20.0"]), ("ios-4.3", "keep", "queue-player", []),
        // By then, the layer has sent its pause.
        ("ios-4.3", "detach-late", "queue-player", []),
        // The layer of a movie player is not an AVPlayerLayer.
        ("ios-4.3", "detach", "movie-player", []), ("ios-4.2", "detach", "queue-player", []),
        ("ios-12.2", "detach", "queue-player", []),
    ])
    func `an app that disconnects its layer while the item plays crashes on 4 point 3`(
        platform: String,
        layer: String,
        player: String,
        crashes: [String]
    ) throws {
        let app = try Shipped.app("switch-if-rate", ["switches": "never", "layer": layer, "player": player])
        let rig = run(try Shipped.platform(platform), app, (.goHome, 20))
        #expect(terminations(of: rig) == crashes)
        #expect(rig.session.phase == (crashes.isEmpty ? rig.session.phase : "terminated"))
    }

    @Test func `an item that is paused permits it`() throws {
        let rig = run(
            try Shipped.platform("ios-4.3"),
            nil,
            (.pause, 10),
            (.detachLayer, 11),
            (.attachLayer, 12),
            (.play, 13)
        )
        #expect(terminations(of: rig).isEmpty)
        #expect(rig.session.player.timeControl == .playing)
    }

    @Test func `a crash ends the audio, and no call of the app has an effect until the user returns`() throws {
        let rig = run(
            try Shipped.platform("ios-4.3"),
            nil,
            (.detachLayer, 10),
            (.open([Self.title.address]), 11),
            (.play, 11),
            (.comeBack, 20),
            (.open([Self.title.address]), 25),
            (.play, 25)
        )
        #expect(terminations(of: rig) == ["crash 10.0"])
        #expect(rig.trail.stretches.first?.ended == Instant(seconds: 10))
        let phases = rig.kinds.compactMap { if case .platformLifecycle(let phase) = $0 { phase } else { nil } }
        #expect(phases == ["terminated", "didBecomeActive"])
        let inserted = rig.runner.log.events.filter { if case .queueInserted = $0.kind { true } else { false } }
        #expect(inserted.map(\.at.seconds) == [0, 25])
        #expect(rig.session.player.timeControl == .playing)
    }

    @Test func `the cause of a crash is in the log`() throws {
        let rig = run(try Shipped.platform("ios-4.3"), nil, (.detachLayer, 10))
        let reason = "its AVPlayerLayer was disconnected from the player while item-1 was playing"
        #expect(rig.kinds.contains(.appTerminated(cause: "crash", reason: reason)))
    }

    @Test func `a restarted app has forgotten its former process`() throws {
        let app = try Shipped.app("switch-when-ready", ["layer": "detach"])
        let rig = run(try Shipped.platform("ios-4.3"), app, (.goHome, 20), (.comeBack, 30))
        #expect(terminations(of: rig) == ["crash 20.0"])
        let decisions = rig.kinds.filter { if case .appDecided = $0 { true } else { false } }
        #expect(decisions.isEmpty)
        #expect(rig.session.backgroundOutcome(at: rig.loop.now) == .paused)
        #expect(rig.session.isInForeground)
    }
}
