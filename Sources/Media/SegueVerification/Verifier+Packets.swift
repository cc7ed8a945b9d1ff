internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

extension Verifier {
    /// Compares a delivery with its source by packets, if all audio is copied or was compared before; returns nil if
    /// audio must be decoded.
    static func byPackets(
        source path: String,
        delivery: Delivery,
        compared: ComparedAudio = ComparedAudio(),
        known: KnownDamage = KnownDamage(),
        cores: Cores = Cores(),
        cancellation: Cancellation
    ) throws -> VerificationReport? {
        let description = delivery.description
        guard delivery.segmentCount == description.extent.segmentCount else { return nil }
        guard let audioTracks = audio(of: description.tracks, compared: compared) else { return nil }
        var films = VideoVerification.all(of: delivery, path: path, known: known, cores, cancellation)
        var report = VerificationReport()
        report.metrics.bytes = delivery.initSegment.count
        do {
            let segments = DeliveredSegments(of: delivery, depth: .beginning, cores, cancellation)
            for number in 0..<delivery.segmentCount {
                try cancellation.check("verify", file: path)
                let segment = try segments.segment(number)
                report.metrics.bytes += segment.byteCount
                for (track, packet, stream) in segment.audioPackets where track < audioTracks.count {
                    audioTracks[track].take(packet, of: stream, segment: number)
                }
                try take(segment, &films)
                let streams = segment.streams
                segment.alone.finish(streams: streams, plan: delivery.plan, sourceIsWhole: true, &report)
                guard report.isRight else { return nil }
            }
            for audio in audioTracks {
                guard try audio.finish(path: path, plan: delivery.plan, &report.metrics, cancellation) else {
                    return nil
                }
            }
            for index in films.indices {
                try films[index].finish(
                    &report,
                    path: path,
                    plan: delivery.plan,
                    segmentCount: delivery.segmentCount,
                    cancellation: cancellation
                )
            }
        } catch let error as MediaError where !error.isCancelled {
            return nil
        }
        guard isTogether(audioTracks, films: films, plan: delivery.plan, into: &report.metrics),
            report.sourceComplaints.isEmpty,
            report.isRight
        else { return nil }
        try SyntheticCheck.judge(source: path, delivery: delivery, cancellation: cancellation, &report)
        return report.isRight ? report : nil
    }

    /// Returns the comparison of each audio track; nil if one must be decoded.
    private static func audio(of tracks: [TrackDescription], compared: ComparedAudio) -> [any AudioByPackets]? {
        var audioTracks: [any AudioByPackets] = []
        for track in tracks where track.kind == .audio {
            if track.treatment == .copy {
                audioTracks.append(AudioPackets(track: track))
            } else if let known = compared.outcome(of: track) {
                audioTracks.append(RepeatedAudio(track: track, known: known))
            } else {
                return nil
            }
        }
        return audioTracks
    }

    /// True if audio and video were shifted by the same amount, to a millisecond.
    private static func isTogether(
        _ audioTracks: [any AudioByPackets],
        films: [VideoVerification],
        plan: SegmentPlan,
        into metrics: inout VerificationReport.Metrics
    ) -> Bool {
        let planned = (plan.timestampOffset - plan.origin).seconds
        for audio in audioTracks {
            for (section, offset) in (audio.moved?.sections ?? []).enumerated() {
                let film = films.first?.moved?.sections
                guard let offset, let reference = film.map({ $0[section] }) ?? (section == 0 ? planned : nil) else {
                    continue
                }
                let milliseconds = ((offset - reference) * 1_000_000).rounded() / 1000
                if abs(milliseconds) >= abs(metrics.avOffsetMilliseconds ?? 0) {
                    metrics.avOffsetMilliseconds = milliseconds
                }
                if abs(milliseconds) > 1 { return false }
            }
        }
        return true
    }
}
