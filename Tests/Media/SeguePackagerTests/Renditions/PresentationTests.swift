import SegueBase
import SegueConcurrency
import SegueFFmpeg
import SeguePackager
import SegueTestSupport
import Testing

typealias PresentationTests = `A presentation`

@Suite struct `A presentation` {
    static func whole(
        _ presentation: Presentation,
        rendition: Rendition,
        container: SegmentContainer
    ) throws -> [UInt8] {
        var bytes: [UInt8] = container == .fmp4 ? try presentation.initSegment(rendition) : []
        for segment in presentation.plan.segments {
            bytes += try presentation.segment(
                segment.number,
                of: rendition,
                in: container,
                cancellation: Cancellation()
            )
        }
        return bytes
    }

    static func open(_ path: String) throws -> Presentation {
        try Presentation.open(path: path, cancellation: Cancellation())
    }

    @Test(arguments: ["mp4", "matroska", "mpegts", "mov", "flv"], SegmentContainer.allCases)
    func `a film's video and audio are delivered unchanged`(container: String, segments: SegmentContainer) throws {
        let folder = try TestFolder()
        let path = try Clip(container: container).write(in: folder)
        let presentation = try Self.open(path)
        let description = try presentation.rendition(.full, in: segments)
        #expect(description.tracks.map(\.treatment) == [.copy, .copy])
        let bytes = try Self.whole(presentation, rendition: .full, container: segments)
        let delivered = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .video)
        let source = try Decoded(MediaInput(path: path), .video)
        #expect(source.frames.count == 13 * 25)
        #expect(delivered.frames == source.frames)
        for (shown, wished) in zip(delivered.times, source.times) {
            let off = shown - presentation.plan.timestampOffset - (wished - presentation.plan.origin)
            #expect(abs(off.seconds) < 1.0 / 90000)
        }
        let heard = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio)
        let wished = try Decoded(MediaInput(path: path), .audio)
        let priming = try #require(description.tracks.last).primingSamples
        #expect(heard.samples.count >= wished.samples.count + priming)
        #expect(heard.samples[priming..<priming + wished.samples.count] == wished.samples[...])
    }

    @Test(arguments: SegmentContainer.allCases)
    func `frames omitted by an edit list take no time`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        var bytes = try `Damaged files`.bytes("mp4", folder)
        // The video's boxes come first. Version 0: the time scale follows the flags and two dates, the media time the
        // flags, count, and duration.
        let header = try #require(`Damaged files`.places(of: "mdhd", in: bytes).first)
        let edit = try #require(`Damaged files`.places(of: "elst", in: bytes).first)
        let number = { (place: Int) in bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let later = number(edit + 16) + number(header + 16) * 12 / 25
        let put = { (place: Int, value: Int) in
            bytes.replaceSubrange(place..<place + 4, with: (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) })
        }
        put(edit + 16, later)
        // The duration is in movie milliseconds: it ends twelve frames early, inside a GOP.
        put(edit + 12, 12_040)
        let path = try folder.write(bytes, to: "edited.mp4")
        let presentation = try Self.open(path)
        let description = try presentation.rendition(.full, in: container)
        #expect(description.tracks.first?.treatment == .copy)
        #expect(description.tracks.first?.leadingFrames == 12)
        let source = try Decoded(MediaInput(path: path), .video)
        let whole = try Self.whole(presentation, rendition: .full, container: container)
        let delivered = try Decoded(MediaInput(bytes: whole, name: "delivered"), .video)
        #expect(source.frames.count == 301)
        #expect(delivered.frames.dropFirst(12).prefix(301) == source.frames[...])
        for (shown, wished) in zip(delivered.times.dropFirst(12), source.times) {
            let off = shown - presentation.plan.timestampOffset - (wished - presentation.plan.origin)
            #expect(abs(off.seconds) < 1.0 / 90000)
        }
        #expect((delivered.times[12] - delivered.times[0]).seconds < 0.001)
        let last = try #require(delivered.times.last)
        #expect((last - delivered.times[312]).seconds < 0.041)
    }

    @Test(arguments: [
        ("flac", "flac", 44100, 2), ("pcm_s16le", "wav", 8000, 1), ("libvorbis", "ogg", 48000, 2),
        ("libopus", "ogg", 48000, 2), ("pcm_s16be", "aiff", 11025, 1), ("flac", "flac", 96000, 2),
        ("pcm_s16le", "wav", 44100, 6),
    ])
    func `transcoded audio has every sample at its position`(
        codec: String,
        container: String,
        rate: Int,
        channels: Int
    ) throws {
        let folder = try TestFolder()
        let path = try Clip(
            container: container,
            videoCodec: nil,
            audioCodec: codec,
            sampleRate: rate,
            channels: channels
        ).write(in: folder)
        let presentation = try Self.open(path)
        #expect(presentation.plan.segments.count == 3)
        let track = try #require(try presentation.rendition(.background, in: .fmp4).tracks.first)
        #expect(track.codecString == "mp4a.40.2")
        let wished = try Decoded(MediaInput(path: path), .audio)
        let content = wished.samples.count * track.sampleRate / rate
        #expect(track.contentSamples == content)
        #expect(presentation.plan.duration == Rational(Int64(content), Int64(track.sampleRate)))
        for container in SegmentContainer.allCases {
            let bytes = try Self.whole(presentation, rendition: .background, container: container)
            let heard = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio)
            #expect(heard.samples.count == track.primingSamples + content + track.paddingSamples)
            #expect(heard.channels == channels)
            guard track.sampleRate == rate else { continue }
            let error = Self.error(of: heard.samples[track.primingSamples...], against: wished.samples)
            #expect(error < 0.03)
        }
    }

    /// The RMS of the difference.
    static func error(of heard: ArraySlice<Float>, against wished: [Float]) -> Float {
        let sum = zip(heard, wished).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        return (sum / Float(max(1, wished.count))).squareRoot()
    }

    @Test(arguments: [true, false])
    func `transcoded audio is no worse at boundaries than inside segments`(isNoise: Bool) throws {
        let folder = try TestFolder()
        let path = try Clip(
            seconds: 31,
            container: "wav",
            videoCodec: nil,
            audioCodec: "pcm_s16le",
            channels: 1,
            isNoise: isNoise
        ).write(in: folder)
        let presentation = try Self.open(path)
        let track = try #require(try presentation.rendition(.background, in: .fmp4).tracks.first)
        let wished = try Decoded(MediaInput(path: path), .audio).samples
        let bytes = try Self.whole(presentation, rendition: .background, container: .fmp4)
        let heard = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio).samples[track.primingSamples...]
        let windows = stride(from: 1024, to: wished.count - 2048, by: 1024).map { start in
            Self.error(
                of: heard[(heard.startIndex + start)..<(heard.startIndex + start + 1024)],
                against: Array(wished[start..<start + 1024])
            )
        }
        let usual = windows.sorted()[windows.count * 95 / 100]
        for segment in presentation.plan.segments.dropFirst() {
            let border = Int(segment.start.rounded(scale: 44100)) / 1024 - 1
            for window in (border - 1)...(border + 1) { #expect(windows[window] <= usual * 1.05) }
        }
    }

    @Test(arguments: Rendition.principal, SegmentContainer.allCases)
    func `any order, any thread, any number of times: the same bytes`(
        rendition: Rendition,
        container: SegmentContainer
    ) async throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 31, container: "mpegts", audioCodec: "mp2").write(in: folder)
        let presentation = try Self.open(path)
        let forward = try presentation.plan.segments.map {
            try presentation.segment($0.number, of: rendition, in: container, cancellation: Cancellation())
        }
        for number in forward.indices.reversed() {
            let again = try presentation.segment(number, of: rendition, in: container, cancellation: Cancellation())
            #expect(again == forward[number])
        }
        let opened = try Self.open(path)
        try await withThrowingTaskGroup { group in
            for round in 0..<3 {
                for number in forward.indices {
                    group.addTask {
                        let place = (number * 3 + round) % forward.count
                        let bytes = try opened.segment(
                            place,
                            of: rendition,
                            in: container,
                            cancellation: Cancellation()
                        )
                        return bytes == forward[place]
                    }
                }
            }
            for try await same in group { #expect(same) }
        }
    }

    @Test(arguments: SegmentContainer.allCases)
    func `the background rendition has no trace of video`(container: SegmentContainer) throws {
        let folder = try TestFolder()
        let presentation = try Self.open(Clip(container: "matroska").write(in: folder))
        let description = try presentation.rendition(.background, in: container)
        #expect(!description.hasVideo && description.codecs == ["mp4a.40.2"])
        let bytes = try Self.whole(presentation, rendition: .background, container: container)
        let input = try MediaInput(bytes: bytes, name: "delivered")
        #expect(input.streams.map(\.kind) == [.audio])
        if container == .fmp4 {
            #expect(!bytes.contains(sequence: Array("vide".utf8)) && !bytes.contains(sequence: Array("avc1".utf8)))
        }
    }

    @Test func `audio longer than the video is cut and delivered to its end`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 7, container: "matroska", audioSeconds: 40).write(in: folder)
        let presentation = try Self.open(path)
        #expect(presentation.plan.segments.allSatisfy { $0.duration < Rational(10) })
        #expect(abs(presentation.plan.duration.seconds - 40) < 0.05)
        let track = try #require(try presentation.rendition(.full, in: .ts).tracks.last)
        let bytes = try Self.whole(presentation, rendition: .full, container: .ts)
        let heard = try Decoded(MediaInput(bytes: bytes, name: "delivered"), .audio)
        let wished = try Decoded(MediaInput(path: path), .audio)
        #expect(heard.samples.count >= wished.samples.count + track.primingSamples)
    }
}

extension Array where Element: Equatable {
    /// True if the array contains a sequence.
    func contains(sequence: [Element]) -> Bool {
        guard let first = sequence.first, count >= sequence.count else { return false }
        return indices.dropLast(sequence.count - 1).contains { place in
            self[place] == first && self[place..<place + sequence.count].elementsEqual(sequence)
        }
    }
}

extension Presenting {
    /// The audio of each segment, decoded alone.
    func decodedAudio(
        of rendition: Rendition,
        in container: SegmentContainer
    ) throws -> [(segment: PlannedSegment, audio: Decoded)] {
        let head: [UInt8] = container == .fmp4 ? try initSegment(rendition, cancellation: Cancellation()) : []
        return try plan.segments.map { segment in
            let bytes = try self.segment(segment.number, of: rendition, in: container, cancellation: Cancellation())
            return (segment, try Decoded(MediaInput(bytes: head + bytes, name: "delivered"), .audio))
        }
    }
}

@Suite struct `Tracks of unequal length` {
    @Test func `audio that ends early has as many segments as the video`() throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 25, container: "matroska", audioSeconds: 10).write(in: folder)
        let presentation = try PresentationTests.open(path)
        #expect(try presentation.rendition(.full, in: .ts).extent.segmentCount == presentation.plan.segments.count)
        let count = try presentation.rendition(.background, in: .ts).extent.segmentCount
        #expect(count == presentation.plan.segments.count)
    }

    @Test(arguments: ["matroska", "mpegts"], SegmentContainer.allCases)
    func `audio with a hole that is longer than a segment is silent there, and in step behind it`(
        container: String,
        form: SegmentContainer
    ) throws {
        let folder = try TestFolder()
        let clip = Clip(seconds: 36, container: container, missingAudio: 5..<25)
        let presentation = try PresentationTests.open(clip.write(in: folder))
        let segments = presentation.plan.segments
        #expect(segments.contains { $0.start > Rational(6) && $0.end < Rational(24) })
        for rendition in [Rendition.background, .full] {
            for (segment, heard) in try presentation.decodedAudio(of: rendition, in: form) {
                let length = Double(heard.samples.count) / Double(clip.sampleRate)
                #expect(abs(length - segment.duration.seconds) < 0.2, "segment \(segment.number): \(length) s")
                let middle = heard.samples.dropFirst(heard.samples.count / 3).prefix(heard.samples.count / 3)
                let isSilent = middle.allSatisfy { abs($0) < 0.01 }
                let isHole = segment.start > Rational(6) && segment.end < Rational(24)
                if isHole { #expect(isSilent, "segment \(segment.number)") }
                if segment.end < Rational(4) || segment.start > Rational(26) { #expect(!isSilent) }
            }
        }
    }

    @Test(arguments: ["mp4", "matroska"])
    func `the announced bandwidth equals the delivered one`(container: String) throws {
        let folder = try TestFolder()
        let path = try Clip(seconds: 25, container: container, audioCodec: "ac3", isNoise: true).write(in: folder)
        let presentation = try PresentationTests.open(path)
        for rendition in Rendition.principal {
            for container in SegmentContainer.allCases {
                let description = try presentation.rendition(rendition, in: container)
                let plan = presentation.plan.segments
                let sizes = try plan.map { segment in
                    let bytes = try presentation.segment(
                        segment.number,
                        of: rendition,
                        in: container,
                        cancellation: Cancellation()
                    )
                    return (bytes.count, segment.duration.seconds)
                }
                let rates = BitRates(sizes, target: plan.map { $0.duration.rounded(scale: 1) }.max() ?? 1)
                #expect(abs(Double(description.averageBandwidth) / rates.average - 1) < 0.02)
                #expect(abs(Double(description.peakBandwidth) / rates.peak - 1) < 0.02)
            }
        }
    }
}
