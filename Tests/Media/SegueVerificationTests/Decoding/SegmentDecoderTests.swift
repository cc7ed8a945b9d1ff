import Foundation
import SegueBase
import SegueConformance
import SegueFFmpeg
import SegueTestSupport
import SegueVerification
import Testing

@Suite struct `Segments that are decoded` {
    /// A file with a stereo 1 kHz sine of a peak level in dBFS, and video.
    private func file(
        _ format: String,
        peak: Double,
        seconds: Int = 5,
        hasVideo: Bool = false,
        luma brightness: (_ frame: Int) -> UInt8 = { UInt8(40 * $0 + 10) }
    ) throws -> [UInt8] {
        let folder = try TestFolder()
        let path = folder.file("made")
        let options = format == "mp4" ? ["movflags": "empty_moov+default_base_moof+frag_keyframe"] : [:]
        let writer = try MediaWriter(path: path, format: format, options: options, shift: .zero)
        let audio = try writer.add(MediaWriter.AudioSettings(encoder: "aac", rate: 48000, channels: 2))
        let film =
            hasVideo
            ? try writer.add(MediaWriter.Film(encoder: "mpeg4", width: 64, height: 64, rate: Rational(5))) : nil
        try writer.begin()
        let scale = pow(10, peak / 20) * Double(Int32.max)
        for second in 0..<seconds {
            if let film {
                for frame in 0..<5 {
                    let luma = [UInt8](repeating: brightness(frame), count: 64 * 64)
                    let chroma = [UInt8](repeating: 128, count: 32 * 32)
                    let planes = MediaWriter.VideoPlanes(width: 64, height: 64, luma: luma, blue: chroma, red: chroma)
                    try writer.write(
                        image: planes,
                        tick: Int64(5 * second + frame),
                        isKeyframe: frame == 0,
                        track: film
                    )
                }
            }
            let samples = (0..<48000).flatMap { number in
                let value = Int32(scale * sin(2 * .pi * 1000 * Double(second * 48000 + number) / 48000))
                return [value, value]
            }
            try writer.write(samples: samples, track: audio)
        }
        try writer.endAudio(track: audio)
        try writer.finish()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func segment(_ bytes: [UInt8], _ head: [UInt8] = [], number: Int = 0) -> DecodableSegment {
        let initialization = head.isEmpty ? nil : InitializationFacts.inspecting(head, url: "init")
        let facts = SegmentFacts.inspecting(bytes, number: number, url: "segment", initialization: initialization)
        #expect(facts.failure == nil)
        return DecodableSegment(
            number: number,
            facts: facts,
            bytes: bytes,
            initialization: head,
            beginsAnew: number == 0
        )
    }

    /// The initialization section and the fragments.
    private func parts(_ bytes: [UInt8]) throws -> (head: [UInt8], fragments: [UInt8]) {
        let place = try #require(bytes.firstRange(of: Array("moof".utf8))).lowerBound - 4
        return (Array(bytes[..<place]), Array(bytes[place...]))
    }

    @Test(arguments: ["mpegts", "adts"])
    func `the total loudness equals that of each segment`(format: String) throws {
        let decoder = SegmentDecoder()
        for number in 0..<2 { decoder.take(segment(try file(format, peak: -23), number: number)) }
        let facts = decoder.facts()
        let loudness = try #require(facts.loudness)
        // A stereo 1 kHz sine at -23 dBFS has -23 LUFS (EBU Tech 3341, test 1).
        #expect(abs(loudness + 23) < 0.3, "\(loudness)")
        #expect(abs(facts.measured - 10) < 0.2)
        #expect(facts.sampleRate == 48000)
        #expect(facts.channels == 2)
        #expect(facts.failures == [])
    }

    @Test func `fragments are decoded with their initialization section`() throws {
        let (head, fragments) = try parts(try file("mp4", peak: -30, hasVideo: true))
        let decoder = SegmentDecoder()
        decoder.take(segment(fragments, head))
        let facts = decoder.facts()
        #expect(abs(try #require(facts.loudness) + 30) < 0.3)
        #expect(facts.failures == [])
    }

    @Test func `missing output is reported`() throws {
        let (head, fragments) = try parts(try file("mp4", peak: -30, hasVideo: true))
        let data = try #require(fragments.firstRange(of: Array("mdat".utf8))).upperBound
        let decoder = SegmentDecoder()
        decoder.take(segment(fragments[..<data] + [UInt8](repeating: 0xFF, count: fragments.count - data), head))
        let words = decoder.facts().failures.map(\.words.text)
        #expect(words.contains { $0.hasPrefix("the video gives no frame: ") }, "\(words)")
        #expect(words.contains { $0.hasPrefix("the audio gives no samples: ") }, "\(words)")
    }

    @Test func `silence is measured, and has no loudness`() throws {
        let decoder = SegmentDecoder()
        decoder.take(segment(try file("mpegts", peak: -200)))
        let facts = decoder.facts()
        #expect(facts.loudness == nil)
        #expect(facts.measured > 4.9)
    }

    @Test(arguments: [(10, 40, -30.0), (16, 0, -30), (120, 0, -30), (10, 40, -200)])
    func `a thorough decoder observes what the segment shows`(first: Int, step: Int, peak: Double) throws {
        let bytes = try file("mpegts", peak: peak, hasVideo: true) { UInt8(first + step * $0) }
        let decoder = SegmentDecoder(isThorough: true)
        decoder.take(segment(bytes))
        var content = DecodedContent()
        content.isBlack = first == 16
        content.isFrozen = step == 0
        content.isSilent = peak < -100
        #expect(decoder.facts().content == content)
        let quick = SegmentDecoder()
        quick.take(segment(bytes))
        #expect(quick.facts().content == DecodedContent())
    }

    @Test(arguments: ["mpegts", "mp4"])
    func `pictures of a part of a segment are kept with their times`(format: String) throws {
        let bytes = try file(format, peak: -23, hasVideo: true) { UInt8(40 * $0 + 30) }
        let (head, rest) = format == "mp4" ? try parts(bytes) : ([], bytes)
        var segment = segment(rest, head, number: 3)
        func pictures(_ part: ClosedRange<Rational>) -> [DecodedPicture] {
            segment.pictures = part
            let decoder = SegmentDecoder()
            decoder.take(segment)
            return decoder.facts().pictures
        }
        let start = try #require(pictures(.zero...Rational(1, 10)).first?.time)
        let kept = pictures(Rational(1)...Rational(2))
        // Five frames per second; a frame at the end of the part is decoded or not.
        let times = kept.map { (($0.time - start).seconds * 5).rounded() }
        #expect(times.prefix(5) == [5, 6, 7, 8, 9])
        #expect(times.count <= 6)
        #expect(kept.allSatisfy { $0.segment == 3 && $0.luma.count == 48 * 27 && $0.shape == 1 })
        // The brightness starts over each second.
        for (number, picture) in kept.enumerated() {
            let expected = 30 + 40 * (number % 5)
            #expect(picture.luma.allSatisfy { abs(Int($0) - expected) < 8 }, "\(number)")
            #expect(abs(picture.blue - 128) < 4 && abs(picture.red - 128) < 4)
        }
    }

    @Test func `of an I-frame only the picture counts`() throws {
        let (head, fragments) = try parts(try file("mp4", peak: -23, hasVideo: true))
        var segment = segment(fragments, head)
        segment.bytes.removeLast(fragments.count / 2)
        (segment.pictures, segment.isIFrame) = (.zero...Rational(2), true)
        let decoder = SegmentDecoder()
        decoder.take(segment)
        let facts = decoder.facts()
        #expect(facts.pictures.count == 1)
        #expect(facts.measured == 0 && facts.failures == [])
    }

    /// A transport stream of 25 frames of noise, one of them a keyframe.
    private func noise() throws -> [UInt8] {
        let folder = try TestFolder()
        let path = folder.file("noise")
        let writer = try MediaWriter(path: path, format: "mpegts", options: [:], shift: .zero)
        var settings = MediaWriter.Film(encoder: "libx264", width: 64, height: 64, rate: Rational(5))
        settings.options = ["preset": "ultrafast"]
        let film = try writer.add(settings)
        try writer.begin()
        var state: UInt32 = 1
        for frame in 0..<25 {
            let luma = (0..<64 * 64).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(16 + (state >> 24) % 200)
            }
            let chroma = [UInt8](repeating: 128, count: 32 * 32)
            let planes = MediaWriter.VideoPlanes(width: 64, height: 64, luma: luma, blue: chroma, red: chroma)
            try writer.write(image: planes, tick: Int64(frame), isKeyframe: frame == 0, track: film)
        }
        try writer.finish()
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Inverts the payload of each n-th packet of the video (PID 256) that starts no PES packet.
    private func turned(_ bytes: [UInt8], each interval: Int) -> [UInt8] {
        var (bytes, count) = (bytes, 0)
        for start in stride(from: 0, to: bytes.count - 187, by: 188) {
            guard bytes[start + 1] == 1, bytes[start + 2] == 0 else { continue }
            count += 1
            guard count % interval == 0 else { continue }
            for place in start + 40..<start + 188 { bytes[place] = ~bytes[place] }
        }
        return bytes
    }

    @Test(arguments: [(2, true), (100, false)])
    func `a segment with damage in many of its frames differs from one with damage in a few`(
        interval: Int,
        isGross: Bool
    ) throws {
        func failures(_ bytes: [UInt8]) -> [DecodedFacts.Failure] {
            let decoder = SegmentDecoder(isThorough: true)
            decoder.take(segment(bytes))
            return decoder.facts().failures
        }
        let clean = try noise()
        #expect(failures(clean) == [])
        let found = failures(turned(clean, each: interval))
        #expect(found.contains { $0.isGross } == isGross, "\(found.map(\.words))")
        let words = "of 25 frames of the video decode without damage"
        #expect(found.allSatisfy { !$0.isGross || $0.words.text.hasSuffix(words) })
    }

    @Test func `nothing is decoded after the time limit`() throws {
        let decoder = SegmentDecoder(within: .zero)
        decoder.take(segment(try file("mpegts", peak: -23)))
        #expect(decoder.facts() == DecodedFacts())
    }
}
