import Testing

@testable import SeguePackager

@Suite struct `Coded pieces` {
    private typealias Pieces = CodedPieces<AudioStretch, [UInt8]>

    private func pieces(limit: Int) -> Pieces { Pieces(limit: limit) { $0.count } }

    /// True if the frames are made instead of found in the cache.
    private func made(_ audioTracks: Pieces, _ frames: Range<Int>, of stream: Int = 1, bytes: Int = 10) -> Bool {
        var isMade = false
        let result = audioTracks.pieces(of: AudioStretch(stream: stream, frames: frames)) {
            isMade = true
            return [[UInt8](repeating: UInt8(stream), count: bytes)]
        }
        #expect(result == [[UInt8](repeating: UInt8(stream), count: bytes)])
        return isMade
    }

    @Test func `the same frames of the same stream are made once`() {
        let audioTracks = pieces(limit: 100)
        #expect(made(audioTracks, 0..<5))
        #expect(!made(audioTracks, 0..<5))
        #expect(made(audioTracks, 0..<5, of: 2))
        #expect(made(audioTracks, 0..<6))
    }

    @Test func `the oldest piece is evicted first`() {
        let audioTracks = pieces(limit: 25)
        #expect(made(audioTracks, 0..<1))
        #expect(made(audioTracks, 1..<2))
        #expect(made(audioTracks, 2..<3))
        #expect(!made(audioTracks, 1..<2))
        #expect(made(audioTracks, 0..<1))
        #expect(made(audioTracks, 1..<2))
    }

    @Test func `a piece that is too large is made each time`() {
        let large = pieces(limit: 25)
        #expect(made(large, 0..<1, bytes: 26))
        #expect(made(large, 0..<1, bytes: 26))
        let none = pieces(limit: 0)
        #expect(made(none, 0..<1))
        #expect(made(none, 0..<1))
    }

    @Test func `a failed piece is made again`() throws {
        struct Failure: Error {}
        let audioTracks = pieces(limit: 100)
        #expect(throws: Failure.self) {
            try audioTracks.pieces(of: AudioStretch(stream: 1, frames: 0..<1)) { throw Failure() }
        }
        #expect(made(audioTracks, 0..<1))
    }
}
