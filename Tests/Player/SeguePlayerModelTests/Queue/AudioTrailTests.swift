import SegueBase
import Testing

@testable import SeguePlayerModel

@Suite struct `Audio trail` {
    private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

    private func trail() -> AudioTrail {
        var trail = AudioTrail()
        trail.begin(.init(item: ItemID(1), url: "full", hasAudio: true, rate: 1), position: .zero, at: at(1))
        trail.end(position: .seconds(10), at: at(11), reason: "platform")
        trail.begin(
            .init(item: ItemID(2), url: "background", hasAudio: true, rate: 1),
            position: .seconds(12),
            at: at(14)
        )
        return trail
    }

    @Test func `the heard duration grows during playback`() {
        let trail = trail()
        #expect(trail.heard(at: at(14)) == .seconds(10))
        #expect(trail.heard(at: at(16)) == .seconds(12))
        #expect(trail.isHeard)
        #expect(trail.lastAudioTime(at: at(16)) == at(16))
    }

    @Test func `the instant of a heard duration is predicted`() {
        let trail = trail()
        #expect(trail.instant(whenHeard: .seconds(20), at: at(15)) == at(24))
        #expect(trail.instant(whenHeard: .seconds(1), at: at(15)) == at(15))
        #expect(AudioTrail().instant(whenHeard: .seconds(1), at: at(0)) == nil)
    }

    @Test func `a break has its silence and its skipped or repeated duration`() {
        var trail = trail()
        trail.end(position: .seconds(20), at: at(22), reason: "command")
        trail.begin(.init(item: ItemID(3), url: "full", hasAudio: true, rate: 1), position: .seconds(19), at: at(23))
        trail.end(position: .seconds(25), at: at(29), reason: "end")
        #expect(trail.breaks.map(\.silence) == [.seconds(3), .seconds(1)])
        #expect(trail.breaks.map(\.skipped) == [.seconds(2), .seconds(-1)])
    }

    @Test func `durations beyond a century are computed`() {
        var trail = AudioTrail()
        trail.begin(.init(item: ItemID(1), url: "slow", hasAudio: true, rate: 0.01), position: .zero, at: at(0))
        let long = Duration.seconds(1_000_000_000)
        #expect(trail.instant(whenHeard: long, at: at(1_000_000)) == at(3.15576e9))
        #expect(trail.heard(at: at(3_000_000_000)) == .seconds(30_000_000))
        let clock = Playhead.Clock(position: .zero, instant: at(0), rate: 100)
        #expect(clock.position(at: at(3_000_000_000)) == Duration(reckonedNanoseconds: .infinity))
        #expect(clock.instant(of: long) == at(10_000_000))
    }

    @Test func `an item without audio is played and not heard`() {
        var trail = AudioTrail()
        trail.begin(.init(item: ItemID(1), url: "mute", hasAudio: false, rate: 2), position: .zero, at: at(0))
        #expect(trail.heard(at: at(4)) == .zero)
        #expect(trail.played(at: at(4)) == .seconds(8))
        #expect(trail.instant(whenHeard: .seconds(1), at: at(0)) == nil)
        #expect(trail.instant(whenPlayed: .seconds(9), at: at(0)) == Instant(seconds: 4.5))
        trail.end(position: .seconds(8), at: at(4), reason: "end")
        #expect(trail.breaks.isEmpty)
        #expect(trail.lastAudioTime(at: at(5)) == nil)
    }
}
