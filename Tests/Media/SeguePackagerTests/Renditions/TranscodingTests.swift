import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `A film that is transcoded` {
    /// A video in an unsupported codec.
    struct Case: CustomTestStringConvertible, Sendable {
        var codec: String
        var container: String
        var bFrames = 0
        var width = 64
        var height = 48
        var durations = [1]

        var testDescription: String { "\(codec) \(width)x\(height) in \(container), \(bFrames) B-frames, \(durations)" }

        func write(in folder: TestFolder, seconds: Int = 20) throws -> String {
            var clip = Clip(seconds: seconds, container: container, videoCodec: codec, bFrames: bFrames)
            (clip.width, clip.height, clip.durations) = (width, height, durations)
            return try clip.write(in: folder)
        }
    }

    static let cases = [
        Case(codec: "libvpx", container: "matroska"),
        Case(codec: "mpeg4", container: "mp4", bFrames: 2),
        Case(codec: "mpeg4", container: "avi"),
        Case(codec: "mpeg2video", container: "mpegts", bFrames: 2),
        Case(codec: "mpeg2video", container: "matroska"),
        Case(codec: "libvpx", container: "matroska", width: 75, height: 51),
        Case(codec: "mpeg4", container: "matroska", bFrames: 2, durations: [1, 3, 2, 7]),
    ]

    static func segments(
        _ presentation: Presentation,
        numbers: [Int],
        container: SegmentContainer
    ) throws -> [Int: [UInt8]] {
        var result: [Int: [UInt8]] = [:]
        for number in numbers {
            result[number] = try presentation.segment(
                number,
                of: .full,
                in: container,
                cancellation: Cancellation()
            )
        }
        return result
    }

    @Test(arguments: cases, SegmentContainer.allCases)
    func `has every frame at its time`(item: Case, container: SegmentContainer) throws {
        let folder = try TestFolder()
        let path = try item.write(in: folder)
        let presentation = try PresentationTests.open(path)
        let description = try presentation.rendition(.full, in: container)
        let film = try #require(description.tracks.first)
        #expect(film.codec == "h264" && film.treatment != .copy)
        #expect(film.codecString.hasPrefix("avc1.64") && description.extent.isIndependent)
        #expect(film.width % 2 == 0 && film.height % 2 == 0)
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: container)
        let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video)
        let source = try Decoded(MediaInput(path: path), .video)
        #expect(source.frames.count > 100)
        #expect(delivered.frames.count == source.frames.count)
        for (shown, wished) in zip(delivered.times, source.times) {
            let off = shown - presentation.plan.timestampOffset - (wished - presentation.plan.origin)
            #expect(abs(off.seconds) < 1.01 / 90000)
        }
    }

    @Test(arguments: cases) func `does not depend on the request order`(item: Case) throws {
        let folder = try TestFolder()
        let path = try item.write(in: folder)
        let presentation = try PresentationTests.open(path)
        let numbers = presentation.plan.segments.map(\.number)
        try #require(numbers.count >= 3)
        let straight = try Self.segments(presentation, numbers: numbers, container: .fmp4)
        #expect(try Self.segments(presentation, numbers: numbers.reversed(), container: .fmp4) == straight)
        #expect(
            try Self.segments(presentation, numbers: [2, 0, 2, 1, 1], container: .fmp4).allSatisfy {
                straight[$0.key] == $0.value
            }
        )
        let other = try PresentationTests.open(path)
        #expect(try Self.segments(other, numbers: [1], container: .fmp4)[1] == straight[1])
        #expect(try other.initSegment(.full) == presentation.initSegment(.full))
    }

    @Test(arguments: cases) func `begins each segment with the only keyframe in it`(item: Case) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(item.write(in: folder))
        let header = try presentation.initSegment(.full)
        for segment in presentation.plan.segments {
            let bytes = try #require(
                Self.segments(presentation, numbers: [segment.number], container: .fmp4)[segment.number]
            )
            let input = try MediaInput(bytes: header + bytes, name: "segment")
            let film = try #require(input.streams.first { $0.kind == .video })
            var types: [Set<UInt8>] = []
            var isFirst = true
            let packet = Packet()
            while try input.read(into: packet) {
                guard packet.streamIndex == film.index else { continue }
                #expect(packet.isKey == isFirst)
                isFirst = false
                types.append(Self.unitTypes(packet.bytes))
            }
            #expect(types.first?.contains(5) == true)
            #expect(types.dropFirst().allSatisfy { !$0.contains(5) && $0.contains(1) })
        }
    }

    private static func unitTypes(_ bytes: [UInt8]) -> Set<UInt8> {
        var types: Set<UInt8> = []
        var place = 0
        while place + 4 < bytes.count {
            types.insert(bytes[place + 4] & 31)
            place += 4 + bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return types
    }

    @Test(arguments: cases) func `has no gaps between segments`(item: Case) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(item.write(in: folder))
        var end: UInt64?
        for segment in presentation.plan.segments {
            let bytes = try #require(
                Self.segments(presentation, numbers: [segment.number], container: .fmp4)[segment.number]
            )
            let film = try #require(`Segment bytes`.fragments(bytes).first)
            if let end { #expect(film.start == end) }
            end = film.start + film.duration
        }
    }

    // Keyframes at 0, 2.68, 5.36, …, and at 0, 8, 16.
    @Test(arguments: [(67, [0, 134, 268, 469]), (200, [0, 150, 300, 450])])
    func `is cut about every six seconds, at a keyframe if one is near`(interval: Int, cuts: [Int64]) throws {
        let folder = try TestFolder()
        var clip = PaintedClip(codec: "mpeg4")
        (clip.seconds, clip.keyframeInterval) = (20, interval)
        let plan = try PresentationTests.open(clip.write(in: folder)).plan
        #expect(plan.segments.map(\.start) == cuts.map { Rational($0, 25) })
    }

    /// A video with increasing motion.
    private static func restless(seconds: Int, _ width: Int, _ height: Int, in folder: TestFolder) throws -> String {
        var clip = PaintedClip(codec: "mpeg4")
        (clip.seconds, clip.sizes, clip.options) = (seconds, [(width, height)], ["b": "2000000"])
        clip.paint = { plane, x, y, _, number in
            let strength = 1 + number / 150 % 4 * 40
            let noise = (x &* 7919 ^ y &* 104_729 ^ number &* 1_299_709) &* 2_654_435_761 >> 11 & 255
            return plane > 0 ? 128 : 60 + (x + 3 * number) % 64 + noise * strength / 255
        }
        return try clip.write(in: folder)
    }

    /// The peak and average bit rates.
    private static func rates(_ presentation: Presentation) throws -> BitRates {
        let segments = presentation.plan.segments
        let bytes = try Self.segments(presentation, numbers: segments.map(\.number), container: .ts)
        let target = segments.map { $0.duration.rounded(scale: 1) }.max() ?? 1
        return BitRates(segments.map { (bytes[$0.number]?.count ?? 0, $0.duration.seconds) }, target: target)
    }

    // Short enough to be encoded completely, and too long.
    @Test(arguments: [(20, 192, 128), (40, 640, 360)])
    func `has the announced peak rate`(seconds: Int, width: Int, height: Int) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(Self.restless(seconds: seconds, width, height, in: folder))
        let description = try presentation.rendition(.full, in: .ts)
        let rates = try Self.rates(presentation)
        #expect(abs(rates.peak / Double(description.peakBandwidth) - 1) < 0.1)
        #expect(rates.peak <= Double(description.peakBandwidth) * 1.01)
        #expect(abs(rates.average / Double(description.averageBandwidth) - 1) < (seconds == 20 ? 0.02 : 0.3))
    }

    @Test func `is limited to a maximum rate`() throws {
        let folder = try TestFolder()
        let path = try Self.restless(seconds: 20, 192, 128, in: folder)
        var limits = VideoLimits.standard
        limits.bitsPerSecond = 300_000
        let free = try Self.rates(PresentationTests.open(path)).peak
        let presentation = try Presentation.open(path: path, limits: limits, cancellation: Cancellation())
        let held = try Self.rates(presentation).peak
        #expect(free > 400_000)
        // The transport stream's overhead is added.
        #expect(held < 300_000 * 1.15)
        #expect(Double(try presentation.rendition(.full, in: .ts).peakBandwidth) >= held * 0.95)
        let numbers = presentation.plan.segments.map(\.number)
        let again = try Presentation.open(path: path, limits: limits, cancellation: Cancellation())
        #expect(
            try Self.segments(presentation, numbers: numbers, container: .ts)
                == Self.segments(again, numbers: numbers.reversed(), container: .ts)
        )
    }

    @Test(arguments: [(30, [1]), (12, [1]), (10, [1, 3, 2, 7])])
    func `is limited to a size, rate, profile, and level`(perSecond: Int, durations: [Int]) throws {
        let folder = try TestFolder()
        let rate = Rational(Int64(perSecond))
        let item = Case(codec: "mpeg4", container: "matroska", width: 320, height: 240, durations: durations)
        let path = try item.write(in: folder)
        let limits = VideoLimits(longSide: 200, shortSide: 100, frameRate: rate, profile: .main, level: 13)
        let presentation = try Presentation.open(path: path, limits: limits, cancellation: Cancellation())
        let film = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
        #expect((film.width, film.height) == (134, 100))
        // 63 macroblocks at up to 30 frames per second: level 1.1 above 1,485 per second, otherwise 1.
        let level = try #require(film.frameRate) * Rational(63) > Rational(1485) ? 11 : 10
        #expect(film.codecString == "avc1.4D40" + (level == 11 ? "0B" : "0A"))
        #expect(try #require(film.frameRate) <= rate)
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: .fmp4)
        let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video).times
        let source = try Decoded(MediaInput(path: path), .video).times
        let share = min(1, Double(perSecond) / (Double(source.count) / presentation.plan.duration.seconds))
        #expect(Double(delivered.count) <= (Double(source.count) * share).rounded(.up))
        #expect(Double(delivered.count) >= Double(source.count) * share / 2)
        // Each is at a time at which the source has a frame.
        let known = Set(source.map { Int(($0.seconds * 1000).rounded()) })
        let moved = (presentation.plan.timestampOffset - presentation.plan.origin).seconds
        #expect(delivered.allSatisfy { known.contains(Int((($0.seconds - moved) * 1000).rounded())) })
    }

    @Test func `stops if canceled`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(
            Clip(container: "matroska", videoCodec: "mpeg4").write(in: folder)
        )
        let cancelled = Cancellation()
        cancelled.cancel()
        let error = try #require(
            #expect(throws: PackagingError.self) {
                _ = try presentation.segment(1, of: .full, in: .fmp4, cancellation: cancelled)
            }
        )
        #expect(error.reason == .cancelled)
    }
}
