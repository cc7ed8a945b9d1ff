import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

/// Cover art and subtitles of a movie so long that a demuxer sees only its beginning.
@Suite struct `A long movie` {
    private static let frames = MovieIndex.longMovie + 100

    private static func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
        let inside = content.flatMap { $0 }
        return words(UInt32(inside.count + 8)) + Array(name.utf8) + inside
    }

    private static func words(_ numbers: UInt32...) -> [UInt8] {
        numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// A movie with one timed text (3GPP TS 26.245) of one second.
    private static func textMovie() -> [UInt8] {
        let sample: [UInt8] = [0, 2] + Array("Hi".utf8)
        let type = box("ftyp", Array("isom".utf8), words(0), Array("isom".utf8))
        let entry = box("tx3g", words(0, 1), zeros(30), box("ftab", [0, 1, 0, 1, 5], Array("Serif".utf8)))
        let tables = box(
            "stbl",
            box("stsd", words(0, 1), entry),
            box("stts", words(0, 1, 1, 1000)),
            box("stsc", words(0, 1, 1, 1, 1)),
            box("stsz", words(0, 0, 1, UInt32(sample.count))),
            box("stco", words(0, 1, UInt32(type.count + 8)))
        )
        let media = box(
            "mdia",
            box("mdhd", words(0, 0, 0, 1000, 1000, 0x55c4_0000)),
            box("hdlr", words(0, 0), Array("sbtl".utf8), zeros(13)),
            box("minf", box("nmhd", words(0)), tables)
        )
        let track = box("trak", box("tkhd", words(3, 0, 0, 1, 0, 1000), zeros(60)), media)
        let head = box("mvhd", words(0, 0, 0, 1000, 1000, 0x10000, 0x0100_0000), zeros(68), words(2))
        return type + box("mdat", sample) + box("moov", head, track)
    }

    /// Minutes of a tone, with cover art and texts at some seconds.
    private static func write(in folder: TestFolder, textsAt seconds: [Int]) throws -> String {
        let path = folder.file("long.mp4")
        let tone = try MediaInput(path: Clip(seconds: 1, videoCodec: nil).write(in: folder, name: "tone"))
        let texts = try MediaInput(bytes: textMovie(), name: "text")
        let (audio, text) = (try #require(tone.streams.first), try #require(texts.streams.first))
        let art = try VideoEncoder(
            named: "mjpeg",
            format: VideoEncoder.Format(
                width: 64,
                height: 48,
                pixelFormat: "yuvj420p",
                timeBase: Rational(1, 25),
                frameRate: Rational(25)
            ) {
                $0.keyframeInterval = 1
                $0.bFrames = 0
            },
            options: [:]
        )
        let muxer = try Muxer(format: "mp4", path: path)
        _ = try muxer.addStream(audio.parameters, timeBase: audio.timeBase)
        _ = try muxer.addStream(text.parameters, timeBase: text.timeBase)
        var attributes = StreamAttributes()
        attributes.isAttachedPicture = true
        let cover = try muxer.addStream(art, attributes: attributes)
        let frame = try Frame(pixelFormat: "yuvj420p", width: 64, height: 48)
        for plane in 0..<3 {
            frame.plane(plane)?.update(repeating: 90, count: frame.lineSize(plane: plane) * (plane == 0 ? 48 : 24))
        }
        frame.pts = 0
        try art.encode(frame) { try muxer.write($0, stream: cover) }
        try art.encode(nil) { try muxer.write($0, stream: cover) }
        var packets: [Packet] = []
        let packet = Packet()
        while try tone.read(into: packet) { packets.append(packet.copy()) }
        #expect(try texts.read(into: packet))
        var left = seconds[...]
        for number in 0..<frames {
            if let second = left.first, second * audio.sampleRate <= number * 1024 {
                (packet.pts, packet.dts, packet.duration) = (Int64(second * 1000), Int64(second * 1000), 1000)
                try muxer.write(packet, stream: 1)
                left.removeFirst()
            }
            let frame = packets[1 + number % (packets.count - 1)].copy()
            (frame.pts, frame.dts, frame.duration) = (Int64(number * 1024), Int64(number * 1024), 1024)
            frame.setSkippedSamples(nil)
            try muxer.write(frame, stream: 0)
        }
        try muxer.finish()
        return path
    }

    @Test func `has its subtitles to the end, and its cover art`() throws {
        let folder = try TestFolder()
        let path = try Self.write(in: folder, textsAt: [1, 450])
        let look = try FileLook.open(path: path, cancellation: Cancellation())
        let whole = try MediaInput(path: path)
        #expect(look.streams.map(\.kind) == [.audio, .subtitle, .video])
        #expect(look.indexEntries(stream: 0).count < Self.frames / 2)
        #expect(whole.indexEntries(stream: 0).count == Self.frames)
        #expect(look.streams.map(\.duration) == whole.streams.map(\.duration))

        let presentation = try PresentationTests.open(path)
        #expect(presentation.indexing.source == .movie)
        #expect(presentation.subtitles.map(\.index) == [1])
        let cues = try presentation.plan.segments.indices.filter { number in
            let bytes = try presentation.subtitleSegment(number, of: 1, cancellation: Cancellation())
            return String(decoding: bytes, as: UTF8.self).contains("Hi")
        }
        let spoken = presentation.plan.segments.indices.filter { number in
            let segment = presentation.plan.segments[number]
            return [1, 450].contains {
                Rational($0) < segment.start + segment.duration && Rational($0 + 1) > segment.start
            }
        }
        #expect(cues == spoken)

        let art = try StillImage(
            of: #require(presentation.artworkStream),
            file: path,
            limits: DeviceProfile.any.videoLimits,
            plan: presentation.plan,
            cancellation: Cancellation()
        )
        #expect(art.width == 64 && art.height == 48 && !art.coded.isEmpty)
    }
}
