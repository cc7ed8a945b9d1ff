internal import SegueBase
internal import SegueConcurrency
package import SegueConformance
internal import SegueFFmpeg
internal import SeguePlaylists

/// Decodes a playlist's segments separately with libav: all audio with its loudness, the first frames at each decoder
/// start, and sampled pictures.
package final class SegmentDecoder: SegmentDecoding {
    private let meter = LoudnessMeter()
    private var measures = true
    private var found = DecodedFacts()
    private let end: ContinuousClock.Instant

    /// The time limit per segment, within the total limit, so that a malicious one cannot block all.
    private static let longest = Duration.seconds(60)

    /// The number of video packets after which a frame must be output; more than any decoder's delay.
    private static let mostHeld = 64

    /// The number of frames whose damage is the segment's and not that of a single frame.
    private static let leastJudged = 4

    /// True to decode all video, and to observe what it shows.
    private let isThorough: Bool

    /// Creates a decoder with a total time limit; later segments are skipped.
    ///
    /// - Parameter isThorough: True to decode all video, and to observe its content; false for the first frames.
    package init(within time: Duration = .seconds(3600), isThorough: Bool = false) {
        end = .now + time
        self.isThorough = isThorough
    }

    package func take(_ segment: DecodableSegment) {
        guard ContinuousClock.now < end else { return }
        let deadline = min(end, .now + Self.longest)
        let cancellation = Cancellation(deadline: deadline)
        do {
            try decode(segment, cancellation)
        } catch {
            guard !cancellation.isCancelled, !segment.isIFrame, let error = error as? MediaError else { return }
            note(segment, "the segment cannot be opened: \(quoting: error.message)")
        }
    }

    package func facts() -> DecodedFacts {
        if measures { found.loudness = (try? meter.integrated()) ?? nil }
        return found
    }

    private func note(_ segment: DecodableSegment, _ words: Message, isGross: Bool = false) {
        found.failures.append(DecodedFacts.Failure(segment: segment.number, words: words, isGross: isGross))
    }

    private func decode(_ segment: DecodableSegment, _ cancellation: Cancellation) throws {
        var pieces = [segment.bytes, segment.initialization].filter { !$0.isEmpty }
        let name = "segment \(segment.number)"
        let input = try MediaInput(
            pieces: { pieces.popLast() },
            name: name,
            format: Self.format(segment.facts),
            cancellation: cancellation
        )
        func first(_ kind: StreamKind) -> StreamInfo? {
            input.streams.first { $0.kind == kind && $0.canDecode && !$0.isAttachedPicture }
        }
        var audio = segment.isIFrame ? nil : first(.audio).map { AudioOutput($0, name) }
        let film = first(.video)
        var sampler = film.flatMap { film in segment.pictures.map { PictureSampler(film, within: $0) } }
        var video = segment.beginsAnew || sampler != nil ? film.map { VideoOutput($0, name) } : nil
        var observer = VideoObserver()
        func see(_ frame: Frame) {
            if isThorough { observer.see(frame) }
            sampler?.see(frame)
        }
        let packet = Packet()
        while !cancellation.isCancelled, try next(packet, of: input, in: segment) {
            // Encrypted packets are skipped.
            guard !packet.isEncrypted else { continue }
            if packet.streamIndex == audio?.stream.index {
                audio?.take(packet, hear)
            } else if packet.streamIndex == video?.stream.index {
                let isSampled = sampler?.needs(packet) ?? false
                let isStart = video?.frames == 0 && video?.packets ?? 0 < Self.mostHeld
                if isThorough || isSampled || isStart { video?.take(packet, see) }
                if segment.isIFrame { break }
            }
        }
        guard !cancellation.isCancelled else { return }
        audio?.take(nil, hear)
        video?.finish(see)
        if let sampler, let start = segment.facts.tracks.first(where: { $0.kind == .video })?.start {
            found.pictures += sampler.pictures(of: segment.number, from: start)
        }
        guard !segment.isIFrame else { return }
        if isThorough { note(observer, of: segment, heard: audio?.hasOutput ?? false) }
        if let video { note(video, observer, of: segment) }
        if let words = audio?.failure { note(segment, "the audio gives no samples: \(quoting: words)") }
    }

    /// Reads the next packet; an I-frame may lie in the middle of a truncated segment, whose end is no error.
    private func next(_ packet: Packet, of input: MediaInput, in segment: DecodableSegment) throws -> Bool {
        guard segment.isIFrame else { return try input.read(into: packet) }
        return (try? input.read(into: packet)) ?? false
    }

    /// Notes what the decoded frames show.
    private func note(_ observer: VideoObserver, of segment: DecodableSegment, heard: Bool) {
        (found.content.isBlack, found.content.isFrozen) = (observer.isBlack, observer.isFrozen)
        // Less than a second has no loudness.
        found.content.isSilent =
            heard && measures && found.measured >= 1 && ((try? meter.integrated()) ?? nil) == nil
    }

    /// Notes the frames that are damaged or missing.
    private func note(_ video: VideoOutput, _ observer: VideoObserver, of segment: DecodableSegment) {
        // The leading frames after an open start refer to frames that are not there.
        let isWhole = isThorough && segment.facts.startsWithIDR == true && !segment.facts.startsOpen
        // A packet of interlaced video may be a field.
        let expected = video.stream.isInterlaced || observer.isInterlaced ? video.packets / 2 : video.packets
        let good = observer.count - observer.damaged
        if isWhole, !video.isUnsupported, expected >= Self.leastJudged, good * 4 < expected * 3 {
            note(segment, "\(good) of \(expected) frames of the video decode without damage", isGross: true)
        } else if segment.beginsAnew, let words = video.failure {
            note(segment, "the video gives no frame: \(quoting: words)")
        } else if isWhole, observer.damaged > 0 {
            note(segment, "\(observer.damaged) of \(observer.count) frames of the video are damaged")
        }
    }

    /// Measures a decoded audio frame.
    private func hear(_ frame: Frame) {
        if found.sampleRate == nil { (found.sampleRate, found.channels) = (frame.sampleRate, frame.channels) }
        guard measures else { return }
        let seconds = Double(frame.sampleCount) / Double(max(1, frame.sampleRate))
        do {
            try meter.hear(frame)
            found.measured += seconds
        } catch {
            // If the rate or the layout changes, the audio before the change is measured.
            found.loudness = (try? meter.integrated()) ?? nil
            measures = false
        }
    }

    /// libav's format name for a segment, which probing cannot detect from few frames.
    private static func format(_ facts: SegmentFacts) -> String? {
        switch facts.layout {
        case .transportStream: "mpegts"
        case .fragmentedMP4, .mp4: "mov"
        case .packedAudio:
            facts.tracks.first.flatMap { ["aac", "mp3", "ac3", "eac3"].contains($0.codec) ? $0.codec : nil }
        case .webVTT, nil: nil
        }
    }
}
