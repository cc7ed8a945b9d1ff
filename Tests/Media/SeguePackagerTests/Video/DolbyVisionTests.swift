import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Dolby Vision` {
    /// A film in HEVC that declares Dolby Vision.
    private static func film(_ vision: DolbyVision, transfer: String, in folder: TestFolder) throws -> String {
        var clip = PaintedClip(codec: "libx265", container: "mp4")
        clip.pixelFormat = "yuv420p10le"
        clip.dolbyVision = vision
        clip.options = ["color_primaries": "bt2020", "color_trc": transfer, "colorspace": "bt2020nc"]
        clip.paint = { plane, _, _, _, _ in plane == 0 ? 400 : 512 }
        return try clip.write(in: folder)
    }

    private static func open(_ path: String, _ device: String) throws -> Presentation {
        try Presentation.open(path: path, for: ShippedDevices.named(device), cancellation: Cancellation())
    }

    @Test func `without a base layer is named as itself`() throws {
        let folder = try TestFolder()
        let vision = DolbyVision(profile: 5, level: 3, compatibility: 0)
        let path = try Self.film(vision, transfer: "smpte2084", in: folder)
        #expect(try MediaInput(path: path).streams[0].dolbyVision == vision)
        let presentation = try Self.open(path, "apple-tv-4k")
        let film = try presentation.rendition(.full, in: .fmp4).tracks[0]
        #expect(film.codecString == "dvh1.05.03" && film.supplementalCodec == nil && film.videoRange == "PQ")
        let head = try presentation.initSegment(.full)
        #expect(head.indices.contains { head[$0...].starts(with: Array("dvh1".utf8)) })
        #expect(head.indices.contains { head[$0...].starts(with: Array("dvcC".utf8)) })
        #expect(try MediaInput(bytes: head, name: "init").streams[0].dolbyVision == vision)
        #expect(presentation.ladder.isEmpty)
    }

    @Test(arguments: ["any", "chromium", "vlc", "iphone-4"])
    func `without a base layer is refused for other players`(device: String) throws {
        let folder = try TestFolder()
        let vision = DolbyVision(profile: 5, level: 3, compatibility: 0)
        let presentation = try Self.open(Self.film(vision, transfer: "smpte2084", in: folder), device)
        let error = try #require(throws: PackagingError.self) {
            try presentation.rendition(.full, in: presentation.containers[0])
        }
        #expect(error.message.contains("Dolby Vision 5") && error.message.contains("no base layer"))
    }

    @Test(arguments: [(1, "smpte2084", "db1p", "PQ"), (4, "arib-std-b67", "db4h", "HLG")])
    func `with a base layer is supplemental`(compatibility: Int, transfer: String, brand: String, range: String) throws
    {
        let folder = try TestFolder()
        let vision = DolbyVision(profile: 8, level: 4, compatibility: compatibility)
        let path = try Self.film(vision, transfer: transfer, in: folder)
        let presentation = try Self.open(path, "iphone")
        let film = try presentation.rendition(.full, in: .fmp4).tracks[0]
        #expect(film.codecString.hasPrefix("hvc1.2.") && film.supplementalCodec == "dvh1.08.04/\(brand)")
        #expect(film.treatment == .copy && film.videoRange == range)
        let head = try presentation.initSegment(.full)
        #expect(head.indices.contains { head[$0...].starts(with: Array("dvvC".utf8)) })
        #expect(head.prefix(64).indices.contains { head[$0...].starts(with: Array(brand.utf8)) })
        // Others get the base layer alone.
        let plain = try Self.open(path, "any")
        let alone = try plain.rendition(.full, in: .fmp4).tracks[0]
        #expect(alone.codecString == film.codecString && alone.supplementalCodec == nil && alone.videoRange == range)
        let plainHead = try plain.initSegment(.full)
        #expect(!plainHead.indices.contains { plainHead[$0...].starts(with: Array("dvvC".utf8)) })
    }
}
