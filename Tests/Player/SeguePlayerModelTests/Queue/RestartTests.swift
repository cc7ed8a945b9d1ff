import SegueBase
import SegueEvents
import Testing

@testable import SeguePlayerModel

@Suite struct `A seek from the end of an item` {
    /// The start of audio after an item of 30 s has ended, a seek at 40 s, and a play command at another time.
    private func restart(_ platform: String, playAt play: Double, _ changes: [String: String] = [:]) throws -> Rig {
        let title = Title(name: "title", duration: 30, hasVideo: false)
        let rig = Rig(platform: try Shipped.platform(platform, changes), titles: [title])
        rig.plan(.setActionAtItemEnd(.pause), at: 0)
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero), at: 40)
        rig.plan(.play, at: play)
        _ = rig.runner.run(until: Instant(seconds: 50))
        return rig
    }

    @Test func `leaves the playhead at its target for a moment before audio restarts`() throws {
        for (platform, moment) in [("ios-15", Duration.milliseconds(100)), ("desktop", .zero)] {
            let rig = try restart(platform, playAt: 40, ["output-latency": "0 s"])
            let landed = try #require(rig.first { if case .seekEnded = $0 { true } else { false } })
            #expect(try #require(rig.trail.runningSince) - landed == moment, "\(platform)")
            // The moment is not a wait.
            let waits = rig.runner.log.events.filter { event in
                guard case .playerTimeControl("waiting", _) = event.kind else { return false }
                return event.at > landed
            }
            #expect(waits.isEmpty)
        }
    }

    @Test func `delays only playback that follows immediately`() throws {
        let rig = try restart("ios-15", playAt: 41, ["output-latency": "0 s", "judges-after": "0 s"])
        #expect(rig.trail.runningSince == Instant(seconds: 41))
    }

    @Test func `from elsewhere restarts at once`() throws {
        let title = Title(name: "title", duration: 30, hasVideo: false)
        let rig = Rig(platform: try Shipped.platform("ios-15"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.seek(to: .seconds(20), toleranceBefore: .zero, toleranceAfter: .zero), at: 10)
        _ = rig.runner.run(until: Instant(seconds: 15))
        #expect(rig.trail.runningSince == Instant(seconds: 10))
    }
}
