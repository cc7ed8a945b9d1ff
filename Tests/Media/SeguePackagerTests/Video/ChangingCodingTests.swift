import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A film whose coding changes on the way` {
    /// A film with a part of each size, and a keyframe at its beginning.
    private static func film(
        _ sizes: [(Int, Int)],
        codec: String = "libx264",
        container: String = "mpegts",
        in folder: TestFolder
    ) throws -> String {
        var clip = PaintedClip(codec: codec, container: container)
        clip.sizes = sizes.map { (width: $0.0, height: $0.1) }
        clip.seconds = 4
        clip.hasGlobalHeader = false
        clip.paint = { plane, _, _, _, _ in plane == 0 ? 180 : 128 }
        return try clip.write(in: folder)
    }

    @Test(arguments: ["libx264", "libx265"], SegmentContainer.allCases)
    func `has one size`(codec: String, container: SegmentContainer) throws {
        let folder = try TestFolder()
        let path = try Self.film([(96, 64), (128, 64)], codec: codec, in: folder)
        let presentation = try PresentationTests.open(path)
        let film = try #require(presentation.rendition(.full, in: container).tracks.first)
        #expect(film.reason == "the video changes its coding at 4 s")
        #expect((film.width, film.height) == (96, 64))
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: container)
        let frames = try Look.frames(in: MediaInput(bytes: bytes, name: "delivered")).frames
        #expect(frames.count == 200 && frames.allSatisfy { $0.frame.width == 96 && $0.frame.height == 64 })
        let (first, last) = (try #require(frames.first), try #require(frames.last))
        // The second part is 96 x 48, in the middle.
        #expect(first.sample(0, at: 0.5, 0.03) > 150 && last.sample(0, at: 0.5, 0.03) < 40)
        #expect(last.sample(0, at: 0.5, 0.5) > 150 && last.sample(0, at: 0.02, 0.5) > 150)
    }

    @Test func `is copied if only repeated parameter sets follow`() throws {
        let folder = try TestFolder()
        let path = try Self.film([(96, 64), (96, 64)], in: folder)
        #expect(try PresentationTests.open(path).rendition(.full, in: .ts).tracks[0].treatment == .copy)
    }

    @Test(arguments: SegmentContainer.allCases)
    func `has one size if a movie has two sample entries`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        let parts = try [(96, 64), (128, 64)].map { size in
            var clip = PaintedClip(codec: "libx264", container: "mp4")
            clip.sizes = [(width: size.0, height: size.1)]
            clip.seconds = 4
            clip.options = ["bf": "0"]
            clip.paint = { plane, _, _, _, _ in plane == 0 ? 180 : 128 }
            return try MovieBoxes([UInt8](Data(contentsOf: URL(fileURLWithPath: clip.write(in: folder)))))
        }
        var movie = parts[0]
        movie.append(parts[1])
        let presentation = try PresentationTests.open(folder.write(movie.bytes, to: "two.mp4"))
        let film = try #require(presentation.rendition(.full, in: container).tracks.first)
        #expect(film.reason == "the video changes its coding at 4 s")
        #expect((film.width, film.height) == (96, 64))
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: container)
        let frames = try Look.frames(in: MediaInput(bytes: bytes, name: "delivered")).frames
        #expect(frames.count == 200 && frames.allSatisfy { $0.frame.width == 96 && $0.frame.height == 64 })
        // All of the second part is decoded with its own parameter sets: 96 x 48, in the middle.
        for frame in frames.dropFirst(100) {
            #expect(frame.sample(0, at: 0.5, 0.03) < 40 && frame.sample(0, at: 0.5, 0.5) > 150)
        }
    }

    @Test func `is found in Matroska by the parameter sets in its frames`() throws {
        let folder = try TestFolder()
        let input = try MediaInput(path: Self.film([(96, 64), (128, 64)], in: folder))
        let path = folder.file("changing.mkv")
        let muxer = try Muxer(format: "matroska", path: path)
        try muxer.addStream(input.streams[0].parameters, timeBase: input.streams[0].timeBase)
        let packet = Packet()
        while try input.read(into: packet) { try muxer.write(packet, stream: 0) }
        try muxer.finish()
        let film = try PresentationTests.open(path).rendition(.full, in: .fmp4).tracks[0]
        #expect(film.reason == "the video changes its coding at 4 s")
    }
}
