import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Bitmap subtitles` {
    /// White from 2 s to 4.5 s, and red from 11 s to the end.
    private static let pgs = PGSFile(boxes: [
        (2, .init()), (4.5, nil), (11, .init(colour: [81, 240, 90])),
    ])

    private static func film(
        _ container: String = "matroska",
        pgs: PGSFile = pgs,
        in folder: TestFolder
    ) throws -> Presentation {
        var clip = Clip(container: container, subtitles: [.init(bytes: pgs.bytes, format: "sup")])
        clip.luma = 60
        if container == "mpegts" { clip.muxerOptions = ["mpegts_m2ts_mode": "1"] }
        return try PresentationTests.open(clip.write(in: folder))
    }

    private static func burned(_ presentation: Presentation) throws -> Rendition {
        .full.burning(try #require(presentation.burnableSubtitles.first?.index))
    }

    /// The luma, or the Cr of red, in the middle of the box.
    private static func sample(_ frame: Look, plane: Int = 0) -> Int { frame.sample(plane, at: 0.5, 0.75) }

    @Test(arguments: ["matroska", "mpegts"], SegmentContainer.allCases)
    func `are in the frames of their time`(source: String, container: SegmentContainer) throws {
        let folder = try TestFolder()
        let presentation = try Self.film(source, in: folder)
        let rendition = try Self.burned(presentation)
        let bytes = try PresentationTests.whole(presentation, rendition: rendition, container: container)
        let (_, frames) = try Look.frames(in: MediaInput(bytes: bytes, name: "delivered"))
        #expect(frames.count == 13 * 25)
        for (number, frame) in frames.enumerated() {
            let isWhite = (50..<113).contains(number)
            let isRed = number >= 275
            #expect((Self.sample(frame) > 200) == isWhite, "frame \(number)")
            #expect((Self.sample(frame, plane: 2) > 200) == isRed, "frame \(number)")
            // The canvas of 128 by 96 pixels covers the frame of 64 by 48.
            #expect(abs(frame[0, 32, 28] - 60) < 12 && abs(frame[0, 8, 36] - 60) < 12, "frame \(number)")
        }
    }

    @Test(arguments: ["matroska", "mpegts"])
    func `are the same in a segment that is made first`(source: String) throws {
        let folder = try TestFolder()
        let presentation = try Self.film(source, in: folder)
        let rendition = try Self.burned(presentation)
        let make = { (presentation: Presentation, number: Int) in
            try presentation.segment(number, of: rendition, in: .ts, cancellation: Cancellation())
        }
        let inOrder = try presentation.plan.segments.map { try make(presentation, $0.number) }
        // The caption of the last segment begins in the one before.
        #expect(try make(Self.film(source, in: folder), inOrder.count - 1) == inOrder.last)
    }

    @Test func `leave other renditions as they are`() throws {
        let folder = try TestFolder()
        let presentation = try Self.film(in: folder)
        let plain = try presentation.rendition(.full, in: .fmp4)
        #expect(plain.tracks.map(\.treatment) == [.copy, .copy])
        let burned = try presentation.rendition(Self.burned(presentation), in: .fmp4)
        #expect(burned.tracks[0].reason == "the subtitles of stream 2 are drawn into the video")
        #expect(burned.tracks[1].treatment == .copy)
        #expect(burned.extent.segmentCount == plain.extent.segmentCount)
        let background = try presentation.rendition(.background, in: .fmp4)
        #expect(try presentation.rendition(.background.burning(2), in: .fmp4) == background)
    }

    @Test func `without such a stream, the rendition does not exist`() throws {
        let folder = try TestFolder()
        let presentation = try Self.film(in: folder)
        for stream in [0, 1, 99] {
            #expect(throws: PackagingError.self) {
                _ = try presentation.rendition(.full.burning(stream), in: .fmp4)
            }
        }
    }

    @Test func `half transparent, mix with the picture`() throws {
        let folder = try TestFolder()
        let presentation = try Self.film(pgs: PGSFile(boxes: [(0, .init(alpha: 128))]), in: folder)
        let bytes = try PresentationTests.whole(presentation, rendition: Self.burned(presentation), container: .ts)
        let frame = try #require(Look.frames(in: MediaInput(bytes: bytes, name: "delivered")).frames.first)
        // 60 + (235 - 60) * 128 / 255 = 148
        #expect(abs(Self.sample(frame) - 148) < 6)
    }

    @Test(arguments: [
        // A canvas of the source's size is stretched with its pixels.
        (
            (720, 576), (720, 576), (1024, 576), (72, 500, 144, 48),
            OverlayArea(x: 102.4, y: 500, width: 204.8, height: 48)
        ),
        // Bars above and below were cut off: the canvas keeps its width, and a line on the lower bar moves up.
        (
            (1920, 1080), (1920, 800), (1920, 800), (800, 1000, 320, 60),
            OverlayArea(x: 800, y: 740, width: 320, height: 60)
        ),
        ((1920, 1080), (1920, 800), (1920, 800), (800, 20, 320, 60), OverlayArea(x: 800, y: 0, width: 320, height: 60)),
        (
            (1920, 1080), (1920, 800), (1920, 800), (800, 540, 320, 60),
            OverlayArea(x: 800, y: 400, width: 320, height: 60)
        ),
        // A smaller rung.
        (
            (1920, 1080), (1920, 1080), (640, 360), (300, 900, 600, 90),
            OverlayArea(x: 100, y: 300, width: 200, height: 30)
        ),
    ])
    func `stand where the source has them`(
        canvas: (Int, Int),
        source: (Int, Int),
        picture: (Int, Int),
        image: (Int, Int, Int, Int),
        area: OverlayArea
    ) {
        let placement = SubtitlePlacement(
            canvas: (canvas.0, canvas.1),
            source: (source.0, source.1),
            picture: (picture.0, picture.1)
        )
        let (x, y, width, height) = image
        let pixels = [UInt32](repeating: 0, count: width * height)
        let found = placement.area(of: SubtitleImage(x: x, y: y, width: width, height: height, pixels: pixels))
        let errors = [found.x - area.x, found.y - area.y, found.width - area.width, found.height - area.height]
        #expect(errors.allSatisfy { abs($0) < 0.001 })
    }
}
