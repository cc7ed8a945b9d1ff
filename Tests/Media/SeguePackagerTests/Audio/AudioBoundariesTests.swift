import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Borders of transcoded audio` {
    @Test(arguments: [true, false])
    func `the error at boundaries is not higher than inside segments`(isNoise: Bool) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 40, container: "matroska", videoCodec: nil, audioCodec: "flac")
        clip.isNoise = isNoise
        let path = try clip.write(in: folder)
        let found = try AudioBoundaries.measure(path: path, piece: 97, cancellation: Cancellation())
        #expect(found.border.blocks >= 30 && found.inside.blocks > 1000)
        #expect(found.inside.mean > 0)
        #expect(found.border.mean <= found.inside.percentile95)
        #expect(found.border.mean <= found.inside.mean * 1.1)
        // Each piece equals the corresponding part of one continuous encode, bit for bit.
        #expect(found.border == found.unbroken && found.worsened == 0 && found.worstRatio == 1)
        // More preroll changes nothing: the encoder's state has converged.
        let longer = try AudioBoundaries.measure(path: path, preroll: 64, piece: 97, cancellation: Cancellation())
        #expect(abs(found.border.mean - longer.border.mean) <= longer.border.mean * 0.01)
    }

    @Test func `without preroll, a piece has an error at its boundary`() throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 20, container: "matroska", videoCodec: nil, audioCodec: "flac")
        let path = try clip.write(in: folder)
        let found = try AudioBoundaries.measure(path: path, preroll: 0, piece: 97, cancellation: Cancellation())
        #expect(found.border.mean > found.inside.percentile95 * 3)
        #expect(found.worsened > 0 && found.worstRatio > 3)
    }
}
