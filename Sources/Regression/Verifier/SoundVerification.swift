internal import Media
internal import Packager
internal import Timeline

/// Compares one delivered audio track with the source's.
final class SoundVerification {
    let track: TrackDescription
    /// When the first sample of the source's sound was delivered, less when it is due in the source; the mean.
    private(set) var offset: Double?

    private let path: String
    private let reach: Double
    private let cancellation: Cancellation
    private var decoder: Decoder?
    private let floats = PlanarFloats()
    private var unit = Rational(1, 90000)
    private var comparator: SoundComparator?
    private var source: SourceSound?
    private var rate = 0
    private var complaints: [String] = []
    /// The first delivered sample of each segment that has any.
    private var borders: [(segment: Int, sample: Int64)] = []
    /// Delivered frames that have not been compared yet: their first sample and their time.
    private var pending: [(sample: Int64, time: Double)] = []
    private var offsets: [(sample: Int64, offset: Double)] = []
    private var times: [(sample: Int64, time: Double)] = []
    private var opening: (any Error)?

    init(track: TrackDescription, path: String, reach: Double, cancellation: Cancellation) {
        self.track = track
        self.path = path
        self.reach = reach
        self.cancellation = cancellation
    }

    /// Takes a packet of a segment.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) {
        unit = stream.timeBase
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
            let time = (Rational(stamp) * unit).seconds
            pending.append((sample, time))
            if times.count < 2 || sample - (times.last?.sample ?? 0) > Int64(rate) { times.append((sample, time)) }
        }
        try comparator?.push(samples)
        settle()
    }

    /// Opens the source with the rate and the channels that were delivered.
    private func open(_ frame: Frame) {
        rate = frame.sampleRate
        do {
            let source = try SourceSound(
                path: path,
                stream: track.sourceStream,
                rate: rate,
                layout: frame.layout,
                cancellation: cancellation)
            self.source = source
            comparator = SoundComparator(
                demand: track.treatment == .copy ? .same : .alike,
                channels: frame.channels,
                rate: rate,
                lead: Int64(track.primingSamples),
                reach: reach,
                pull: source.next)
        } catch {
            opening = error
        }
    }

    /// Compares the times of frames whose place in the source is known by now.
    private func settle() {
        guard let comparator, let source else { return }
        var done = 0
        while done < pending.count, pending[done].sample < comparator.cursor {
            let (sample, time) = pending[done]
            let place = sample - comparator.lag
            if place >= 0, place < source.count, let due = source.time(of: place) { offsets.append((sample, time - due)) }
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
            report.find(.soundMissing, "no sound was delivered of stream \(track.sourceStream)", at: 0)
            return
        }
        try comparator?.finish()
        settle()
        guard let comparator, let source else { return }
        report.sourceComplaints += source.complaints
        if source.complaints.isEmpty, let complaint = complaints.first {
            report.find(.soundAltered, "\(complaints.count) delivered packets cannot be decoded, first \(complaint)")
        }
        measure(comparator, &report.metrics)
        let place = { (sample: Int64) in self.seconds(of: sample) - plan.timestampOffset.seconds }
        for difference in comparator.differences { judge(difference, source, place, &report) }
        for shift in comparator.alignment.found() {
            let direction = shift.samples > 0 ? "late" : "early"
            report.find(
                .soundShifted,
                "sound is \(abs(shift.samples)) samples \(direction) after transcoding",
                at: place(shift.delivered))
        }
        judgeEnd(comparator, &report)
        BorderErrors(errors: comparator.errors, borders: borders.dropFirst().map(\.sample)).judge(&report) {
            place($0)
        }
        judgeTimes(place, &report)
    }

    // MARK: - Judging

    private func measure(_ comparator: SoundComparator, _ metrics: inout VerificationReport.Metrics) {
        metrics.comparedSamples += comparator.compared
        metrics.leadingSamples = max(metrics.leadingSamples, comparator.lag)
        metrics.trailingSamples = max(metrics.trailingSamples, comparator.trailing)
    }

    private func judge(
        _ difference: SoundComparator.Difference,
        _ source: SourceSound,
        _ place: (Int64) -> Double,
        _ report: inout VerificationReport
    ) {
        let (count, at) = (difference.count, place(difference.delivered))
        // Where the source's own timestamps leave a hole, filling it keeps sound and picture together; where they run
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
            report.metrics.alteredSamples += count
            report.find(.soundShifted, "all sound is \(describe(count)) late", at: at)
        case .altered:
            report.metrics.alteredSamples += count
            // A lossy codec may fail on a block of noise; what lasts is another sound.
            guard track.treatment == .copy || count > Int64(rate) / 10 else { return }
            let what = track.treatment == .copy ? "are not the source's" : "do not resemble the source's"
            report.find(.soundAltered, "\(describe(count)) \(what)", at: at)
        }
    }

    private func judgeEnd(_ comparator: SoundComparator, _ report: inout VerificationReport) {
        let allowed = Int64(track.paddingSamples)
        if comparator.trailing > allowed {
            report.find(
                .soundInserted,
                "\(describe(comparator.trailing)) follow the source's last, \(allowed) were declared")
        }
        if track.treatment != .copy, let content = track.contentSamples, Int64(content) != comparator.sourceCount {
            let real = comparator.sourceCount
            report.find(
                .soundAltered, "the rendition declares \(content) samples of content, a direct decode gives \(real)")
        }
    }

    private func judgeTimes(_ place: (Int64) -> Double, _ report: inout VerificationReport) {
        guard let source, !offsets.isEmpty else { return }
        // The first offset is the whole track's: where sound and picture are moved together there is one for all.
        let sorted = offsets.map(\.offset).sorted()
        let middle = sorted[sorted.count / 2]
        offset = middle
        let allowed = 0.001 + source.unit
        let wrong = offsets.filter { abs($0.offset - middle) > allowed }
        guard !wrong.isEmpty, source.jumps.isEmpty else { return }
        let worst = wrong.max { abs($0.offset - middle) < abs($1.offset - middle) }
        guard let worst else { return }
        let milliseconds = ((worst.offset - middle) * 1_000_000).rounded() / 1000
        report.find(
            .soundTime,
            "\(wrong.count) of \(offsets.count) frames are not at their place in the source, the worst by \(milliseconds) ms",
            at: place(worst.sample))
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
