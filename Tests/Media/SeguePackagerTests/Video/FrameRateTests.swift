import SegueBase
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Frame rates` {
    /// The description of a clip's video.
    private static func film(_ clip: Clip) throws -> TrackDescription {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(clip.write(in: folder))
        return try #require(presentation.rendition(.full, in: .fmp4).tracks.first { $0.kind == .video })
    }

    @Test(arguments: ["mp4", "matroska", "mpegts", "flv"], [1, 2])
    func `is the average if even`(container: String, step: Int) throws {
        let film = try Self.film(Clip(seconds: 6, container: container, durations: [step]))
        let rate = Rational(25, Int64(step))
        #expect(film.frameRate == rate && film.greatestFrameRate == rate)
    }

    @Test(arguments: [("mp4", "libx264"), ("matroska", "libx264"), ("mpegts", "libx264"), ("matroska", "mpeg4")])
    func `is the maximum of a second if uneven`(container: String, codec: String) throws {
        // Two seconds with 25 frames each, and four with 6.25.
        let durations = [Int](repeating: 1, count: 50) + [Int](repeating: 4, count: 25)
        var clip = Clip(seconds: 6, container: container, videoCodec: codec, durations: durations)
        clip.bFrames = 0
        let film = try Self.film(clip)
        let average = try #require(film.frameRate).seconds
        #expect(abs(average - 12.5) < 0.5)
        #expect(film.greatestFrameRate == Rational(25))
    }
}
