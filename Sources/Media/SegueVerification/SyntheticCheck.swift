internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager
internal import SegueTestMedia

/// Locates delivered synthetic content on the source's timeline without timestamps.
///
/// It reads frame numbers and audio positions from the source and the delivery, and compares them.
enum SyntheticCheck {
    static func judge(
        source path: String,
        delivery: Delivery,
        cancellation: Cancellation,
        _ report: inout VerificationReport
    ) throws {
        guard let truth = SyntheticTruth.find(forFileAt: path), truth.pieces.count == 1, !truth.isDamaged,
            let piece = truth.pieces.first
        else { return }
        var bytes = delivery.initSegment
        for number in 0..<delivery.segmentCount { bytes += try delivery.segment(number) }
        let container = delivery.description.container
        let input: MediaInput
        do {
            input = try MediaInput(
                bytes: bytes,
                name: "the delivery",
                format: container == .fmp4 ? "mov" : "mpegts",
                cancellation: cancellation
            )
        } catch {
            report.find(.syntheticContent, "the concatenated delivery cannot be opened: \(quoting: "\(error)")")
            return
        }
        let direct = try MediaInput(path: path, cancellation: cancellation)
        let numbers = direct.streams.filter { $0.kind == .audio }.map(\.index)
        // The delivered tracks, in the order of the truth.
        let audioTracks = delivery.description.tracks.filter { $0.kind == .audio }
            .compactMap { numbers.firstIndex(of: $0.sourceStream) }
            .compactMap { piece.audioTracks.indices.contains($0) ? piece.audioTracks[$0] : nil }
        let held = SyntheticTruth.Piece(
            film: delivery.description.hasVideo ? piece.film : nil,
            audioTracks: audioTracks
        )
        let source = try SyntheticReading(
            of: direct,
            holding: SyntheticTruth.Piece(film: held.film, audioTracks: piece.audioTracks)
        )
        let shown = delivery.description.tracks.first { $0.kind == .video }
        let turn = direct.streams.first { $0.index == shown?.sourceStream }?.turn
        let delivered = try SyntheticReading(of: input, holding: held, turn: turn)
        if let film = held.film, let track = delivery.description.tracks.first(where: { $0.kind == .video }) {
            let rate = direct.streams.first { $0.index == track.sourceStream }?.averageFrameRate?.seconds
            let isThinned = RecodedVideo.greatestStep(of: track, sourceRate: rate) > 0
            let judged = (isThinned: isThinned, isHeld: track.treatment != .copy)
            judgeVideo(film, source: source, delivered: delivered, judged, into: &report)
        }
        for (index, audio) in audioTracks.enumerated() where index < delivered.heard.count {
            guard let place = piece.audioTracks.firstIndex(of: audio), place < source.heard.count else { continue }
            judgeAudio(source.heard[place], delivered: delivered.heard[index], audio: audio, into: &report)
        }
    }

    private static func judgeVideo(
        _ film: SyntheticTruth.Film,
        source: SyntheticReading,
        delivered: SyntheticReading,
        _ track: (isThinned: Bool, isHeld: Bool),
        into report: inout VerificationReport
    ) {
        let given = delivered.frames.compactMap(\.number)
        let kept = Set(given)
        let wanted = source.frames.compactMap(\.number).filter { !track.isThinned || kept.contains($0) }
        // Frames needed only for decoding may precede the first displayed one, and the first and the last may be held.
        var shown = wanted.first.map { first in given.drop { $0 < first } } ?? given[...]
        while track.isHeld, shown.count > 1, shown.first == shown.dropFirst().first { shown.removeFirst() }
        while track.isHeld, shown.count > 1, shown.last == shown.dropLast().last { shown.removeLast() }
        guard Array(shown) != wanted else { return }
        let lost = Set(wanted).subtracting(given).sorted()
        let example = lost.first ?? zip(shown, wanted).first { $0 != $1 }?.1
        let seconds = example.flatMap { film.times.indices.contains($0) ? film.times[$0] : nil }
        report.find(
            .syntheticContent,
            "the video shows \(given.count) frame numbers, the source \(wanted.count); \(lost.count) are missing",
            at: seconds
        )
    }

    private static func judgeAudio(
        _ source: [SyntheticReading.Heard],
        delivered: [SyntheticReading.Heard],
        audio: SyntheticTruth.Audio,
        into report: inout VerificationReport
    ) {
        for heard in delivered where heard.channel != audio.lowFrequencyChannel {
            guard let reference = source.first(where: { $0.channel == heard.channel }) ?? source.first,
                reference.rate > 0, heard.rate > 0
            else { continue }
            // Times in seconds, because rates may differ.
            let wanted = reference.runs.map { span($0, reference.rate) }
            let given = heard.runs.map { span($0, heard.rate) }
            let window = 0.06
            if given.count > wanted.count, wanted.count == 1 {
                let place = given.dropFirst().first?.start
                report.find(
                    .syntheticContent,
                    "channel \(heard.channel) consists of \(given.count) pieces of the source's audio instead of one",
                    at: place
                )
            } else if let first = wanted.first, let last = wanted.last, let start = given.first, let end = given.last,
                start.start > first.start + window || end.end < last.end - window
            {
                report.find(
                    .syntheticContent,
                    "channel \(heard.channel) has the source's audio from \(start.start) s to \(end.end) s; expected \(first.start) s to \(last.end) s",
                    at: first.start
                )
            } else if given.isEmpty, !wanted.isEmpty {
                report.find(.syntheticContent, "channel \(heard.channel) has none of the source's audio", at: 0)
            }
        }
    }

    private static func span(_ run: AudioCodeTrail.Run, _ rate: Int) -> (start: Double, end: Double) {
        (Double(run.position) / Double(rate), Double(run.end) / Double(rate))
    }
}
