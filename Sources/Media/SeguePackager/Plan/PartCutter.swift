internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg

/// The selection of part boundaries within segments.
///
/// A part is as long as the target allows. It ends at the start of a frame; if none starts in time, at the start of an
/// audio frame; otherwise at the target itself.
struct PartCutter {
    /// A frame with its start in the segment, in microseconds.
    private struct Frame {
        var time: Int64
        var isKey = false
    }

    let contents: RenditionContents
    /// The maximum part duration, in microseconds.
    let target: Int64
    let file: String

    /// The minimum part duration in percent of the target, except for a segment's last part (RFC 8216bis, 4.4.4.9).
    private static let leastShare: Int64 = 85

    /// Plans the parts of all segments.
    func plan() throws(PackagingError) -> PartPlan {
        var segments: [[PlannedPart]] = []
        for (number, duration) in contents.plan.microseconds.enumerated() {
            let (videoFrames, audioFrames) = (videoFrames(number), audioFrames(number))
            guard duration > 0, let ends = ends(videoFrames, audioFrames: audioFrames, duration: duration) else {
                throw PackagingError(
                    .sparseKeyframes,
                    file: file,
                    "segment \(number) has a section of more than \(target / 1000) ms in which no video or audio frame begins"
                )
            }
            segments.append(Self.parts(ends, keys: videoFrames.filter(\.isKey).map(\.time)))
        }
        return PartPlan(segments: segments)
    }

    private static func parts(_ ends: [Int64], keys: [Int64]) -> [PlannedPart] {
        var start: Int64 = 0
        return ends.map { end in
            defer { start = end }
            let hasKeyframe = keys.contains { $0 >= start && $0 < end } || keys.isEmpty && start == 0
            return PlannedPart(microseconds: end - start, hasKeyframe: hasKeyframe)
        }
    }

    /// The ends of a segment's parts; nil if a part would be empty.
    private func ends(_ videoFrames: [Frame], audioFrames: [Frame], duration: Int64) -> [Int64]? {
        let (films, frames) = (videoFrames.map(\.time), (videoFrames + audioFrames).map(\.time).sorted())
        let heard = audioFrames.map(\.time)
        var ends: [Int64] = []
        var start: Int64 = 0
        while duration - start > target {
            let (least, most) = (start + (target * Self.leastShare + 99) / 100, start + target)
            if let end = Self.last(of: films, in: least...most) ?? Self.last(of: heard, in: least...most) {
                ends.append(end)
            } else if Self.last(of: frames, in: start...most - 1) != nil, frames.last.map({ $0 >= most }) == true {
                ends.append(most)
            } else if let end = Self.last(of: frames, in: start + 1...most) {
                ends.append(end)
            } else {
                return nil
            }
            start = ends[ends.count - 1]
        }
        return ends + [duration]
    }

    /// The last of some ascending times within a range.
    private static func last(of times: [Int64], in range: ClosedRange<Int64>) -> Int64? {
        let end = times.partitioningIndex { $0 > range.upperBound }
        return end > 0 && times[end - 1] >= range.lowerBound ? times[end - 1] : nil
    }

    /// The decode times of a segment's frames, relative to the first.
    private func videoFrames(_ number: Int) -> [Frame] {
        guard let film = contents.video else { return [] }
        let (video, range) = (film.track, film.range(number))
        let times = video.transcoded == nil ? video.dts : video.pts
        let keys = Set(
            video.keys[video.keys.partitioningIndex { $0 >= range.lowerBound }...].prefix { $0 < range.upperBound }
        )
        return range.map { place in
            let time = Rational(times[place] - times[range.lowerBound], video.timescale)
            let isKey = video.transcoded == nil ? keys.contains(place) : place == range.lowerBound
            return Frame(time: time.rounded(scale: 1_000_000), isKey: isKey)
        }
    }

    /// The start times of a segment's audio frames, relative to the segment.
    private func audioFrames(_ number: Int) -> [Frame] {
        guard let cutAudio = contents.audio else { return [] }
        let (audio, plan) = (cutAudio.track, contents.plan)
        let shift = plan.shift(timescale: audio.clockRate)
        let start = plan.segments[number].start + plan.timestampOffset
        return cutAudio.range(number).map { place in
            let time = Rational(audio.starts[place] + shift, audio.clockRate) - start
            return Frame(time: time.rounded(scale: 1_000_000))
        }
    }
}

extension Presentation {
    /// Plans the parts, equal for all renditions, for a positive target in microseconds.
    ///
    /// The call does not block and ignores the cancellation. It throws ``PackagingError`` if there is neither video nor
    /// audio, or a gap exceeds the target.
    package func parts(target: Int64, cancellation: Cancellation) throws(PackagingError) -> PartPlan {
        try tracks.parts(target: target, plan: plan, file: identity.path)
    }
}

extension FileTracks {
    func parts(target: Int64, plan: SegmentPlan, file: String) throws(PackagingError) -> PartPlan {
        let contents = try contents(of: .full, plan: plan, file: file)
        return try PartCutter(contents: contents, target: target, file: file).plan()
    }
}
