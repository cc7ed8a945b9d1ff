import SegueTestMedia
import Testing

@Suite struct `Sound trail` {
    private let signal = AudioSignal(seed: 21, rate: 16000)

    private func sound(_ range: Range<Int64>) -> [Float] {
        signal.samples(channel: 0, from: range.lowerBound, count: range.count).map { Float($0) / 2_147_483_648 }
    }

    private func trail(of pieces: [Float]) -> SoundTrail {
        var trail = SoundTrail(signal: signal, channel: 0, range: -16000..<160_000)
        // Fed in the crooked pieces in which decoders give it.
        for start in stride(from: 0, to: pieces.count, by: 1023) {
            trail.feed(Array(pieces[start..<min(start + 1023, pieces.count)]))
        }
        trail.finish()
        return trail
    }

    @Test func `whole sound is one run`() {
        let trail = trail(of: sound(-320..<48000))
        #expect(trail.runs.count == 1)
        #expect(trail.runs.first?.position == -320)
        #expect(trail.runs.first?.end == 48000)
        #expect(trail.unknownSamples == 0)
    }

    @Test func `a hole, a repetition and an insertion are told to the sample`() {
        let hole = trail(of: sound(0..<16000) + sound(17024..<32000))
        #expect(hole.runs.count == 2)
        #expect(hole.runs.map { $0.position - $0.index } == [0, 1024])
        let repeated = trail(of: sound(0..<16000) + sound(15000..<32000))
        #expect(repeated.runs.map { $0.position - $0.index } == [0, -1000])
        let silence = [Float](repeating: 0, count: 5000)
        let inserted = trail(of: sound(0..<16000) + silence + sound(16000..<32000))
        #expect(inserted.runs.map { $0.position - $0.index } == [0, -5000])
        #expect((4000...6600).contains(inserted.unknownSamples))
    }

    @Test func `a shift by three samples at a high rate is told`() {
        let signal = AudioSignal(seed: 22, rate: 48000)
        let all = signal.samples(channel: 0, from: 0, count: 96000).map { Float($0) }
        var trail = SoundTrail(signal: signal, channel: 0, range: 0..<96000)
        trail.feed(Array(all[..<48000]) + Array(all[48003...]))
        trail.finish()
        #expect(trail.runs.map { $0.position - $0.index } == [0, 3])
    }

    @Test func `damage in the middle does not end a run`() {
        let trail = trail(of: sound(0..<16000) + [Float](repeating: 0, count: 3000) + sound(19000..<32000))
        #expect(trail.runs.count == 1)
        #expect(trail.runs.first?.count == 32000)
        #expect(trail.unknownSamples > 0)
    }
}
