import Foundation
import SegueBase
import SegueFFmpeg
import SegueTestMedia
import SegueTestSupport
import Testing

@Suite struct `Synthetic media read back` {
    /// Audio of one codec: encoder, container, rate, channels, and further track keys.
    private static let audioTracks: [(String, String, Int, Int, String)] = [
        ("aac", "ipod", 44100, 2, ""),
        ("aac", "adts", 24000, 1, ""),
        ("libmp3lame", "mp3", 44100, 2, ", bitrate: 128000"),
        ("libmp3lame", "mp3", 8000, 1, ", bitrate: 24000"),
        ("libopus", "opus", 48000, 2, ", bitrate: 96000"),
        ("libvorbis", "ogg", 44100, 2, ""),
        ("libspeex", "ogg", 16000, 1, ", options: {cbr_quality: \"10\"}"),
        ("ac3", "ac3", 48000, 6, ", layout: 5.1(side), bitrate: 448000"),
        ("mp2", "mp2", 48000, 2, ", bitrate: 192000"),
        ("wmav2", "asf", 44100, 2, ", bitrate: 128000"),
        ("adpcm_ms", "wav", 22050, 2, ""),
        ("pcm_mulaw", "au", 8000, 1, ""),
        ("libgsm", "gsm", 8000, 1, ""),
        ("pcm_u8", "wav", 11025, 1, ""),
        ("flac", "flac", 96000, 2, ", samples: s32"),
    ]

    @Test(arguments: audioTracks.indices)
    func `coded audio is located in every channel`(index: Int) throws {
        let (codec, format, rate, channels, more) = Self.audioTracks[index]
        let recipe = """
            recipes:
              - file: sound
                about: A sound.
                format: \(format)
                duration: 3
                audio: [{codec: \(codec), rate: \(rate), channels: \(channels)\(more)}]
            """
        let reading = try reading(of: recipe, "sound")
        let heard = try #require(reading.heard.first)
        #expect(heard.count == min(channels, 2))
        #expect(reading.complaints == [])
        for channel in heard {
            #expect(channel.runs.count == 1)
            let run = try #require(channel.runs.first)
            // All of it is present; a codec delay may precede it, or a decoder drop its first frame.
            #expect(abs(run.position) < Int64(rate) / 10)
            #expect(run.end >= Int64(3 * rate) - Int64(rate) / 10)
        }
    }

    /// Video of one codec: encoder, container, and further track keys.
    private static let films: [(String, String, String)] = [
        ("libx264", "mp4", ", bframes: 2, options: {preset: ultrafast}"),
        ("libx264", "mpegts", ", options: {preset: ultrafast}"),
        ("libx265", "matroska", ", options: {preset: ultrafast, x265-params: \"pools=none:log-level=none\"}"),
        ("mpeg4", "avi", ", bitrate: 800000"),
        ("mpeg2video", "mpeg", ", bframes: 2, bitrate: 1500000"),
        ("libvpx", "webm", ", bitrate: 600000, options: {deadline: realtime, cpu-used: 8}"),
        ("mjpeg", "mov", ", pixels: yuvj420p, bitrate: 1500000"),
        ("libtheora", "ogg", ", bitrate: 800000"),
        ("prores_ks", "mov", ", pixels: yuv422p10le"),
        ("gif", "gif", ", pixels: gray"),
    ]

    @Test(arguments: films.indices)
    func `every coded frame is readable`(index: Int) throws {
        let (codec, format, more) = Self.films[index]
        let recipe = """
            recipes:
              - file: film
                about: A film.
                format: \(format)
                duration: 2
                video: {codec: \(codec), size: 96x64, rate: 25, interval: 10\(more)}
            """
        let reading = try reading(of: recipe, "film")
        #expect(reading.frames.map(\.number) == (0..<50).map { $0 })
        let first = try #require(reading.frames.first?.time).seconds
        for (number, image) in reading.frames.enumerated() {
            // A program stream does not declare the last frame's time.
            guard let time = image.time else { continue }
            let due = first + Double(number) / 25
            #expect(abs(time.seconds - due) < 0.011)
        }
    }

    @Test func `audio and video share one timeline at any container start`() throws {
        let recipe = """
            recipes:
              - file: late.mkv
                about: A film that begins at an hour, its sound half a second later.
                format: matroska
                start: 3600
                duration: 3
                video: {codec: libx264, size: 96x64, rate: 25, steps: [1, 2, 3], options: {preset: ultrafast}}
                audio: [{codec: flac, rate: 48000, start: 0.5}]
            """
        let folder = try TestFolder()
        let path = try MediaMaker(recipes: RecipeReader.parse(recipe, file: "test")).make("late.mkv", into: folder.path)
        let piece = try #require(SyntheticTruth.find(forFileAt: path)?.pieces.first)
        let reading = try SyntheticReading(of: MediaInput(path: path), holding: piece)
        let heard = try #require(reading.heard.first?.first)
        let run = try #require(heard.runs.first)
        let start = try #require(heard.start)
        #expect(run.position == 24000)
        #expect(abs(start.seconds - 3600.5) < 0.002)
        let film = try #require(piece.film)
        for image in reading.frames {
            let number = try #require(image.number)
            let time = try #require(image.time)
            #expect(abs(time.seconds - 3600 - film.times[number]) < 0.002)
        }
    }

    @Test func `every recipe in the repository is valid, and there are enough of them`() throws {
        let root = Checkout.root
        let recipes = try RecipeReader.recipes(inFolder: root.appendingPathComponent("TestMedia").path)
        #expect(recipes.count >= 60)
        #expect(Set(recipes.map(\.expect)).isSuperset(of: [.full, .skip]))
    }

    private func reading(of recipe: String, _ file: String) throws -> SyntheticReading {
        let folder = try TestFolder()
        let path = try MediaMaker(recipes: RecipeReader.parse(recipe, file: "test")).make(file, into: folder.path)
        let piece = try #require(SyntheticTruth.find(forFileAt: path)?.pieces.first)
        return try SyntheticReading(of: MediaInput(path: path), holding: piece)
    }
}
