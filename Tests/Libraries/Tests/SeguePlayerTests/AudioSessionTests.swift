import SeguePlayer
import SegueTime
import Testing

/// The declarations of an app, and its audio session.
@MainActor @Suite struct AudioSessionTests {
    private static let song = "http://server/song.m3u8"

    private func play(_ world: World) async throws {
        world.player.insert(PlayerItem(url: Self.song))
        world.player.play()
        try await Task.sleep(for: .seconds(10))
    }

    @Test(arguments: [[App.BackgroundMode.audio], []])
    func `audio continues in the background with the background mode only`(modes: [App.BackgroundMode]) async throws {
        try await withWorld(platform: "ios-15", app: App(hasLayer: false, backgroundModes: modes)) { world in
            world.user.does(.play) {
                world.player.insert(PlayerItem(url: Self.song))
                world.player.play()
            }
            try await Task.sleep(for: .seconds(10))
            world.device.goHome()
            try await Task.sleep(for: .seconds(40))
            #expect(world.report.background == (modes.isEmpty ? .paused : .continues))
            let fix = "background-modes lacks audio: add it to the app (UIBackgroundModes in Info.plist)"
            #expect(world.troubles.contains(fix) == modes.isEmpty)
            #expect(world.broken.contains { $0.message.hasSuffix(fix) } == modes.isEmpty, "\(world.broken)")
        }
    }

    @Test func `a call of setCategory makes audio audible behind a locked screen`() async throws {
        for isSet in [true, false] {
            let app = App(hasLayer: false, audioSession: .init(category: .soloAmbient))
            try await withWorld(platform: "ios-15", app: app) { world in
                if isSet { try world.device.audioSession.setCategory(.playback, mode: .moviePlayback) }
                #expect(world.device.audioSession.category == (isSet ? .playback : .soloAmbient))
                try await play(world)
                world.device.lock()
                try await Task.sleep(for: .seconds(30))
                #expect(world.report.background == (isSet ? .continues : .paused))
            }
        }
    }

    @Test func `the switch silences the default category`() async throws {
        try await withWorld(platform: "ios-15", app: App(audioSession: .init(category: .soloAmbient))) { world in
            world.device.setSilentSwitch(true)
            try await play(world)
            #expect(world.report.heard == .zero)
            #expect(world.player.timeControlStatus == .playing)
            try world.device.audioSession.setCategory(.playback)
            try await Task.sleep(for: .seconds(10))
            #expect(world.report.heard > .seconds(9))
        }
    }

    @Test func `the audio of another app interrupts, unless the session mixes`() async throws {
        for mixes in [true, false] {
            try await withWorld(platform: "ios-15") { world in
                let session = world.device.audioSession
                try session.setCategory(.playback, options: mixes ? .mixWithOthers : [])
                #expect(session.categoryOptions == (mixes ? .mixWithOthers : []))
                try await play(world)
                world.device.beginOtherAudio()
                #expect(session.isOtherAudioPlaying)
                #expect((world.player.timeControlStatus == .playing) == mixes)
                world.device.endOtherAudio(shouldResume: true)
                #expect(!session.isOtherAudioPlaying)
            }
        }
    }

    @Test func `a session that ducks lowers the volume of other audio while it is active`() async throws {
        try await withWorld(platform: "ios-15") { world in
            let session = world.device.audioSession
            try session.setCategory(.playback, options: .duckOthers)
            try await play(world)
            #expect(!session.isOtherAudioDucked)
            world.device.beginOtherAudio(mixes: true)
            #expect(session.isOtherAudioDucked)
            world.player.pause()
            try session.setActive(false)
            #expect(!session.isOtherAudioDucked && session.isOtherAudioPlaying)
        }
    }

    @Test func `errors are those of the platform`() async throws {
        try await withWorld(platform: "ios-4.3") { world in
            let session = world.device.audioSession
            #expect(throws: AudioSessionError.self) { try session.setCategory(.multiRoute) }
            #expect(throws: AudioSessionError.self) { try session.setCategory(.soloAmbient, options: .duckOthers) }
            #expect(session.configuration == .init(category: .playback))
            #expect(!session.isActive)
            try await play(world)
            #expect(session.isActive)
            #expect(throws: AudioSessionError.isBusy) { try session.setActive(false) }
            #expect(!session.isActive)
            #expect(world.player.timeControlStatus == .paused)
            world.device.goHome()
            world.device.beginOtherAudio()
            try await Task.sleep(for: .seconds(1))
            #expect(throws: AudioSessionError.cannotInterruptOthers) { try session.setActive(true) }
        }
    }

    @Test func `a search tries the declarations`() async throws {
        let result = try await explore(
            platform: "ios-15",
            app: App(hasLayer: false),
            variesDeclarations: true,
            runs: 60,
            stopsAtFirst: false
        ) { world in
            world.user.can(.play) {
                if world.player.items.isEmpty { world.player.insert(PlayerItem(url: Self.song)) }
                world.player.play()
            }
        }
        let mode = try #require(result.findings.first { $0.rule == "no-background-mode" }, "\(result)")
        #expect(mode.test.contains("app: App(backgroundModes: [])"))
        #expect(mode.message.contains("background-modes lacks audio"))
        let category = try #require(result.findings.first { $0.rule == "category-record" }, "\(result)")
        #expect(category.test.contains("app: App(audioSession: .init(category: .record))"))
    }
}
