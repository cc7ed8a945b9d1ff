import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Renditions` {
    @Test(arguments: [
        ("full", Rendition.full), ("background", .background), ("video", .video), ("sound-0", .audio(0)),
        ("sound-12", .audio(12)), ("iframes", .keyframes), ("full-burn-2", .full.burning(2)),
        ("iframes-burn-0", .keyframes.burning(0)), ("background", .background.burning(2)),
    ])
    func `have names that can be parsed`(name: String, rendition: Rendition) {
        #expect(rendition.rawValue == name)
        #expect(Rendition(rawValue: name) == rendition)
    }

    @Test(arguments: [
        "", "Full", "sound", "sound-", "sound--1", "sound-01", "sound-+1", "sound-1 ", "sound-x", "video-", "video-100",
        "video-0360", "full-burn-", "full-burn--1", "full-burn-01", "full-burn-1-burn-1", "background-burn-1",
        "-burn-1",
    ])
    func `are not parsed from other texts`(name: String) {
        #expect(Rendition(rawValue: name) == nil)
    }

    /// A movie with a copied, a transcoded, and a short audio track.
    private static func film(in folder: TestFolder) throws -> String {
        try Clip(
            container: "matroska",
            otherAudio: [
                .init(codec: "flac", channels: 1, language: "ger"), .init(codec: "ac3", language: "fre", seconds: 4),
            ]
        ).write(in: folder)
    }

    @Test(arguments: SegmentContainer.allCases)
    func `every audio track is one, with the same cuts`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        let path = try Self.film(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(try presentation.audioTracks(cancellation: Cancellation()).map(\.index) == [1, 2, 3])
        #expect(presentation.refusedAudio.isEmpty)
        let count = presentation.plan.segments.count
        #expect(count >= 2)
        for (place, number) in [1, 2, 3].enumerated() {
            let description = try presentation.rendition(.audio(number), in: container)
            let track = try #require(description.tracks.first)
            #expect(description.tracks.map(\.kind) == [.audio])
            #expect(track.sourceStream == number)
            // The short track ends with silence, so that all tracks end together.
            #expect((track.treatment == .copy) == (number == 1))
            #expect(description.extent.segmentCount == count)
            let bytes = try PresentationTests.whole(presentation, rendition: .audio(number), container: container)
            let heard = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio).samples
            let wished = try Decoded(MediaInput(path: path), .audio, number: place).samples
            #expect(heard.count >= wished.count + track.primingSamples)
            let part = heard[track.primingSamples..<min(heard.count, track.primingSamples + wished.count)]
            if track.treatment == .copy {
                #expect(part == wished[...])
            } else {
                let error = zip(part, wished).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Float(wished.count)
                #expect(error < 0.001)
            }
        }
        // The best audio alone has two names with equal bytes.
        for segment in 0..<count {
            let bytes = try [Rendition.background, .audio(1)].map {
                try presentation.segment(segment, of: $0, in: container, cancellation: Cancellation())
            }
            #expect(bytes[0] == bytes[1])
        }
    }

    @Test func `video alone is one, with the frames of the full rendition`() throws {
        let folder = try TestFolder()
        let path = try Self.film(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(try presentation.rendition(.video, in: .fmp4).tracks.map(\.kind) == [.video])
        for container in SegmentContainer.allCases {
            let bytes = try PresentationTests.whole(presentation, rendition: .video, container: container)
            let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video)
            #expect(try delivered.frames == Decoded(MediaInput(path: path), .video).frames)
        }
    }

    @Test(arguments: SegmentContainer.allCases)
    func `lower bit rates have the same frames, smaller, with the same cuts`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        let path = try Clip(width: 480, height: 272).write(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(presentation.ladder.map(\.rawValue) == ["video-234"])
        let rung = try #require(Rendition(rawValue: "video-234"))
        let description = try presentation.rendition(rung, in: container)
        let track = try #require(description.tracks.first)
        #expect(description.tracks.count == 1 && track.height <= 234 && track.width <= 416 && track.width > 400)
        #expect(description.extent.segmentCount == presentation.plan.segments.count)
        #expect(description.extent.isIndependent)
        for segment in presentation.plan.segments {
            let head = container == .fmp4 ? try presentation.initSegment(rung) : []
            let source = container == .fmp4 ? try presentation.initSegment(.video) : []
            let small = try presentation.segment(segment.number, of: rung, in: container, cancellation: Cancellation())
            let own = try presentation.segment(segment.number, of: .video, in: container, cancellation: Cancellation())
            let video = try Decoded(MediaInput(bytes: head + small, name: "rung"), .video)
            let wished = try Decoded(MediaInput(bytes: source + own, name: "own"), .video)
            #expect(video.times.count == wished.times.count)
            #expect(zip(video.times, wished.times).allSatisfy { abs(($0 - $1).seconds) < 1.0 / 45000 })
        }
        #expect(try PresentationTests.open(Clip(seconds: 2).write(in: folder, name: "small")).ladder.isEmpty)
    }

    @Test func `do not depend on earlier requests`() throws {
        let folder = try TestFolder()
        let path = try Self.film(in: folder)
        let asked = try PresentationTests.open(path)
        let all = try [3, 2, 1].map { try PresentationTests.whole(asked, rendition: .audio($0), container: .fmp4) }
        for (number, bytes) in zip([3, 2, 1], all) {
            #expect(
                try PresentationTests.whole(PresentationTests.open(path), rendition: .audio(number), container: .fmp4)
                    == bytes
            )
        }
    }

    @Test func `that a file does not have are rejected with the reason`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(Clip(seconds: 2, videoCodec: nil).write(in: folder))
        let refusals: [(Rendition, PackagingError.Reason)] = [(.video, .nothingPlayable), (.audio(5), .noAudio)]
        for (rendition, reason) in refusals {
            #expect {
                _ = try presentation.rendition(rendition, in: .fmp4)
            } throws: { ($0 as? PackagingError)?.reason == reason }
        }
    }

    @Test func `a transport stream has all its audio tracks and reports those without packets`() throws {
        let folder = try TestFolder()
        let path = try Clip(
            container: "mpegts",
            otherAudio: [
                .init(language: "ger"), .init(codec: "ac3", language: "fre"), .init(language: "ita", seconds: 0),
            ]
        ).write(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(try presentation.audioTracks(cancellation: Cancellation()).map(\.index) == [1, 2, 3])
        #expect(presentation.refusedAudio.keys.sorted() == [4])
        #expect(presentation.refusedAudio[4]?.message.contains("no packets") == true)
    }
}
