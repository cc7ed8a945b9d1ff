internal import SegueBase
internal import SegueFFmpeg

/// The sources of one rendition's segments.
struct RenditionContents: Sendable {
    /// The packets of the served streams.
    let index: FileIndex
    let plan: SegmentPlan
    /// The video; nil if the rendition has none.
    var video: CutVideo?
    /// The audio; nil if the rendition has none.
    var audio: CutAudio?

    /// Throws `.unsupportedInContainer` if the rendition cannot be packed in a container.
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
                "the file is prepared for \(device.title) in \(containers[0].rawValue) segments"
            )
        }
        if container == .ts, video?.track.isHEVC == true {
            throw PackagingError(
                .unsupportedInContainer,
                file: file,
                "HEVC requires fmp4 segments"
            )
        }
    }
}

/// A video track with the segment boundaries of a plan.
struct CutVideo: Sendable {
    let track: VideoTrack
    /// The first frame of each segment, and the frame count at the end.
    let starts: [Int]
    /// True if only the first frame of each segment is delivered.
    var hasKeyframesOnly = false

    /// The plan's end, in track units.
    private let end: Int64

    /// Cuts a video track at the keyframes that start segments.
    init(_ track: VideoTrack, _ plan: SegmentPlan) {
        let times = track.cutTimes
        let starts = plan.segments.map { segment in
            let cut = (segment.start + plan.origin).ceiled(scale: track.timescale)
            let key = times.partitioningIndex { $0 >= cut }
            return segment.number == 0 ? 0 : key < track.keys.count ? track.keys[key] : track.pts.count
        }
        self.init(track, plan, starts: starts)
    }

    /// Makes a still image track: a keyframe per segment.
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

    /// The start of a segment's first frame and the start of the next one (or the plan's end), in track units; nil for
    /// a segment without frames.
    func keyframe(_ number: Int) -> (start: Int64, end: Int64)? {
        guard starts[number] < starts[number + 1] else { return nil }
        let (times, next) = (track.pts, starts[number + 1])
        let start = times[starts[number]]
        return (start, max(next < times.count ? times[next] : end, start + 1))
    }

    /// The duration of a segment's first frame if it stands for the segment, in seconds; nil for a segment without
    /// frames.
    func keyDuration(_ number: Int) -> Rational? {
        keyframe(number).map { Rational($0.end, track.timescale) - Rational($0.start, track.timescale) }
    }
}

/// An audio track with the segment boundaries of a plan.
struct CutAudio: Sendable {
    let track: AudioTrack
    /// The first frame of each segment, and the frame count at the end.
    private let starts: [Int]

    init(_ track: AudioTrack, _ plan: SegmentPlan) {
        self.track = track
        starts =
            plan.segments.map { $0.number == 0 ? 0 : track.firstFrame(from: $0.start + plan.origin) }
            + [track.starts.count]
    }

    /// The frames of a segment.
    func range(_ number: Int) -> Range<Int> { starts[number]..<max(starts[number], starts[number + 1]) }

    /// The first segment without frames; nil if there is none.
    var emptySegment: Int? { starts.indices.dropLast().first { range($0).isEmpty } }
}
