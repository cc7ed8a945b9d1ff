internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares cover art that was delivered as a film with the art in the file.
///
/// Each segment has to begin with the frame, show it at least every ``longestStay`` until its end, and all frames have
/// to look like the art: structural similarity of brightness in frames of at most 160 pixels.
final class StillVerification {
    /// How long a frame may stay, in seconds, until another comes that repeats it.
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

    /// Takes the frames of a segment, which were decoded from its own start.
    func take(_ pictures: [SegmentVideo.Decoded], segment: Int) {
        for picture in pictures {
            if let time = picture.time { times[segment, default: []].append(time) }
            if let art { likenesses.append(picture.small.likeness(to: art)) }
        }
    }

    /// Ends the comparison and reports.
    func finish(_ report: inout VerificationReport, segmentCount: Int) {
        let base = plan.timestampOffset.seconds
        report.metrics.comparedPictures += likenesses.count
        if art == nil {
            report.find(.sourceUnreadable, "the source's cover art cannot be decoded")
        } else if let least = likenesses.min() {
            report.metrics.leastLikeness = least
            report.metrics.meanLikeness = likenesses.reduce(0, +) / Double(likenesses.count)
            if least < RecodedVideo.leastLikeness {
                report.find(
                    .picturesAltered,
                    "what is shown does not resemble the cover art: \(Int((least * 100).rounded())) %"
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
                report.find(.pictureTime, "the cover art is due at another time, by \(milliseconds) ms", at: start)
            }
            let stays = zip(shown, shown.dropFirst() + [base + segment.end.seconds]).map { $1 - $0 }
            if let longest = stays.max(), longest > Self.longestStay {
                report.find(.picturesMissing, "the cover art is not shown again for \(longest) s", at: start)
            }
        }
    }
}
