import SegueBase
import SegueData
import SegueEvents
import Testing

@testable import SeguePlayerModel

/// Films that are resumed in the background.
@Suite struct ResumingVideoTests {
    enum Result: Hashable { case plays, paused, playedBriefly, failed }

    /// The result of commands that resume a film in the background.
    private func result(_ platform: PlatformProfile, seed: UInt64, _ resume: SessionCommand) throws -> Result {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(platform: platform, seed: seed, titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 20)
        rig.plan(resume, at: 25)
        _ = rig.runner.run(until: Instant(seconds: 30))
        if rig.session.isFailed { return .failed }
        guard let last = rig.trail.stretches.last, last.began >= Instant(seconds: 25) else {
            return rig.trail.isPlaying ? .plays : .paused
        }
        #expect(last.ended - last.began == platform.background.resumingVideo.stopsAfter)
        #expect(!rig.trail.isPlaying && rig.session.player.timeControl == .paused)
        return .playedBriefly
    }

    private func results(_ platform: String, _ resume: SessionCommand) throws -> Set<Result> {
        Set(try (1...24).map { try result(Shipped.platform(platform), seed: $0, resume) })
    }

    /// The possible results when the app resumes.
    private static let ofApps: [(String, Set<Result>)] = [
        ("ios-4.3", [.failed, .paused, .playedBriefly]), ("ios-4.2", [.paused]), ("ios-4.1", [.plays]),
        ("ios-4.0", [.plays]), ("ios-12.2", [.paused]), ("desktop", [.plays]),
    ]

    /// The possible results when the user resumes from outside of the app.
    private static let ofUsers: [(String, Set<Result>)] = [
        ("ios-4.3", [.paused, .playedBriefly]), ("ios-4.2", [.plays]), ("ios-4.1", [.plays]), ("ios-4.0", [.plays]),
        ("desktop", [.plays]),
    ]

    @Test(arguments: ofApps)
    func `on 4 point 3, the seed decides between an error, a moment, and nothing`(
        platform: String,
        expected: Set<Result>
    ) throws {
        #expect(try results(platform, .play) == expected)
    }

    @Test(arguments: ofUsers, RemoteSender.allCases)
    func `until 4 point 3, the user can resume a film from outside of the app`(
        row: (String, Set<Result>),
        sender: RemoteSender
    ) throws {
        #expect(try results(row.0, .remote(.play, from: sender)) == row.1)
        // On a platform that paused nothing, the command pauses.
        let toggled: Set<Result> = row.0 == "desktop" ? [.paused] : row.1
        #expect(try results(row.0, .remote(.toggle, from: sender)) == toggled)
    }

    @Test func `a call of the app after a command from outside is its own`() throws {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(platform: try Shipped.platform("ios-4.2"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 20)
        rig.plan(.remote(.play, from: .headphones), at: 22)
        rig.plan(.remote(.pause, from: .headphones), at: 24)
        rig.plan(.play, at: 26)
        _ = rig.runner.run(until: Instant(seconds: 30))
        #expect(rig.trail.stretches.map(\.ended.seconds) == [20.1, 24])
        #expect(!rig.trail.isPlaying)
    }

    @Test(arguments: [("true", true), ("false", false)])
    func `a suspended app runs again for a command from outside, where the platform wakes it`(
        wakes: String,
        plays: Bool
    ) throws {
        let title = Title(name: "title", duration: 90, hasVideo: false)
        let platform = try Shipped.platform("ios-4.2", ["wakes-for-remote-commands": wakes])
        let rig = Rig(platform: platform, app: try Shipped.app("switch-when-ready"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 20)
        rig.plan(.remote(.pause, from: .lockScreen), at: 22)
        rig.plan(.remote(.play, from: .lockScreen), at: 50)
        _ = rig.runner.run(until: Instant(seconds: 60))
        let suspended = try #require(rig.first { $0 == .platformLifecycle(phase: "suspended") })
        #expect(suspended == Instant(seconds: 32))
        #expect(rig.trail.isPlaying == plays)
        #expect(rig.kinds.contains(.platformLifecycle(phase: "resumed")) == plays)
        #expect(rig.kinds.contains(.platformRemoteCommand(command: "play", sender: "lock-screen")))
    }

    @Test func `the same seed gives the same result`() throws {
        let platform = try Shipped.platform("ios-4.3")
        for seed in 1...8 as ClosedRange<UInt64> {
            #expect(try result(platform, seed: seed, .play) == result(platform, seed: seed, .play))
        }
    }

    @Test func `a film that plays for a moment goes on if the user returns within it`() throws {
        let title = Title(name: "title", duration: 90)
        let platform = try Shipped.platform("ios-4.3", ["resuming-video": "stops", "video-stops-after": "2 s"])
        let rig = Rig(platform: platform, titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 20)
        rig.plan(.play, at: 25)
        rig.plan(.comeBack, at: 26)
        _ = rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.trail.isPlaying)
        #expect(rig.trail.runningSince == Instant(seconds: 25))
    }

    @Test func `a single word and a list are read, and an empty list is not`() throws {
        #expect(try Shipped.platform("ios-4.3", ["resuming-video": "stops"]).background.resumingVideo.byApp == [.stops])
        let two = try Shipped.platform("ios-4.3", ["resuming-video": "[allowed, rejected]"])
        #expect(two.background.resumingVideo.byApp == [.allowed, .rejected])
        for wrong in ["[]", "[sometimes]", "sometimes"] {
            #expect(throws: HarnessError.self, "\(wrong)") {
                try Shipped.platform("ios-4.3", ["resuming-video": wrong])
            }
        }
    }
}
