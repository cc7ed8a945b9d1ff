import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

/// The eight transforms by right angles: the directions of a frame's rows and columns, as in a display matrix.
private let transforms: [[Int32]] = [
    [1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0],
    [-1, 0, 0, 1], [0, -1, -1, 0], [1, 0, 0, -1], [0, 1, 1, 0],
]

@Suite struct `Video with a display matrix` {
    /// A film with a bright upper left quarter; the matrix has these rows.
    private static func film(_ rows: [Int32], container: String = "mov", in folder: TestFolder) throws -> String {
        var clip = PaintedClip(codec: "libx264", container: container)
        clip.seconds = 2
        let one: Int32 = 1 << 16
        clip.displayMatrix = [rows[0] * one, rows[1] * one, 0, rows[2] * one, rows[3] * one, 0, 0, 0, 1 << 30]
        clip.paint = { plane, x, y, size, _ in
            plane > 0 ? 128 : x < size.width / 2 && y < size.height / 2 ? 200 : 50
        }
        return try clip.write(in: folder)
    }

    /// The displayed corner of the bright quarter: right, and down.
    private static func corner(_ rows: [Int32]) -> (Bool, Bool) {
        // The quarter's center is at (-1, -1) from the middle.
        (-rows[0] - rows[2] > 0, -rows[1] - rows[3] > 0)
    }

    private static func isBright(_ look: Look, right: Bool, down: Bool) -> Bool {
        look.sample(0, at: right ? 0.75 : 0.25, down ? 0.75 : 0.25) > 150
    }

    private static func open(_ path: String, for device: DeviceProfile = .any) throws -> Presentation {
        try Presentation.open(path: path, for: device, cancellation: Cancellation())
    }

    @Test(arguments: transforms, SegmentContainer.allCases)
    func `is coded upright for any player`(rows: [Int32], container: SegmentContainer) throws {
        let folder = try TestFolder()
        let presentation = try Self.open(Self.film(rows, in: folder))
        let isOnItsSide = rows[0] == 0
        for rendition in [Rendition.full, .keyframes] {
            let film = try #require(presentation.rendition(rendition, in: container).tracks.first)
            #expect((film.width, film.height) == (isOnItsSide ? (64, 96) : (96, 64)))
            #expect(film.turn == nil && (film.treatment == .copy) == (rows == transforms[0]))
            let bytes = try PresentationTests.whole(presentation, rendition: rendition, container: container)
            let (stream, frames) = try Look.frames(in: MediaInput(bytes: bytes, name: "delivered"))
            #expect(stream.turn.isUpright && stream.width == film.width && stream.height == film.height)
            let frame = try #require(frames.last)
            let (right, down) = Self.corner(rows)
            #expect(Self.isBright(frame, right: right, down: down))
            #expect(!Self.isBright(frame, right: !right, down: down))
            #expect(!Self.isBright(frame, right: right, down: !down))
        }
    }

    @Test(arguments: transforms.dropFirst())
    func `is copied with its matrix for a player that applies it`(rows: [Int32]) throws {
        let folder = try TestFolder()
        let path = try Self.film(rows, in: folder)
        let presentation = try Self.open(path, for: ShippedDevices.named("chromium"))
        #expect(presentation.containers == [.fmp4])
        let film = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
        let turn = try MediaInput(path: path).streams[0].turn
        #expect(film.treatment == .copy && film.turn == turn)
        #expect(film.reason == "the player shows it \(turn.words)")
        #expect((film.width, film.height) == (rows[0] == 0 ? (64, 96) : (96, 64)))
        let bytes = try presentation.initSegment(.full)
        #expect(try MediaInput(bytes: bytes, name: "init").streams[0].turn == turn)
    }

    @Test func `is transcoded for a player that only rotates, if it is mirrored`() throws {
        let folder = try TestFolder()
        var device = try ShippedDevices.named("chromium")
        (device.name, device.orientation) = ("half", .rotation)
        for (rows, isCopied) in [(transforms[1], true), (transforms[5], false)] {
            let presentation = try Self.open(Self.film(rows, in: folder), for: device)
            let film = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
            #expect((film.treatment == .copy) == isCopied)
        }
    }

    @Test func `is transcoded for transport streams, with the reason`() throws {
        let folder = try TestFolder()
        let presentation = try Presentation.open(
            path: Self.film(transforms[1], in: folder),
            for: ShippedDevices.named("chromium"),
            in: .ts,
            cancellation: Cancellation()
        )
        let film = try #require(presentation.rendition(.full, in: .ts).tracks.first)
        #expect(film.reason == "the video must be rotated by 90 degrees for display, which ts segments cannot declare")
    }

    @Test(arguments: transforms) func `has an upright thumbnail`(rows: [Int32]) throws {
        let folder = try TestFolder()
        let jpeg = try Thumbnail.jpeg(
            ofFilm: Self.film(rows, in: folder),
            width: 96,
            cancellation: Cancellation()
        )
        let frame = try #require(try Look.frames(in: MediaInput(bytes: jpeg, name: "thumbnail")).frames.first)
        #expect((frame.frame.width < frame.frame.height) == (rows[0] == 0))
        let (right, down) = Self.corner(rows)
        #expect(Self.isBright(frame, right: right, down: down) && !Self.isBright(frame, right: !right, down: down))
    }
}
