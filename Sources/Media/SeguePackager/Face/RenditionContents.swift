internal import SegueBase
internal import SegueFFmpeg

/// What the segments of one rendition are made from.
struct RenditionContents: Sendable {
    /// The packets of the streams that are served.
    let index: FileIndex
    let plan: SegmentPlan
    /// The frames; nil where the rendition has none.
    var video: CutVideo?
    /// The audio; nil where the rendition has none.
    var audio: CutAudio?

    /// Makes sure that it can be packed in a container.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - containers: Those that segments can be asked for in; not none.
    ///   - device: Whom the file was opened for.
    ///   - file: The file.
    /// - Throws: ``PackagingError`` with `.unsupportedInContainer`.
    func check(
        _ container: SegmentContainer,
        among containers: [SegmentContainer],
        for device: DeviceProfile,
        file: String
    ) throws(PackagingError) {
        guard containers.contains(container) else {
            throw PackagingError(
                .unsupportedInContainer,
                file: file,
                "it is prepared for \(device.title) in \(containers[0].rawValue) segments"
            )
        }
        if container == .ts, video?.track.isHEVC == true {
            throw PackagingError(
                .unsupportedInContainer,
                file: file,
                "HEVC is delivered in fmp4 segments only, not in ts"
            )
        }
    }
}

/// A film, and which of its frames are in which segment of a plan.
struct CutVideo: Sendable {
    let track: VideoTrack
    /// For each segment the first frame in it, and the number of all frames at the end.
    let starts: [Int]
    /// True if of each segment's frames only the first is delivered.
    var hasKeyframesOnly = false

    /// When the plan ends, in the track's units.
    private let end: Int64

    /// A film that is cut at the keyframes from which segments can be decoded.
    init(_ track: VideoTrack, _ plan: SegmentPlan) {
        let times = track.cutTimes
        let starts = plan.segments.map { segment in
            let cut = (segment.start + plan.origin).ceiled(scale: track.timescale)
            let key = times.partitioningIndex { $0 >= cut }
            return segment.number == 0 ? 0 : key < track.keys.count ? track.keys[key] : track.pts.count
        }
        self.init(track, plan, starts: starts)
    }

    /// A frame that stands still: a keyframe for each segment.
    init(still track: VideoTrack, _ plan: SegmentPlan) { self.init(track, plan, starts: track.keys) }

    private init(_ track: VideoTrack, _ plan: SegmentPlan, starts: [Int]) {
        self.track = track
        self.starts = starts + [track.pts.count]
        end = (plan.origin + plan.duration).rounded(scale: track.timescale)
    }

    /// The frames of a segment.
    func range(_ number: Int) -> Range<Int> {
        let first = starts[number]
        let end = max(first, starts[number + 1])
        return first..<(hasKeyframesOnly ? min(first + 1, end) : end)
    }

    /// When the first frame of a segment is shown, and when that of the next segment that has any, or the plan's end,
    /// in the track's units; nil where the segment has none.
    func keyframe(_ number: Int) -> (start: Int64, end: Int64)? {
        guard starts[number] < starts[number + 1] else { return nil }
        let (times, next) = (track.pts, starts[number + 1])
        let start = times[starts[number]]
        return (start, max(next < times.count ? times[next] : end, start + 1))
    }

    /// How long the first frame of a segment lasts where it stands for all of them, in seconds; nil where it has none.
    func keyDuration(_ number: Int) -> Rational? {
        keyframe(number).map { Rational($0.end, track.timescale) - Rational($0.start, track.timescale) }
    }
}

/// Audio, and which of its frames are in which segment of a plan.
struct CutAudio: Sendable {
    let track: AudioTrack
    /// For each segment the first frame in it, and the number of all frames at the end.
    private let starts: [Int]

    init(_ track: AudioTrack, _ plan: SegmentPlan) {
        self.track = track
        starts =
            plan.segments.map { $0.number == 0 ? 0 : track.firstFrame(from: $0.start + plan.origin) }
            + [track.starts.count]
    }

    /// The frames of a segment.
    func range(_ number: Int) -> Range<Int> { starts[number]..<max(starts[number], starts[number + 1]) }
}
