import Media
import Packager
import TestSupport
import Testing
import Timeline

@Suite struct `A film that is transcoded` {
    /// A film in a codec that players do not take.
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
        _ numbers: [Int],
        _ container: SegmentContainer
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
    func `has every picture at its time`(item: Case, container: SegmentContainer) throws {
        let folder = try TestFolder()
        let path = try item.write(in: folder)
        let presentation = try PresentationTests.open(path)
        let description = try presentation.rendition(.full, in: container)
        let film = try #require(description.tracks.first)
        #expect(film.codec == "h264" && film.treatment != .copy)
        #expect(film.codecString.hasPrefix("avc1.64") && description.isIndependent)
        #expect(film.width % 2 == 0 && film.height % 2 == 0)
        let bytes = try PresentationTests.whole(presentation, .full, container)
        let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video)
        let source = try Decoded(MediaInput(path: path), .video)
        #expect(source.pictures.count > 100)
        #expect(delivered.pictures.count == source.pictures.count)
        for (shown, wished) in zip(delivered.times, source.times) {
            let off = shown - presentation.plan.timestampOffset - (wished - presentation.plan.origin)
            #expect(abs(off.seconds) < 1.01 / 90000)
        }
    }

    @Test(arguments: cases) func `has the same bytes in any order`(item: Case) throws {
        let folder = try TestFolder()
        let path = try item.write(in: folder)
        let presentation = try PresentationTests.open(path)
        let numbers = presentation.plan.segments.map(\.number)
        try #require(numbers.count >= 3)
        let straight = try Self.segments(presentation, numbers, .fmp4)
        #expect(try Self.segments(presentation, numbers.reversed(), .fmp4) == straight)
        #expect(try Self.segments(presentation, [2, 0, 2, 1, 1], .fmp4).allSatisfy { straight[$0.key] == $0.value })
        let other = try PresentationTests.open(path)
        #expect(try Self.segments(other, [1], .fmp4)[1] == straight[1])
        #expect(try other.initSegment(.full) == presentation.initSegment(.full))
    }

    @Test(arguments: cases) func `begins each segment with the only keyframe in it`(item: Case) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(item.write(in: folder))
        let header = try presentation.initSegment(.full)
        for segment in presentation.plan.segments {
            let bytes = try #require(Self.segments(presentation, [segment.number], .fmp4)[segment.number])
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

    @Test(arguments: cases) func `lasts without a gap from segment to segment`(item: Case) throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(item.write(in: folder))
        var end: UInt64?
        for segment in presentation.plan.segments {
            let bytes = try #require(Self.segments(presentation, [segment.number], .fmp4)[segment.number])
            let film = try #require(`Segment bytes`.fragments(bytes).first)
            if let end { #expect(film.start == end) }
            end = film.start + film.duration
        }
    }

    @Test(arguments: [67, 200]) func `is cut near every sixth second, at a keyframe where one is near`(
        interval: Int
    ) throws {
        let folder = try TestFolder()
        var clip = Clip(seconds: 20, container: "matroska", videoCodec: "mpeg4", keyframeInterval: interval)
        clip.audioCodec = nil
        let path = try clip.write(in: folder)
        let input = try MediaInput(path: path)
        let packet = Packet()
        var keys: [Double] = []
        while try input.read(into: packet) {
            if packet.isKey { keys.append(Double(packet.pts ?? 0) * input.streams[0].timeBase.seconds) }
        }
        let plan = try PresentationTests.open(path).plan
        let wished = [6.0, 12, 18].map { goal in
            let near = keys.filter { abs($0 - goal) <= 1.5 }
            return near.min { abs($0 - goal) < abs($1 - goal) } ?? goal
        }
        #expect(plan.segments.dropFirst().map(\.start.seconds) == wished)
        #expect(wished.contains { $0 != $0.rounded() } == (interval == 67))
    }

    @Test func `is announced with about the bits that it takes`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(
            Clip(container: "matroska", videoCodec: "mpeg4", audioCodec: nil).write(in: folder)
        )
        let description = try presentation.rendition(.full, in: .fmp4)
        let bytes = try PresentationTests.whole(presentation, .full, .fmp4).count
        let rate = Double(bytes * 8) / presentation.plan.duration.seconds
        #expect(Double(description.averageBandwidth) > rate / 2 && Double(description.averageBandwidth) < rate * 2)
        #expect(description.peakBandwidth >= description.averageBandwidth)
    }

    @Test(arguments: [(30, [1]), (12, [1]), (10, [1, 3, 2, 7])])
    func `is held to a size, a rate, a profile and a level`(perSecond: Int, durations: [Int]) throws {
        let folder = try TestFolder()
        let rate = Rational(Int64(perSecond))
        let item = Case(codec: "mpeg4", container: "matroska", width: 320, height: 240, durations: durations)
        let path = try item.write(in: folder)
        let limits = PictureLimits(longSide: 200, shortSide: 100, frameRate: rate, profile: .main, level: 13)
        let presentation = try Presentation.open(path: path, limits: limits, cancellation: Cancellation())
        let film = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
        #expect((film.width, film.height) == (134, 100))
        #expect(film.codecString == "avc1.4D400D")
        #expect(try #require(film.frameRate) <= rate)
        let bytes = try PresentationTests.whole(presentation, .full, .fmp4)
        let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video).times
        let source = try Decoded(MediaInput(path: path), .video).times
        let share = min(1, Double(perSecond) / (Double(source.count) / presentation.plan.duration.seconds))
        #expect(Double(delivered.count) <= (Double(source.count) * share).rounded(.up))
        #expect(Double(delivered.count) >= Double(source.count) * share / 2)
        // Each is there at a time at which the source has a picture.
        let known = Set(source.map { Int(($0.seconds * 1000).rounded()) })
        let moved = (presentation.plan.timestampOffset - presentation.plan.origin).seconds
        #expect(delivered.allSatisfy { known.contains(Int((($0.seconds - moved) * 1000).rounded())) })
    }

    @Test func `stops when nobody waits for it`() throws {
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
