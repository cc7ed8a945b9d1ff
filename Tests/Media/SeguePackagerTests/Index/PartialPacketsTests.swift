import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `A film with samples that are no pictures` {
    /// The added samples: a delimiter before each picture, a message before every third, or filler data behind.
    enum Addition: CaseIterable, Sendable {
        case delimiter, message, filler

        /// The unit with its length.
        var bytes: [UInt8] {
            switch self {
            case .delimiter: [0, 0, 0, 2, 9, 0xf0]
            case .message: [0, 0, 0, 5, 6, 5, 1, 7, 0x80]
            case .filler: [0, 0, 0, 3, 12, 0xff, 0x80]
            }
        }
    }

    /// Copies a film's pictures and inserts samples; in containers that allow it, they have the times of their pictures.
    private static func film(_ addition: Addition, container: String, in folder: TestFolder) throws -> String {
        let input = try MediaInput(path: Self.plain(in: folder))
        let stream = input.streams[0]
        let path = folder.file("partial.\(container)")
        let muxer = try Muxer(format: container, path: path)
        try muxer.addStream(stream.parameters, timeBase: stream.timeBase)
        let packet = Packet()
        var number = 0
        while try input.read(into: packet) {
            defer { number += 1 }
            let part = Packet(bytes: addition.bytes)
            let apart: Int64 = container == "mp4" ? (addition == .filler ? 100 : -100) : 0
            part.pts = packet.pts.map { $0 + apart }
            part.dts = packet.dts.map { $0 + apart }
            part.isKey = packet.isKey && addition != .filler
            let isAdded = addition != .message || number % 3 == 0
            if isAdded, addition != .filler { try muxer.write(part, stream: 0) }
            try muxer.write(packet, stream: 0)
            if isAdded, addition == .filler { try muxer.write(part, stream: 0) }
        }
        try muxer.finish()
        return path
    }

    private static func plain(in folder: TestFolder) throws -> String {
        try Clip(seconds: 8, audioCodec: nil).write(in: folder, name: "plain")
    }

    @Test(arguments: Addition.allCases, ["mp4", "flv", "matroska"])
    func `has each with its picture`(addition: Addition, container: String) throws {
        let folder = try TestFolder()
        let source = try Decoded(MediaInput(path: Self.plain(in: folder)), .video)
        let presentation = try PresentationTests.open(Self.film(addition, container: container, in: folder))
        for segments in SegmentContainer.allCases {
            let film = try #require(presentation.rendition(.full, in: segments).tracks.first)
            // The muxer's edit list omits what precedes the first picture.
            let count = (addition == .message ? 67 : 200) - (container == "mp4" && addition != .filler ? 1 : 0)
            #expect(film.treatment == .copy && film.joinedPackets == count)
            #expect(
                film.reason == "\(count) samples without a picture are joined with their pictures; nothing is damaged"
            )
            #expect(film.frameRate == Rational(25) && film.greatestFrameRate == Rational(25))
            let bytes = try PresentationTests.whole(presentation, rendition: .full, container: segments)
            let input = try MediaInput(bytes: bytes, name: "delivered")
            var packets = 0
            while try input.read(into: Packet()) { packets += 1 }
            #expect(packets == 200)
            let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video)
            #expect(delivered.frames == source.frames)
            let steps = zip(delivered.times.dropFirst(), delivered.times).map { ($0 - $1).seconds }
            #expect(steps.allSatisfy { abs($0 - 0.04) < 0.0011 })
        }
    }

    @Test(arguments: ["mp4", "flv"]) func `has each picture once when transcoded`(container: String) throws {
        let folder = try TestFolder()
        let presentation = try Presentation.open(
            path: Self.film(.delimiter, container: container, in: folder),
            for: ShippedDevices.named("iphone-3g"),
            cancellation: Cancellation()
        )
        let film = try #require(presentation.rendition(.full, in: .ts).tracks.first)
        #expect(film.treatment != .copy && film.frameRate == Rational(25))
        let bytes = try PresentationTests.whole(presentation, rendition: .full, container: .ts)
        #expect(try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video).frames.count == 200)
    }

    @Test func `joins delimiters with the next picture and filler data with the last`() throws {
        let kinds: [(Int, PartialPacket.Kind)] = [
            (0, .joinsNext), (2, .joinsPrevious), (3, .joinsNext), (4, .joinsNext), (6, .isSkipped), (8, .joinsNext),
        ]
        let joined = try #require(JoinedPackets(kinds.map { PartialPacket(packet: $0, kind: $1) }, 0...8))
        #expect(joined.pictures == [1, 5, 7])
        #expect(joined.starts == [0, 3, 7, 9])
        #expect((0...8).map { joined.place(ofPacket: $0) } == [0, 0, 0, 1, 1, 1, nil, 2, 2])
        #expect(joined.joined == 5)
    }
}
