import Testing

@testable import SeguePackager

@Suite struct `Coded pieces` {
    private typealias Pieces = CodedPieces<AudioStretch, [UInt8]>

    private func pieces(limit: Int) -> Pieces { Pieces(limit: limit) { $0.count } }

    /// True if frames are made when they are requested.
    private func made(_ sounds: Pieces, _ frames: Range<Int>, of stream: Int = 1, bytes: Int = 10) -> Bool {
        var isMade = false
        let result = sounds.pieces(of: AudioStretch(stream: stream, frames: frames)) {
            isMade = true
            return [[UInt8](repeating: UInt8(stream), count: bytes)]
        }
        #expect(result == [[UInt8](repeating: UInt8(stream), count: bytes)])
        return isMade
    }

    @Test func `the same frames of the same stream are made once`() {
        let sounds = pieces(limit: 100)
        #expect(made(sounds, 0..<5))
        #expect(!made(sounds, 0..<5))
        #expect(made(sounds, 0..<5, of: 2))
        #expect(made(sounds, 0..<6))
    }

    @Test func `what was made first goes where there is no room`() {
        let sounds = pieces(limit: 25)
        #expect(made(sounds, 0..<1))
        #expect(made(sounds, 1..<2))
        #expect(made(sounds, 2..<3))
        #expect(!made(sounds, 1..<2))
        #expect(made(sounds, 0..<1))
        #expect(made(sounds, 1..<2))
    }

    @Test func `what is too large, or not to be kept at all, is made each time`() {
        let large = pieces(limit: 25)
        #expect(made(large, 0..<1, bytes: 26))
        #expect(made(large, 0..<1, bytes: 26))
        let none = pieces(limit: 0)
        #expect(made(none, 0..<1))
        #expect(made(none, 0..<1))
    }

    @Test func `what could not be made is made again`() throws {
        struct Failure: Error {}
        let sounds = pieces(limit: 100)
        #expect(throws: Failure.self) {
            try sounds.pieces(of: AudioStretch(stream: 1, frames: 0..<1)) { throw Failure() }
        }
        #expect(made(sounds, 0..<1))
    }
}
