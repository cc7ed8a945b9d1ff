internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares a delivered audio track with the source's.
final class AudioVerification {
    let track: TrackDescription
    /// The shift in time.
    private(set) var moved: TimeOffsets?

    private let path: String
    private let reach: Double
    private let known: KnownDamage
    private let cancellation: Cancellation
    private let delivered = DeliveredAudio()
    private var comparator: AudioComparator?
    private var source: SourceAudio?
    private var rate = 0
    private var complaints: [String] = []
    private var times = FrameTimes()
    private var copied = CopiedPackets()
    private lazy var silence = SilentEnds(priming: Int64(track.primingSamples))
    private var opening: (any Error)?
    /// The number of undeclared samples before the source's first.
    private var shift: Int64 = 0

    init(track: TrackDescription, path: String, reach: Double, known: KnownDamage, cancellation: Cancellation) {
        self.track = track
        self.path = path
        self.reach = reach
        self.known = known
        self.cancellation = cancellation
    }

    /// Adds a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        if track.treatment == .copy { copied.add(packet, of: stream) }
        do {
            try delivered.decode(packet, of: stream, segment: segment) { frame in try hear(frame) }
        } catch {
            complaints.append("segment \(segment): \(error)")
        }
    }

    private func hear(_ frame: Frame) throws {
        let samples = try delivered.samples(of: frame)
        guard let length = samples.first?.count, length > 0 else { return }
        if comparator == nil, opening == nil { open(frame) }
        guard comparator != nil else { return }
        times.add(
            FrameTimes.Frame(
                sample: comparator?.deliveredCount ?? 0,
                time: delivered.seconds(of: frame),
                length: Int64(length)
            ),
            segment: Int(frame.opaque)
        )
        silence.add(samples, at: comparator?.deliveredCount ?? 0, length: Int64(length))
        try comparator?.push(samples)
        settle()
    }

    private func settle() {
        guard let comparator, let source else { return }
        times.settle(comparator, source: source)
    }

    /// Opens the source with the delivered rate and channels.
    private func open(_ frame: Frame) {
        rate = frame.sampleRate
        times.rate = rate
        do {
            let source = try SourceAudio(
                path: path,
                stream: track.sourceStream,
                rate: rate,
                layout: frame.layout,
                fillsHoles: track.treatment != .copy,
                known: known,
                cancellation: cancellation
            )
            self.source = source
            comparator = AudioComparator(
                demand: track.treatment == .copy ? .same : .alike,
                channels: frame.channels,
                rate: rate,
                lead: Int64(track.primingSamples),
                reach: reach,
                pull: source.next
            )
        } catch {
            opening = error
        }
    }

    /// Ends the comparison and reports.
    func finish(_ report: inout VerificationReport, plan: SegmentPlan) throws {
        try? delivered.drain { frame in try hear(frame) }
        if let opening {
            report.find(.sourceUnreadable, "the source's audio cannot be decoded: \(quoting: "\(opening)")")
            return
        }
        guard comparator != nil else {
            try judgeNothing(&report)
            return
        }
        try comparator?.finish()
        settle()
        guard let comparator, let source else { return }
        report.sourceComplaints += source.complaints
        if source.complaints.isEmpty, let complaint = complaints.first {
            report.find(
                .soundAltered,
                "\(complaints.count) delivered packets cannot be decoded, first \(quoting: complaint)"
            )
        }
        if track.treatment == .copy, let match = copied.match(with: source, plan: plan),
            match.leading <= track.primingSamples
        {
            // The decoded source packets are authoritative, even if a decoder that starts elsewhere gives other
            // samples.
            measure(match, source: source, into: &report.metrics)
            return judgeTimes(of: match.measured, plan, &report)
        }
        measure(comparator, &report.metrics)
        let place = { (sample: Int64) in self.times.seconds(of: sample) - plan.timestampOffset.seconds }
        for difference in comparator.differences { judge(difference, source: source, place: place, into: &report) }
        for shift in comparator.alignment.found() {
            let direction = shift.samples > 0 ? "late" : "early"
            report.find(
                .soundShifted,
                "the audio is \(abs(shift.samples)) samples \(direction) after transcoding",
                at: place(shift.delivered)
            )
        }
        judgeEnd(comparator, &report)
        if let loud = silence.loud(contentEnd: comparator.sourceCount + comparator.lag) {
            report.find(.soundInserted, "audio before or after the source's is not silent", at: place(loud))
        }
        BorderErrors(errors: comparator.errors, borders: times.borders.dropFirst().map(\.sample)).judge(&report) {
            place($0)
        }
        judgeTimes(of: times.measured, plan, &report)
        judgeShift(plan, &report)
        // The noise that a decoder generates makes copied audio differ.
        if comparator.isNoisy, let difference = copied.difference(from: source) {
            report.find(
                .soundAltered,
                "\(difference.count) packets and their decoded audio differ from the source",
                at: difference.time
            )
        }
    }

    /// Judges a track without decodable packets, which is correct only if the source has none either.
    private func judgeNothing(_ report: inout VerificationReport) throws {
        let source: SourceAudio
        do {
            source = try SourceAudio(
                path: path,
                stream: track.sourceStream,
                rate: max(track.sampleRate, 8000),
                layout: ChannelLayout(channels: max(track.channels, 1)),
                known: known,
                cancellation: cancellation
            )
        } catch let error as MediaError where !error.isCancelled {
            report.find(.sourceUnreadable, "the source's audio cannot be decoded: \(quoting: "\(error)")")
            return
        }
        let hasAudio = try source.next() != nil
        report.sourceComplaints += source.complaints
        if hasAudio {
            report.find(.soundMissing, "no audio of stream \(track.sourceStream) was delivered", at: 0)
        } else if source.complaints.isEmpty {
            report.sourceComplaints.append("stream \(track.sourceStream) has no audio")
        }
    }

    // MARK: - Judging

    private func measure(
        _ match: AudioPacketMatch,
        source: SourceAudio,
        into metrics: inout VerificationReport.Metrics
    ) {
        let samples = copied.packets.count * max(source.frameSize, 1) - match.leading - match.trailing
        metrics.comparedSamples += Int64(max(0, samples))
        metrics.leadingSamples = max(metrics.leadingSamples, Int64(match.leading))
        metrics.trailingSamples = max(metrics.trailingSamples, Int64(match.trailing))
    }

    private func measure(_ comparator: AudioComparator, _ metrics: inout VerificationReport.Metrics) {
        metrics.comparedSamples += comparator.compared
        metrics.leadingSamples = max(metrics.leadingSamples, comparator.lag)
        metrics.trailingSamples = max(metrics.trailingSamples, comparator.trailing)
    }

    private func judge(
        _ difference: AudioComparator.Difference,
        source: SourceAudio,
        place: (Int64) -> Double,
        into report: inout VerificationReport
    ) {
        let (count, at) = (difference.count, place(difference.delivered))
        // If the source's timestamps have a gap, filling it keeps audio and video in sync; if they go back, omitting
        // samples does.
        let jump = source.timeline.jumps.first { abs($0.sample - difference.source) < Int64(rate) / 4 }
        let jumpSamples = (jump?.seconds ?? 0) * Double(rate)
        if let jump {
            let isFilling = difference.kind == .silent || difference.kind == .inserted || difference.kind == .repeated
            let wanted = isFilling ? jumpSamples : -jumpSamples
            if wanted > 0, abs(wanted - Double(count)) < 0.05 * Double(rate), jump.seconds != 0 {
                report.metrics.filledSamples += count
                return
            }
        }
        // Decoders differ on damaged data, depending on where they start.
        let ends = [difference.source, difference.source + count]
        let isGuess =
            track.treatment != .copy && (source.isMarredAllOver || ends.contains { source.isMarred($0) })
        if isGuess && [.silent, .altered, .inserted].contains(difference.kind) { return }
        switch difference.kind {
        case .missing:
            report.metrics.missingSamples += count
            report.find(.soundMissing, "\(describe(count)) of the source's audio are missing", at: at)
        case .repeated:
            report.metrics.repeatedSamples += count
            report.find(.soundRepeated, "\(describe(count)) are repeated", at: at)
        case .inserted:
            report.metrics.alteredSamples += count
            report.find(.soundInserted, "\(describe(count)) are not in the source", at: at)
        case .silent:
            report.metrics.alteredSamples += count
            report.find(.soundSilent, "\(describe(count)) are silent, but not in the source", at: at)
        case .shifted:
            shift = count
        case .altered:
            report.metrics.alteredSamples += count
            // A lossy codec may distort a block of noise; a longer difference is other audio.
            guard track.treatment == .copy || count > Int64(rate) / 10 else { return }
            let what = track.treatment == .copy ? "differ from the source" : "do not resemble the source's"
            report.find(.soundAltered, "\(describe(count)) \(what)", at: at)
        }
    }

    /// The number of samples by which two rate conversions may differ at an end.
    private var conversion: Int64 { source.map { $0.sourceRate == rate ? 0 : 2 } ?? 0 }

    private func judgeEnd(_ comparator: AudioComparator, _ report: inout VerificationReport) {
        // A copied frame cannot be cut, so it includes padding that the source's container trims.
        let own = track.treatment == .copy ? source?.paddingSamples ?? 0 : 0
        let allowed = Int64(max(track.paddingSamples, own))
        // In silence, audio before the source's start cannot be distinguished from audio after its end.
        let unknown = comparator.hasHeardAudio ? 0 : Self.longestDelay
        // Similarity finds a position behind a difference to a sample or two.
        let found: Int64 = track.treatment == .copy || comparator.differences.isEmpty ? 0 : 2
        if comparator.trailing > allowed + unknown + conversion + found {
            report.find(
                .soundInserted,
                "\(describe(comparator.trailing)) follow the source's last sample; \(allowed) were declared"
            )
        }
        if track.treatment != .copy, let content = track.contentSamples,
            abs(Int64(content) - comparator.sourceCount) > conversion
        {
            let real = comparator.sourceCount
            report.find(
                .soundAltered,
                "the rendition declares \(content) samples of content; a direct decode gives \(real)"
            )
        }
    }

    private func judgeTimes(
        of measured: [TimeOffsets.Measured],
        _ plan: SegmentPlan,
        _ report: inout VerificationReport
    ) {
        guard let source else { return }
        let allowed = 0.001 + source.timeline.unit
        let moved = TimeOffsets(measured, plan: plan, allowed: allowed)
        self.moved = moved
        let wrong = moved.wrong(allowed: allowed)
        guard source.timeline.tellsTimes, let worst = wrong.max(by: { abs($0.error) < abs($1.error) }) else { return }
        report.find(
            .soundTime,
            "\(wrong.count) of \(moved.count) frames have wrong timestamps, by up to \(Message.offset(worst.error))",
            at: worst.time - plan.timestampOffset.seconds
        )
    }

    /// Judges an undeclared codec delay, which is harmless if timestamps account for it.
    private func judgeShift(_ plan: SegmentPlan, _ report: inout VerificationReport) {
        guard shift > 0 else { return }
        let planned = (plan.timestampOffset - plan.origin).seconds
        if let excess = moved?.excess(0, over: planned), abs(excess) <= 0.001, shift <= Self.longestDelay {
            report.metrics.undeclaredLeadingSamples = max(report.metrics.undeclaredLeadingSamples, shift)
        } else {
            report.metrics.alteredSamples += shift
            report.find(.soundShifted, "all audio is \(describe(shift)) late", at: 0)
        }
    }

    /// The maximum codec delay, in samples.
    private static let longestDelay: Int64 = 4096

    /// The unit of the source's timestamps if its rounding is noticeable.
    var unit: Double { source.map { $0.timeline.unit > 0.0005 ? $0.timeline.unit : 0 } ?? 0 }

    /// True if the source's timestamps determine the audio's timing.
    var hasTimes: Bool { source?.timeline.tellsTimes ?? true }

    private func describe(_ count: Int64) -> Message {
        "\(count) samples (\((Double(count) / Double(max(rate, 1)) * 1000).rounded() / 1000) s)"
    }
}
