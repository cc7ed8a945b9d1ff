import Testing

@testable import SegueVerification

@Suite struct PieceReadingTests {
    typealias Piece = PieceReading.Piece
    typealias Kind = PieceReading.Edit.Kind

    /// The edits of pieces given as delivered starts, ends, and source positions.
    private func edits(_ pieces: [(Double, Double, Double)], delivered: Double, source: Double) -> [PieceReading.Edit] {
        let pieces = pieces.map { Piece(delivered: $0.0..<$0.1, source: $0.2..<$0.2 + $0.1 - $0.0) }
        return PieceReading.edits(pieces, delivered: delivered, source: source, slack: 0.012)
    }

    @Test func `complete content in order has no edits`() {
        #expect(edits([(0, 40, 0)], delivered: 40, source: 40).isEmpty)
        #expect(edits([(0.02, 12, 0), (12.005, 40, 11.985)], delivered: 40, source: 39.98).map(\.kind) == [.altered])
    }

    @Test(arguments: [
        ([(0.0, 18.0, 0.0), (18, 38, 20)], 38.0, Kind.missing, 2.0, 18.0),
        ([(0, 18, 0), (18, 42, 16)], 42, .repeated, 2, 18),
        ([(0, 20, 0), (20.08, 40.08, 20)], 40.08, .inserted, 0.08, 20),
        ([(0, 20, 0), (24, 40, 24)], 40, .altered, 4, 20),
        ([(0, 33.5, 6.5)], 33.5, .missingHead, 6.5, 0),
        ([(0, 32, 0)], 32, .missingTail, 8, 32),
        ([(0, 40, 0)], 43, .overhang, 3, 40),
    ])
    func `an edit is reported with size and position`(
        pieces: [(Double, Double, Double)],
        delivered: Double,
        kind: Kind,
        size: Double,
        place: Double
    ) throws {
        let found = edits(pieces, delivered: delivered, source: 40)
        #expect(found.map(\.kind) == [kind])
        let edit = try #require(found.first)
        #expect(abs(edit.size - size) < 1e-9)
        #expect(edit.delivered == place)
    }

    @Test func `two swapped segments are one edit`() {
        let found = edits([(0, 12, 0), (12, 16, 16), (16, 20, 12), (20, 40, 20)], delivered: 40, source: 40)
        #expect(found.map(\.kind) == [.exchanged(4)])
        #expect(found.first?.delivered == 12)
    }

    @Test func `a first segment replaced by the second is missing, and the second repeated`() {
        let found = edits([(0, 4, 4), (4, 40, 4)], delivered: 40, source: 40)
        #expect(found.map(\.kind) == [.missingHead, .repeated])
        #expect(found.map(\.size) == [4, 4])
    }
}

@Suite struct OffsetReadingTests {
    private func steps(_ offsets: [Double]) -> [OffsetReading.Step] {
        let values = offsets.enumerated().map { (time: Double($0) / 2, offset: $1) }
        return OffsetReading.steps(values, allowed: 0.05, step: 0.012)
    }

    @Test func `an encoder delay or a single value is no step`() {
        #expect(steps([Double](repeating: 0.021, count: 20)).isEmpty)
        #expect(steps([0, 0, 0, 0.3, 0, 0, 0, 0, 0, 0]).isEmpty)
    }

    @Test func `audio that is late from the start is reported once`() {
        #expect(steps([Double](repeating: 0.08, count: 20)) == [OffsetReading.Step(value: 0, offset: 0.08)])
    }

    @Test func `audio that is late from a position on is reported with it`() {
        let found = steps([Double](repeating: 0, count: 10) + [Double](repeating: -0.7, count: 10))
        #expect(found == [OffsetReading.Step(value: 10, offset: -0.7)])
    }

    @Test func `drifting audio is reported with its rate`() throws {
        let found = steps((0..<80).map { Double($0) / 2 * 0.001 })
        let drift = try #require(found.first?.drift)
        #expect(found.count == 1)
        #expect(abs(drift - 0.0395) < 1e-9)
        #expect(abs(found[0].offset - 0.001) < 1e-9)
    }
}
