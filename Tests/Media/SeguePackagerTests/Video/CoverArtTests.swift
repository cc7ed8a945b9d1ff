import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@testable import SeguePackager

@Suite struct `Cover art` {
    /// An audio file with cover art that has noise of the given amplitude.
    static func song(in folder: TestFolder, side: Int = 320, noise: Int = 0, art: Bool = true) throws -> String {
        let path = folder.file("song.mp4")
        let muxer = try Muxer(format: "mp4", path: path)
        let encoder = try VideoEncoder(
            named: "mjpeg",
            format: VideoEncoder.Format(
                width: side,
                height: side,
                pixelFormat: "yuvj420p",
                timeBase: Rational(1, 25)
            )
        )
        let tone = try AudioEncoder(named: "aac", sampleRate: 44100, layout: ChannelLayout(channels: 2))
        var attributes = StreamAttributes()
        attributes.isAttachedPicture = true
        let audio = try muxer.addStream(tone)
        let cover = try muxer.addStream(encoder, attributes: attributes)
        let frame = try Frame(pixelFormat: "yuvj420p", width: side, height: side)
        var state: UInt32 = 1
        for plane in 0..<3 {
            let stride = frame.lineSize(plane: plane)
            let sides = plane == 0 ? side : side / 2
            guard let pixels = frame.plane(plane) else { continue }
            for row in 0..<sides {
                for column in 0..<sides {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    let grain = noise > 0 ? Int(state >> 16) % noise : 0
                    pixels[row * stride + column] = UInt8(clamping: 60 + (row + column) * 100 / sides + grain)
                }
            }
        }
        frame.pts = 0
        try encoder.encode(frame) { packet in
            try muxer.write(art ? packet : Packet(bytes: [0xff, 0xd8, 0xff, 0xd9]), stream: cover)
        }
        for number in 0..<1000 {
            let frame = try Frame(sampleFormat: "fltp", sampleRate: 44100, layout: tone.layout, samples: 1024)
            frame.pts = Int64(number) * 1024
            try tone.encode(frame) { try muxer.write($0, stream: audio) }
        }
        try tone.encode(nil) { try muxer.write($0, stream: audio) }
        try muxer.finish()
        return path
    }

    private static func still(of path: String) throws -> StillImage {
        let presentation = try PresentationTests.open(path)
        return try StillImage(
            of: #require(presentation.artworkStream),
            file: path,
            limits: DeviceProfile.any.videoLimits,
            plan: presentation.plan,
            cancellation: Cancellation()
        )
    }

    @Test func `declares the required level, not the device's maximum`() throws {
        let folder = try TestFolder()
        let still = try Self.still(of: Self.song(in: folder))
        // 400 macroblocks exceed the 396 of level 2 (ITU-T H.264, A.3.1).
        #expect(VideoConfiguration(codec: .h264, extradata: still.parameters.extradata).codecString == "avc1.42C015")
    }

    @Test(arguments: [0, 40])
    func `is encoded once, and repetitions change no pixel and are tiny`(noise: Int) throws {
        let folder = try TestFolder()
        let still = try Self.still(of: Self.song(in: folder, noise: noise))
        #expect(still.coded.count == 40)
        #expect(still.coded.dropFirst().allSatisfy { $0.count <= 20 })
        let bytes = still.parameters.extradata + still.coded.flatMap { $0 }
        let input = try MediaInput(bytes: bytes, name: "still", format: "h264")
        let decoder = try Decoder(stream: #require(input.streams.first), file: input.name)
        var checksums: [UInt32] = []
        let complaint = try ErrorLog.complaint {
            let packet = Packet()
            while try input.read(into: packet) { try decoder.decode(packet) { checksums.append($0.pictureChecksum) } }
            try decoder.decode(nil) { checksums.append($0.pictureChecksum) }
        }
        #expect(complaint == nil)
        #expect(checksums.count == 40 && Set(checksums).count == 1)
    }

    @Test func `has the best quality within its rate, or the worst if none is`() throws {
        let sizes = try [0, 16, 200].map { noise in
            let folder = try TestFolder()
            return try Self.still(of: Self.song(in: folder, side: 640, noise: noise)).coded[0].count
        }
        // One quality step up takes 50% more.
        #expect(sizes[0] <= 12_000 && (6_000...12_000).contains(sizes[1]) && sizes[2] > 12_000, "\(sizes)")
    }

    @Test func `keeps its aspect ratio at reduced decoding`() throws {
        let folder = try TestFolder()
        let still = try Self.still(of: Self.song(in: folder, side: 2600))
        #expect(still.width == 640 && still.height == 640)
    }

    @Test func `is not decoded for audio-only renditions`() throws {
        let folder = try TestFolder()
        let presentation = try PresentationTests.open(Self.song(in: folder, art: false))
        _ = try presentation.rendition(.background, in: .ts)
        _ = try presentation.segment(0, of: .background, in: .ts, cancellation: Cancellation())
        #expect(presentation.refusedArtwork == nil)
        _ = try? presentation.rendition(.full, in: .ts)
        #expect(presentation.refusedArtwork?.reason == .nothingPlayable)
    }
}
