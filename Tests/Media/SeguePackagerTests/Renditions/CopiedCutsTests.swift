import Foundation
import SegueBase
import SegueConcurrency
import SegueData
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `What is cut without a demuxer` {
    private static let renditions: [Rendition] = [.full, .background, .video, .keyframes]

    private func open(_ clip: Clip, _ folder: TestFolder) throws -> Presentation {
        try Presentation.open(path: try clip.write(in: folder), cancellation: Cancellation())
    }

    /// The facts as another process receives them.
    private func told(_ presentation: Presentation) throws -> PresentationFacts {
        try JSONDecoder().decode(PresentationFacts.self, from: JSONEncoder().encode(presentation.facts))
    }

    /// Checks that each segment of some renditions equals the presentation's.
    private func same(
        _ cuts: CopiedCuts,
        presentation: Presentation,
        renditions: [Rendition]
    ) throws {
        for rendition in renditions {
            #expect(cuts.holds(rendition))
            for container in SegmentContainer.allCases {
                for number in presentation.plan.segments.indices {
                    let (here, there) = try (
                        cuts.segment(number, of: rendition, in: container, cancellation: Cancellation()),
                        presentation.segment(number, of: rendition, in: container, cancellation: Cancellation())
                    )
                    #expect(!here.isEmpty && here == there, "\(rendition.rawValue) \(container) \(number)")
                }
            }
        }
    }

    @Test(arguments: ["mp4", "mov", "matroska"])
    func `equals that of a presentation, byte for byte`(container: String) throws {
        let folder = try TestFolder()
        let presentation = try open(Clip(seconds: 20, container: container), folder)
        let bytes = try #require(presentation.copied)
        let facts = try told(presentation)
        let cuts = try #require(CopiedCuts(bytes, of: presentation.identity, for: .any, facts))
        try same(cuts, presentation: presentation, renditions: Self.renditions + [.audio(1)])
        let last = presentation.plan.segments.count
        #expect { try cuts.segment(last, of: .full, in: .ts, cancellation: Cancellation()) } throws: {
            ($0 as? PackagingError)?.reason == .noSuchSegment
        }
    }

    @Test(arguments: ["ipod", "matroska"])
    func `works for audio files`(container: String) throws {
        let folder = try TestFolder()
        let presentation = try open(Clip(seconds: 20, container: container, videoCodec: nil), folder)
        let (bytes, facts) = (try #require(presentation.copied), try told(presentation))
        let cuts = try #require(CopiedCuts(bytes, of: presentation.identity, for: .any, facts))
        try same(cuts, presentation: presentation, renditions: [.full, .background, .audio(0)])
        #expect(!cuts.holds(.video) && !cuts.holds(.keyframes))
    }

    @Test func `covers the audio of a file with cover art, which is transcoded`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(`Cover art`.song(in: folder))
        let (bytes, facts) = (try #require(presentation.copied), try told(presentation))
        let cuts = try #require(CopiedCuts(bytes, of: presentation.identity, for: .any, facts))
        #expect(!cuts.holds(.full))
        try same(cuts, presentation: presentation, renditions: [.background, .audio(0)])
    }

    @Test func `covers copied tracks only`() throws {
        let folder = try TestFolder()
        // The device does not support reordered frames.
        let phone = try DeviceProfile(contentsOfFile: ShippedDevices.folder.file("iphone-3g", of: .devices))
        let path = try Clip(seconds: 9).write(in: folder)
        let presentation = try Presentation.open(path: path, for: phone, cancellation: Cancellation())
        let (facts, container) = (presentation.facts, presentation.containers[0])
        let bytes = try #require(presentation.copied)
        let cuts = try #require(CopiedCuts(bytes, of: presentation.identity, for: phone, facts))
        #expect(cuts.holds(.background) && cuts.holds(.audio(1)))
        #expect(!cuts.holds(.full) && !cuts.holds(.video) && !cuts.holds(.keyframes))
        let here = try cuts.segment(1, of: .background, in: container, cancellation: Cancellation())
        #expect(try here == presentation.segment(1, of: .background, in: container, cancellation: Cancellation()))
        // Its packets require a demuxer.
        #expect(try open(Clip(seconds: 9, container: "mpegts"), folder).copied == nil)
    }

    @Test func `fails for a changed file`() throws {
        let folder = try TestFolder()
        let presentation = try open(Clip(seconds: 9), folder)
        let bytes = try #require(presentation.copied)
        let cuts = try #require(CopiedCuts(bytes, of: presentation.identity, for: .any, presentation.facts))
        let path = presentation.identity.path
        try Data(try Data(contentsOf: URL(fileURLWithPath: path)).dropLast(1)).write(to: URL(fileURLWithPath: path))
        #expect { try cuts.segment(0, of: .full, in: .ts, cancellation: Cancellation()) } throws: {
            ($0 as? PackagingError)?.reason == .changed
        }
    }

    /// The input is untrusted: no numbers in it may end the process.
    @Test func `does not trust its input`() throws {
        let folder = try TestFolder()
        let presentation = try open(Clip(seconds: 6), folder)
        let (whole, facts) = (try #require(presentation.copied), presentation.facts)
        let inner = KeptIndex.bytes(of: presentation.tracks.index).count
        var chance = SeededRandom(seed: 1)
        var refused = 0
        for _ in 0..<600 {
            var bytes = whole
            let start = bytes.count - 8 - inner
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                let any = Int64(truncatingIfNeeded: chance.next())
                let number =
                    [Int64.max, .min, -1, 0, 1 << 62, -1 << 40, 1 << 44, any].randomElement(using: &chance) ?? 0
                let place = Int.random(in: start..<start + inner - 16, using: &chance)
                withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
            }
            seal(&bytes, start..<bytes.count - 8)
            seal(&bytes, 0..<bytes.count)
            guard let cuts = CopiedCuts(bytes, of: presentation.identity, for: .any, facts) else {
                refused += 1
                continue
            }
            for container in SegmentContainer.allCases {
                for number in facts.plan.segments.indices {
                    let made = try? cuts.segment(number, of: .full, in: container, cancellation: Cancellation())
                    #expect(made.map { $0.count < 1 << 24 } ?? true)
                }
            }
        }
        #expect((1..<600).contains(refused))
    }

    /// Recomputes the checksum of sealed bytes.
    private func seal(_ bytes: inout [UInt8], _ range: Range<Int>) {
        let sum = bytes[range].dropLast(8).withUnsafeBytes { Checksum.adler32($0) }
        withUnsafeBytes(of: Int64(sum).littleEndian) {
            bytes.replaceSubrange(range.upperBound - 8..<range.upperBound, with: $0)
        }
    }
}
