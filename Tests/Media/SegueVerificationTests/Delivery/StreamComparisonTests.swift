import Foundation
import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager
@testable import SegueVerification

/// The findings in segments supplied as if by any server.
@Suite struct StreamComparisonTests {
    private let files: VerifiedFiles

    init() throws { files = try VerifiedFiles() }

    private func reports(
        _ name: String,
        _ rendition: Rendition = .full,
        in container: SegmentContainer = .ts,
        changing change: (inout [(DeliveredStream.Segment, [UInt8])]) -> Void = { _ in }
    ) throws -> ContentReport {
        let path = try files.made(name)
        let (delivery, segments) = try files.delivery(of: path, rendition, in: container)
        var parts = zip(delivery.plan.segments, segments).map { planned, bytes in
            let section = container == .fmp4 ? 0 : nil
            return (DeliveredStream.Segment(duration: planned.duration.seconds, initSection: section), bytes)
        }
        change(&parts)
        let stream = DeliveredStream(
            name: "media.m3u8",
            segments: parts.map(\.0),
            initSection: { [bytes = delivery.initSegment] _ in bytes },
            bytes: { [parts] in parts[$0].1 }
        )
        return try #require(try StreamComparison.compare(source: path, delivered: [stream]).first)
    }

    @Test(arguments: [("film.mp4", SegmentContainer.ts), ("film.mp4", .fmp4), ("cut.mp4", .ts), ("old.mkv", .fmp4)])
    func `correct content has no findings`(name: String, container: SegmentContainer) throws {
        let report = try reports(name, in: container)
        #expect(report.differences == [])
        #expect(report.metrics.audioSeconds > 11)
        #expect(report.metrics.frames > 100)
    }

    @Test func `audio alone is compared`() throws {
        let report = try reports("song.flac", .background, in: .fmp4)
        #expect(report.differences == [])
        #expect(report.metrics.audioSeconds > 19)
    }

    @Test func `audio shorter than the allowed loss has no findings`() throws {
        let report = try reports("click.flac", .background, in: .fmp4)
        #expect(report.differences == [])
    }

    @Test func `an omitted segment is missing at its position`() throws {
        let report = try reports("film.mp4") { $0.remove(at: 1) }
        let missing = report.differences.filter { $0.segment == 1 }
        #expect(Set(missing.map(\.rule)) == [.soundMissing, .picturesMissing])
    }

    @Test func `a duplicated segment is repeated at its position`() throws {
        let report = try reports("film.mp4") { $0.insert($0[1], at: 2) }
        #expect(Set(report.differences.map(\.rule)) == [.soundRepeated, .picturesExtra])
        #expect(report.differences.allSatisfy { $0.segment == 2 })
    }

    @Test func `two swapped segments are reported as such`() throws {
        let report = try reports("film.mp4") { $0.swapAt(1, 2) }
        #expect(Set(report.differences.map(\.rule)) == [.soundReordered, .picturesReordered])
        #expect(report.differences.allSatisfy { $0.segment == 1 })
    }

    @Test func `a garbage segment is reported, and the rest is compared`() throws {
        let report = try reports("film.mp4") { $0[1].1 = [UInt8](repeating: 0x5A, count: 20_000) }
        #expect(report.differences.contains { $0.rule == .segmentAlone && $0.segment == 1 })
        #expect(report.metrics.audioSeconds > 8)
    }

    @Test func `a segment of a few packets can be read`() throws {
        let report = try reports("click.flac", .background, in: .ts)
        #expect(report.differences == [])
    }

    @Test func `the aspect ratio is that of the decoded frame`() throws {
        let path = try files.made("old.mkv")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let width = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xB0, 0x81, 96, 0xBA, 0x81, 64]) })
        bytes[width + 2] = 48
        let lying = files.folder.path + "/lying.mkv"
        try Data(bytes).write(to: URL(fileURLWithPath: lying))
        let (delivery, segments) = try files.delivery(of: path, .full, in: .ts)
        let stream = DeliveredStream(
            name: "media.m3u8",
            segments: delivery.plan.segments.map { .init(duration: $0.duration.seconds) },
            bytes: { segments[$0] }
        )
        let report = try #require(try StreamComparison.compare(source: lying, delivered: [stream]).first)
        #expect(report.differences == [])
    }

    @Test(arguments: [1, 2, 40]) func `packed audio of a few frames can be read`(count: Int) throws {
        let path = try files.made("film.mp4")
        let (_, segments) = try files.delivery(of: path, .full, in: .ts)
        let input = try MediaInput(bytes: try #require(segments.first), name: "segment")
        let audio = try #require(input.streams.first { $0.kind == .audio })
        let packet = Packet()
        var packets: [[UInt8]] = []
        while packets.count < count, try input.read(into: packet) {
            if packet.streamIndex == audio.index { packets.append(packet.bytes) }
        }
        let bytes = packets.flatMap { $0 }
        let stream = DeliveredStream(name: "a.m3u8", segments: [.init(duration: 4)], bytes: { _ in bytes })
        let report = try #require(try StreamComparison.compare(source: path, delivered: [stream]).first)
        #expect(!report.differences.contains { $0.rule == .segmentAlone })
    }
}
