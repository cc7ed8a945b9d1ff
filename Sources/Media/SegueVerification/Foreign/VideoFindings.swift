internal import SegueBase

/// Reports the differences of a delivered stream's video.
enum VideoFindings {
    static func judge(
        _ video: VideoContent,
        stream: DeliveredStream,
        allowance: ContentAllowance,
        into report: inout ContentReport
    ) {
        let matches = video.matches
        let known = matches.count { $0.source >= 0 }
        report.metrics.frames = known
        if video.likenesses.count > 0 {
            report.metrics.meanLikeness = video.likenesses.sum / Double(video.likenesses.count)
            report.metrics.leastLikeness = video.likenesses.least
        }
        judgeShape(video, allowance: allowance, into: &report)
        guard !matches.isEmpty else { return }
        if known * 5 < matches.count {
            report.find(
                .picturesAltered,
                "the frames are not from the source: only \(known) of \(matches.count) match",
                at: 0
            )
            return
        }
        let places = Places(matches, stream.starts)
        let misplaced = MisplacedSegment.all(matches, sourceTimes: video.sourceTimes, starts: stream.starts)
        for segment in misplaced.prefix(most) {
            report.find(
                .picturesReordered,
                "segment \(segment.number) has the content of segment \(segment.content)",
                segment: segment.number,
                at: stream.starts[segment.number]
            )
        }
        // A misplaced segment misses frames at its start, and repeats some later.
        let edits = video.reading.edits.filter { edit in
            let place = places.place(of: edit.frame).segment
            return !misplaced.contains { $0.explains(edit, in: place) }
        }
        for (number, edit) in edits.enumerated() {
            let before = edits[..<number].count { $0.kind == edit.kind }
            if before < most { judge(edit, places: places, into: &report) }
            if before == most { fold(edits[number...].filter { $0.kind == edit.kind }, places: places, into: &report) }
        }
        if let mean = report.metrics.meanLikeness, mean < allowance.meanPictureLikeness {
            report.find(.picturesAltered, "the frames are only \(percent(mean)) similar to the source on average")
        }
        let colour = video.colours.sum / Double(max(1, video.colours.count))
        if colour > allowance.colour {
            report.find(
                .picturesAltered,
                "the colors differ from the source by \(Int(colour.rounded())) of 255 steps"
            )
        }
    }

    /// The maximum number of individual findings per kind.
    private static let most = 8

    /// Merges excess findings into one.
    private static func fold(_ edits: [VideoReading.Edit], places: Places, into report: inout ContentReport) {
        guard let first = edits.first, let last = edits.last else { return }
        let size = edits.reduce(0) { $0 + abs($1.size) }
        let (place, end) = (places.place(of: first.frame), places.place(of: last.frame))
        report.find(
            .picturesAltered,
            "\(edits.count) more occurrences (\(AudioFindings.seconds(size))), from \(AudioFindings.words(place)) to "
                + AudioFindings.words(end),
            segment: place.segment,
            at: place.seconds,
            size: size
        )
    }

    /// The positions of delivered frames in the playlist.
    struct Places {
        private let matches: [FrameMatch]
        private let starts: [Double]
        private var firsts: [Int: Double] = [:]

        init(_ matches: [FrameMatch], _ starts: [Double]) {
            (self.matches, self.starts) = (matches, starts)
            for match in matches { firsts[match.segment] = min(firsts[match.segment] ?? .infinity, match.time) }
        }

        /// The segment and playlist time of a frame.
        func place(of frame: Int) -> (segment: Int, seconds: Double) {
            guard let match = matches.indices.contains(frame) ? matches[frame] : matches.last else { return (0, 0) }
            let start = starts.indices.contains(match.segment) ? starts[match.segment] : 0
            return (match.segment, start + match.time - (firsts[match.segment] ?? match.time))
        }
    }

    private static func judge(_ edit: VideoReading.Edit, places: Places, into report: inout ContentReport) {
        let place = places.place(of: edit.frame)
        let at = AudioFindings.words(place)
        let number: Message = "\(edit.count, of: "frame")"
        let amount: Message = "\(number) (\(AudioFindings.seconds(edit.size)))"
        func find(_ rule: VerificationReport.Rule, _ message: Message) {
            report.find(rule, message, segment: place.segment, at: place.seconds, size: edit.size)
        }
        switch edit.kind {
        case .missing: find(.picturesMissing, "\(amount) missing at \(at)")
        case .missingHead: find(.picturesMissing, "the first \(amount) missing")
        case .missingTail: find(.picturesMissing, "the last \(amount) missing, from \(at) on")
        case .ahead: find(.picturesExtra, "\(amount) before the first of the source")
        case .repeated: find(.picturesExtra, "\(amount) repeated at \(at)")
        case .frozen: find(.picturesExtra, "the video freezes for \(amount) at \(at)")
        case .overhang: find(.picturesExtra, "\(amount) after the end of the source, from \(at) on")
        case .blank: find(.picturesAltered, "\(amount) blank at \(at)")
        case .foreign: find(.picturesAltered, "\(amount) not from the source at \(at)")
        case .turned: find(.picturesAltered, "\(amount) upside down or mirrored at \(at)")
        case .reordered: find(.picturesReordered, "\(amount) out of order at \(at)")
        case .exchanged(let other):
            find(.picturesReordered, "\(number) at \(at) and the next \(other) are swapped")
        case .moved:
            let size = OffsetFindings.milliseconds(edit.size)
            find(.pictureTime, "frames \(size) \(edit.size > 0 ? "late" : "early") from \(at) on")
        }
    }

    private static func judgeShape(
        _ video: VideoContent,
        allowance: ContentAllowance,
        into report: inout ContentReport
    ) {
        guard !allowance.allowsOtherShape, let delivered = video.shapes.delivered, video.shapes.source > 0 else {
            return
        }
        guard abs(delivered / video.shapes.source - 1) > 0.03 else { return }
        let words = { (shape: Double) -> Message in "\(shape, as: DecimalText.fixed(shape, places: 3)):1" }
        report.find(
            .picturesAltered,
            "the aspect ratio is \(words(delivered)), expected \(words(video.shapes.source)) as in the source",
            at: 0
        )
    }

    private static func percent(_ value: Double) -> Message { "\(Int((value * 100).rounded())) %" }
}
