import SegueBase
import Testing

@testable import SeguePlayerModel

@Suite struct `Switches in the audio trail` {
    private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

    private func stretch(_ start: Duration, _ end: Duration) -> AudioTrail.Stretch {
        var trail = AudioTrail()
        trail.begin(.init(item: ItemID(1), url: "", hasAudio: true, rate: 1), position: start, at: at(0))
        trail.end(position: end, at: at(1), reason: "")
        return trail.stretches[0]
    }

    @Test func `positions convert to samples without accumulated rounding`() {
        // 20.119 s at 44.1 kHz are 887 247.9 samples; a third of a second is exactly 14 700.
        #expect(stretch(.zero, .milliseconds(20119)).samples(rate: 44100) == 0..<887_248)
        #expect(stretch(.nanoseconds(333_333_333), .seconds(1)).samples(rate: 44100) == 14700..<44100)
        // One sample of 44.1 kHz is 22 675.736… ns. The nearest nanosecond converts back to the sample, even hours
        // later.
        for number in [1, 2, 3, 1_000_003, 635_040_001] as [Int64] {
            let position = Duration(Rational(number, 44100))
            #expect(position.samples(rate: 44100) == number)
        }
    }

    /// Ten seconds of the full rendition, then the background rendition from a position on, then the next source.
    private func trail(second: Duration) -> AudioTrail {
        var trail = AudioTrail()
        trail.begin(
            .init(item: ItemID(1), url: "full", hasAudio: true, isShown: true, rate: 1),
            position: .zero,
            at: at(1)
        )
        trail.end(position: .seconds(10), at: at(11), reason: "platform")
        trail.begin(.init(item: ItemID(2), url: "background", hasAudio: true, rate: 1), position: second, at: at(12.5))
        trail.end(position: .seconds(20), at: at(20), reason: "end")
        trail.begin(.init(item: ItemID(3), url: "other", hasAudio: true, rate: 1), position: .zero, at: at(20))
        return trail
    }

    private func switches(_ trail: AudioTrail) -> [AudioTrail.Switch] {
        trail.switches(at: at(21)) { $0.number < 3 && $1.number < 3 }
    }

    @Test func `a gap without loss, a jump back, and a loss`() {
        for (second, missing, repeated) in [
            (Duration.seconds(10), 0, 0), (.seconds(6), 0, 192_000), (.milliseconds(10_250), 12_000, 0),
        ] as [(Duration, Int64, Int64)] {
            let change = switches(trail(second: second))[0]
            #expect(change.change == .rendition)
            #expect(change.silentSamples(rate: 48000) == 72_000)
            #expect(change.missingSamples(rate: 48000) == missing)
            #expect(change.repeatedSamples(rate: 48000) == repeated)
        }
    }

    @Test func `the next source is another kind of switch, even while it is playing`() {
        let next = switches(trail(second: .seconds(10))).last
        #expect(next?.change == .next)
        #expect(next?.silence == .zero)
        #expect(next?.skipped(rate: 48000) == nil)
        #expect(next?.after.end == .seconds(1))
    }

    @Test func `video that begins or ends does not affect audio`() {
        var trail = AudioTrail()
        trail.begin(
            .init(item: ItemID(1), url: "u", hasAudio: true, isShown: true, rate: 1),
            position: .zero,
            at: at(0)
        )
        trail.change(isShown: false, position: .seconds(7), at: at(7), reason: "pictures")
        trail.change(isShown: true, position: .seconds(9), at: at(9), reason: "pictures")
        let switches = trail.switches(at: at(10)) { _, _ in true }
        #expect(switches.map(\.change) == [.video, .video])
        #expect(switches.allSatisfy { $0.silence == .zero && $0.skipped(rate: 44100) == 0 })
        #expect(trail.heard(at: at(10)) == .seconds(10))
        #expect(trail.breaks.isEmpty)
    }
}
