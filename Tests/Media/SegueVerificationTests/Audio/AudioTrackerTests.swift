import Foundation
import Testing

@testable import SegueVerification

@Suite struct AudioTrackerTests {
    /// Nonrepeating noise, low-pass filtered to a few hundred hertz and more.
    private static func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
        var state = seed
        var last: Float = 0
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            last = last * 0.6 + Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max) * 0.2
            return last
        }
    }

    private static let source = noise(320_000)

    private func tracked(_ delivered: [Float], of source: [Float] = source) throws -> AudioTracker {
        var place = 0
        var tracker = AudioTracker(channels: 1, least: 0.5, reach: 30, expected: { _ in nil }) {
            guard place < source.count else { return nil }
            defer { place += 4000 }
            return [Array(source[place..<min(place + 4000, source.count)])]
        }
        for start in stride(from: 0, to: delivered.count, by: 1000) {
            try tracker.push([Array(delivered[start..<min(start + 1000, delivered.count)])])
        }
        try tracker.finish()
        return tracker
    }

    @Test func `the same audio is one piece`() throws {
        let tracker = try tracked(Self.source)
        #expect(tracker.pieces.map(\.delivered) == [0..<320_000])
        #expect(tracker.pieces.map(\.firstLag) == [0])
        #expect(tracker.sourceCount == 320_000)
    }

    @Test func `audio after an encoder delay is located`() throws {
        let tracker = try tracked([Float](repeating: 0, count: 171) + Self.source)
        #expect(tracker.pieces.map(\.firstLag) == [171])
        #expect(tracker.dips.isEmpty)
    }

    @Test(arguments: [60.0, 441, 1900], [188, 383, 1024])
    func `a tone behind an encoder's delay begins where the source's does`(frequency: Double, delay: Int) throws {
        let source = (0..<80_000).map { Float(sin(2 * .pi * frequency * Double($0) / 8000) * 0.5) }
        let noise = Self.noise(source.count, seed: 3)
        let coded = zip(source, noise).map { $0 + $1 * 0.05 }
        let tracker = try tracked([Float](repeating: 0, count: delay) + coded, of: source)
        let lag = try #require(tracker.pieces.first?.firstLag)
        #expect(abs(lag - delay) <= 8)
        #expect(tracker.pieces.count == 1)
    }

    @Test func `a phase shift of a tone is not taken for drift`() throws {
        let noise = Self.noise(80_000, seed: 5)
        func audio(phase: Double) -> [Float] {
            noise.indices.map { place in
                guard place >= 16_000 else { return noise[place] }
                return Float(sin(2 * .pi * 2970 * Double(place) / 8000 + phase) * 0.2) + noise[place] * 0.1
            }
        }
        let (source, moved) = (audio(phase: 0), audio(phase: 0.7))
        let delivered = source[..<24_000] + moved[24_000..<56_000] + source[56_000...]
        let tracker = try tracked([Float](repeating: 0, count: 171) + Array(delivered), of: source)
        #expect(Set(tracker.anchors.map(\.lag)) == [171])
        #expect(tracker.pieces.count == 1)
    }

    @Test(arguments: [1.001, 0.999]) func `drifting audio is one piece with a moving position`(speed: Double) throws {
        var reducer = AudioReducer(rate: 8000 * speed, channels: 1)
        let delivered = reducer.reduce([Self.source])[0] + reducer.finish()[0]
        let tracker = try tracked(delivered)
        let last = try #require(tracker.anchors.last)
        let wished = Double(last.delivered) * (1 - speed)
        #expect(abs(Double(last.lag) - wished) <= 4)
        #expect(tracker.pieces.count == 1)
    }

    @Test func `a beep with silence behind it is found`() throws {
        let silence = [Float](repeating: 0, count: 6800)
        let source = Array(silence[..<400]) + Self.noise(800, seed: 11) + silence
        let tracker = try tracked([Float](repeating: 0, count: 171) + source, of: source)
        #expect(tracker.pieces.map(\.firstLag) == [171])
    }

    @Test func `a repeated section goes back to its position`() throws {
        let tracker = try tracked(Array(Self.source[..<144_000]) + Array(Self.source[128_000...]))
        #expect(tracker.pieces.map(\.lastLag) == [0, 16_000])
        #expect(abs(tracker.pieces[1].delivered.lowerBound - 144_000) <= 80)
    }

    @Test func `other audio is a gap between two pieces of the same lag`() throws {
        let delivered = Self.source[..<160_000] + Self.noise(32_000, seed: 7) + Self.source[192_000...]
        let tracker = try tracked(Array(delivered))
        #expect(tracker.pieces.map(\.lastLag) == [0, 0])
        #expect(abs(tracker.pieces[0].delivered.upperBound - 160_000) <= 160)
        #expect(abs(tracker.pieces[1].delivered.lowerBound - 192_000) <= 160)
        #expect(!tracker.pieces[1].isSilentBefore)
    }

    @Test func `briefly missing audio is a dip, and longer a silent gap`() throws {
        var delivered = Self.source
        for place in 80_000..<80_160 { delivered[place] = 0 }
        for place in 160_000..<164_000 { delivered[place] = 0 }
        let tracker = try tracked(delivered)
        #expect(tracker.dips == [80_000..<80_160])
        #expect(tracker.pieces.map(\.delivered) == [0..<160_000, 164_000..<320_000])
        #expect(tracker.pieces[1].isSilentBefore)
    }

    @Test func `unrelated audio has no piece and is read completely`() throws {
        let tracker = try tracked(Self.noise(320_000, seed: 9))
        #expect(tracker.pieces.isEmpty)
        #expect(tracker.sourceCount == 320_000)
    }

    @Test(arguments: [8000, 11025, 22050, 44100, 48000, 96000])
    func `reduced audio keeps each sample's position`(rate: Int) {
        let tone = { (time: Double) in Float(sin(2 * .pi * 440 * time) * 0.5) }
        var reducer = AudioReducer(rate: Double(rate), channels: 1)
        var result: [Float] = []
        for start in stride(from: 0, to: 2 * rate, by: 1024) {
            let samples = (start..<min(start + 1024, 2 * rate)).map { tone(Double($0) / Double(rate)) }
            result += reducer.reduce([samples])[0]
        }
        result += reducer.finish()[0]
        #expect(abs(result.count - 16_000) <= 12)
        for place in 200..<15_800 { #expect(abs(result[place] - tone(Double(place) / 8000)) < 0.01) }
    }
}
