internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager
internal import SegueTestMedia

/// A comparison that decodes a delivery and its source.
struct DecodedVerification {
    private let delivery: Delivery
    private let path: String
    private let known: KnownDamage
    private let cores: Cores
    private let cancellation: Cancellation
    private var report = VerificationReport()
    private let audioTracks: [AudioVerification]
    private var digests: [AudioDigest]
    private var films: [VideoVerification]
    private var loneSegments: [(LoneSegment, [StreamInfo])] = []

    init(of delivery: Delivery, source path: String, known: KnownDamage, cores: Cores, _ cancellation: Cancellation) {
        (self.delivery, self.path, self.known, self.cores) = (delivery, path, known, cores)
        self.cancellation = cancellation
        let longest = delivery.plan.segments.map(\.duration.seconds).max() ?? 0
        let reach = min(max(2.5 * longest, 3), 30)
        audioTracks = delivery.description.tracks.filter { $0.kind == .audio }.map {
            AudioVerification(track: $0, path: path, reach: reach, known: known, cancellation: cancellation)
        }
        digests = audioTracks.map { _ in AudioDigest() }
        films = VideoVerification.all(of: delivery, path: path, known: known, cores, cancellation)
        report.metrics.bytes = delivery.initSegment.count
    }

    /// Compares everything, and adds the verified audio to `compared`.
    mutating func run(_ compared: ComparedAudio) throws -> VerificationReport {
        try readSegments()
        let extent = delivery.description.extent
        if delivery.segmentCount != extent.segmentCount {
            report.find(
                .tracks,
                "\(delivery.segmentCount) segments were delivered; the rendition has \(extent.segmentCount)"
            )
        }
        let metrics = try judgeAudioTracks()
        try judgeFilms()
        try judgeLoneSegments()
        judgeOffset()
        if !report.differences.contains(where: { $0.rule == .sourceUnreadable }) {
            try SyntheticCheck.judge(source: path, delivery: delivery, cancellation: cancellation, &report)
        }
        if report.isRight, report.sourceComplaints.isEmpty {
            for (place, audio) in audioTracks.enumerated() where audio.track.treatment != .copy {
                compared.keep(
                    ComparedAudio.Outcome(delivered: digests[place], moved: audio.moved, metrics: metrics[place]),
                    of: audio.track
                )
            }
        }
        return report
    }

    private mutating func readSegments() throws {
        let segments = DeliveredSegments(of: delivery, depth: .whole, cores, cancellation)
        for number in 0..<delivery.segmentCount {
            try cancellation.check("verify", file: path)
            let segment = try segments.segment(number)
            report.metrics.bytes += segment.byteCount
            for (track, packet, stream) in segment.audioPackets where track < audioTracks.count {
                audioTracks[track].take(packet, of: stream, segment: number)
                digests[track].take(packet, of: stream, segment: number)
            }
            do {
                try Verifier.take(segment, &films)
                loneSegments.append((segment.alone, segment.streams))
            } catch let error as MediaError where !error.isCancelled {
                let planned = delivery.plan.segments
                report.find(
                    .segmentAlone,
                    "segment \(number) does not decode alone: \(quoting: error.reason)",
                    at: planned.indices.contains(number) ? planned[number].start.seconds : nil
                )
            }
        }
    }

    /// Returns the metrics of each track.
    private mutating func judgeAudioTracks() throws -> [VerificationReport.Metrics] {
        try audioTracks.map { audio in
            var own = VerificationReport()
            try audio.finish(&own, plan: delivery.plan)
            report.differences += own.differences
            report.sourceComplaints += own.sourceComplaints
            report.metrics.addAudio(of: own.metrics)
            return own.metrics
        }
    }

    private mutating func judgeFilms() throws {
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
                report.find(.sourceUnreadable, "the source's video cannot be read: \(quoting: "\(error)")")
            }
        }
    }

    private mutating func judgeLoneSegments() throws {
        if report.sourceComplaints.isEmpty, loneSegments.contains(where: \.0.hasComplaint) {
            // Copied content has not been decoded yet.
            let streams = Set(delivery.description.tracks.map(\.sourceStream))
            report.sourceComplaints += try known.damage(of: path, streams: streams, cancellation).refusals
        }
        for (alone, streams) in loneSegments {
            let sourceIsWhole = report.sourceComplaints.isEmpty
            alone.finish(streams: streams, plan: delivery.plan, sourceIsWhole: sourceIsWhole, &report)
        }
    }

    /// Compares the shifts of audio and video.
    private mutating func judgeOffset() {
        let plan = delivery.plan
        let planned = (plan.timestampOffset - plan.origin).seconds
        for audio in audioTracks {
            guard let moved = audio.moved else { continue }
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
                guard audio.hasTimes, let excess = moved.excess(section, over: reference),
                    abs(excess) > 0.001 + audio.unit
                else { continue }
                let against = films.isEmpty ? "the plan" : "the video"
                let starts = plan.segments.filter { $0.startsDiscontinuity && $0.number > 0 }.map(\.start.seconds)
                report.find(
                    .avOffset,
                    "audio is \(Message.offset(abs(excess))) \(excess > 0 ? "late" : "early") relative to \(against), compared with the source",
                    at: section > 0 ? starts[section - 1] : 0
                )
            }
        }
    }
}
