import Foundation
import SegueBase
import SegueCharts
import SegueConcurrency
import SegueData
import SegueFFmpeg
import SegueNetworkModel
import SeguePackager
import SeguePlayerModel
import SegueTestMedia
import SegueTestSupport
import Testing

@testable import SegueSuite

/// Recordings assembled from the delivered bytes, against audio that encodes its own position.
@Suite struct `Heard audio` {
    private static let recipes = """
        recipes:
          - file: film.mp4
            about: A film.
            format: mp4
            duration: 44
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, options: {preset: ultrafast}}
            audio: [{codec: aac, rate: 44100, channels: 1}]
          - file: film.ts
            about: A film in a transport stream.
            format: mpegts
            duration: 44
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, options: {preset: ultrafast}}
            audio: [{codec: ac3, rate: 48000, channels: 1}]
          - file: film.webm
            about: A film whose sound is transcoded.
            format: webm
            duration: 44
            video: {codec: libvpx, size: 96x64, rate: 10, interval: 20, options: {deadline: realtime, cpu-used: "8"}}
            audio: [{codec: libopus, rate: 48000, channels: 1}]
        """

    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private struct Outcome {
        let summary: HeardAudio.Summary
        let switches: [SwitchReport]
        let stretches: [AudioTrail.Stretch]
        let samples: [[Float]]
        let model: QualityModelInput
        let quality: PlaybackQuality
    }

    /// Plays a file with an app that switches renditions in the background, and reads the recorded audio.
    private func play(_ path: String, app: String, speed: Double = 1) throws -> Outcome {
        let root = Checkout.root
        let harness = HarnessFolder(path: root.appendingPathComponent("Harness").path)
        let origin = try ItemOrigin(
            path: Array(path.utf8),
            device: .any,
            progress: FileProgress(path: Array(path.utf8)),
            cancellation: Cancellation()
        )
        defer { origin.close() }
        let full = origin.playlist(of: .full)
        let setup = ScenarioRun.Setup(
            scenario: try Scenario(fileAt: harness.file("background-and-return", of: .scenarios)),
            items: [ItemAddress(full: full, background: origin.playlist(of: .background))],
            platform: try PlatformProfile(contentsOfFile: harness.file("ios-4.3", of: .platforms)),
            app: try AppProfile(contentsOfFile: harness.file(app, of: .apps)),
            seed: 1
        )
        let network = try LinkProfile(contentsOfFile: harness.file("3g", of: .networks))
        let run = ScenarioRun(setup, network: network, respond: origin.respond)
        let media = try DeliveredMedia()
        run.delivered = media.take
        #expect(run.run() == nil)
        let heard = HeardAudio(media, stretches: run.stretches, end: run.now, source: run.source)
        let wav = folder.path + "/heard.wav"
        let summary = try heard.write(to: wav)
        let quality = PlaybackQuality(log: run.log)
        return Outcome(
            summary: summary,
            switches: try heard.reports(of: run.switches),
            stretches: run.stretches.filter(\.isHeard),
            samples: try DecodedFile.samples(of: wav),
            model: try heard.qualityModelInput(quality),
            quality: quality
        )
    }

    @Test(arguments: ["film.mp4", "film.ts", "film.webm"], ["switch-when-ready", "switch-preloaded"])
    func `the file has exactly the audio of the trail`(name: String, app: String) throws {
        let maker = try MediaMaker(recipes: RecipeReader.parse(Self.recipes, file: "test"))
        let path = try maker.make(name, into: folder.path)
        let audio = try #require(SyntheticTruth.find(forFileAt: path)?.pieces.first?.audioTracks.first)
        let outcome = try play(path, app: app)
        #expect(outcome.summary.rate == audio.rate)
        #expect(outcome.summary.ranges.count == outcome.stretches.count)
        #expect(!outcome.switches.isEmpty)
        #expect(outcome.switches.allSatisfy { $0.missingSamples == 0 && $0.repeatedSamples == 0 })
        #expect(outcome.switches.allSatisfy { $0.avOffset ?? 0 == 0 && $0.positionError == 0 })
        let channel = try #require(outcome.samples.first)
        #expect(Int64(channel.count) == outcome.summary.count)
        var shift: Int64?
        let signal = AudioSignal(seed: audio.seed, rate: audio.rate)
        for (range, stretch) in zip(outcome.summary.ranges, outcome.stretches) {
            #expect(range.samples == stretch.samples(rate: audio.rate))
            // The end of the item may lack an encoder delay.
            let isLast = range == outcome.summary.ranges.last
            #expect(range.undelivered == 0 || isLast && name != "film.mp4" && range.undelivered <= 512)
            let places = Int(range.place)..<Int(range.place) + range.samples.count
            // A decoder needs a frame until its output is exact.
            let lead = 4096
            var trail = AudioCodeTrail(signal: signal, channel: 0, range: audio.first..<audio.first + audio.count)
            trail.feed(Array(channel[places].dropFirst(lead)))
            trail.finish()
            #expect(trail.runs.count == 1, "\(trail.runs)")
            let first = try #require(trail.runs.first)
            let found = first.position - first.index - audio.first - range.samples.lowerBound - Int64(lead)
            // The beginning of the item within the encoder delay is undefined, but equal before and after each switch.
            #expect(found == shift ?? (name == "film.webm" ? 336 : 0))
            shift = found
            #expect(first.count > Int64(range.samples.count - lead - 3 * audio.rate / 20))
        }
        // Before and between the stretches is silence.
        var cursor = 0
        for range in outcome.summary.ranges {
            #expect(channel[cursor..<Int(range.place)].allSatisfy { $0 == 0 })
            cursor = Int(range.place) + range.samples.count
        }
    }

    @Test func `NaN becomes silence, and loud samples are clipped`() throws {
        let path = folder.path + "/odd.wav"
        let file = try WaveFile(path: path, rate: 8000, channels: 1)
        try file.write([[0.5, .nan, .infinity, -.infinity, .signalingNaN, -0.5]])
        try file.close()
        let samples = try #require(try DecodedFile.samples(of: path).first)
        #expect(samples == [0.5, 0, Float(32767) / 32768, -1, 0, -0.5])
    }

    @Test func `the quality model receives the played parts, segment by segment`() throws {
        let maker = try MediaMaker(recipes: RecipeReader.parse(Self.recipes, file: "test"))
        let outcome = try play(try maker.make("film.mp4", into: folder.path), app: "switch-when-ready")
        let model = outcome.model
        // Audio plays all the time, video only in the first and the last of the three stretches.
        let heard = outcome.stretches.map(\.length.seconds)
        let audioLength: Double = model.audio.segments.reduce(0) { $0 + $1.duration }
        let videoLength: Double = model.video.segments.reduce(0) { $0 + $1.duration }
        let all: Double = heard.reduce(0, +)
        #expect(abs(audioLength - all) < 0.05)
        #expect(abs(videoLength - (heard[0] + heard[2])) < 0.05)
        #expect(Set(model.audio.segments.map(\.codec)) == ["aaclc"])
        #expect(Set(model.video.segments.map(\.codec)) == ["h264"])
        #expect(Set(model.video.segments.map(\.resolution)) == ["96x64"])
        #expect(model.video.segments.allSatisfy { $0.fps == 10 && $0.bitrate > 1 })
        let startup = try #require(outcome.quality.startup)
        #expect(model.stalling.stalling == [[0, (startup * 1000).rounded() / 1000]])
        // The keys of the reference implementation's example of mode 0.
        let json = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(model)) as? [String: [String: Any]]
        )
        #expect(Set(json.keys) == ["I11", "I13", "I23", "IGen"])
        let audio = try #require((json["I11"]?["segments"] as? [[String: Any]])?.first)
        #expect(Set(audio.keys) == ["bitrate", "codec", "duration", "start"])
        let frames = try #require((json["I13"]?["segments"] as? [[String: Any]])?.first)
        #expect(Set(frames.keys) == ["bitrate", "codec", "duration", "fps", "resolution", "start"])
        #expect(Set((json["IGen"] ?? [:]).keys) == ["device", "displaySize", "viewingDistance"])
        #expect(Set((json["I23"] ?? [:]).keys) == ["stalling", "streamId"])
    }
}
