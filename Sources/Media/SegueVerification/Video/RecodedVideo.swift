internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Compares a transcoded film with a direct decode of its source, frame by frame, as both stream by.
///
/// Every frame of the source has to be there once, in order, at its time, and look alike: in brightness (the structural
/// similarity of frames of at most 160 pixels) and in color. It may not resemble the frame before or after more than
/// its own.
final class RecodedVideo {
    // The bounds have been measured over 56 real films in 18 codecs. Their worst frames have a likeness of 0.975, of
    // 0.963 where tones of high dynamic range were changed, and of 0.938 in a film of 32 x 18 pixels; the worst mean is
    // 0.949, the maximum distance of colors 3.9. No frame is more like its neighbour by more than 0.003.

    /// What no frame's likeness may be below.
    static let leastLikeness = 0.85
    /// What the mean likeness may not be below.
    static let leastMeanLikeness = 0.92
    /// What the mean distance of the colors of a frame may not be above, in steps of 8 bits.
    static let greatestColourDistance = 8.0
    /// How long, in seconds, the source has to show the same frame before and after it is delivered once more.
    static let leastHold = 2.0
    /// By how much a frame has to resemble a neighbour of its own more, to be in a wrong place.
    static let leastMisplacement = 0.01

    /// Delivered time, and delivered time less source time, of each frame in both.
    private(set) var offsets: [(time: Double, offset: Double)] = []
    /// How far the colors of each frame lie from its own, where they can be compared.
    private(set) var colourDistances: [Double] = []
    /// The number of frames are more like the one before or after, and when the first is due.
    private(set) var misplaced: (count: Int, time: Double?) = (0, nil)
    /// The likeness of each such frame.
    private(set) var likenesses: [Double] = []
    /// Source frames that were not delivered: how many, and when the first is due.
    private(set) var missing: [(count: Int, time: Double?)] = []
    /// Delivered frames that the source has not, and when they are due.
    private(set) var extra: [Double?] = []

    /// The number of source frames in a row may be left out, since the track has fewer a second than the source.
    private let greatestStep: Int
    private let source: FramesAhead
    /// The unit of the source's times, in seconds.
    let unit: Double
    private let plan: SegmentPlan
    private var ahead: SourceVideo.Picture?
    private var offset: Double?

    /// How far two times of the same frame may lie apart, in seconds, to be told from its neighbours.
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
            known: known,
            cancellation
        )
        unit = source.unit
        self.source = FramesAhead(source, cores)
        self.plan = plan
        greatestStep = Self.greatestStep(of: track, sourceRate: source.frameRate)
        offset = (plan.timestampOffset - plan.origin).seconds
    }

    /// The number of frames in a row may be left out of a track that has fewer a second than its source.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - sourceRate: Frames per second of the source; nil where it does not say.
    /// - Returns: 0 where none may be.
    static func greatestStep(of track: TrackDescription, sourceRate: Double?) -> Int {
        guard let rate = track.frameRate?.seconds, rate > 0, let sourceRate else { return 0 }
        // Rates that are a little apart are measured in two ways.
        return sourceRate > rate * 1.1 ? Int((sourceRate / rate).rounded(.up)) : 0
    }

    /// What libav complained about in the source.
    var complaints: [String] { source.complaints }

    /// Takes the frames of a segment, which were decoded from its own start.
    func take(_ pictures: [SegmentVideo.Decoded], segment: Int) throws {
        // Behind a jump of the source only the order tells which frame is which.
        let planned = plan.segments.indices.contains(segment) ? plan.segments[segment] : nil
        if segment > 0, planned?.startsDiscontinuity == true { offset = nil }
        for picture in pictures { try compare(picture.small, at: picture.time) }
    }

    /// Ends the comparison.
    func finish() throws {
        while let picture = try nextOfSource() { skip(picture) }
        missing.removeAll { $0.count <= greatestStep }
    }

    private func nextOfSource() throws -> SourceVideo.Picture? {
        if let picture = ahead {
            ahead = nil
            return picture
        }
        return try source.next()
    }

    private func compare(_ delivered: SmallFrame, at time: Double?) throws {
        while let picture = try nextOfSource() {
            if let time, let due = picture.time {
                let apart = time - due - (offset ?? time - due)
                // Where the source's own times jump there is no telling; the order has to do.
                let isJump = abs(apart) > 60
                if apart > Self.nearness, !isJump {
                    skip(picture)
                    continue
                }
                if apart < -Self.nearness {
                    let isHeld = isHeld(delivered, at: time, until: time - apart)
                    if isHeld || !isJump {
                        ahead = picture
                        if !isHeld { extra.append(time) }
                        return
                    }
                }
                if offset == nil { offset = time - due }
                if !isJump { offsets.append((time, time - due)) }
            }
            judge(delivered, picture, at: time)
            lastWasMissing = false
            return
        }
        // The last frame may stand for long, too.
        if let time, isHeld(delivered, at: time, until: .infinity) { return }
        extra.append(time)
    }

    /// True if a delivered frame that the source has not is one that the source goes on showing.
    private func isHeld(_ delivered: SmallFrame, at time: Double, until next: Double) -> Bool {
        guard let last, let since = last.time else { return false }
        return min(time - since, next - time) > Self.leastHold
            && delivered.likeness(to: last.wished) >= Self.leastLikeness
    }

    private func judge(_ delivered: SmallFrame, _ due: SourceVideo.Picture, at time: Double?) {
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

    private func skip(_ picture: SourceVideo.Picture) {
        if lastWasMissing, !missing.isEmpty {
            missing[missing.count - 1].count += 1
        } else {
            missing.append((1, picture.time))
        }
        lastWasMissing = true
    }
}
