import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `What cannot be served` {
    static func reason(_ body: () throws -> Void) throws -> PackagingError.Reason {
        let error = try #require(#expect(throws: PackagingError.self) { try body() })
        #expect(!error.description.contains("\n"))
        return error.reason
    }

    @Test func `files without media are rejected`() throws {
        let folder = try TestFolder()
        let missing = folder.file("missing.mp4")
        #expect(try Self.reason { _ = try PresentationTests.open(missing) } == .unreadable)
        #expect(try Self.reason { _ = try PresentationTests.open(folder.path) } == .unreadable)
        let empty = try folder.write([], to: "empty.mp4")
        #expect(try Self.reason { _ = try PresentationTests.open(empty) } == .notMedia)
        let text = try folder.write(Array("Dear Sir,\n".utf8), to: "letter.mp4")
        #expect(try Self.reason { _ = try PresentationTests.open(text) } == .notMedia)
    }

    @Test func `a truncated file is served up to its end`() throws {
        let folder = try TestFolder()
        let path = try Clip(container: "mpegts").write(in: folder)
        let bytes = try #require(FileManager.default.contents(atPath: path))
        let cut = try folder.write([UInt8](bytes.prefix(bytes.count * 2 / 3)), to: "cut.ts")
        let presentation = try PresentationTests.open(cut)
        #expect(presentation.plan.duration < Rational(12) && presentation.plan.duration > Rational(5))
        for container in SegmentContainer.allCases {
            let delivered = try PresentationTests.whole(presentation, rendition: .full, container: container)
            let frames = try Decoded(MediaInput(bytes: delivered, name: "delivered"), .video).frames
            #expect(try frames == Decoded(MediaInput(path: cut), .video).frames)
        }
    }

    @Test func `a video without audio has no background rendition`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(Clip(audioCodec: nil).write(in: folder))
        #expect(try presentation.rendition(.full, in: .ts).tracks.count == 1)
        let reason = try Self.reason { _ = try presentation.rendition(.background, in: .fmp4) }
        #expect(reason == .noAudio)
    }

    @Test func `a film with keyframes too far apart is transcoded, and never one long segment`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(
            Clip(seconds: 40, keyframeInterval: 10000).write(in: folder)
        )
        let film = try #require(presentation.rendition(.full, in: .ts).tracks.first)
        #expect(film.treatment == .transcode(reason: "the video has no keyframe for 40 s from 0 s on"))
        #expect(presentation.plan.segments.allSatisfy { $0.duration < Rational(10) })
        #expect(try presentation.rendition(.background, in: .ts).tracks.map(\.treatment) == [.copy])
    }

    @Test func `a changed file is rejected`() throws {
        let folder = try TestFolder()
        let path = try Clip().write(in: folder)
        let presentation = try PresentationTests.open(path)
        _ = try Clip(seconds: 5).write(in: folder)
        let reason = try Self.reason {
            _ = try presentation.segment(0, of: .full, in: .ts, cancellation: Cancellation())
        }
        #expect(reason == .changed)
        #expect(try PresentationTests.open(path).identity.tag != presentation.identity.tag)
    }

    @Test func `segments outside the plan, and canceled work`() throws {
        let folder = try TestFolder()
        let path = try Clip().write(in: folder)
        let presentation = try PresentationTests.open(path)
        for number in [-1, presentation.plan.segments.count] {
            let reason = try Self.reason {
                _ = try presentation.segment(number, of: .full, in: .ts, cancellation: Cancellation())
            }
            #expect(reason == .noSuchSegment)
        }
        let cancelled = Cancellation()
        cancelled.cancel()
        #expect(try Self.reason { _ = try Presentation.open(path: path, cancellation: cancelled) } == .cancelled)
        let reason = try Self.reason { _ = try presentation.segment(1, of: .full, in: .ts, cancellation: cancelled) }
        #expect(reason == .cancelled)
    }
}
