import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Sizes of transcoded frames` {
    /// Only the first of 86 seconds has noise, which takes 50% more bytes than a tone.
    @Test func `find the single largest segment`() throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 86, container: "flac", videoCodec: nil, audioCodec: "flac", noisySeconds: 0..<1)
        let path = try clip.write(in: folder)
        let pool = InputPool(path: path)
        let index = try Indexing(path: path, cancellation: Cancellation(), pool: pool).run().index
        let audio = try #require(index.streams.values.first)
        let reader = PacketReader(file: path, index: index, pool: pool, cancellation: Cancellation())
        let encoder = AudioTranscoder(index: audio, map: try AudioMap.make(audio, reader: reader), reader: reader)
        let segments = (0..<84).map { $0 * 44..<($0 + 1) * 44 }
        let sizes = try encoder.frameSizes(of: segments, make: encoder.frames)
        let reckoned = segments.map { $0.reduce(0) { $0 + sizes.size(of: $1) } }
        let made = try [0, 40].map { try encoder.frames(segments[$0]).reduce(0) { $0 + $1.count } }
        try #require(5 * made[0] > 7 * made[1])
        #expect(reckoned[0] == made[0])
        #expect(reckoned.max() == made[0])
        #expect(abs(Double(reckoned[40]) / Double(made[1]) - 1) < 0.1)
    }
}
