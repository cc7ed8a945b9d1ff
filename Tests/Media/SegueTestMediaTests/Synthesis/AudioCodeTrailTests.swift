import SegueTestMedia
import Testing

@Suite struct `Audio code trail` {
    private let signal = AudioSignal(seed: 21, rate: 16000)

    private func audio(_ range: Range<Int64>) -> [Float] {
        signal.samples(channel: 0, from: range.lowerBound, count: range.count).map { Float($0) / 2_147_483_648 }
    }

    private func trail(of pieces: [Float]) -> AudioCodeTrail {
        var trail = AudioCodeTrail(signal: signal, channel: 0, range: -16000..<160_000)
        // In uneven chunks as from decoders.
        for start in stride(from: 0, to: pieces.count, by: 1023) {
            trail.feed(Array(pieces[start..<min(start + 1023, pieces.count)]))
        }
        trail.finish()
        return trail
    }

    @Test func `complete audio is one run`() {
        let trail = trail(of: audio(-320..<48000))
        #expect(trail.runs.count == 1)
        #expect(trail.runs.first?.position == -320)
        #expect(trail.runs.first?.end == 48000)
        #expect(trail.unknownSamples == 0)
    }

    @Test func `a gap, a repetition, and an insertion are reported to the sample`() {
        let hole = trail(of: audio(0..<16000) + audio(17024..<32000))
        #expect(hole.runs.count == 2)
        #expect(hole.runs.map { $0.position - $0.index } == [0, 1024])
        let repeated = trail(of: audio(0..<16000) + audio(15000..<32000))
        #expect(repeated.runs.map { $0.position - $0.index } == [0, -1000])
        let silence = [Float](repeating: 0, count: 5000)
        let inserted = trail(of: audio(0..<16000) + silence + audio(16000..<32000))
        #expect(inserted.runs.map { $0.position - $0.index } == [0, -5000])
        #expect((4000...6600).contains(inserted.unknownSamples))
    }

    @Test func `a shift by three samples at a high rate is reported`() {
        let signal = AudioSignal(seed: 22, rate: 48000)
        let all = signal.samples(channel: 0, from: 0, count: 96000).map { Float($0) }
        var trail = AudioCodeTrail(signal: signal, channel: 0, range: 0..<96000)
        trail.feed(Array(all[..<48000]) + Array(all[48003...]))
        trail.finish()
        #expect(trail.runs.map { $0.position - $0.index } == [0, 3])
    }

    @Test func `damage in the middle does not end a run`() {
        let trail = trail(of: audio(0..<16000) + [Float](repeating: 0, count: 3000) + audio(19000..<32000))
        #expect(trail.runs.count == 1)
        #expect(trail.runs.first?.count == 32000)
        #expect(trail.unknownSamples > 0)
    }
}
