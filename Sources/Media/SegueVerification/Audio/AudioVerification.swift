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
    private var decoder: Decoder?
    private let floats = PlanarFloats()
    private var deliveredUnit = Rational(1, 90000)
    private var comparator: AudioComparator?
    private var source: SourceAudio?
    private var rate = 0
    private var complaints: [String] = []
    /// The first delivered sample of each nonempty segment.
    private var borders: [(segment: Int, sample: Int64)] = []
    /// Delivered frames not compared yet: first sample, time, and number of samples.
    private var pending: [(sample: Int64, time: Double, length: Int64)] = []
    private var measured: [TimeOffsets.Measured] = []
    private var packets: [AudioPacket] = []
    private var setUps: [AudioPackets.SetUp] = []
    /// The packet match; nil if the packets differ.
    private var match: AudioPacketMatch?
    private var times: [(sample: Int64, time: Double)] = []
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
        deliveredUnit = stream.timeBase
        if track.treatment == .copy {
            packets.append(AudioPacket(packet, stream))
            let setUp = AudioPackets.SetUp(stream)
            if !setUps.contains(setUp) { setUps.append(setUp) }
        }
        do {
            // All samples count, including those that a container declares as discarded.
            if decoder == nil {
                decoder = try Decoder(stream: stream, file: "the delivered audio", options: ["flags2": "+skip_manual"])
            }
            try decoder?.decode(packet, opaque: Int64(segment)) { frame in try hear(frame) }
        } catch {
            complaints.append("segment \(segment): \(error)")
        }
    }

    private func hear(_ frame: Frame) throws {
        let samples = try floats.samples(of: frame)
        guard let length = samples.first?.count, length > 0 else { return }
        if comparator == nil, opening == nil { open(frame) }
        guard comparator != nil else { return }
        let sample = comparator?.deliveredCount ?? 0
        let segment = Int(frame.opaque)
        if borders.last?.segment ?? -1 < segment { borders.append((segment, sample)) }
        if let stamp = frame.bestEffortTimestamp {
            let time = (Rational(stamp) * deliveredUnit).seconds
            pending.append((sample, time, Int64(length)))
            if times.count < 2 || sample - (times.last?.sample ?? 0) > Int64(rate) { times.append((sample, time)) }
        }
        try comparator?.push(samples)
        settle()
    }

    /// Opens the source with the delivered rate and channels.
    private func open(_ frame: Frame) {
        rate = frame.sampleRate
        do {
            let source = try SourceAudio(
                path: path,
                stream: track.sourceStream,
                rate: rate,
                layout: frame.layout,
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

    /// Compares the times of frames whose source position is known.
    private func settle() {
        guard let comparator, let source else { return }
        var done = 0
        while done < pending.count, pending[done].sample < comparator.cursor {
            let (sample, time, length) = pending[done]
            let place = sample - comparator.lag
            if comparator.hasHeardSound, place >= 0, place < source.count,
                !source.isMarred(place), let due = source.time(of: place)
            {
                // A frame across a gap in the source is correct if any of its samples is.
                let rest = min(length, source.count - place) - 1
                let end = source.time(of: place + rest)?.due ?? due.due
                let back = Double(rest) / Double(rate)
                let whole =
                    min(due.due.lowerBound, end.lowerBound - back)...max(due.due.upperBound, end.upperBound - back)
                measured.append(TimeOffsets.Measured(delivered: time, said: due.said, due: whole))
            }
            done += 1
        }
        pending.removeFirst(done)
    }

    /// Ends the comparison and reports.
    func finish(_ report: inout VerificationReport, plan: SegmentPlan) throws {
        if decoder != nil { try? decoder?.decode(nil) { frame in try hear(frame) } }
        if let opening {
            report.find(.sourceUnreadable, "the source's audio cannot be decoded: \(opening)")
            return
        }
        guard comparator != nil else {
            try judgeNothing(&report)
            return
        }
        try comparator?.finish()
        settle()
        guard let comparator, let source else { return }
        match = matched(source, plan: plan)
        report.sourceComplaints += source.complaints
        if source.complaints.isEmpty, let complaint = complaints.first {
            report.find(.soundAltered, "\(complaints.count) delivered packets cannot be decoded, first \(complaint)")
        }
        if let match {
            // The decoded source packets are authoritative, even if a decoder that starts elsewhere gives other
            // samples.
            measure(match, source: source, into: &report.metrics)
            return judgeTimes(plan, &report)
        }
        measure(comparator, &report.metrics)
        let place = { (sample: Int64) in self.seconds(of: sample) - plan.timestampOffset.seconds }
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
        BorderErrors(errors: comparator.errors, borders: borders.dropFirst().map(\.sample)).judge(&report) {
            place($0)
        }
        judgeTimes(plan, &report)
        judgeShift(plan, &report)
        if comparator.isNoisy { judgePackets(source, &report) }
    }

    /// The packet match with an equal decoder configuration; nil if there is none.
    private func matched(_ source: SourceAudio, plan: SegmentPlan) -> AudioPacketMatch? {
        guard track.treatment == .copy, setUps.allSatisfy({ $0.agrees(with: source.setUp) }),
            let match = AudioPacketMatch(
                source: source.packets,
                delivered: packets,
                frame: max(source.frameSize, 1),
                moved: (plan.timestampOffset - plan.origin).seconds
            ), match.leading <= track.primingSamples
        else { return nil }
        return match
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
            report.find(.sourceUnreadable, "the source's audio cannot be decoded: \(error)")
            return
        }
        let hasSound = try source.next() != nil
        report.sourceComplaints += source.complaints
        if hasSound {
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
        let samples = packets.count * max(source.frameSize, 1) - match.leading - match.trailing
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
        let jump = source.jumps.first { abs($0.sample - difference.source) < Int64(rate) / 4 }
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
        let unknown = comparator.hasHeardSound ? 0 : Self.longestDelay
        if comparator.trailing > allowed + unknown + conversion {
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

    private func judgeTimes(_ plan: SegmentPlan, _ report: inout VerificationReport) {
        guard let source else { return }
        let allowed = 0.001 + source.unit
        let moved = TimeOffsets(match?.measured ?? measured, plan: plan, allowed: allowed)
        self.moved = moved
        let wrong = moved.wrong(allowed: allowed)
        guard source.tellsTimes, let worst = wrong.max(by: { abs($0.error) < abs($1.error) }) else { return }
        let milliseconds = (worst.error * 1_000_000).rounded() / 1000
        report.find(
            .soundTime,
            "\(wrong.count) of \(moved.count) frames have wrong timestamps, by up to \(milliseconds) ms",
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
    var unit: Double { source.map { $0.unit > 0.0005 ? $0.unit : 0 } ?? 0 }

    /// True if the source's timestamps determine the audio's timing.
    var hasTimes: Bool { source?.tellsTimes ?? true }

    /// Compares packets if the decoder's generated noise makes copied audio differ.
    private func judgePackets(_ source: SourceAudio, _ report: inout VerificationReport) {
        let comparator = VideoComparator(source: source.packets.map(\.picture), delivered: packets.map(\.picture))
        guard let difference = comparator.differences.first(where: { $0.kind != .missing || $0.count > 64 }) else {
            return
        }
        report.find(
            .soundAltered,
            "\(difference.count) packets and their decoded audio differ from the source",
            at: difference.time
        )
    }

    private func describe(_ count: Int64) -> String {
        "\(count) samples (\((Double(count) / Double(max(rate, 1)) * 1000).rounded() / 1000) s)"
    }

    /// The presentation time of a delivered sample, in seconds.
    private func seconds(of sample: Int64) -> Double {
        guard let known = times.last(where: { $0.sample <= sample }) ?? times.first else {
            return Double(sample) / Double(max(rate, 1))
        }
        return known.time + Double(sample - known.sample) / Double(max(rate, 1))
    }
}
