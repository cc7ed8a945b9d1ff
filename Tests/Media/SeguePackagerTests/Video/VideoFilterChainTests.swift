import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Pictures on their way to the encoder` {
    /// What a clip looks like when it is delivered.
    static func delivered(_ clip: PaintedClip) throws -> (stream: StreamInfo, pictures: [Look]) {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(clip.write(in: folder))
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: .fmp4)
        let film = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
        let result = try Look.pictures(in: MediaInput(bytes: bytes, name: "delivered"))
        #expect(result.stream.width == film.width && result.stream.height == film.height)
        #expect(result.stream.pixelFormat == "yuv420p")
        #expect(result.stream.displayMatrix == nil)
        return result
    }

    @Test(arguments: [8.0, 15, 30, 34, 51])
    func `are announced alike in every quality, since one configuration serves all segments`(quality: Double) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(PaintedClip(codec: "mpeg4", container: "mov").write(in: folder))
        let settings = try #require(presentation.tracks.playableVideo?.transcoded?.settings)
        let usual = try settings.open().parameters.extradata
        #expect(try !usual.isEmpty && settings.open(quality: quality).parameters.extradata == usual)
    }

    // The rows of a matrix: where the frame's rows run, and its columns.
    @Test(arguments: [
        ([1, 0, 0, 1], 0, false), ([0, 1, -1, 0], 1, false), ([-1, 0, 0, -1], 2, false), ([0, -1, 1, 0], 3, false),
        ([-1, 0, 0, 1], 0, true), ([0, -1, -1, 0], 1, true), ([1, 0, 0, -1], 2, true), ([0, 1, 1, 0], 3, true),
    ])
    func `are turned as the matrix says`(rows: [Int32], quarters: Int, isMirrored: Bool) {
        let one: Int32 = 65536
        let matrix = [rows[0] * one, rows[1] * one, 0, rows[2] * one, rows[3] * one, 0, 0, 0, 1 << 30]
        let turn = VideoRotation(matrix: matrix)
        #expect(turn.quarters == quarters && turn.isMirrored == isMirrored)
    }

    @Test(arguments: [0.0, 90, 180, 270]) func `stand upright`(rotation: Double) throws {
        var clip = PaintedClip(codec: "mpeg4", container: "mov")
        clip.rotation = rotation
        // Bright at the upper left.
        clip.paint = { plane, x, y, size, _ in
            plane > 0 ? 128 : x < size.width / 2 && y < size.height / 2 ? 200 : 50
        }
        let (_, pictures) = try Self.delivered(clip)
        let picture = try #require(pictures.last)
        #expect(picture.frame.width == (rotation == 90 || rotation == 270 ? 64 : 96))
        let corners = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]
        let bright = Int(rotation / 90)
        for (number, corner) in corners.enumerated() {
            let luma = picture.sample(0, at: corner.0, corner.1)
            #expect(abs(luma - (number == bright ? 200 : 50)) < 8, "corner \(number): \(luma)")
        }
    }

    @Test(arguments: [(Rational(2), 192, 64), (Rational(1, 2), 96, 128), (Rational(16, 11), 140, 64)])
    func `have square pixels`(aspect: Rational, width: Int, height: Int) throws {
        var clip = PaintedClip(codec: "mpeg4")
        clip.aspect = aspect
        let (stream, pictures) = try Self.delivered(clip)
        #expect((stream.width, stream.height) == (width, height))
        #expect(stream.sampleAspectRatio == nil || stream.sampleAspectRatio == Rational(1))
        #expect(pictures.count == 25)
    }

    @Test func `have eight bits a sample`() throws {
        var clip = PaintedClip()
        clip.pixelFormat = "yuv420p10le"
        clip.paint = { plane, x, _, size, _ in plane > 0 ? 512 : 64 + 800 * x / size.width }
        let picture = try #require(try Self.delivered(clip).pictures.last)
        for x in stride(from: 4, to: 92, by: 8) { #expect(abs(picture[0, x, 30] - (16 + 200 * x / 96)) < 5) }
    }

    @Test func `of red, green and blue have the luma and chroma of their tags`() throws {
        var clip = PaintedClip()
        clip.pixelFormat = "bgr0"
        clip.paint = { _, x, _, _, _ in x % 4 == 2 ? 255 : 0 }
        let (stream, pictures) = try Self.delivered(clip)
        #expect(stream.colour["colorspace"] == "smpte170m" && stream.colour["color_range"] == "tv")
        let picture = try #require(pictures.last)
        // ITU-R BT.601: red is 81, 90, 240.
        for (plane, value) in [81, 90, 240].enumerated() {
            #expect(abs(picture.sample(plane, at: 0.5, 0.5) - value) < 4)
        }
    }

    @Test func `of full range become those of video`() throws {
        var clip = PaintedClip(codec: "mjpeg")
        clip.pixelFormat = "yuvj420p"
        clip.paint = { plane, x, _, size, _ in plane > 0 ? 128 : x < size.width / 2 ? 0 : 255 }
        let (stream, pictures) = try Self.delivered(clip)
        #expect(stream.colour["color_range"] == "tv")
        let picture = try #require(pictures.last)
        #expect(abs(picture.sample(0, at: 0.25, 0.5) - 16) < 4 && abs(picture.sample(0, at: 0.75, 0.5) - 235) < 4)
    }

    @Test(arguments: ["smpte2084", "arib-std-b67"]) func `of high dynamic range suit common screens`(
        transfer: String
    ) throws {
        var clip = PaintedClip()
        clip.pixelFormat = "yuv420p10le"
        clip.options = [
            "color_primaries": "bt2020", "color_trc": transfer, "colorspace": "bt2020nc", "color_range": "tv",
        ]
        // Black, then 203 cd/m2 (58 % of PQ's range, 75 % of HLG's), then 1000.
        let (white, bright) = transfer == "smpte2084" ? (573, 723) : (721, 940)
        clip.paint = { plane, x, _, size, _ in plane > 0 ? 512 : [64, white, bright][3 * x / size.width] }
        let (stream, pictures) = try Self.delivered(clip)
        let tags = ["color_primaries": "bt709", "color_trc": "bt709", "colorspace": "bt709", "color_range": "tv"]
        #expect(stream.colour == tags)
        let picture = try #require(pictures.last)
        let lumas = [0.17, 0.5, 0.83].map { picture.sample(0, at: $0, 0.5) }
        #expect(lumas[0] < 20)
        // A white sheet of paper is bright, but leaves room for what is brighter.
        #expect(lumas[1] > 120 && lumas[1] < 215)
        #expect(lumas[2] > lumas[1] + 15 && lumas[2] <= 236)
        #expect((1...2).allSatisfy { abs(picture.sample($0, at: 0.5, 0.5) - 128) < 4 })
    }

    @Test func `that change their shape keep the first one's, with bars`() throws {
        var clip = PaintedClip(codec: "libvpx")
        clip.sizes = [(96, 64), (128, 32), (48, 32)]
        clip.paint = { plane, _, _, _, _ in plane == 0 ? 180 : 128 }
        let (_, pictures) = try Self.delivered(clip)
        #expect(pictures.count == 75)
        #expect(pictures.allSatisfy { $0.frame.width == 96 && $0.frame.height == 64 })
        // Four times as wide as high: 96 x 24 in the middle.
        let (wide, small) = (pictures[40], pictures[70])
        #expect(wide.sample(0, at: 0.5, 0.1) < 30 && wide.sample(0, at: 0.5, 0.9) < 30)
        #expect(abs(wide.sample(0, at: 0.5, 0.5) - 180) < 6 && abs(wide.sample(0, at: 0.02, 0.5) - 180) < 6)
        #expect(abs(small.sample(0, at: 0.5, 0.02) - 180) < 6 && abs(small.sample(0, at: 0.5, 0.98) - 180) < 6)
    }

    @Test(arguments: [(96, 64, "smpte170m"), (720, 576, "bt470bg"), (1280, 720, "bt709")])
    func `that do not say what their colours mean do so afterwards`(width: Int, height: Int, matrix: String) throws {
        var clip = PaintedClip(codec: "mpeg4")
        clip.sizes = [(width, height)]
        let colour = try Self.delivered(clip).stream.colour
        #expect(colour["colorspace"] == matrix && colour["color_primaries"] == matrix)
        #expect(colour["color_range"] == "tv" && colour["color_trc"] != nil)
    }
}

@Suite struct `An interlaced film` {
    /// Bars that move eight dots from one half frame to the next; the lower lines come first.
    static let clip: PaintedClip = {
        var clip = PaintedClip(codec: "mpeg2video", container: "matroska")
        clip.isInterlaced = true
        clip.seconds = 14
        clip.options = ["flags": "+ildct+ilme", "b": "4000000"]
        clip.paint = { plane, x, y, _, number in
            plane > 0 ? 128 : (x + 8 * (2 * number + (y + 1) % 2)) % 48 < 24 ? 60 : 190
        }
        return clip
    }()

    /// How much lines differ from the ones next to them.
    static func combing(_ picture: Look) -> Int {
        var sum = 0
        for y in 8..<picture.frame.height - 8 {
            for x in 0..<picture.frame.width { sum += abs(picture[0, x, y] - picture[0, x, y + 1]) }
        }
        return sum / (picture.frame.width * (picture.frame.height - 16))
    }

    @Test func `has no combs any more, at borders neither, and as many pictures`() throws {
        let folder = try TestFolder()
        let path = try Self.clip.write(in: folder)
        let source = try Look.pictures(in: MediaInput(path: path)).pictures
        let presentation = try PresentationTests.open(path)
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: .fmp4)
        let delivered = try Look.pictures(in: MediaInput(bytes: bytes, name: "delivered")).pictures
        #expect(delivered.count == source.count)
        #expect(source.allSatisfy { Self.combing($0) > 30 })
        #expect(delivered.allSatisfy { Self.combing($0) < 8 })
        // Each shows its own first half: the bars have moved by 16 dots from frame to frame.
        for (number, picture) in delivered.enumerated() {
            let wished = (0..<96).map { ($0 + 16 * number) % 48 < 24 }
            let right = (0..<96).count { (picture[0, $0, 32] < 125) == wished[$0] }
            #expect(right > 84, "picture \(number): \(right) of 96")
        }
    }

    @Test func `has the same bytes in any order`() throws {
        let folder = try TestFolder()
        let path = try Self.clip.write(in: folder)
        let presentation = try PresentationTests.open(path)
        let numbers = presentation.plan.segments.map(\.number)
        try #require(numbers.count >= 2)
        let straight = try `A film that is transcoded`.segments(presentation, numbers: numbers, container: .ts)
        let back = try `A film that is transcoded`.segments(
            PresentationTests.open(path),
            numbers: numbers.reversed(),
            container: .ts
        )
        #expect(straight == back)
    }
}
