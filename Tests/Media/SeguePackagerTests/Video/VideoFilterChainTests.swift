import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Frames on their way to the encoder` {
    /// The delivered frames of a clip.
    static func delivered(_ clip: PaintedClip) throws -> (stream: StreamInfo, frames: [Look]) {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(clip.write(in: folder))
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: .fmp4)
        let film = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
        let result = try Look.frames(in: MediaInput(bytes: bytes, name: "delivered"))
        #expect(result.stream.width == film.width && result.stream.height == film.height)
        #expect(result.stream.pixelFormat == "yuv420p")
        #expect(result.stream.displayMatrix == nil)
        return result
    }

    @Test(arguments: [8.0, 15, 30, 34, 51])
    func `have the same configuration at every quality`(quality: Double) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(PaintedClip(codec: "mpeg4", container: "mov").write(in: folder))
        let settings = try #require(presentation.tracks.playableVideo?.transcoded?.settings)
        let usual = try settings.open().parameters.extradata
        #expect(try !usual.isEmpty && settings.open(quality: quality).parameters.extradata == usual)
    }

    // The rows of a matrix: the directions of the frame's rows and columns.
    @Test(arguments: [
        ([1, 0, 0, 1], 0, false), ([0, 1, -1, 0], 1, false), ([-1, 0, 0, -1], 2, false), ([0, -1, 1, 0], 3, false),
        ([-1, 0, 0, 1], 0, true), ([0, -1, -1, 0], 1, true), ([1, 0, 0, -1], 2, true), ([0, 1, 1, 0], 3, true),
    ])
    func `are rotated by the matrix`(rows: [Int32], quarters: Int, isMirrored: Bool) {
        let one: Int32 = 65536
        let matrix = [rows[0] * one, rows[1] * one, 0, rows[2] * one, rows[3] * one, 0, 0, 0, 1 << 30]
        let turn = VideoRotation(matrix: matrix)
        #expect(turn.quarters == quarters && turn.isMirrored == isMirrored)
    }

    @Test(arguments: [0.0, 90, 180, 270]) func `stand upright`(rotation: Double) throws {
        var clip = PaintedClip(codec: "mpeg4", container: "mov")
        clip.rotation = rotation
        // Bright in the upper left.
        clip.paint = { plane, x, y, size, _ in
            plane > 0 ? 128 : x < size.width / 2 && y < size.height / 2 ? 200 : 50
        }
        let (_, frames) = try Self.delivered(clip)
        let frame = try #require(frames.last)
        #expect(frame.frame.width == (rotation == 90 || rotation == 270 ? 64 : 96))
        let corners = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]
        let bright = Int(rotation / 90)
        for (number, corner) in corners.enumerated() {
            let luma = frame.sample(0, at: corner.0, corner.1)
            #expect(abs(luma - (number == bright ? 200 : 50)) < 8, "corner \(number): \(luma)")
        }
    }

    @Test(arguments: [(Rational(2), 192, 64), (Rational(1, 2), 96, 128), (Rational(16, 11), 140, 64)])
    func `have square pixels`(aspect: Rational, width: Int, height: Int) throws {
        var clip = PaintedClip(codec: "mpeg4")
        clip.aspect = aspect
        let (stream, frames) = try Self.delivered(clip)
        #expect((stream.width, stream.height) == (width, height))
        #expect(stream.sampleAspectRatio == nil || stream.sampleAspectRatio == Rational(1))
        #expect(frames.count == 25)
    }

    @Test func `have eight bits per sample`() throws {
        var clip = PaintedClip()
        clip.pixelFormat = "yuv420p10le"
        clip.paint = { plane, x, _, size, _ in plane > 0 ? 512 : 64 + 800 * x / size.width }
        let frame = try #require(try Self.delivered(clip).frames.last)
        for x in stride(from: 4, to: 92, by: 8) { #expect(abs(frame[0, x, 30] - (16 + 200 * x / 96)) < 5) }
    }

    @Test func `of red, green and blue have the luma and chroma of their tags`() throws {
        var clip = PaintedClip()
        clip.pixelFormat = "bgr0"
        clip.paint = { _, x, _, _, _ in x % 4 == 2 ? 255 : 0 }
        let (stream, frames) = try Self.delivered(clip)
        #expect(stream.colour["colorspace"] == "smpte170m" && stream.colour["color_range"] == "tv")
        let frame = try #require(frames.last)
        // ITU-R BT.601: red is 81, 90, 240.
        for (plane, value) in [81, 90, 240].enumerated() {
            #expect(abs(frame.sample(plane, at: 0.5, 0.5) - value) < 4)
        }
    }

    @Test func `of full range become limited range`() throws {
        var clip = PaintedClip(codec: "mjpeg")
        clip.pixelFormat = "yuvj420p"
        clip.paint = { plane, x, _, size, _ in plane > 0 ? 128 : x < size.width / 2 ? 0 : 255 }
        let (stream, frames) = try Self.delivered(clip)
        #expect(stream.colour["color_range"] == "tv")
        let frame = try #require(frames.last)
        #expect(abs(frame.sample(0, at: 0.25, 0.5) - 16) < 4 && abs(frame.sample(0, at: 0.75, 0.5) - 235) < 4)
    }

    @Test(arguments: ["smpte2084", "arib-std-b67"]) func `of HDR are tone-mapped`(
        transfer: String
    ) throws {
        var clip = PaintedClip()
        clip.pixelFormat = "yuv420p10le"
        clip.options = [
            "color_primaries": "bt2020", "color_trc": transfer, "colorspace": "bt2020nc", "color_range": "tv",
        ]
        // Black, then 203 cd/m2 (58% of PQ's range, 75% of HLG's), then 1000.
        let (white, bright) = transfer == "smpte2084" ? (573, 723) : (721, 940)
        clip.paint = { plane, x, _, size, _ in plane > 0 ? 512 : [64, white, bright][3 * x / size.width] }
        let (stream, frames) = try Self.delivered(clip)
        let tags = ["color_primaries": "bt709", "color_trc": "bt709", "colorspace": "bt709", "color_range": "tv"]
        #expect(stream.colour == tags)
        let frame = try #require(frames.last)
        let lumas = [0.17, 0.5, 0.83].map { frame.sample(0, at: $0, 0.5) }
        #expect(lumas[0] < 20)
        // White paper is bright, but leaves headroom.
        #expect(lumas[1] > 120 && lumas[1] < 215)
        #expect(lumas[2] > lumas[1] + 15 && lumas[2] <= 236)
        #expect((1...2).allSatisfy { abs(frame.sample($0, at: 0.5, 0.5) - 128) < 4 })
    }

    @Test func `with a changing aspect ratio keep the first one, with bars`() throws {
        var clip = PaintedClip(codec: "libvpx")
        clip.sizes = [(96, 64), (128, 32), (48, 32)]
        clip.paint = { plane, _, _, _, _ in plane == 0 ? 180 : 128 }
        let (_, frames) = try Self.delivered(clip)
        #expect(frames.count == 75)
        #expect(frames.allSatisfy { $0.frame.width == 96 && $0.frame.height == 64 })
        // Four times as wide as high: 96 x 24 in the middle.
        let (wide, small) = (frames[40], frames[70])
        #expect(wide.sample(0, at: 0.5, 0.1) < 30 && wide.sample(0, at: 0.5, 0.9) < 30)
        #expect(abs(wide.sample(0, at: 0.5, 0.5) - 180) < 6 && abs(wide.sample(0, at: 0.02, 0.5) - 180) < 6)
        #expect(abs(small.sample(0, at: 0.5, 0.02) - 180) < 6 && abs(small.sample(0, at: 0.5, 0.98) - 180) < 6)
    }

    @Test(arguments: [(96, 64, "smpte170m"), (720, 576, "bt470bg"), (1280, 720, "bt709")])
    func `without color properties have them afterward`(width: Int, height: Int, matrix: String) throws {
        var clip = PaintedClip(codec: "mpeg4")
        clip.sizes = [(width, height)]
        let colour = try Self.delivered(clip).stream.colour
        #expect(colour["colorspace"] == matrix && colour["color_primaries"] == matrix)
        #expect(colour["color_range"] == "tv" && colour["color_trc"] != nil)
    }
}

@Suite struct `An interlaced film` {
    /// Bars that move eight pixels per field, bottom field first.
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

    /// The difference between neighboring lines.
    static func combing(_ frame: Look) -> Int {
        var sum = 0
        for y in 8..<frame.frame.height - 8 {
            for x in 0..<frame.frame.width { sum += abs(frame[0, x, y] - frame[0, x, y + 1]) }
        }
        return sum / (frame.frame.width * (frame.frame.height - 16))
    }

    @Test func `has no combing, not even at boundaries, and the same number of frames`() throws {
        let folder = try TestFolder()
        let path = try Self.clip.write(in: folder)
        let source = try Look.frames(in: MediaInput(path: path)).frames
        let presentation = try PresentationTests.open(path)
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: .fmp4)
        let delivered = try Look.frames(in: MediaInput(bytes: bytes, name: "delivered")).frames
        #expect(delivered.count == source.count)
        #expect(source.allSatisfy { Self.combing($0) > 30 })
        #expect(delivered.allSatisfy { Self.combing($0) < 8 })
        // Each shows its own first field: the bars move by 16 pixels per frame.
        for (number, frame) in delivered.enumerated() {
            let wished = (0..<96).map { ($0 + 16 * number) % 48 < 24 }
            let right = (0..<96).count { (frame[0, $0, 32] < 125) == wished[$0] }
            #expect(right > 84, "picture \(number): \(right) of 96")
        }
    }

    @Test func `does not depend on the request order`() throws {
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
