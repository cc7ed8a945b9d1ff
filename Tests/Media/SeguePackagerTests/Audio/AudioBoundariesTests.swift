import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Borders of transcoded sound` {
    @Test(arguments: [true, false])
    func `the error at borders is none that segments do not have inside`(isNoise: Bool) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 40, container: "matroska", videoCodec: nil, audioCodec: "flac")
        clip.isNoise = isNoise
        let path = try clip.write(in: folder)
        let found = try AudioBoundaries.measure(path: path, piece: 97, cancellation: Cancellation())
        #expect(found.border.blocks >= 30 && found.inside.blocks > 1000)
        #expect(found.inside.mean > 0)
        #expect(found.border.mean <= found.inside.percentile95)
        #expect(found.border.mean <= found.inside.mean * 1.1)
        // Each piece holds what coding the whole in one piece gives there, bit for bit.
        #expect(found.border == found.unbroken && found.worsened == 0 && found.worstRatio == 1)
        // More frames before each piece change nothing: the encoder no longer knows where it began.
        let longer = try AudioBoundaries.measure(path: path, preroll: 64, piece: 97, cancellation: Cancellation())
        #expect(abs(found.border.mean - longer.border.mean) <= longer.border.mean * 0.01)
    }

    @Test func `without frames before a piece there is an error at its border`() throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 20, container: "matroska", videoCodec: nil, audioCodec: "flac")
        let path = try clip.write(in: folder)
        let found = try AudioBoundaries.measure(path: path, preroll: 0, piece: 97, cancellation: Cancellation())
        #expect(found.border.mean > found.inside.percentile95 * 3)
        #expect(found.worsened > 0 && found.worstRatio > 3)
    }
}
