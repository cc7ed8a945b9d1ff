import Foundation
import SegueTestMedia
import Testing

@testable import SegueVerification

@Suite struct `Audio comparator` {
    private static let rate = 16000
    private static let count = 160_000

    /// Ten seconds of nonrepeating audio.
    private let whole: [Float] = AudioSignal(seed: 77, rate: rate).samples(channel: 0, from: 0, count: count)
        .map { Float($0) / 2_147_483_648 }

    private func compare(
        _ demand: AudioComparator.Demand,
        _ delivered: [Float],
        lead: Int64 = 0,
        source: [Float]? = nil
    ) throws -> AudioComparator {
        var rest = (source ?? whole)[...]
        var comparator = AudioComparator(
            demand: demand,
            channels: 1,
            rate: Self.rate,
            lead: lead,
            reach: 1.5
        ) {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(1000) }
            return [Array(rest.prefix(1000))]
        }
        for start in stride(from: 0, to: delivered.count, by: 1024) {
            try comparator.push([Array(delivered[start..<min(start + 1024, delivered.count)])])
        }
        try comparator.finish()
        return comparator
    }

    /// A simulated lossy codec: slight noise.
    private func coded(_ samples: [Float]) -> [Float] {
        var state: UInt32 = 7
        return samples.map {
            state = state &* 1_664_525 &+ 1_013_904_223
            return $0 + Float(Int32(bitPattern: state)) / 2_147_483_648 * 0.02
        }
    }

    private func difference(
        _ kind: AudioComparator.Difference.Kind,
        _ count: Int64,
        at delivered: Int64,
        source: Int64
    ) -> AudioComparator.Difference {
        AudioComparator.Difference(kind: kind, count: count, delivered: delivered, source: source)
    }

    @Test func `the same audio has no difference`() throws {
        let comparator = try compare(.same, whole)
        #expect(comparator.differences.isEmpty)
        #expect(comparator.compared == Int64(Self.count))
        #expect(comparator.trailing == 0)
    }

    @Test func `a declared delay and trailing padding are no difference`() throws {
        let noise = [Float](repeating: 0.1, count: 1105)
        let comparator = try compare(.same, noise + whole + noise, lead: 1105)
        #expect(comparator.differences.isEmpty)
        #expect(comparator.compared == Int64(Self.count))
        #expect(comparator.trailing == 1105)
    }

    @Test func `lost audio is missing, to the sample`() throws {
        let comparator = try compare(.same, Array(whole[..<50000] + whole[60240...]))
        #expect(comparator.differences == [difference(.missing, 10240, at: 50000, source: 50000)])
    }

    @Test func `a lost beginning and a lost end are missing`() throws {
        let comparator = try compare(.same, Array(whole[1024..<159_000]))
        #expect(
            comparator.differences == [
                difference(.missing, 1024, at: 0, source: 0),
                difference(.missing, 1000, at: 157_976, source: 159_000),
            ]
        )
    }

    @Test func `duplicated audio is repeated`() throws {
        let comparator = try compare(.same, Array(whole[..<50000] + whole[40000...]))
        #expect(comparator.differences == [difference(.repeated, 10000, at: 50000, source: 50000)])
    }

    @Test func `one altered sample is found`() throws {
        var altered = whole
        altered[70000] += 0.001
        #expect(try compare(.same, altered).differences == [difference(.altered, 1, at: 70000, source: 70000)])
    }

    @Test func `inserted silence is silence, inserted noise is not`() throws {
        let silence = [Float](repeating: 0, count: 3000)
        let silent = try compare(.same, Array(whole[..<50000]) + silence + Array(whole[50000...]))
        #expect(silent.differences == [difference(.silent, 3000, at: 50000, source: 50000)])
        let foreign = [Float](repeating: 0.3, count: 3000)
        let inserted = try compare(.same, Array(whole[..<50000]) + foreign + Array(whole[50000...]))
        #expect(inserted.differences == [difference(.inserted, 3000, at: 50000, source: 50000)])
    }

    @Test func `a silenced section is silent`() throws {
        var altered = whole
        for index in 80000..<82000 { altered[index] = 0 }
        #expect(try compare(.same, altered).differences == [difference(.silent, 2000, at: 80000, source: 80000)])
    }

    @Test func `late audio is shifted`() throws {
        let early = [Float](repeating: 0.01, count: 1024)
        #expect(
            try compare(.same, early + whole).differences == [difference(.shifted, 1024, at: 0, source: 0)]
        )
        let coded = try compare(.alike, early + coded(whole))
        #expect(coded.differences.map(\.kind) == [.shifted])
        #expect(coded.differences.first?.count == 1024)
    }

    @Test func `an undeclared delay is reported, even after initial silence`() throws {
        let silence = [Float](repeating: 0, count: 20000)
        let comparator = try compare(.same, Array(silence.prefix(1024)) + silence + whole, source: silence + whole)
        #expect(comparator.differences.map(\.kind) == [.shifted])
        #expect(comparator.differences.map(\.count) == [1024])
    }

    @Test func `coded audio is similar`() throws {
        let comparator = try compare(.alike, coded(whole))
        #expect(comparator.differences.isEmpty)
        #expect(comparator.alignment.found().isEmpty)
        #expect(comparator.errors.allSatisfy { (0.01...0.2).contains($0.error) })
    }

    @Test(arguments: [-7, -2, 2, 13])
    func `coded audio with a small offset is reported`(samples: Int) throws {
        let silence = [Float](repeating: 0, count: abs(samples))
        let moved: [Float] =
            samples > 0 ? silence + Array(whole.dropLast(samples)) : Array(whole[(-samples)...]) + silence
        let comparator = try compare(.alike, coded(moved))
        // If it is still similar, the fine comparison detects the offset, otherwise the coarse one.
        let kinds: Set<AudioComparator.Difference.Kind> = [.shifted, .missing]
        let coarse = comparator.differences.filter { kinds.contains($0.kind) }.map(\.count)
        let fine = comparator.alignment.found().map(\.samples)
        #expect(fine.first == samples || coarse.first == Int64(abs(samples)))
    }

    @Test func `coded audio with a gap, a repetition, and a silence is reported`() throws {
        let hole = try compare(.alike, coded(Array(whole[..<50000] + whole[60240...])))
        #expect(hole.differences.map(\.kind) == [.missing])
        #expect(hole.differences.first?.count == 10240)
        let repeated = try compare(.alike, coded(Array(whole[..<50000] + whole[40000...])))
        #expect(repeated.differences.map(\.kind) == [.repeated])
        #expect(repeated.differences.first?.count == 10000)
        var silenced = coded(whole)
        for index in 80000..<81500 { silenced[index] *= 0.01 }
        let silent = try compare(.alike, silenced)
        #expect(Set(silent.differences.map(\.kind)) == [.silent])
        #expect((1000...2048).contains(silent.differences.reduce(0) { $0 + $1.count }))
    }

    @Test(arguments: [0, 100, 333, 512, 700, 1000])
    func `a silent frame is reported at any position despite overlap`(shift: Int) throws {
        var silenced = coded(whole)
        // The overlap that an empty AAC frame leaves: the halves of its neighbors.
        for index in 0..<2048 { silenced[80_000 + shift + index] *= Float(abs(cos(Double.pi * Double(index) / 2048))) }
        let silent = try compare(.alike, silenced)
        #expect(Set(silent.differences.map(\.kind)) == [.silent])
        #expect((512...1024).contains(silent.differences.reduce(0) { $0 + $1.count }))
        #expect(silent.differences.allSatisfy { abs($0.delivered + $0.count / 2 - Int64(81_024 + shift)) <= 256 })
    }

    @Test func `audio attenuated briefly by a codec is not silent`() throws {
        var weak = coded(whole)
        for index in 0..<2048 { weak[80_000 + index] *= 0.5 }
        #expect(try compare(.alike, weak).differences.isEmpty)
    }

    @Test func `other audio is not similar`() throws {
        let other = AudioSignal(seed: 78, rate: Self.rate).samples(channel: 0, from: 0, count: Self.count)
        let comparator = try compare(.alike, other.map { Float($0) / 2_147_483_648 })
        #expect(comparator.differences.allSatisfy { $0.kind == .altered })
        #expect(comparator.differences.reduce(0) { $0 + $1.count } > 150_000)
    }
}
