import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Renditions` {
    @Test(arguments: [
        ("full", Rendition.full), ("background", .background), ("video", .video), ("sound-0", .sound(0)),
        ("sound-12", .sound(12)), ("iframes", .keyframes),
    ])
    func `have names that are read back`(name: String, rendition: Rendition) {
        #expect(rendition.rawValue == name)
        #expect(Rendition(rawValue: name) == rendition)
    }

    @Test(arguments: [
        "", "Full", "sound", "sound-", "sound--1", "sound-01", "sound-+1", "sound-1 ", "sound-x", "video-", "video-100",
        "video-0360",
    ])
    func `are not read from other texts`(name: String) {
        #expect(Rendition(rawValue: name) == nil)
    }

    /// A film with one copied, one transcoded and one short track of audio.
    private static func film(in folder: TestFolder) throws -> String {
        try Clip(
            container: "matroska",
            otherSounds: [
                .init(codec: "flac", channels: 1, language: "ger"), .init(codec: "ac3", language: "fre", seconds: 4),
            ]
        ).write(in: folder)
    }

    @Test(arguments: SegmentContainer.allCases)
    func `every track of sound is one, on the one cut list`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        let path = try Self.film(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(try presentation.sounds(cancellation: Cancellation()).map(\.index) == [1, 2, 3])
        #expect(presentation.refusedSounds.isEmpty)
        let count = presentation.plan.segments.count
        #expect(count >= 2)
        for (place, number) in [1, 2, 3].enumerated() {
            let description = try presentation.rendition(.sound(number), in: container)
            let track = try #require(description.tracks.first)
            #expect(description.tracks.map(\.kind) == [.audio])
            #expect(track.sourceStream == number)
            #expect((track.treatment == .copy) == (number != 2))
            #expect(description.extent.segmentCount == (number == 3 ? 1 : count))
            let bytes = try PresentationTests.whole(presentation, rendition: .sound(number), container: container)
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
        // The best audio alone has two names, and the same bytes under both.
        for segment in 0..<count {
            let bytes = try [Rendition.background, .sound(1)].map {
                try presentation.segment(segment, of: $0, in: container, cancellation: Cancellation())
            }
            #expect(bytes[0] == bytes[1])
        }
    }

    @Test func `the picture alone is one, with the pictures of the whole`() throws {
        let folder = try TestFolder()
        let path = try Self.film(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(try presentation.rendition(.video, in: .fmp4).tracks.map(\.kind) == [.video])
        for container in SegmentContainer.allCases {
            let bytes = try PresentationTests.whole(presentation, rendition: .video, container: container)
            let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video)
            #expect(try delivered.pictures == Decoded(MediaInput(path: path), .video).pictures)
        }
    }

    @Test(arguments: SegmentContainer.allCases)
    func `lower bit rates have the same pictures, smaller, between the same cuts`(container: SegmentContainer) throws {
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
            let pictures = try Decoded(MediaInput(bytes: head + small, name: "rung"), .video)
            let wished = try Decoded(MediaInput(bytes: source + own, name: "own"), .video)
            #expect(pictures.times.count == wished.times.count)
            #expect(zip(pictures.times, wished.times).allSatisfy { abs(($0 - $1).seconds) < 1.0 / 45000 })
        }
        #expect(try PresentationTests.open(Clip(seconds: 2).write(in: folder, name: "small")).ladder.isEmpty)
    }

    @Test func `do not depend on what was asked for before`() throws {
        let folder = try TestFolder()
        let path = try Self.film(in: folder)
        let asked = try PresentationTests.open(path)
        let all = try [3, 2, 1].map { try PresentationTests.whole(asked, rendition: .sound($0), container: .fmp4) }
        for (number, bytes) in zip([3, 2, 1], all) {
            #expect(
                try PresentationTests.whole(PresentationTests.open(path), rendition: .sound(number), container: .fmp4)
                    == bytes
            )
        }
    }

    @Test func `that a file has not are refused with the reason`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(Clip(seconds: 2, videoCodec: nil).write(in: folder))
        let refusals: [(Rendition, PackagingError.Reason)] = [(.video, .nothingPlayable), (.sound(5), .noSound)]
        for (rendition, reason) in refusals {
            #expect {
                _ = try presentation.rendition(rendition, in: .fmp4)
            } throws: { ($0 as? PackagingError)?.reason == reason }
        }
    }

    @Test func `a transport stream has all its tracks of sound, and says which are announced only`() throws {
        let folder = try TestFolder()
        let path = try Clip(
            container: "mpegts",
            otherSounds: [
                .init(language: "ger"), .init(codec: "ac3", language: "fre"), .init(language: "ita", seconds: 0),
            ]
        ).write(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(try presentation.sounds(cancellation: Cancellation()).map(\.index) == [1, 2, 3])
        #expect(presentation.refusedSounds.keys.sorted() == [4])
        #expect(presentation.refusedSounds[4]?.message.contains("no packets") == true)
    }
}
