internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares one delivered audio track with the source's.
final class AudioVerification {
    let track: TrackDescription
    /// By how much the audio was moved in time.
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
    /// The first delivered sample of each segment that has any.
    private var borders: [(segment: Int, sample: Int64)] = []
    /// Delivered frames that have not been compared yet: their first sample, their time and how many samples they have.
    private var pending: [(sample: Int64, time: Double, length: Int64)] = []
    private var measured: [TimeOffsets.Measured] = []
    private var packets: [AudioPacket] = []
    private var setUps: [AudioPackets.SetUp] = []
    /// That what was delivered is the source's packet by packet; nil where it is not.
    private var match: AudioPacketMatch?
    private var times: [(sample: Int64, time: Double)] = []
    private var opening: (any Error)?
    /// Samples before the source's first that were not declared.
    private var shift: Int64 = 0

    init(track: TrackDescription, path: String, reach: Double, known: KnownDamage, cancellation: Cancellation) {
        self.track = track
        self.path = path
        self.reach = reach
        self.known = known
        self.cancellation = cancellation
    }

    /// Takes a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        deliveredUnit = stream.timeBase
        if track.treatment == .copy {
            packets.append(AudioPacket(packet, stream))
            let setUp = AudioPackets.SetUp(stream)
            if !setUps.contains(setUp) { setUps.append(setUp) }
        }
        do {
            // Every sample counts, also those that a container asks a player to drop.
            if decoder == nil {
                decoder = try Decoder(stream: stream, file: "the delivered sound", options: ["flags2": "+skip_manual"])
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

    /// Opens the source with the rate and the channels that were delivered.
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

    /// Compares the times of frames whose place in the source is known by now.
    private func settle() {
        guard let comparator, let source else { return }
        var done = 0
        while done < pending.count, pending[done].sample < comparator.cursor {
            let (sample, time, length) = pending[done]
            let place = sample - comparator.lag
            if comparator.hasHeardSound, place >= 0, place < source.count,
                !source.isMarred(place), let due = source.time(of: place)
            {
                // A frame across a hole of the source is right where any of its samples is.
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
            report.find(.sourceUnreadable, "the source's sound cannot be decoded: \(opening)")
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
            // What the source's packets decode to is right, whatever a decoder that begins elsewhere makes of them.
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
                "sound is \(abs(shift.samples)) samples \(direction) after transcoding",
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

    /// That a copied track is the source's packet by packet, set up in the same way; nil where it is not.
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

    /// Nothing was delivered that can be decoded: that is right where nothing in the source can be either.
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
            report.find(.sourceUnreadable, "the source's sound cannot be decoded: \(error)")
            return
        }
        let hasSound = try source.next() != nil
        report.sourceComplaints += source.complaints
        if hasSound {
            report.find(.soundMissing, "no sound was delivered of stream \(track.sourceStream)", at: 0)
        } else if source.complaints.isEmpty {
            report.sourceComplaints.append("stream \(track.sourceStream) holds no sound")
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
        // Where the source's own timestamps leave a hole, filling it keeps audio and frame together; where they run
        // back, leaving samples out does.
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
        // What a decoder makes of damage is its own affair: two that begin at different places make different audio of
        // it.
        let ends = [difference.source, difference.source + count]
        let isGuess =
            track.treatment != .copy && (source.isMarredAllOver || ends.contains { source.isMarred($0) })
        if isGuess && [.silent, .altered, .inserted].contains(difference.kind) { return }
        switch difference.kind {
        case .missing:
            report.metrics.missingSamples += count
            report.find(.soundMissing, "\(describe(count)) of the source are missing", at: at)
        case .repeated:
            report.metrics.repeatedSamples += count
            report.find(.soundRepeated, "\(describe(count)) are there twice", at: at)
        case .inserted:
            report.metrics.alteredSamples += count
            report.find(.soundInserted, "\(describe(count)) are there that the source has not", at: at)
        case .silent:
            report.metrics.alteredSamples += count
            report.find(.soundSilent, "\(describe(count)) are silent that are not in the source", at: at)
        case .shifted:
            shift = count
        case .altered:
            report.metrics.alteredSamples += count
            // A lossy codec may fail on a block of noise; what lasts is another audio.
            guard track.treatment == .copy || count > Int64(rate) / 10 else { return }
            let what = track.treatment == .copy ? "are not the source's" : "do not resemble the source's"
            report.find(.soundAltered, "\(describe(count)) \(what)", at: at)
        }
    }

    /// Samples by which two conversions of the rate may differ at an end.
    private var conversion: Int64 { source.map { $0.sourceRate == rate ? 0 : 2 } ?? 0 }

    private func judgeEnd(_ comparator: AudioComparator, _ report: inout VerificationReport) {
        // A copied frame cannot be cut: the padding that the source's container has cut off comes along.
        let own = track.treatment == .copy ? source?.paddingSamples ?? 0 : 0
        let allowed = Int64(max(track.paddingSamples, own))
        // In silence nobody can tell what is before the source's audio from what is behind it.
        let unknown = comparator.hasHeardSound ? 0 : Self.longestDelay
        if comparator.trailing > allowed + unknown + conversion {
            report.find(
                .soundInserted,
                "\(describe(comparator.trailing)) follow the source's last, \(allowed) were declared"
            )
        }
        if track.treatment != .copy, let content = track.contentSamples,
            abs(Int64(content) - comparator.sourceCount) > conversion
        {
            let real = comparator.sourceCount
            report.find(
                .soundAltered,
                "the rendition declares \(content) samples of content, a direct decode gives \(real)"
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
            "\(wrong.count) of \(moved.count) frames are not at their place in the source, the worst by \(milliseconds) ms",
            at: worst.time - plan.timestampOffset.seconds
        )
    }

    /// A codec's delay that was not declared is no harm where timestamps take it into account.
    private func judgeShift(_ plan: SegmentPlan, _ report: inout VerificationReport) {
        guard shift > 0 else { return }
        let planned = (plan.timestampOffset - plan.origin).seconds
        if let excess = moved?.excess(0, over: planned), abs(excess) <= 0.001, shift <= Self.longestDelay {
            report.metrics.undeclaredLeadingSamples = max(report.metrics.undeclaredLeadingSamples, shift)
        } else {
            report.metrics.alteredSamples += shift
            report.find(.soundShifted, "all sound is \(describe(shift)) late", at: 0)
        }
    }

    /// The longest delay of a codec, in samples.
    private static let longestDelay: Int64 = 4096

    /// The unit of the source's timestamps, where it is so coarse that its rounding is heard of.
    var unit: Double { source.map { $0.unit > 0.0005 ? $0.unit : 0 } ?? 0 }

    /// True if the source's timestamps say when the audio is due.
    var hasTimes: Bool { source?.tellsTimes ?? true }

    /// Where a decoder's own noise keeps copied audio from being the same, its packets have to be.
    private func judgePackets(_ source: SourceAudio, _ report: inout VerificationReport) {
        let comparator = VideoComparator(source: source.packets.map(\.picture), delivered: packets.map(\.picture))
        guard let difference = comparator.differences.first(where: { $0.kind != .missing || $0.count > 64 }) else {
            return
        }
        report.find(
            .soundAltered,
            "\(difference.count) packets are not the source's, and what they decode to neither",
            at: difference.time
        )
    }

    private func describe(_ count: Int64) -> String {
        "\(count) samples (\((Double(count) / Double(max(rate, 1)) * 1000).rounded() / 1000) s)"
    }

    /// When a delivered sample is due, in seconds, as the segments say.
    private func seconds(of sample: Int64) -> Double {
        guard let known = times.last(where: { $0.sample <= sample }) ?? times.first else {
            return Double(sample) / Double(max(rate, 1))
        }
        return known.time + Double(sample - known.sample) / Double(max(rate, 1))
    }
}
