import Foundation
import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@testable import segue

/// The description of a song with twenty seconds of PCM.
@Suite struct `The probe of a file` {
    /// A WAV file: 8 kHz, 16 bits, a ramp.
    private static func song(seconds: Int, channels: Int = 1) -> [UInt8] {
        func number(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let samples = (0..<seconds * 8000 * channels).flatMap { number($0 * 37 % 20_000 - 10_000, 2) }
        let format =
            number(1, 2) + number(channels, 2) + number(8000, 4) + number(16_000 * channels, 4)
            + number(2 * channels, 2) + number(16, 2)
        let chunks =
            Array("WAVEfmt ".utf8) + number(format.count, 4) + format + Array("data".utf8) + number(samples.count, 4)
            + samples
        return Array("RIFF".utf8) + number(chunks.count, 4) + chunks
    }

    private static func open(_ path: String, for device: DeviceProfile = .any, in container: SegmentContainer? = nil)
        throws -> Presentation
    {
        try Presentation.open(path: path, for: device, in: container, cancellation: Cancellation())
    }

    @Test func `has streams, cuts, and renditions, and the reason for transcoding audio`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Self.song(seconds: 20), to: "song.wav")
        let probe = FileProbe([try Self.open(path)], openedIn: .milliseconds(12))
        #expect(!probe.isUnserved)
        #expect(probe.file == path && probe.container == "wav" && probe.index.milliseconds == 12)
        #expect(probe.index.fileBytes == 320_044 && probe.index.bytesRead > 0)
        #expect(abs(probe.durationSeconds - 20) < 0.2 && probe.discontinuities == 0)
        // Audio without video is cut at its own frames, about every 6 s.
        #expect(probe.segments == probe.firstCutsSeconds.count + 1 && (3...4).contains(probe.segments))
        for (index, cut) in probe.firstCutsSeconds.enumerated() { #expect(abs(cut - Double(index + 1) * 6) < 0.2) }
        #expect(probe.longestSegmentSeconds >= probe.shortestSegmentSeconds && probe.shortestSegmentSeconds > 0)
        let stream = try #require(probe.streams.first)
        #expect(probe.streams.count == 1 && stream.kind == "audio" && stream.codec == "pcm_s16le")
        #expect(stream.details.contains("8000 Hz, 1 channels"))
        for rendition in probe.renditions {
            let track = try #require(rendition.tracks.first)
            #expect(rendition.refusal == nil && rendition.tracks.count == 1)
            #expect(track.treatment == "transcoded" && track.reason != nil && track.codecs.hasPrefix("mp4a"))
            #expect(try #require(rendition.peakBitsPerSecond) >= #require(rendition.averageBitsPerSecond))
        }
        #expect(Set(probe.renditions.filter(\.isPreferred).map(\.name)) == Set(probe.renditions.map(\.name)))
    }

    @Test func `has the same content as text and JSON`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Self.song(seconds: 20, channels: 2), to: "song.wav")
        let probe = FileProbe([try Self.open(path)], openedIn: .milliseconds(12))
        let lines = probe.text.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("\(path): wav, 20") && lines[0].hasSuffix(" s"))
        #expect(lines[1].hasPrefix("  \(probe.segments) segments of ") && lines[1].hasSuffix(" s"))
        #expect(lines[2].hasPrefix("  opened in 12 ms; index from \(probe.index.source), "))
        #expect(lines[3] == "  stream 0: audio, pcm_s16le, 8000 Hz, 2 channels, served as sound-0")
        #expect(lines.count == 4 + probe.renditions.count && lines[4].contains("stream 0 transcoded (mp4a"))
        let coded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(probe)) as? [String: Any]
        #expect((coded?["renditions"] as? [Any])?.count == probe.renditions.count)
        #expect(coded?["segments"] as? Int == probe.segments && coded?["device"] as? String == "any")
    }

    @Test func `lists at most six cuts`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Self.song(seconds: 60), to: "long.wav")
        let probe = FileProbe([try Self.open(path)], openedIn: .zero)
        #expect(probe.segments > 8 && probe.firstCutsSeconds.count == 6 && probe.text.contains(" s …"))
    }

    @Test func `has one preferred container`() throws {
        let folder = try TestFolder()
        let path = try folder.write(Self.song(seconds: 7), to: "song.wav")
        let first = try Self.open(path)
        let others = first.device.containers.filter { !first.containers.contains($0) }
        let all = [first] + (try others.map { try Self.open(path, in: $0) })
        let probe = FileProbe(all, openedIn: .zero)
        let containers = all.reduce(0) { $0 + $1.containers.count }
        #expect(containers > 1 && probe.renditions.count % containers == 0)
        for (_, renditions) in Dictionary(grouping: probe.renditions, by: \.name) {
            #expect(renditions.count == containers && renditions.count(where: \.isPreferred) == 1)
        }
    }
}
