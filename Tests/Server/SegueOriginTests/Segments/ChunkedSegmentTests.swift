import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SeguePackager
import Testing

@testable import SegueOrigin

@Suite struct ChunkedSegmentTests {
    private let served: ServedFolder

    init() throws { served = try ServedFolder() }

    @Test func `a chunked segment has the samples of the item's segment, in the same order`() throws {
        let item = try served.item("films/film.mp4")
        let presentation = try served.responder.presentation(of: item, for: .any, cancellation: Cancellation())
        let parts = try presentation.parts(target: 500_000, cancellation: Cancellation())
        let initialization = try presentation.initSegment(.full)
        for planned in presentation.plan.segments {
            let whole = try presentation.segment(planned.number, of: .full, in: .fmp4, cancellation: Cancellation())
            let chunked = try #require(
                ChunkedSegment(
                    whole,
                    initialization: initialization,
                    number: planned.number,
                    start: planned.start + presentation.plan.timestampOffset,
                    parts: parts.segments[planned.number]
                )
            )
            #expect(ChunkedSegment(bytes: chunked.bytes) == chunked)
            #expect(try Self.packets(initialization + whole) == Self.packets(initialization + chunked.bytes))
            #expect(chunked.ends.count == parts.segments[planned.number].count)
        }
        #expect(PartPlan(parts.bytes, of: presentation.plan) == parts)
        #expect(PartPlan(Array(parts.bytes.dropLast(4)), of: presentation.plan) == nil)
        #expect(PartPlan(parts.bytes.map { $0 ^ 1 }, of: presentation.plan) == nil)
    }

    @Test func `damaged segments yield no parts, or the intact ones`() throws {
        let item = try served.item("films/film.mp4")
        let presentation = try served.responder.presentation(of: item, for: .any, cancellation: Cancellation())
        let parts = try presentation.parts(target: 500_000, cancellation: Cancellation()).segments[0]
        let initialization = try presentation.initSegment(.full)
        let whole = try presentation.segment(0, of: .full, in: .fmp4, cancellation: Cancellation())
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<4000, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            let chunked = ChunkedSegment(
                bytes,
                initialization: initialization,
                number: 0,
                start: Rational(1),
                parts: parts
            )
            #expect(chunked.map { $0.ends.count <= parts.count } ?? true)
        }
    }

    /// The packets by stream: their times and contents.
    private static func packets(_ bytes: [UInt8]) throws -> [Int: [String]] {
        let input = try MediaInput(bytes: bytes, name: "segment", format: "mp4")
        let packet = Packet()
        var result: [Int: [String]] = [:]
        while try input.read(into: packet) {
            result[packet.streamIndex, default: []].append(
                "\(packet.pts ?? -1) \(packet.dts ?? -1) \(packet.isKey) \(StableHash.hex(packet.bytes))"
            )
        }
        return result
    }

    @Test(arguments: [
        "films/film.mp4", "films/silent.mp4", "films/old.mkv", "films/tongues.mkv", "song.mp3", "plain.wav",
    ])
    func `parts are as long as possible, fill their segment, and start with a keyframe`(path: String) throws {
        let presentation = try served.responder.presentation(
            of: served.item(path),
            for: .any,
            cancellation: Cancellation()
        )
        let parts = try presentation.parts(target: 500_000, cancellation: Cancellation())
        #expect(parts.segments.count == presentation.plan.segments.count)
        for (parts, duration) in zip(parts.segments, presentation.plan.microseconds) {
            #expect(parts.map(\.microseconds).reduce(0, +) == duration)
            #expect(parts.filter { $0.microseconds > 500_000 }.isEmpty)
            #expect(parts.dropLast().filter { $0.microseconds < 425_000 }.isEmpty)
            #expect(parts.first?.hasKeyframe == true)
        }
        let all = parts.segments.flatMap { $0 }.filter(\.hasKeyframe).count
        // A copied file has a keyframe every two seconds, a transcoded one in each segment.
        if path == "films/film.mp4" { #expect(all == 7) }
        if path == "films/old.mkv" { #expect(all == presentation.plan.segments.count) }
    }

    @Test func `a title without a frame for longer than a part is rejected`() throws {
        let presentation = try served.responder.presentation(
            of: served.item("films/silent.mp4"),
            for: .any,
            cancellation: Cancellation()
        )
        #expect(throws: PackagingError.self) {
            try presentation.parts(target: 30_000, cancellation: Cancellation())
        }
    }
}
