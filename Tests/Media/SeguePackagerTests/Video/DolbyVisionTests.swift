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

    @Test func `of two layers is delivered as its base layer, and says so`() throws {
        let folder = try TestFolder()
        let vision = DolbyVision(profile: 7, level: 6, compatibility: 6, hasEnhancementLayer: true)
        let path = try Self.film(vision, transfer: "smpte2084", in: folder)
        for device in ["any", "apple-tv-4k"] {
            let presentation = try Self.open(path, device)
            let film = try presentation.rendition(.full, in: .fmp4).tracks[0]
            #expect(film.treatment == .copy && film.codecString.hasPrefix("hvc1.2."))
            #expect(film.supplementalCodec == nil && film.videoRange == "PQ")
            #expect(
                film.dynamicRange
                    == "HDR10, the base layer of Dolby Vision 7, whose enhancement layer and metadata stay "
                    + "in the samples"
            )
            #expect(film.reason == film.dynamicRange)
            let head = try presentation.initSegment(.full)
            #expect(
                !head.indices.contains {
                    ["dvcC", "dvvC", "dvwC"].map { Array($0.utf8) }.contains(Array(head[$0...].prefix(4)))
                }
            )
        }
    }

    @Test(arguments: [
        (8, 1, "smpte2084", "Dolby Vision 8.1 with the base layer HDR10"),
        (8, 4, "arib-std-b67", "Dolby Vision 8.4 with the base layer HLG"), (5, 0, "smpte2084", "Dolby Vision 5"),
    ])
    func `that a device plays is named`(profile: Int, compatibility: Int, transfer: String, words: String) throws {
        let folder = try TestFolder()
        let vision = DolbyVision(profile: profile, level: 4, compatibility: compatibility)
        let film = try Self.open(Self.film(vision, transfer: transfer, in: folder), "iphone")
        #expect(try film.rendition(.full, in: .fmp4).tracks[0].dynamicRange == words)
    }
}

@Suite struct `Dynamic metadata of HDR10+` {
    /// A prefix SEI message with 16 bytes of ITU-T T.35 (H.265, D.2.6), as a unit with its length.
    private static let message: [UInt8] =
        [0, 0, 0, 21, 0x4E, 0x01, 4, 16, 0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04] + [UInt8](repeating: 0x55, count: 10) + [
            0x80
        ]

    @Test(arguments: [true, false])
    func `stay in copied samples and are named`(hasMessage: Bool) throws {
        let folder = try TestFolder()
        var clip = PaintedClip(codec: "libx265", container: "mp4")
        clip.pixelFormat = "yuv420p10le"
        clip.options = ["color_primaries": "bt2020", "color_trc": "smpte2084", "colorspace": "bt2020nc"]
        clip.paint = { plane, _, _, _, _ in plane == 0 ? 400 : 512 }
        let input = try MediaInput(path: clip.write(in: folder))
        let path = folder.file("dynamic.mp4")
        let muxer = try Muxer(format: "mp4", path: path)
        try muxer.addStream(
            input.streams[0].parameters.with(codecTag: 0),
            timeBase: input.streams[0].timeBase
        )
        let packet = Packet()
        while try input.read(into: packet) {
            let copy = Packet(bytes: (hasMessage ? Self.message : []) + packet.bytes)
            (copy.pts, copy.dts, copy.duration, copy.isKey) = (packet.pts, packet.dts, packet.duration, packet.isKey)
            try muxer.write(copy, stream: 0)
        }
        try muxer.finish()
        let presentation = try PresentationTests.open(path)
        let film = try presentation.rendition(.full, in: .fmp4).tracks[0]
        #expect(film.treatment == .copy && film.videoRange == "PQ")
        #expect(film.dynamicRange == (hasMessage ? "HDR10+, whose metadata stay in the samples" : "HDR10"))
        let bytes = try presentation.segment(0, of: .full, in: .fmp4, cancellation: Cancellation())
        let count = bytes.indices.dropLast(6).count { bytes[$0..<$0 + 6].elementsEqual(Self.message[8..<14]) }
        #expect(count == (hasMessage ? 25 : 0))
    }
}
