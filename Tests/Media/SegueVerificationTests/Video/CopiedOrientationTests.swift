import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SegueVerification

@Suite struct `A verified film that was copied` {
    private static let recipe = """
        recipes:
          - file: turned.mp4
            about: A film on its side.
            format: mp4
            duration: 8
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, rotation: 90, options: {preset: ultrafast}}
        """

    @Test(arguments: [true, false]) func `has the source's orientation`(isKept: Bool) throws {
        let folder = try TestFolder()
        let path = try MediaMaker(recipes: RecipeReader.parse(Self.recipe, file: "test"))
            .make("turned.mp4", into: folder.path)
        var device = DeviceProfile.any
        (device.name, device.orientation) = ("turning", .rotationAndMirror)
        let presentation = try Presentation.open(path: path, for: device, cancellation: Cancellation())
        var head = try presentation.initSegment(.full)
        if !isKept {
            // The matrix follows the flags, two dates, track ID, duration, layer, group, and volume.
            let box = try #require(head.indices.first { head[$0...].starts(with: Array("tkhd".utf8)) })
            let upright: [UInt8] = [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12) + [0, 1, 0, 0]
            head.replaceSubrange(box + 44..<box + 64, with: upright)
        }
        let delivery = try Delivery.whole(of: presentation, in: .fmp4, head: head).delivery
        let found = try Verifier.verify(source: path, delivery: delivery).differences
        #expect(found.contains { $0.rule == .picturesAltered } != isKept)
        #expect(!isKept || found == [])
    }

    @Test func `shows its frame numbers also if coded upright`() throws {
        let folder = try TestFolder()
        let path = try MediaMaker(recipes: RecipeReader.parse(Self.recipe, file: "test"))
            .make("turned.mp4", into: folder.path)
        let presentation = try Presentation.open(path: path, cancellation: Cancellation())
        #expect(try presentation.rendition(.full, in: .ts).tracks.first?.treatment != .copy)
        let delivery = try Delivery.whole(of: presentation, in: .ts).delivery
        #expect(try Verifier.verify(source: path, delivery: delivery).differences == [])
    }
}
