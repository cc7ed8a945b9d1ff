internal import Media
internal import Packager
internal import Timeline

extension Verifier {
    /// Compares a delivery with its source packet by packet, where all its sound is copied.
    ///
    /// - Parameters:
    ///   - path: The path of the source.
    ///   - delivery: What was delivered of it.
    ///   - cancellation: Stops the work.
    /// - Returns: The report where everything is right; nil where sound has to be decoded to be judged.
    /// - Throws: As ``verify(source:delivery:cancellation:)``.
    static func byPackets(
        source path: String,
        delivery: Delivery,
        cancellation: Cancellation
    ) throws -> VerificationReport? {
        let description = delivery.description
        guard description.tracks.allSatisfy({ $0.kind == .video || $0.treatment == .copy }),
            delivery.segmentCount == description.extent.segmentCount
        else { return nil }
        let sounds = description.tracks.filter { $0.kind == .audio }.map { SoundPackets(track: $0) }
        var films = description.tracks.filter { $0.kind == .video }.map {
            PictureVerification(track: $0, path: path, plan: delivery.plan, cancellation: cancellation)
        }
        var report = VerificationReport()
        report.metrics.bytes = delivery.initSegment.count
        do {
            for number in 0..<delivery.segmentCount {
                try cancellation.check("verify", file: path)
                let bytes = try delivery.segment(number)
                report.metrics.bytes += bytes.count
                let (inspection, streams) = try read(number, bytes, delivery, &films, depth: .beginning, cancellation) {
                    if $0 < sounds.count { sounds[$0].take($1, of: $2) }
                }
                inspection.finish(streams: streams, plan: delivery.plan, sourceIsWhole: true, &report)
                guard report.isRight else { return nil }
            }
            for sound in sounds {
                guard try sound.finish(path: path, plan: delivery.plan, &report.metrics, cancellation) else {
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
        guard isTogether(sounds, films, delivery.plan, &report.metrics), report.sourceComplaints.isEmpty,
            report.isRight
        else { return nil }
        try SyntheticCheck.judge(source: path, delivery: delivery, cancellation: cancellation, &report)
        return report.isRight ? report : nil
    }

    /// Whether sound and picture were moved by the same amount, to a millisecond.
    private static func isTogether(
        _ sounds: [SoundPackets],
        _ films: [PictureVerification],
        _ plan: SegmentPlan,
        _ metrics: inout VerificationReport.Metrics
    ) -> Bool {
        let planned = (plan.timestampOffset - plan.origin).seconds
        for sound in sounds {
            for (section, offset) in (sound.moved?.sections ?? []).enumerated() {
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
