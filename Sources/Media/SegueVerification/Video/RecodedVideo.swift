internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares transcoded video with a direct decode of its source, frame by frame, as both stream by.
///
/// Every source frame must occur once, in order, at its time, and look similar: in brightness (structural similarity of
/// frames of at most 160 pixels) and in color. It must not resemble a neighbor more than its own match.
final class RecodedVideo {
    // The limits were measured over 56 real videos in 18 codecs. Their worst frames have a similarity of 0.975, of
    // 0.963 after HDR tone mapping, and of 0.938 in a video of 32 x 18 pixels; the worst mean is 0.949, the maximum
    // color difference 3.9. No frame resembles its neighbor more by over 0.003.

    /// The minimum similarity of a frame.
    static let leastLikeness = 0.85
    /// The minimum mean similarity.
    static let leastMeanLikeness = 0.92
    /// The maximum mean color difference of a frame, in 8-bit steps.
    static let greatestColourDistance = 8.0
    /// The minimum display time of a source frame that permits a repetition, in seconds.
    static let leastHold = 2.0
    /// The excess similarity to a neighbor that means a wrong position.
    static let leastMisplacement = 0.01

    /// The delivered time of each matched frame, and its offset to the source's.
    private(set) var offsets: [(time: Double, offset: Double)] = []
    /// The color difference of each comparable frame.
    private(set) var colourDistances: [Double] = []
    /// The number of frames that resemble a neighbor more, and the time of the first.
    private(set) var misplaced: (count: Int, time: Double?) = (0, nil)
    /// The similarity of each matched frame.
    private(set) var likenesses: [Double] = []
    /// The missing source frames: counts, and times of the first.
    private(set) var missing: [(count: Int, time: Double?)] = []
    /// The times of delivered frames that are not in the source.
    private(set) var extra: [Double?] = []

    /// The number of consecutive source frames that may be dropped for a lower frame rate.
    private let greatestStep: Int
    private let source: FramesAhead
    /// The unit of the source's times, in seconds.
    let unit: Double
    private let plan: SegmentPlan
    private var ahead: SourceVideo.TimedFrame?
    private var offset: Double?

    /// The maximum overlap of two parts of a source, in seconds.
    private static let greatestOverlap = 1.0
    /// The maximum difference between two times of the same frame, in seconds.
    private static let nearness = 0.002

    init(
        track: TrackDescription,
        path: String,
        plan: SegmentPlan,
        known: KnownDamage,
        _ cores: Cores,
        _ cancellation: Cancellation
    ) throws {
        let size = SmallFrame.size(for: track.width, track.height)
        let source = try SourceVideo(
            of: path,
            stream: track.sourceStream,
            size: size,
            shape: Double(track.width) / Double(max(1, track.height)),
            known: known,
            cancellation
        )
        unit = source.unit
        self.source = FramesAhead(source, cores)
        self.plan = plan
        greatestStep = Self.greatestStep(of: track, sourceRate: source.frameRate)
        offset = (plan.timestampOffset - plan.origin).seconds
    }

    /// The number of consecutive source frames that a track with a lower frame rate may drop; 0 if none.
    static func greatestStep(of track: TrackDescription, sourceRate: Double?) -> Int {
        guard let rate = track.frameRate?.seconds, rate > 0, let sourceRate else { return 0 }
        // Slightly different rates come from different measurements.
        return sourceRate > rate * 1.1 ? Int((sourceRate / rate).rounded(.up)) : 0
    }

    /// The libav errors in the source.
    var complaints: [String] { source.complaints }

    /// Adds a segment's frames, decoded from its start.
    func take(_ frames: [SegmentVideo.Decoded], segment: Int) throws {
        // After a jump of the source, only the order identifies frames.
        let planned = plan.segments.indices.contains(segment) ? plan.segments[segment] : nil
        if segment > 0, planned?.startsDiscontinuity == true { offset = nil }
        for frame in frames { try compare(frame.small, at: frame.time) }
    }

    /// Ends the comparison.
    func finish() throws {
        while let frame = try nextOfSource() { skip(frame) }
        missing.removeAll { $0.count <= greatestStep }
    }

    private func nextOfSource() throws -> SourceVideo.TimedFrame? {
        if let frame = ahead {
            ahead = nil
            return frame
        }
        return try source.next()
    }

    private func compare(_ delivered: SmallFrame, at time: Double?) throws {
        while let frame = try nextOfSource() {
            if let time, let due = frame.time {
                let apart = time - due - (offset ?? time - due)
                // Where the source's times jump, only the order counts.
                let isJump = abs(apart) > 60
                if apart > Self.nearness, !isJump {
                    skip(frame)
                    continue
                }
                if apart < -Self.nearness {
                    let isHeld =
                        isHeld(delivered, at: time, until: time - apart) || isHeldBack(frame, as: delivered, at: time)
                    if isHeld || !isJump {
                        ahead = frame
                        if !isHeld { extra.append(time) }
                        return
                    }
                }
                if offset == nil { offset = time - due }
                if !isJump { offsets.append((time, time - due)) }
            }
            judge(delivered, frame, at: time)
            lastSourceTime = frame.time ?? lastSourceTime
            lastWasMissing = false
            return
        }
        // The last frame may also stand for long.
        if let time, isHeld(delivered, at: time, until: .infinity) || isHeldOn(delivered, at: time) { return }
        extra.append(time)
    }

    /// True if a delivered frame before the first match is the source's first one, held because video begins late.
    private func isHeldBack(_ frame: SourceVideo.TimedFrame, as delivered: SmallFrame, at time: Double) -> Bool {
        guard last == nil, let due = frame.time else { return false }
        let late = due - plan.origin.seconds
        return late > HeldEnds.longestStart.seconds && time >= plan.timestampOffset.seconds - Self.nearness
            && delivered.likeness(to: frame.small) >= Self.leastLikeness
    }

    /// True if a delivered frame after the source's last one repeats it, because video ends early.
    private func isHeldOn(_ delivered: SmallFrame, at time: Double) -> Bool {
        guard let last, let since = last.time else { return false }
        let end = (plan.timestampOffset + plan.duration).seconds
        return end - since > HeldEnds.longestEnd.seconds && time < end
            && delivered.likeness(to: last.wished) >= Self.leastLikeness
    }

    /// True if a delivered frame without a match repeats one that the source still displays.
    private func isHeld(_ delivered: SmallFrame, at time: Double, until next: Double) -> Bool {
        guard let last, let since = last.time else { return false }
        return min(time - since, next - time) > Self.leastHold
            && delivered.likeness(to: last.wished) >= Self.leastLikeness
    }

    private func judge(_ delivered: SmallFrame, _ due: SourceVideo.TimedFrame, at time: Double?) {
        let isToned = due.isHighDynamicRange
        let (delivered, wished) = isToned ? (delivered.withoutTone, due.small.withoutTone) : (delivered, due.small)
        let likeness = delivered.likeness(to: wished)
        likenesses.append(likeness)
        if !isToned { colourDistances.append(delivered.colourDistance(to: wished)) }
        if let last {
            let isBefore = last.wished.likeness(to: delivered) > likeness + Self.leastMisplacement
            let isAfter = last.delivered.likeness(to: wished) > last.likeness + Self.leastMisplacement
            if isBefore || isAfter {
                misplaced = (misplaced.count + 1, misplaced.time ?? (isAfter ? last.time : time))
            }
        }
        last = (delivered, wished, likeness, time)
    }

    private var last: (delivered: SmallFrame, wished: SmallFrame, likeness: Double, time: Double?)?
    private var lastWasMissing = false
    /// The source time of the last compared or missing frame.
    private var lastSourceTime: Double?

    private func skip(_ frame: SourceVideo.TimedFrame) {
        // Where parts of the source overlap, only one of two frames of the same time can be shown.
        if let time = frame.time, let last = lastSourceTime, (0..<Self.greatestOverlap).contains(last - time) { return }
        lastSourceTime = frame.time ?? lastSourceTime
        if lastWasMissing, !missing.isEmpty {
            missing[missing.count - 1].count += 1
        } else {
            missing.append((1, frame.time))
        }
        lastWasMissing = true
    }
}
