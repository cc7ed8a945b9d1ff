internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg

/// A reader of all text subtitles of a file in one pass.
struct SubtitleReader {
    /// The maximum number of cues per stream.
    private static let greatestCount = 100_000
    /// The maximum text size per stream, in bytes.
    private static let greatestSize = 16 << 20
    /// The number of colors beyond which cues have the default color.
    private static let greatestColours = 200
    /// The default duration of a cue without end, unless the next one starts earlier, in seconds.
    private static let defaultLength = Rational(5)

    let file: String
    let plan: SegmentPlan
    /// The file time of the plan's start, in seconds.
    let origin: Rational
    let cancellation: Cancellation

    /// Reads the cues of text streams, sorted by start; undecodable texts are dropped.
    ///
    /// Demuxers that can seek to a stream's packets do; others read the whole file.
    func read(_ streams: [StreamInfo]) throws -> [Int: CueSheet] {
        try read(streams, from: FileLook.open(path: file, cancellation: cancellation))
    }

    /// Reads the cues of text streams of an opened file, sorted by start; undecodable texts are dropped.
    func read(_ streams: [StreamInfo], from input: MediaInput) throws -> [Int: CueSheet] {
        input.keepOnly(streams: Set(streams.map(\.index)))
        var tracks: [Int: Track] = [:]
        for stream in streams {
            let decoder = try SubtitleDecoder(stream: stream, file: file)
            tracks[stream.index] = Track(
                timeBase: stream.timeBase,
                decoder: decoder,
                styles: SubtitleStyles(header: decoder.header)
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
            // Removed while it grows to avoid copies.
            guard var track = tracks.removeValue(forKey: packet.streamIndex) else { continue }
            note(packet, in: &track)
            tracks[packet.streamIndex] = track
        }
        return tracks.mapValues { finish($0) }
    }

    private struct Track {
        var timeBase: Rational
        var decoder: SubtitleDecoder
        var styles: SubtitleStyles
        var colours: Set<CueColour> = []
        var cues: [(start: Rational, end: Rational?, text: CueText)] = []
        var size = 0
    }

    private func note(_ packet: Packet, in track: inout Track) {
        guard let time = packet.pts ?? packet.dts, track.cues.count < Self.greatestCount,
            let events = try? track.decoder.decode(packet)
        else { return }
        let start = Rational(time) * track.timeBase - origin
        let duration = packet.duration > 0 ? Rational(packet.duration) * track.timeBase : nil
        for event in events {
            let text = CueText(event.text, style: track.styles[event.style], canvas: track.styles.canvas)
            guard !text.text.isEmpty, track.size + text.text.utf8.count <= Self.greatestSize else { continue }
            track.size += text.text.utf8.count
            // Every segment repeats the rules.
            if track.colours.count < Self.greatestColours { track.colours.formUnion(text.colours) }
            let appears = start + Rational(Int64(event.delay), 1000)
            let end = duration.map { start + $0 } ?? event.end.map { start + Rational(Int64($0), 1000) }
            track.cues.append((appears, end, text))
        }
    }

    private func finish(_ track: Track) -> CueSheet {
        let sorted = track.cues.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        let cues = sorted.indices.compactMap { place -> Cue? in
            let cue = sorted[place]
            let next = sorted[place...].first { $0.start > cue.start }?.start
            let end = cue.end ?? min(cue.start + Self.defaultLength, next ?? cue.start + Self.defaultLength)
            let start = max(cue.start, .zero)
            guard end > start, start < plan.duration else { return nil }
            return Cue(start: start, end: end, text: cue.text.text, settings: cue.text.settings)
        }
        let rules = track.colours.sorted().map(\.rule)
        return CueSheet(cues: cues, blocks: rules.isEmpty ? [] : [(["STYLE"] + rules).joined(separator: "\n")])
    }
}
