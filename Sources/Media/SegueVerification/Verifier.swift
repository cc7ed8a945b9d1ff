internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import SeguePackager
internal import SegueTestMedia

/// Judges what was delivered of a file by comparing it with the source.
///
/// Where all sound is copied, packets are compared; where they differ, and of what is transcoded, what they decode to.
///
/// Both are decoded as they stream by: the memory it takes does not grow with the length of the film, but for some
/// tens of bytes a picture.
package enum Verifier {
    /// Compares a delivery with its source.
    ///
    /// - Parameters:
    ///   - path: The path of the source.
    ///   - delivery: What was delivered of it.
    ///   - compared: The sound of the file that was compared before; what is found right now is added.
    ///   - known: What is known of the file's damage; what is found out on the way is added.
    ///   - cores: How many threads may be busy with it, that of the caller included.
    ///   - cancellation: Stops the work.
    /// - Returns: What was found, and what was compared.
    /// - Throws: ``MediaError`` when the source cannot be opened or the work is cancelled, and whatever fetching a
    ///   segment throws.
    package static func verify(
        source path: String,
        delivery: Delivery,
        compared: ComparedSounds = ComparedSounds(),
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
            SoundVerification(track: $0, path: path, reach: reach, known: known, cancellation: cancellation)
        }
        var digests = sounds.map { _ in SoundDigest() }
        var films = PictureVerification.all(of: delivery, path: path, known: known, cores, cancellation)
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
                "\(delivery.segmentCount) segments were delivered, the rendition has \(description.extent.segmentCount)"
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
                report.find(.sourceUnreadable, "the source's pictures cannot be read: \(error)")
            }
        }
        if report.sourceComplaints.isEmpty, loneSegments.contains(where: \.0.hasComplaint) {
            // What was copied was not decoded yet as the source has it.
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
        judgeOffset(sounds, films, delivery.plan, &report)
        if !report.differences.contains(where: { $0.rule == .sourceUnreadable }) {
            try SyntheticCheck.judge(source: path, delivery: delivery, cancellation: cancellation, &report)
        }
        if report.isRight, report.sourceComplaints.isEmpty {
            for (place, sound) in sounds.enumerated() where sound.track.treatment != .copy {
                let outcome = ComparedSounds.Outcome(
                    delivered: digests[place],
                    moved: sound.moved,
                    metrics: soundMetrics[place]
                )
                compared.keep(outcome, of: sound.track)
            }
        }
        return report
    }

    /// Hands what is in a segment to those who compare it: of sound, packets with the track's number.
    ///
    /// - Throws: Why the segment could not be read to its end, after all that could; ``MediaError`` when the work is
    ///   cancelled.
    static func take(
        _ segment: SegmentReading,
        _ films: inout [PictureVerification],
        hear: (Int, Packet, StreamInfo) -> Void
    ) throws {
        for (track, packet, stream) in segment.sounds { hear(track, packet, stream) }
        for (place, pictures) in segment.films.enumerated() {
            if let pictures { try films[place].take(pictures, segment: segment.number) }
        }
        if let failure = segment.failure { throw failure }
    }

    /// Compares how far sound and picture were moved.
    private static func judgeOffset(
        _ sounds: [SoundVerification],
        _ films: [PictureVerification],
        _ plan: SegmentPlan,
        _ report: inout VerificationReport
    ) {
        let planned = (plan.timestampOffset - plan.origin).seconds
        for sound in sounds {
            guard let moved = sound.moved else { continue }
            for (section, offset) in moved.sections.enumerated() {
                // After a discontinuity only the picture knows by how much everything was moved.
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
                let against = films.isEmpty ? "its place in the plan" : "the picture"
                let off = (abs(excess) * 1_000_000).rounded() / 1000
                report.find(
                    .avOffset,
                    "sound is \(off) ms \(excess > 0 ? "late" : "early") against \(against), compared with the source",
                    at: 0
                )
            }
        }
    }
}
