import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

@Suite struct `Audio copied into fragmented MP4` {
    static let vlc = Result { try ShippedDevices.named("vlc") }

    /// The concatenated segments of a rendition.
    static func whole(_ presentation: Presentation, _ container: SegmentContainer) throws -> MediaInput {
        let description = try presentation.rendition(.full, in: container)
        var bytes = container == .fmp4 ? try presentation.initSegment(.full) : []
        for number in 0..<description.extent.segmentCount {
            bytes += try presentation.segment(number, of: .full, in: container, cancellation: Cancellation())
        }
        return try MediaInput(bytes: bytes, name: "whole", format: container == .fmp4 ? "mp4" : "mpegts")
    }

    @Test(arguments: [
        ("flac", "flac", "fLaC"), ("flac", "ogg", "fLaC"), ("flac", "matroska", "fLaC"), ("alac", "mp4", "alac"),
        ("alac", "matroska", "alac"),
    ])
    func `lossless audio is equal sample by sample`(codec: String, container: String, name: String) throws {
        let folder = try TestFolder()
        var clip = Clip(container: container, videoCodec: nil, audioCodec: codec)
        clip.isNoise = true
        let path = try clip.write(in: folder)
        let presentation = try Presentation.open(path: path, for: Self.vlc.get(), cancellation: Cancellation())
        #expect(presentation.containers == [.fmp4])
        let track = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
        #expect(track.treatment == .copy && track.codecString == name && track.codec == codec)
        let source = try Decoded(MediaInput(path: path, cancellation: Cancellation()), .audio)
        let served = try Decoded(Self.whole(presentation, .fmp4), .audio)
        #expect(source.samples.count == 13 * 44100 && served.samples == source.samples)
        // Matroska does not declare the short last frame.
        let end = presentation.plan.duration
        #expect(end == Rational(13) || codec == "alac" && container == "matroska" && end < Rational(1301, 100))
    }

    @Test func `Opus keeps its packets and declares its delay`() throws {
        let folder = try TestFolder()
        var clip = Clip(container: "ogg", videoCodec: nil, audioCodec: "libopus")
        clip.sampleRate = 48000
        let path = try clip.write(in: folder)
        let presentation = try Presentation.open(path: path, for: Self.vlc.get(), cancellation: Cancellation())
        let track = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
        #expect(track.treatment == .copy && track.codecString == "Opus")
        #expect(track.primingSamples > 0)
        let source = try Decoded(MediaInput(path: path, cancellation: Cancellation()), .audio)
        let served = try Decoded(Self.whole(presentation, .fmp4), .audio)
        let priming = served.samples.count - source.samples.count
        #expect(priming >= 0 && priming <= track.primingSamples + 960)
        let both = (0...priming).contains { shift in
            Array(served.samples.dropFirst(shift).prefix(100_000)) == Array(source.samples.prefix(100_000))
        }
        #expect(both)
    }

    @Test(arguments: ["flac", "libopus"])
    func `a codec that a container does not support is transcoded`(codec: String) throws {
        let folder = try TestFolder()
        var clip = Clip(container: "ogg", videoCodec: nil, audioCodec: codec)
        clip.sampleRate = 48000
        let path = try clip.write(in: folder)
        let presentation = try Presentation.open(
            path: path,
            for: Self.vlc.get(),
            in: .ts,
            cancellation: Cancellation()
        )
        let track = try #require(presentation.rendition(.full, in: .ts).tracks.first)
        guard case .transcode(let reason) = track.treatment else {
            Issue.record("copied")
            return
        }
        #expect(reason.contains("requires fmp4 segments"))
        #expect(track.codecString == "mp4a.40.2" && track.contentSamples == 13 * 48000)
        #expect(throws: PackagingError.self) { try presentation.rendition(.full, in: .fmp4) }
    }

    @Test(arguments: [
        ("iphone-3g", 6, 48000, 2, 48000), ("iphone-3g", 1, 96000, 1, 48000), ("vlc", 6, 48000, 6, 48000),
    ])
    func `audio is mixed and converted as the device requires`(
        device: String,
        channels: Int,
        rate: Int,
        delivered: Int,
        deliveredRate: Int
    ) throws {
        let folder = try TestFolder()
        var clip = Clip(container: "matroska", videoCodec: nil, audioCodec: "pcm_s16le")
        (clip.channels, clip.sampleRate, clip.isNoise) = (channels, rate, true)
        let path = try clip.write(in: folder)
        let presentation = try Presentation.open(
            path: path,
            for: ShippedDevices.named(device),
            in: .ts,
            cancellation: Cancellation()
        )
        let track = try #require(presentation.rendition(.full, in: .ts).tracks.first)
        #expect(track.channels == delivered && track.sampleRate == deliveredRate)
        #expect(track.contentSamples == 13 * deliveredRate)
        let served = try Decoded(Self.whole(presentation, .ts), .audio)
        #expect(served.channels == delivered)
        #expect(served.samples.count >= 13 * deliveredRate)
        // Downmixing preserves full scale.
        #expect(served.samples.allSatisfy { abs($0) < 1 })
    }

    @Test func `E-AC-3 with fewer than six blocks per frame is not copied`() throws {
        let folder = try TestFolder()
        // An independent frame with one block: stereo at 48 kHz, 256 bytes, version 16 (ETSI TS 102 366, E.1.2).
        let frame: [UInt8] = [0x0b, 0x77, 0x00, 0x7f, 0x04, 0x80] + [UInt8](repeating: 0, count: 250)
        let path = try folder.write(Array(repeatElement(frame, count: 60).joined()), to: "short.eac3")
        let presentation = try Presentation.open(path: path, cancellation: Cancellation())
        let track = try #require(presentation.rendition(.full, in: .fmp4).tracks.first)
        guard case .transcode(let reason) = track.treatment else {
            Issue.record("it is copied")
            return
        }
        #expect(reason == "the frames have 256 samples; players support 1536")
    }
}
