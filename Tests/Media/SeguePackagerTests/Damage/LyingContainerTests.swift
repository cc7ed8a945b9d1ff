import Foundation
import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

/// Containers that say something of their packets that is not so.
@Suite struct `Containers that lie` {
    /// What a file is cut into and what is delivered of it.
    static func delivered(_ path: String) throws -> (SegmentPlan, [UInt8]) {
        let presentation = try PresentationTests.open(path)
        return (presentation.plan, try PresentationTests.whole(presentation, rendition: .full, container: .ts))
    }

    @Test(arguments: [0, 1, 9_000_000])
    func `a movie's duration is that of its packets`(claimed: UInt32) throws {
        let folder = try TestFolder()
        let path = try Clip().write(in: folder)
        let (plan, whole) = try Self.delivered(path)
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        let number = (0..<4).map { UInt8(truncatingIfNeeded: claimed >> UInt32(24 - 8 * $0)) }
        // Version 0 of the boxes, which have the duration behind times, and the track's number or the time scale.
        for (name, offset) in [("mvhd", 20), ("tkhd", 24), ("mdhd", 20)] {
            for place in `Damaged files`.places(of: name, in: bytes) {
                #expect(bytes[place + 4] == 0)
                bytes.replaceSubrange(place + offset..<place + offset + 4, with: number)
            }
        }
        let (lying, delivered) = try Self.delivered(folder.write(bytes, to: "lying.mp4"))
        #expect(lying.segments == plan.segments && lying.duration == plan.duration)
        #expect(delivered == whole)
    }

    @Test func `a Matroska file's duration and index are those of its packets`() throws {
        let folder = try TestFolder()
        let path = try Clip(container: "matroska").write(in: folder)
        let (plan, whole) = try Self.delivered(path)
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        // Duration: 4489, 8 bytes, a double; it becomes a hundred thousand seconds.
        let duration = try #require(
            bytes.indices.dropLast(11).first { Array(bytes[$0..<$0 + 3]) == [0x44, 0x89, 0x88] }
        )
        let claimed = (100_000_000.0).bitPattern
        bytes.replaceSubrange(
            duration + 3..<duration + 11,
            with: (0..<8).map { UInt8(truncatingIfNeeded: claimed >> UInt64(56 - 8 * $0)) }
        )
        let longer = try Self.delivered(folder.write(bytes, to: "longer.mkv"))
        #expect(longer.0.segments == plan.segments && longer.1 == whole)
        // The Cues become something else that is passed over: Tags.
        let cues = try #require(
            bytes.indices.dropLast(4).last { Array(bytes[$0..<$0 + 4]) == [0x1c, 0x53, 0xbb, 0x6b] }
        )
        bytes.replaceSubrange(cues..<cues + 4, with: [0x12, 0x54, 0xc3, 0x67])
        let without = try Self.delivered(folder.write(bytes, to: "without.mkv"))
        #expect(without.0.segments == plan.segments && without.1 == whole)
    }

    @Test func `keyframes are where the pictures say`() throws {
        let folder = try TestFolder()
        let path = try Clip().write(in: folder)
        let (plan, whole) = try Self.delivered(path)
        var bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
        let table = try #require(`Damaged files`.places(of: "stss", in: bytes).first)
        let count = Int(bytes[table + 11])
        for entry in 0..<count {
            let place = table + 12 + 4 * entry + 2
            let number = (Int(bytes[place]) << 8) + Int(bytes[place + 1]) + 7
            bytes.replaceSubrange(place..<place + 2, with: [UInt8(number >> 8), UInt8(number & 255)])
        }
        let presentation = try PresentationTests.open(folder.write(bytes, to: "lying.mp4"))
        #expect(presentation.indexing.source == .packets)
        #expect(presentation.plan.segments == plan.segments)
        #expect(try presentation.rendition(.full, in: .ts).tracks.allSatisfy { $0.treatment == .copy })
        #expect(try PresentationTests.whole(presentation, rendition: .full, container: .ts) == whole)
    }
}
