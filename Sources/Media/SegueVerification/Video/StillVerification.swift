internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares cover art delivered as video with the art in the file.
///
/// Each segment must begin with the image and repeat it at least every ``longestStay`` until its end, and all frames
/// must resemble the art by structural similarity at up to 160 pixels.
final class StillVerification {
    /// The maximum time without a repeated frame, in seconds.
    private static let longestStay = 2.0

    private let art: SmallFrame?
    private let plan: SegmentPlan
    private var times: [Int: [Double]] = [:]
    private var likenesses: [Double] = []

    init(track: TrackDescription, path: String, plan: SegmentPlan, _ cancellation: Cancellation) throws {
        let size = SmallFrame.size(for: track.width, track.height)
        let source = try SourceVideo(of: path, stream: track.sourceStream, size: size, cancellation)
        art = try source.next()?.small
        self.plan = plan
    }

    /// Adds a segment's frames, decoded from its start.
    func take(_ frames: [SegmentVideo.Decoded], segment: Int) {
        for frame in frames {
            if let time = frame.time { times[segment, default: []].append(time) }
            if let art { likenesses.append(frame.small.likeness(to: art)) }
        }
    }

    /// Ends the comparison and reports.
    func finish(_ report: inout VerificationReport, segmentCount: Int) {
        let base = plan.timestampOffset.seconds
        report.metrics.comparedFrames += likenesses.count
        if art == nil {
            report.find(.sourceUnreadable, "the source's cover art cannot be decoded")
        } else if let least = likenesses.min() {
            report.metrics.leastLikeness = least
            report.metrics.meanLikeness = likenesses.reduce(0, +) / Double(likenesses.count)
            if least < RecodedVideo.leastLikeness {
                report.find(
                    .picturesAltered,
                    "the video does not resemble the cover art: \(Int((least * 100).rounded()))% similarity"
                )
            }
        }
        for segment in plan.segments.prefix(segmentCount) {
            let start = segment.start.seconds
            guard let shown = times[segment.number]?.sorted(), let first = shown.first else {
                report.find(.picturesMissing, "segment \(segment.number) does not show the cover art", at: start)
                continue
            }
            let late = first - base - start
            if abs(late) > 1.0 / 45000 {
                let milliseconds = (late * 1_000_000).rounded() / 1000
                report.find(.pictureTime, "the cover art has a wrong timestamp, off by \(milliseconds) ms", at: start)
            }
            let stays = zip(shown, shown.dropFirst() + [base + segment.end.seconds]).map { $1 - $0 }
            if let longest = stays.max(), longest > Self.longestStay {
                report.find(.picturesMissing, "the cover art is not repeated for \(longest) s", at: start)
            }
        }
    }
}
