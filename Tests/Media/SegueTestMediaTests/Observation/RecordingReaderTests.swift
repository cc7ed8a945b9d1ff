import Foundation
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Testing

@Suite struct `A recording that is read` {
    /// A video as its own recording: every frame and sample is at its place.
    @Test(
        arguments: [
            ("mp4", "h264-aac", "libx264", "aac", 44100, ", options: {preset: ultrafast}", nil),
            ("matroska", "mjpeg-pcm", "mjpeg", "pcm_s16le", 48000, ", pixels: yuvj420p, bitrate: 1500000, mark: 5", 5),
        ] as [(String, String, String, String, Int, String, Int?)]
    )
    func `is accurate to half a frame and a millisecond of audio`(
        format: String,
        name: String,
        video: String,
        audio: String,
        rate: Int,
        more: String,
        mark: Int?
    ) throws {
        let recipe = """
            recipes:
              - file: \(name)
                about: A film.
                format: \(format)
                duration: 4
                video: {codec: \(video), rate: 25, interval: 50\(more)}
                audio: [{codec: \(audio), rate: \(rate)}]
            """
        let folder = try TestFolder()
        let recipes = try RecipeReader.parse(recipe, file: "test")
        let path = try MediaMaker(recipes: recipes).make(name, into: folder.path)
        let candidates = SyntheticTruth.all(of: recipes).map {
            RecordingReader.Candidate(name: $0.name, piece: $0.piece)
        }
        var reader = RecordingReader(of: candidates)
        let observation = Observation(of: try reader.read(MediaInput(path: path)))
        #expect(observation.breaks.isEmpty)
        let video = try #require(observation.video.first)
        #expect((video.seen, video.dropped, video.repeated) == (100, 0, 0))
        #expect(abs(video.start) < 0.001 && abs(video.end - 4) < 0.001)
        #expect(video.variants.map(\.mark) == [mark].compactMap { $0 })
        #expect(video.variants.allSatisfy { $0.seen == 100 && $0.start < 0.001 && $0.source == 0 })
        let heard = try #require(observation.audio.first)
        #expect(abs(heard.start) < 0.001 && abs(heard.end - 4) < 0.001)
        #expect(abs(heard.source - heard.start) < 0.001)
        let offset = try #require(video.audioOffset)
        #expect(abs(offset.median) <= offset.error + 1)
    }
}
