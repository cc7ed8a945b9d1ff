import SegueBase
import SegueFFmpeg
import SegueTestSupport
import Testing

@Suite struct `Coding and muxing` {
    @Test func `SHA-256 of known bytes`() {
        #expect(
            Checksum.sha256(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(Checksum.sha256([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `the same frames give the same bytes`() throws {
        let once = try TinyMedia.image(frames: 12, format: "matroska")
        #expect(try TinyMedia.image(frames: 12, format: "matroska") == once)
    }

    @Test func `resampling keeps the length`() throws {
        let stereo = ChannelLayout(channels: 2)
        let resampler = try Resampler(
            from: .init(rate: 44100, layout: stereo, sampleFormat: "fltp"),
            to: .init(rate: 48000, layout: ChannelLayout(channels: 1), sampleFormat: "s16")
        )
        let tone = try TinyMedia.tone(samples: 44100, rate: 44100, layout: stereo)
        var samples = try resampler.convert(tone)?.sampleCount ?? 0
        while let rest = try resampler.convert(nil) { samples += rest.sampleCount }
        #expect(abs(samples - 48000) <= 1)
    }

    @Test func `scaling changes size and format`() throws {
        let frame = try Frame(pixelFormat: "yuv420p", width: 64, height: 48)
        frame.pts = 7
        let scaled = try Scaler(
            from: .init(width: 64, height: 48, pixelFormat: "yuv420p"),
            to: .init(width: 32, height: 24, pixelFormat: "rgb24")
        ).convert(frame)
        #expect(scaled.width == 32 && scaled.pixelFormat == "rgb24" && scaled.pts == 7)
    }

    @Test func `unknown encoders, muxers and options are named`() throws {
        let encoder = #expect(throws: MediaError.self) {
            try AudioEncoder(named: "no-such", sampleRate: 8000, layout: ChannelLayout(channels: 1))
        }
        #expect(encoder?.message.contains("no-such") == true)
        #expect(throws: MediaError.self) { try Muxer(format: "no-such") }
        let option = #expect(throws: MediaError.self) {
            try AudioEncoder(
                named: "aac",
                sampleRate: 8000,
                layout: ChannelLayout(channels: 1),
                options: ["colour": "red"]
            )
        }
        #expect(option?.message.contains("colour") == true)
    }

    @Test func `a file muxer writes a file that can be opened`() throws {
        let folder = try TestFolder()
        let encoder = try AudioEncoder(
            named: "aac",
            sampleRate: 48000,
            layout: ChannelLayout(channels: 1),
            quality: .fixed(0.8)
        )
        let path = folder.file("tone.m4a")
        let muxer = try Muxer(format: "ipod", path: path)
        muxer.setMetadata(["title": "A tone"])
        let stream = try muxer.addStream(encoder)
        for number in 0..<10 {
            let frame = try TinyMedia.tone(samples: 1024, rate: 48000, layout: encoder.layout)
            frame.pts = Int64(number * 1024)
            try encoder.encode(frame) { try muxer.write($0, stream: stream) }
        }
        try encoder.encode(nil) { try muxer.write($0, stream: stream) }
        try muxer.finish()
        #expect(try MediaInput(path: path).metadata["title"] == "A tone")
    }
}
