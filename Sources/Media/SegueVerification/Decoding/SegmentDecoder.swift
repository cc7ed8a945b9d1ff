internal import SegueBase
internal import SegueConcurrency
package import SegueConformance
internal import SegueFFmpeg
internal import SeguePlaylists

/// Decodes a playlist's segments with libav, each alone: all of the audio, whose loudness is measured, and of the
/// frames the first wherever a player has to begin anew.
package final class SegmentDecoder: SegmentDecoding {
    private let meter = LoudnessMeter()
    private var measures = true
    private var found = DecodedFacts()
    private let end: ContinuousClock.Instant

    /// How long one segment may take, and no longer than all of it may: what is made to take long must not hold all up.
    private static let longest = Duration.seconds(60)

    /// Packets of frame after which one should have come out: more than any decoder holds back.
    private static let mostHeld = 64

    /// A decoder for a playlist.
    ///
    /// - Parameter time: How long all of its segments may take; what comes later is let be.
    package init(within time: Duration = .seconds(3600)) { end = .now + time }

    package func take(_ segment: DecodableSegment) {
        guard ContinuousClock.now < end else { return }
        let deadline = min(end, .now + Self.longest)
        let cancellation = Cancellation(deadline: deadline)
        do {
            try decode(segment, cancellation)
        } catch {
            guard !cancellation.isCancelled, let error = error as? MediaError else { return }
            note(segment, "it cannot be opened: \(error.message)")
        }
    }

    package func facts() -> DecodedFacts {
        if measures { found.loudness = (try? meter.integrated()) ?? nil }
        return found
    }

    private func note(_ segment: DecodableSegment, _ words: String) {
        found.failures.append(DecodedFacts.Failure(segment: segment.number, words: words))
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
        var sound = first(.audio).map { AudioOutput($0, name) }
        var picture = segment.beginsAnew ? first(.video).map { VideoOutput($0, name) } : nil
        let packet = Packet()
        while !cancellation.isCancelled, try input.read(into: packet) {
            // What is encrypted is not for this decoder.
            guard !packet.isEncrypted else { continue }
            if packet.streamIndex == sound?.stream.index {
                sound?.take(packet, hear)
            } else if packet.streamIndex == picture?.stream.index, picture?.pictures == 0,
                picture?.packets ?? 0 < Self.mostHeld
            {
                picture?.take(packet)
            }
        }
        guard !cancellation.isCancelled else { return }
        sound?.take(nil, hear)
        picture?.finish()
        if let words = picture?.failure { note(segment, "no picture comes of its video: \(words)") }
        if let words = sound?.failure { note(segment, "no sound comes of its audio: \(words)") }
    }

    /// Takes what came out of the decoder, a frame after the other.
    private func hear(_ frame: Frame) {
        if found.sampleRate == nil { (found.sampleRate, found.channels) = (frame.sampleRate, frame.channels) }
        guard measures else { return }
        let seconds = Double(frame.sampleCount) / Double(max(1, frame.sampleRate))
        do {
            try meter.hear(frame)
            found.measured += seconds
        } catch {
            // Of audio that changes its rate or channels, what came before is measured.
            found.loudness = (try? meter.integrated()) ?? nil
            measures = false
        }
    }

    /// libav's name of a segment's format: of a few frames, it does not trust its own eyes.
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
