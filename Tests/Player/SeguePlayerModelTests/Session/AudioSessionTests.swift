import SegueBase
import SegueData
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// Plays a title of 90 s in an app with changed declarations, with commands at given seconds.
private func play(
    _ platform: String,
    _ declarations: [String: String],
    changing changes: [String: String] = [:],
    hasVideo: Bool = false,
    until end: Double = 60,
    _ commands: [(SessionCommand, Double)]
) throws -> Rig {
    let title = Title(name: "title", duration: 90, hasVideo: hasVideo)
    let rig = Rig(
        platform: try Shipped.platform(platform, changes),
        app: try Shipped.app("switch-when-ready", declarations),
        titles: [title]
    )
    rig.plan(.open([title.address]), at: 0)
    rig.plan(.play, at: 0)
    for (command, second) in commands { rig.plan(command, at: second) }
    _ = rig.runner.run(until: Instant(seconds: end))
    return rig
}

extension Rig {
    /// The keys of the declarations that silenced or stopped audio, in order.
    fileprivate var misdeclared: [String] {
        kinds.compactMap { if case .appMisdeclared(_, let key, _, _) = $0 { key } else { nil } }
    }

    fileprivate var outcome: BackgroundOutcome? { session.backgroundOutcome(at: loop.now) }

    fileprivate func phase(_ step: Lifecycle.Step) -> Instant? {
        first { $0 == .platformLifecycle(phase: step.rawValue) }
    }
}

@Suite struct `Declarations of an app` {
    // MARK: Background modes

    @Test(arguments: ["ios-4.2", "ios-4.3", "ios-12.2", "ios-15"], [true, false])
    func `without the background mode, audio stops in didEnterBackground and the app is suspended`(
        platform: String,
        hasVideo: Bool
    ) throws {
        let right = try play(platform, [:], hasVideo: hasVideo, [(.goHome, 20)])
        #expect(right.outcome == .continues)
        #expect(right.misdeclared.isEmpty)
        let wrong = try play(platform, ["background-modes": "[voip]"], hasVideo: hasVideo, [(.goHome, 20)])
        #expect(wrong.outcome == .paused)
        #expect(wrong.misdeclared == ["background-modes"], "\(wrong.runner.log.jsonLines)")
        let entered = try #require(wrong.phase(.didEnterBackground))
        let ended = try #require(wrong.trail.stretches.last?.ended)
        #expect(ended <= entered)
        #expect(wrong.phase(.suspended) != nil)
        #expect(
            wrong.runner.log.misdeclaration
                == "background-modes lacks audio: add it to the app (UIBackgroundModes in Info.plist)"
        )
    }

    @Test func `an app without the background mode plays again when the user returns`() throws {
        let rig = try play("ios-12.2", ["background-modes": "[]"], [(.goHome, 20), (.comeBack, 40)])
        #expect(rig.trail.isHeard)
        #expect(rig.trail.stretches.map(\.reason) == ["platform"])
    }

    @Test(arguments: ["desktop", "android-media3"])
    func `other platforms have no background modes and no audio sessions`(platform: String) throws {
        let declarations = ["background-modes": "[]", "audio-session.category": "record"]
        let rig = try play(platform, declarations, [(.setSilentSwitch(true), 10), (.goHome, 20)])
        #expect(rig.outcome == .continues)
        #expect(rig.misdeclared.isEmpty)
    }

    // MARK: Categories

    @Test(arguments: ["ambient", "soloAmbient"], [SessionCommand.lock, .goHome])
    func `a category for inessential audio is silent behind a locked screen and in the background`(
        category: String,
        command: SessionCommand
    ) throws {
        let rig = try play("ios-12.2", ["audio-session.category": category], [(command, 20)])
        #expect(rig.outcome == .paused)
        #expect(rig.misdeclared == ["audio-session.category"])
        let last = try #require(rig.trail.stretches.last { $0.isHeard })
        #expect(last.reason == "silenced")
        #expect(last.ended == (command == .lock ? Instant(seconds: 20) : rig.phase(.didEnterBackground)))
        // The playhead continues until the app is suspended, since its audio is not audible.
        let suspended = try #require(rig.phase(.suspended))
        #expect(rig.trail.stretches.last?.ended == suspended)
        #expect(suspended > last.ended)
    }

    @Test(arguments: [("ambient", true), ("soloAmbient", true), ("playback", false), ("playAndRecord", false)])
    func `the switch silences categories for inessential audio`(category: String, isSilenced: Bool) throws {
        let rig = try play(
            "ios-4.3",
            ["audio-session.category": category],
            [(.setSilentSwitch(true), 10), (.setSilentSwitch(false), 30)]
        )
        let outputs = rig.kinds.filter { if case .platformOutput = $0 { true } else { false } }
        #expect(outputs.count == (isSilenced ? 2 : 0))
        #expect(rig.misdeclared == (isSilenced ? ["audio-session.category"] : []))
        #expect(rig.trail.isHeard)
        let heard = rig.session.metrics(at: rig.loop.now).heard
        let played = rig.session.metrics(at: rig.loop.now).played
        #expect(played - heard == (isSilenced ? .seconds(20) : .zero))
    }

    @Test func `a locked device silences the default category before iOS 4, where apps end in the background`() throws {
        for (category, isHeard) in [("soloAmbient", false), ("playback", true)] {
            let title = Title(name: "title", duration: 90, hasVideo: false)
            let rig = Rig(
                platform: try Shipped.platform("ios-3.1"),
                app: try Shipped.app("layer-trick", ["audio-session.category": category]),
                titles: [title]
            )
            rig.plan(.open([title.address]), at: 0)
            rig.plan(.play, at: 0)
            rig.plan(.lock, at: 20)
            _ = rig.runner.run(until: Instant(seconds: 30))
            #expect(rig.trail.isHeard == isHeard, "\(category)")
        }
    }

    @Test func `a category without output plays nothing`() throws {
        let rig = try play("ios-12.2", ["audio-session.category": "record"], [])
        #expect(rig.session.metrics(at: rig.loop.now).heard == .zero)
        #expect(rig.session.metrics(at: rig.loop.now).played > .seconds(40))
        #expect(rig.misdeclared == ["audio-session.category"])
    }

    @Test(arguments: [("ios-4.3", false), ("ios-12.2", true)])
    func `a platform without a category keeps the default one`(platform: String, isKnown: Bool) throws {
        let rig = try play(platform, ["audio-session.category": "multiRoute"], [(.lock, 20)])
        #expect(rig.session.audioSessionSettings.category == (isKnown ? .multiRoute : .soloAmbient))
        #expect(rig.outcome == (isKnown ? .continues : .paused))
        let reason = rig.runner.log.misdeclaration ?? ""
        #expect(reason.contains("multiRoute, which the platform does not have") == !isKnown)
    }

    // MARK: Activation

    @Test(arguments: ["at-launch", "at-play", "never"])
    func `playback activates a session`(active: String) throws {
        let rig = try play("ios-12.2", ["audio-session.active": active], [(.goHome, 20)])
        #expect(rig.outcome == .continues)
        #expect(rig.session.isAudioSessionActive)
    }

    @Test(arguments: [("at-launch", true), ("at-play", true), ("never", false)])
    func `without that, the app must activate it`(active: String, isHeard: Bool) throws {
        let rig = try play(
            "ios-12.2",
            ["audio-session.active": active],
            changing: ["activates-on-play": "false"],
            []
        )
        #expect(rig.trail.isHeard == isHeard)
        #expect(rig.misdeclared == (isHeard ? [] : ["audio-session.active"]))
    }

    @Test func `an app that deactivates its session in the background is suspended`() throws {
        let rig = try play("ios-12.2", [:], [(.goHome, 20), (.setAudioSessionActive(false), 25)])
        #expect(!rig.trail.isPlaying)
        let suspended = try #require(rig.phase(.suspended))
        #expect(suspended > Instant(seconds: 25))
    }

    @Test func `a new process of the app has the session that the app declares`() throws {
        let ambient = SessionCommand.setAudioSession(AudioSessionSettings(category: .ambient))
        // The platform ends an app that the user leaves.
        let rig = try play(
            "ios-3.1",
            ["player": "movie-player"],
            [
                (ambient, 5), (.setAudioSessionActive(false), 6), (.setSilentSwitch(true), 7),
                (.beginOtherAudio(mixes: true), 8), (.goHome, 20), (.comeBack, 30),
            ]
        )
        let session = rig.session.device.audioSession
        #expect(session.settings.category == .playback)
        #expect(session.isSwitchSilent && session.other == .mixable)
        let stays = try play("ios-3.1", ["player": "movie-player"], [(ambient, 5)])
        #expect(stays.session.device.audioSession.settings.category == .ambient)
    }

    @Test func `a new process is not interrupted by the audio that interrupted the former one`() throws {
        let rig = try play(
            "ios-3.1",
            ["player": "movie-player"],
            [(.beginOtherAudio(mixes: false), 10), (.goHome, 20), (.comeBack, 30)]
        )
        #expect(rig.phase(.interruptionBegan) != nil)
        #expect(!rig.session.device.isInterrupted && rig.session.isOtherAudioPlaying)
    }

    // MARK: Other apps

    @Test(arguments: [("[]", true), ("[mixWithOthers]", false), ("[duckOthers]", false)])
    func `the audio of another app interrupts a session that does not mix`(options: String, interrupts: Bool) throws {
        let rig = try play(
            "ios-12.2",
            ["audio-session.options": options],
            [(.beginOtherAudio(mixes: false), 10), (.endOtherAudio(shouldResume: true), 30)]
        )
        #expect(rig.trail.stretches.map(\.reason) == (interrupts ? ["interruption"] : []))
        #expect((rig.phase(.interruptionBegan) != nil) == interrupts)
        #expect(rig.trail.runningSince == (interrupts ? Instant(seconds: 30) : rig.trail.runningSince))
        #expect(rig.trail.isHeard)
    }

    @Test func `audio that mixes interrupts no one`() throws {
        let rig = try play("ios-12.2", [:], [(.beginOtherAudio(mixes: true), 10)])
        #expect(rig.trail.stretches.isEmpty && rig.trail.isHeard)
    }

    @Test func `the app in front interrupts the audio of another app when it plays`() throws {
        let rig = try play("ios-12.2", [:], [(.beginOtherAudio(mixes: false), 10), (.play, 20)])
        #expect(rig.trail.runningSince.map { $0 >= Instant(seconds: 20) && $0 < Instant(seconds: 21) } ?? false)
        #expect(!rig.session.isOtherAudioPlaying)
        let last = rig.kinds.last { if case .platformOtherAudio = $0 { true } else { false } }
        #expect(last == .platformOtherAudio(isPlaying: false, reason: "the app's audio interrupts it"))
    }

    @Test func `the app in the background does not`() throws {
        let rig = try play("ios-12.2", [:], [(.goHome, 10), (.beginOtherAudio(mixes: false), 15), (.play, 20)])
        #expect(!rig.trail.isPlaying)
        #expect(rig.session.isOtherAudioPlaying)
    }

    @Test func `an active session that ducks lowers the volume of other audio until it is inactive`() throws {
        let other = (SessionCommand.beginOtherAudio(mixes: true), 10.0)
        func changes(_ options: String, _ more: [(SessionCommand, Double)]) throws -> [(ducked: Bool, at: Instant)] {
            let rig = try play("ios-12.2", ["audio-session.options": options], [other] + more)
            return rig.runner.log.events.compactMap { event in
                if case .platformOtherAudioDucked(let isDucked) = event.kind { (isDucked, event.at) } else { nil }
            }
        }
        let ducking = try changes("[duckOthers]", [(.pause, 20), (.setAudioSessionActive(false), 30)])
        #expect(ducking.map(\.ducked) == [true, false])
        #expect(ducking.map(\.at) == [Instant(seconds: 10), Instant(seconds: 30)])
        #expect(try changes("[mixWithOthers]", [(.pause, 20)]).isEmpty)
        // Audio that has ended has no volume.
        #expect(try changes("[duckOthers]", [(.endOtherAudio(shouldResume: false), 20)]).map(\.ducked) == [true])
    }

    // MARK: Files

    @Test(arguments: [
        "playback", "AVAudioSessionCategoryPlayback", "kAudioSessionCategory_MediaPlayback",
    ])
    func `a category has the names of each interface`(name: String) throws {
        let app = try Shipped.app("switch-when-ready", ["audio-session.category": name])
        #expect(app.declarations.session.category == .playback)
    }

    @Test(arguments: [
        ("audio-session.category", "playbak", "did you mean playback?"),
        ("audio-session.mode", "voiceChat", "which the category playback does not allow; use playAndRecord"),
        ("audio-session.active", "at-start", "at-launch"), ("background-modes", "[audoi]", "did you mean audio?"),
        ("audio-session-category", "playback", "is not a key here"),
    ])
    func `an error is reported`(key: String, value: String, message: String) throws {
        let error = try #require(throws: HarnessError.self) {
            try Shipped.app("switch-when-ready", [key: value])
        }
        #expect(error.message.contains(message), "\(error)")
    }

    @Test func `an option that the category does not allow is an error`() throws {
        let changes = ["audio-session.category": "soloAmbient", "audio-session.options": "[mixWithOthers]"]
        let error = try #require(throws: HarnessError.self) { try Shipped.app("switch-when-ready", changes) }
        #expect(error.key == "audio-session.options")
        #expect(error.message.contains("which the category soloAmbient does not allow"))
    }
}
