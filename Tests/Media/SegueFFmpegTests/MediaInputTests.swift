import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SegueTestSupport
import Testing

@Suite struct `Media input` {
    @Test(arguments: [
        ("aac", "mp4"), ("aac", "adts"), ("libmp3lame", "mp3"), ("pcm_s16le", "wav"), ("flac", "flac"),
        ("ac3", "matroska"),
    ])
    func `an encoded stream is found and decoded`(codec: String, format: String) throws {
        let bytes = try TinyMedia.audio(codec: codec, format: format, samples: 44100)
        let input = try MediaInput(bytes: bytes, name: "tiny.\(format)")
        let stream = try #require(input.streams.first)
        #expect(stream.kind == .audio && stream.sampleRate == 44100 && stream.channels == 2)
        let decoder = try Decoder(stream: stream, file: input.name)
        let packet = Packet()
        var samples = 0
        while try input.read(into: packet) { try decoder.decode(packet) { samples += $0.sampleCount } }
        try decoder.decode(nil) { samples += $0.sampleCount }
        #expect(samples >= 44100 && samples < 44100 + 3 * 2048)
    }

    @Test func `a video stream has its size, frame rate, and frames`() throws {
        let bytes = try TinyMedia.image(frames: 25, format: "mp4")
        let folder = try TestFolder()
        let path = try folder.write(bytes, to: "it's a 'name'.mp4")
        let input = try MediaInput(path: path)
        let stream = try #require(input.streams.first)
        #expect(stream.width == 64 && stream.height == 48 && stream.codec == "h264")
        #expect(stream.averageFrameRate == Rational(25))
        let decoder = try Decoder(stream: stream, file: input.name)
        let packet = Packet()
        var checksums: [UInt32] = []
        while try input.read(into: packet) { try decoder.decode(packet) { checksums.append($0.pictureChecksum) } }
        try decoder.decode(nil) { checksums.append($0.pictureChecksum) }
        #expect(checksums.count == 25)
        #expect(Set(checksums).count > 20)
    }

    @Test func `seeking goes to the preceding keyframe`() throws {
        let input = try MediaInput(bytes: TinyMedia.image(frames: 50, format: "mp4"), name: "tiny.mp4")
        let stream = try #require(input.streams.first)
        try input.seek(to: Rational(1, 1).rounded(scale: stream.timeBase.denominator), stream: 0)
        let packet = Packet()
        #expect(try input.read(into: packet))
        #expect(packet.isKey)
        let time = Rational(try #require(packet.pts)) * stream.timeBase
        #expect(time == Rational(20, 25))
    }

    @Test(arguments: ["empty", "text", "cut"])
    func `a file without media is rejected in one line with its name`(kind: String) throws {
        let folder = try TestFolder()
        let bytes: [UInt8] =
            switch kind {
            case "empty": []
            case "text": Array("This is a letter, not a film.\n".utf8)
            default: Array(try TinyMedia.audio(codec: "aac", format: "mp4", samples: 4410).prefix(100))
            }
        let path = try folder.write(bytes, to: "bad.mp4")
        let error = #expect(throws: MediaError.self) { try MediaInput(path: path) }
        let words = try #require(error).description
        #expect(words.contains(path) && words.contains("not readable as media: "))
        #expect(!words.contains("\n"))
    }

    @Test func `tags that are not UTF-8 are Windows-1252`() throws {
        // A WAV file of one second with its title in a LIST chunk.
        let little = { (number: Int, count: Int) in (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
        let format = little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2) + little(16, 2)
        let title: [UInt8] = [0x47, 0x72, 0xF6, 0xDF, 0x65, 0]
        let list = Array("INFOINAM".utf8) + little(title.count, 4) + title
        var chunks: [UInt8] = []
        for (name, content) in [("fmt ", format), ("LIST", list), ("data", [UInt8](repeating: 0, count: 16000))] {
            chunks += Array(name.utf8) + little(content.count, 4) + content
        }
        let bytes = Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WAVE".utf8) + chunks
        #expect(try MediaInput(bytes: bytes, name: "title.wav").metadata["title"] == "Größe")
    }

    @Test func `the tags of an Ogg stream are those of the file`() throws {
        let tags = ["artist": "Ärtist", "album": "Album", "genre": "Jazz"]
        let bytes = try TinyMedia.audio(
            codec: "flac",
            format: "ogg",
            samples: 44100,
            quality: .encoderDefault,
            tags: tags
        )
        let input = try MediaInput(bytes: bytes, name: "song.ogg")
        #expect(input.metadata["artist"] == "Ärtist")
        #expect(input.metadata["album"] == "Album")
        #expect(input.metadata["genre"] == "Jazz")
    }

    @Test(arguments: [
        ("av_read_frame", "reading"), ("avcodec_send_packet", "decoding"),
        ("avcodec_open2 aac", "opening the codec (aac)"),
        ("avcodec_open2 (decoder)", "opening the codec"), ("avformat_write_header", "writing"), ("open", "open"),
    ])
    func `a message names the step, not the function`(call: String, step: String) {
        #expect(MediaError(call: call, file: "f", message: "broken").reason == "\(step): broken")
    }

    @Test func `a missing file is rejected`() {
        let error = #expect(throws: MediaError.self) { try MediaInput(path: "/nonexistent/file.mp4") }
        #expect(error?.message.contains("No such file") == true)
    }

    @Test func `canceled opening and reading stop`() throws {
        let folder = try TestFolder()
        let path = try folder.write(TinyMedia.audio(codec: "aac", format: "mp4", samples: 44100), to: "tiny.mp4")
        let cancelled = Cancellation()
        cancelled.cancel()
        let error = #expect(throws: MediaError.self) { try MediaInput(path: path, cancellation: cancelled) }
        #expect(error?.isCancelled == true)
        let input = try MediaInput(path: path)
        input.use(Cancellation(deadline: .now - .seconds(1)))
        let reading = #expect(throws: MediaError.self) { try input.read(into: Packet()) }
        #expect(reading?.isCancelled == true)
    }
}
