internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// Reads all text subtitles of a file in one go.
struct SubtitleReader {
    /// The most cues that are kept of a stream.
    private static let greatestCount = 100_000
    /// The most bytes of text that are kept of a stream.
    private static let greatestSize = 16 << 20
    /// How long a text is shown that does not say it, in seconds, unless another comes before.
    private static let defaultLength = Rational(5)

    let file: String
    let plan: SegmentPlan
    /// The file's time at which the plan begins, in seconds.
    let origin: Rational
    let cancellation: Cancellation

    /// The cues of each stream, by when they appear.
    ///
    /// Demuxers that can go to a stream's packets directly do so; others read the file once.
    ///
    /// - Parameter streams: The streams, all of text.
    /// - Returns: The cues of each stream; texts that cannot be decoded are left out.
    /// - Throws: ``MediaError`` if the file cannot be opened or the work is cancelled.
    func read(_ streams: [StreamInfo]) throws -> [Int: [Cue]] {
        try read(streams, from: FileLook.open(path: file, cancellation: cancellation))
    }

    /// The cues of each stream of an opened file, by when they appear.
    ///
    /// - Parameters:
    ///   - streams: The streams, all of text.
    ///   - input: The file.
    /// - Returns: The cues of each stream; texts that cannot be decoded are left out.
    /// - Throws: ``MediaError`` if the work is cancelled.
    func read(_ streams: [StreamInfo], from input: MediaInput) throws -> [Int: [Cue]] {
        input.keepOnly(streams: Set(streams.map(\.index)))
        var tracks: [Int: Track] = [:]
        for stream in streams {
            tracks[stream.index] = Track(
                timeBase: stream.timeBase,
                decoder: try SubtitleDecoder(stream: stream, file: file)
            )
        }
        let packet = Packet()
        while true {
            do {
                guard try input.read(into: packet) else { break }
            } catch {
                if error.isCancelled { throw error }
                break
            }
            // Taken out while it grows, so that nothing is copied.
            guard var track = tracks.removeValue(forKey: packet.streamIndex) else { continue }
            note(packet, in: &track)
            tracks[packet.streamIndex] = track
        }
        return tracks.mapValues { finish($0) }
    }

    private struct Track {
        var timeBase: Rational
        var decoder: SubtitleDecoder
        var cues: [(start: Rational, end: Rational?, text: String)] = []
        var size = 0
    }

    private func note(_ packet: Packet, in track: inout Track) {
        guard let time = packet.pts ?? packet.dts, track.cues.count < Self.greatestCount,
            let events = try? track.decoder.decode(packet)
        else { return }
        let start = Rational(time) * track.timeBase - origin
        let duration = packet.duration > 0 ? Rational(packet.duration) * track.timeBase : nil
        for event in events {
            let text = CueText(event.text).text
            guard !text.isEmpty, track.size + text.utf8.count <= Self.greatestSize else { continue }
            track.size += text.utf8.count
            let appears = start + Rational(Int64(event.delay), 1000)
            let end = duration.map { start + $0 } ?? event.end.map { start + Rational(Int64($0), 1000) }
            track.cues.append((appears, end, text))
        }
    }

    private func finish(_ track: Track) -> [Cue] {
        let sorted = track.cues.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        return sorted.indices.compactMap { place in
            let cue = sorted[place]
            let next = sorted[place...].first { $0.start > cue.start }?.start
            let end = cue.end ?? min(cue.start + Self.defaultLength, next ?? cue.start + Self.defaultLength)
            let start = max(cue.start, .zero)
            guard end > start, start < plan.duration else { return nil }
            return Cue(start: start, end: end, text: cue.text)
        }
    }
}
