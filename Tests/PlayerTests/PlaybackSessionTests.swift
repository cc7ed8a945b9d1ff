import Testing
import Timeline

@testable import Player

@Suite struct `Playback session` {
    @Test func `an item plays through in virtual time`() throws {
        let title = Title(name: "movie", duration: 20)
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        #expect(rig.runner.run(until: Instant(seconds: 100)) == .idle)
        #expect(rig.session.isFinished)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(20))
        #expect(rig.trail.gaps.isEmpty)
    }
}
