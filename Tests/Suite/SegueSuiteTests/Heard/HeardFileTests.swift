import Foundation
import SegueBase
import SegueCharts
import SegueConcurrency
import SegueData
import SegueFFmpeg
import SegueNetworkModel
import SegueOrigin
import SeguePackager
import SeguePlayerModel
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SegueSuite

/// Recordings of plain files, assembled from the delivered ranges, against audio that encodes its own position.
@Suite struct `Heard files` {
    private static let recipes = """
        recipes:
          - file: film.mp4
            about: A film whose index stands at its end.
            format: mp4
            duration: 90
            video: {codec: libx264, size: 320x240, rate: 10, interval: 20, bitrate: 400000, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 44100, channels: 1}]
          - file: song.wav
            about: Samples as they are.
            format: wav
            duration: 60
            audio: [{codec: pcm_s16le, rate: 44100, channels: 1}]
          - file: short.mp3
            about: Less than is handed on at a time.
            format: mp3
            duration: 12
            audio: [{codec: libmp3lame, rate: 44100, channels: 1, bitrate: 64000}]
          - file: song.mp3
            about: Frames without an index.
            format: mp3
            duration: 90
            audio: [{codec: libmp3lame, rate: 44100, channels: 1, bitrate: 128000}]
        """

    private static let script = """
        name: jump
        about: Plays the beginning, then what lies far behind what was loaded.
        platform: desktop
        steps:
          - { do: open }
          - { do: forward-buffer, to: 8 }
          - { do: play }
          - { do: hear, seconds: 4 }
          - { do: seek, to: 45 }
          - { do: hear, seconds: 6 }
          - { do: pause }
        """

    /// Ends before the file is complete.
    private static let beginning = """
        name: beginning
        about: Plays the beginning.
        platform: desktop
        steps:
          - { do: open }
          - { do: play }
          - { do: hear, seconds: 0.5 }
        """

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Plays a file as it is over 3G.
    private func play(_ path: String, _ script: String) throws -> (run: ScenarioRun, heard: HeardAudio) {
        let origin = try ItemOrigin(
            path: Array(path.utf8),
            device: .any,
            progress: FileProgress(path: Array(path.utf8)),
            cancellation: Cancellation()
        )
        defer { origin.close() }
        let root = Checkout.root
        let harness = HarnessFolder(path: root.appendingPathComponent("Harness").path)
        let setup = ScenarioRun.Setup(
            scenario: try Scenario(HarnessFile.fields(of: script, file: "s.yaml")),
            items: [ItemAddress(full: "http://\(origin.host)/items/\(origin.item.id)/original")],
            platform: try PlatformProfile(contentsOfFile: harness.file("desktop", of: .platforms)),
            app: nil,
            seed: 1
        )
        let network = try LinkProfile(contentsOfFile: harness.file("3g", of: .networks))
        let run = ScenarioRun(setup, network: network, respond: origin.respond)
        let media = try DeliveredMedia()
        run.delivered = media.take
        #expect(run.run() == nil)
        let heard = HeardAudio(media, stretches: run.stretches, end: run.now, source: run.source)
        return (run, heard)
    }

    @Test func `the last part is written, too`() throws {
        let maker = try MediaMaker(recipes: RecipeReader.parse(Self.recipes, file: "test"))
        let (_, heard) = try play(try maker.make("short.mp3", into: folder.path), Self.beginning)
        let summary = try heard.write(to: folder.path + "/heard.wav")
        #expect(summary.ranges.map(\.samples.count) == [22050])
        #expect(summary.ranges.map(\.undelivered) == [0])
    }

    @Test(arguments: [("film.mp4", true), ("song.wav", true), ("song.mp3", false)])
    func `the file has the heard audio of a plain file`(name: String, isPlacedBehindHoles: Bool) throws {
        let maker = try MediaMaker(recipes: RecipeReader.parse(Self.recipes, file: "test"))
        let path = try maker.make(name, into: folder.path)
        let audio = try #require(SyntheticTruth.find(forFileAt: path)?.pieces.first?.audioTracks.first)
        let (run, heard) = try play(path, Self.script)
        let wav = folder.path + "/heard.wav"
        let summary = try heard.write(to: wav)
        #expect(summary.rate == audio.rate && summary.channels == 1)
        #expect(summary.ranges.map(\.samples) == run.stretches.map { $0.samples(rate: audio.rate) })
        #expect(summary.ranges.count == 2)
        let channel = try #require(try DecodedFile.samples(of: wav).first)
        var shift: Int64?
        for (index, range) in summary.ranges.enumerated() {
            let places = Int(range.place)..<Int(range.place) + range.samples.count
            guard index == 0 || isPlacedBehindHoles else {
                #expect(range.undelivered == Int64(range.samples.count))
                #expect(channel[places].allSatisfy { $0 == 0 })
                continue
            }
            #expect(range.undelivered == 0)
            let lead = 4096
            let signal = AudioSignal(seed: audio.seed, rate: audio.rate)
            var trail = AudioCodeTrail(signal: signal, channel: 0, range: audio.first..<audio.first + audio.count)
            trail.feed(Array(channel[places].dropFirst(lead)))
            trail.finish()
            let first = try #require(trail.runs.first)
            #expect(trail.runs.count == 1, "\(trail.runs)")
            let found = first.position - first.index - audio.first - range.samples.lowerBound - Int64(lead)
            // The length of the encoder delay at the beginning of an MP3 is undefined, but the same everywhere.
            #expect(name == "song.mp3" ? abs(found) < 2304 : found == shift ?? 0)
            shift = found
        }
        let model = try heard.qualityModelInput(PlaybackQuality(log: run.log))
        let length = model.audio.segments.reduce(0) { $0 + $1.duration }
        let played = run.stretches.reduce(0) { $0 + $1.length.seconds }
        #expect(played >= 10 && abs(length - played) < 0.01)
        #expect(model.video.segments.map(\.resolution).allSatisfy { $0 == "320x240" })
        #expect(model.video.segments.isEmpty == (name != "film.mp4"))
        #expect(model.audio.segments.allSatisfy { $0.bitrate > 20 && $0.bitrate < 1000 })
    }
}
