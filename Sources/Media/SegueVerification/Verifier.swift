internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import SeguePackager
internal import SegueTestMedia

/// Judges a delivery by comparing it with the source.
///
/// If all audio is copied, packets are compared. Differing packets and transcoded content are decoded.
///
/// Both are decoded as they stream by: memory usage is independent of the duration, except for some tens of bytes per
/// frame.
package enum Verifier {
    /// Compares a delivery with its source.
    ///
    /// - Parameters:
    ///   - path: The source file.
    ///   - delivery: The delivery.
    ///   - compared: The verified audio of the file; newly verified audio is added.
    ///   - known: The known damage of the file; newly found damage is added.
    ///   - cores: The limit on busy threads, including the caller's.
    ///   - cancellation: Cancels the work.
    /// - Returns: The report.
    /// - Throws: ``MediaError`` if the source cannot be opened or the work is canceled, and rethrown fetch errors.
    package static func verify(
        source path: String,
        delivery: Delivery,
        compared: ComparedAudio = ComparedAudio(),
        known: KnownDamage = KnownDamage(),
        cores: Cores = Cores(),
        cancellation: Cancellation = Cancellation()
    ) throws -> VerificationReport {
        if let report = try byPackets(
            source: path,
            delivery: delivery,
            compared: compared,
            known: known,
            cores: cores,
            cancellation: cancellation
        ) {
            return report
        }
        var report = VerificationReport()
        let longest = delivery.plan.segments.map(\.duration.seconds).max() ?? 0
        let reach = min(max(2.5 * longest, 3), 30)
        let description = delivery.description
        let sounds = description.tracks.filter { $0.kind == .audio }.map {
            AudioVerification(track: $0, path: path, reach: reach, known: known, cancellation: cancellation)
        }
        var digests = sounds.map { _ in AudioDigest() }
        var films = VideoVerification.all(of: delivery, path: path, known: known, cores, cancellation)
        report.metrics.bytes = delivery.initSegment.count
        var loneSegments: [(LoneSegment, [StreamInfo])] = []
        let segments = DeliveredSegments(of: delivery, depth: .whole, cores, cancellation)
        for number in 0..<delivery.segmentCount {
            try cancellation.check("verify", file: path)
            let segment = try segments.segment(number)
            report.metrics.bytes += segment.byteCount
            do {
                try take(segment, &films) { track, packet, stream in
                    guard track < sounds.count else { return }
                    sounds[track].take(packet, of: stream, segment: number)
                    digests[track].take(packet, of: stream, segment: number)
                }
                loneSegments.append((segment.alone, segment.streams))
            } catch let error as MediaError where !error.isCancelled {
                report.find(
                    .segmentAlone,
                    "segment \(number) cannot be opened: \(error.call): \(error.message)",
                    at: delivery.plan.segments.indices.contains(number)
                        ? delivery.plan.segments[number].start.seconds : nil
                )
            }
        }
        if delivery.segmentCount != description.extent.segmentCount {
            report.find(
                .tracks,
                "\(delivery.segmentCount) segments were delivered; the rendition has \(description.extent.segmentCount)"
            )
        }
        var soundMetrics: [VerificationReport.Metrics] = []
        for sound in sounds {
            var own = VerificationReport()
            try sound.finish(&own, plan: delivery.plan)
            report.differences += own.differences
            report.sourceComplaints += own.sourceComplaints
            report.metrics.addSound(of: own.metrics)
            soundMetrics.append(own.metrics)
        }
        for index in films.indices {
            do {
                try films[index].finish(
                    &report,
                    path: path,
                    plan: delivery.plan,
                    segmentCount: delivery.segmentCount,
                    cancellation: cancellation
                )
            } catch let error as MediaError where !error.isCancelled {
                report.find(.sourceUnreadable, "the source's video cannot be read: \(error)")
            }
        }
        if report.sourceComplaints.isEmpty, loneSegments.contains(where: \.0.hasComplaint) {
            // Copied content has not been decoded yet.
            let damage = try known.damage(
                of: path,
                streams: Set(description.tracks.map(\.sourceStream)),
                cancellation
            )
            report.sourceComplaints += damage.refusals
        }
        for (alone, streams) in loneSegments {
            let sourceIsWhole = report.sourceComplaints.isEmpty
            alone.finish(streams: streams, plan: delivery.plan, sourceIsWhole: sourceIsWhole, &report)
        }
        judgeOffset(sounds, films: films, plan: delivery.plan, into: &report)
        if !report.differences.contains(where: { $0.rule == .sourceUnreadable }) {
            try SyntheticCheck.judge(source: path, delivery: delivery, cancellation: cancellation, &report)
        }
        if report.isRight, report.sourceComplaints.isEmpty {
            for (place, sound) in sounds.enumerated() where sound.track.treatment != .copy {
                let outcome = ComparedAudio.Outcome(
                    delivered: digests[place],
                    moved: sound.moved,
                    metrics: soundMetrics[place]
                )
                compared.keep(outcome, of: sound.track)
            }
        }
        return report
    }

    /// Passes a segment's content to the comparisons.
    static func take(
        _ segment: SegmentReading,
        _ films: inout [VideoVerification],
        hear: (Int, Packet, StreamInfo) -> Void
    ) throws {
        for (track, packet, stream) in segment.sounds { hear(track, packet, stream) }
        for (place, pictures) in segment.films.enumerated() {
            if let pictures { try films[place].take(pictures, segment: segment.number) }
        }
        if let failure = segment.failure { throw failure }
    }

    /// Compares the shifts of audio and video.
    private static func judgeOffset(
        _ sounds: [AudioVerification],
        films: [VideoVerification],
        plan: SegmentPlan,
        into report: inout VerificationReport
    ) {
        let planned = (plan.timestampOffset - plan.origin).seconds
        for sound in sounds {
            guard let moved = sound.moved else { continue }
            for (section, offset) in moved.sections.enumerated() {
                // After a discontinuity, only the video's shift is known.
                let film = films.first?.moved?.sections
                guard let offset, let reference = film.map({ $0[section] }) ?? (section == 0 ? planned : nil) else {
                    continue
                }
                let milliseconds = ((offset - reference) * 1_000_000).rounded() / 1000
                if abs(milliseconds) >= abs(report.metrics.avOffsetMilliseconds ?? 0) {
                    report.metrics.avOffsetMilliseconds = milliseconds
                }
                guard sound.hasTimes, let excess = moved.excess(section, over: reference),
                    abs(excess) > 0.001 + sound.unit
                else { continue }
                let against = films.isEmpty ? "the plan" : "the video"
                let off = (abs(excess) * 1_000_000).rounded() / 1000
                report.find(
                    .avOffset,
                    "audio is \(off) ms \(excess > 0 ? "late" : "early") relative to \(against), compared with the source",
                    at: 0
                )
            }
        }
    }
}
