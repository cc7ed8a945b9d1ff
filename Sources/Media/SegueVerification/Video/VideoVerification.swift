internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares a delivered video track with the source's: by coded frames if copied, otherwise decoded.
struct VideoVerification {
    let track: TrackDescription
    /// The shift in time.
    private(set) var moved: TimeOffsets?

    private var delivered: [VideoComparator.Frame] = []
    /// The transforms that the segments' copied frames have.
    private var turns: Set<VideoRotation> = []

    /// The comparison of transcoded video; nil if copied.
    private let recoded: Result<RecodedVideo, any Error>?
    /// The comparison of cover art; nil for video.
    private let still: Result<StillVerification, any Error>?

    private init(
        track: TrackDescription,
        path: String,
        plan: SegmentPlan,
        known: KnownDamage,
        cores: Cores,
        cancellation: Cancellation
    ) {
        self.track = track
        recoded =
            track.treatment == .copy || track.isStill
            ? nil
            : Result { try RecodedVideo(track: track, path: path, plan: plan, known: known, cores, cancellation) }
        still =
            track.isStill ? Result { try StillVerification(track: track, path: path, plan: plan, cancellation) } : nil
    }

    /// Creates a comparison for each video track.
    static func all(
        of delivery: Delivery,
        path: String,
        known: KnownDamage,
        _ cores: Cores,
        _ cancellation: Cancellation
    ) -> [VideoVerification] {
        delivery.description.tracks.filter { $0.kind == .video }.map { track in
            VideoVerification(
                track: track,
                path: path,
                plan: delivery.plan,
                known: known,
                cores: cores,
                cancellation: cancellation
            )
        }
    }

    /// Adds the frames of a segment.
    mutating func take(_ frames: SegmentVideo, segment: Int) throws {
        if let still { return try still.get().take(frames.decoded, segment: segment) }
        if case .success(let recoded) = recoded { return try recoded.take(frames.decoded, segment: segment) }
        delivered += frames.coded
        if let turn = frames.turn { turns.insert(turn) }
    }

    /// Ends the comparison and reports.
    mutating func finish(
        _ report: inout VerificationReport,
        path: String,
        plan: SegmentPlan,
        segmentCount: Int,
        cancellation: Cancellation
    ) throws {
        if let still { return try still.get().finish(&report, segmentCount: segmentCount) }
        if let recoded { return try finish(recoded.get(), &report, plan: plan) }
        let (source, stream, complaints) = try Self.frames(of: path, stream: track.sourceStream, cancellation)
        report.sourceComplaints += complaints
        judgeTurn(due: stream.turn, &report)
        let comparator = VideoComparator(source: source, delivered: delivered)
        report.metrics.comparedFrames += comparator.matched
        report.metrics.undecodableFrames += comparator.undecodable
        let base = plan.timestampOffset.seconds
        for difference in comparator.differences {
            let at = difference.time.map { difference.kind == .missing ? $0 - plan.origin.seconds : $0 - base }
            judge(difference, at: at, &report)
        }
        let offsets = comparator.offsets.compactMap { number, offset in delivered[number].time.map { ($0, offset) } }
        judge(TimeOffsets(offsets, plan: plan), unit: stream.timeBase.seconds, base: base, &report)
        let end = base + plan.duration.seconds
        if let first = offsets.map(\.0).min(), first <= end,
            case let standing = comparator.standing(outside: first...end), standing > 0
        {
            report.find(
                .pictureTime,
                "\(standing) frames that the source does not display have a display duration",
                at: first - base
            )
        }
    }

    /// Ends the comparison of transcoded frames.
    private mutating func finish(
        _ recoded: RecodedVideo,
        _ report: inout VerificationReport,
        plan: SegmentPlan
    ) throws {
        try recoded.finish()
        report.sourceComplaints += recoded.complaints
        let base = plan.timestampOffset.seconds
        report.metrics.comparedFrames += recoded.likenesses.count
        for (count, time) in recoded.missing {
            let at = time.map { $0 - plan.origin.seconds }
            judge(VideoComparator.Difference(kind: .missing, count: count), at: at, &report)
        }
        for time in recoded.extra {
            judge(VideoComparator.Difference(kind: .foreign, count: 1), at: time.map { $0 - base }, &report)
        }
        judge(TimeOffsets(recoded.offsets, plan: plan), unit: recoded.unit, base: base, &report)
        judgeLikeness(recoded, &report)
        if recoded.misplaced.count > 0 {
            let verb = recoded.misplaced.count == 1 ? "resembles" : "resemble"
            report.find(
                .picturesReordered,
                "\(recoded.misplaced.count, of: "frame") \(verb) a neighboring source frame more than the matching one",
                at: recoded.misplaced.time.map { $0 - base }
            )
        }
    }

    /// Reports copied frames that a player shows in another orientation than the source's.
    private func judgeTurn(due: VideoRotation, _ report: inout VerificationReport) {
        guard let wrong = turns.first(where: { $0 != due }) else { return }
        let words = { (turn: VideoRotation) -> Message in turn.isUpright ? "as coded" : "\(turn.words)" }
        report.find(.picturesAltered, "the frames are shown \(words(wrong)); the source is shown \(words(due))")
    }

    private func judgeLikeness(_ recoded: RecodedVideo, _ report: inout VerificationReport) {
        guard let least = recoded.likenesses.min() else { return }
        let mean = recoded.likenesses.reduce(0, +) / Double(recoded.likenesses.count)
        report.metrics.leastLikeness = least
        report.metrics.meanLikeness = mean
        report.metrics.greatestColourDistance = recoded.colourDistances.max()
        let discoloured = recoded.colourDistances.count { $0 > RecodedVideo.greatestColourDistance }
        if discoloured > 0 {
            report.find(.picturesAltered, "\(discoloured) frames have different colors than in the source")
        }
        let unlike = recoded.likenesses.count { $0 < RecodedVideo.leastLikeness }
        if unlike > 0 || mean < RecodedVideo.leastMeanLikeness {
            let percent = { (value: Double) -> Message in "\(Int((value * 100).rounded())) %" }
            report.find(
                .picturesAltered,
                "\(unlike) of \(recoded.likenesses.count) frames do not resemble the source's: the minimum similarity is "
                    + "\(percent(least)), the mean \(percent(mean))"
            )
        }
    }

    private mutating func judge(
        _ moved: TimeOffsets,
        unit: Double,
        base: Double,
        _ report: inout VerificationReport
    ) {
        self.moved = moved
        let allowed = 1.0 / 90000 + 1e-7 + (unit > 1.0 / 90000 ? unit : 0)
        let wrong = moved.wrong(allowed: allowed)
        if let worst = wrong.max(by: { abs($0.error) < abs($1.error) }) {
            report.find(
                .pictureTime,
                "\(wrong.count) of \(moved.count) frames have wrong timestamps, by up to \(Message.offset(worst.error))",
                at: worst.time - base
            )
        }
    }

    private func judge(
        _ difference: VideoComparator.Difference,
        at seconds: Double?,
        _ report: inout VerificationReport
    ) {
        let frames: Message = "\(difference.count, of: "frame")"
        switch difference.kind {
        case .missing:
            report.metrics.missingFrames += difference.count
            report.find(.picturesMissing, "\(frames) of the source not delivered", at: seconds)
        case .repeated:
            report.metrics.extraFrames += difference.count
            report.find(.picturesExtra, "\(frames) repeated", at: seconds)
        case .foreign:
            report.metrics.extraFrames += difference.count
            report.find(.picturesExtra, "\(frames) not in the source", at: seconds)
        case .altered:
            report.find(.picturesAltered, "\(frames) altered", at: seconds)
        case .reordered:
            report.find(.picturesReordered, "\(frames) out of order", at: seconds)
        }
    }

    /// The coded frames of a file's stream.
    private static func frames(
        of path: String,
        stream: Int,
        _ cancellation: Cancellation
    ) throws -> (frames: [VideoComparator.Frame], stream: StreamInfo, complaints: [String]) {
        let input = try MediaInput(path: path, cancellation: cancellation)
        guard let info = input.streams.first(where: { $0.index == stream }) else {
            throw MediaError(call: "open", file: path, message: "the file has no stream \(stream)")
        }
        input.readAsOneRun()
        let coder = CodedFrame(info)
        let parser = info.codec == "h264" && info.isInterlaced ? VideoParser(stream: info) : nil
        var former = VideoParser.Structure.frame
        let packet = Packet()
        var frames: [VideoComparator.Frame] = []
        var complaints: [String] = []
        do {
            while try input.read(into: packet) {
                guard packet.streamIndex == stream,
                    var frame = VideoComparator.Frame(packet, stream: info, coder: coder)
                else {
                    continue
                }
                // libav guesses the times of second fields.
                let structure = parser?.structure(of: packet) ?? .frame
                let isSecond = former != .frame && structure != .frame && structure != former
                former = isSecond ? .frame : structure
                if isSecond { frame.time = nil }
                frames.append(frame)
            }
        } catch {
            guard !error.isCancelled else { throw error }
            complaints.append("\(error)")
        }
        for (place, time) in OutlierTimestamps.believable(frames.map(\.time)).enumerated() {
            frames[place].time = time
        }
        return (frames, info, complaints)
    }
}

extension VideoComparator.Frame {
    /// Reads a frame from a packet; nil if there is none.
    init?(_ packet: Packet, stream: StreamInfo, coder: CodedFrame) {
        guard let checksum = coder.checksum(of: packet) else { return nil }
        self.checksum = checksum
        time = packet.pts.map { (Rational($0) * stream.timeBase).seconds }
        isKey = packet.isKey
        isHidden = packet.isDiscarded
    }
}
