internal import Media
internal import Packager
internal import Timeline

/// Compares a transcoded film with a direct decode of its source, picture by picture, as both stream by.
///
/// Every picture of the source has to be there once, in order, at its time, and look alike. Likeness is the structural
/// similarity of brightness in pictures of at most 160 pixels. The bounds
/// are chosen, not yet measured.
final class RecodedPictures {
    /// What no picture's likeness may be below.
    static let leastLikeness = 0.8
    /// What the mean likeness may not be below.
    static let leastMeanLikeness = 0.9

    /// Delivered time, and delivered time less source time, of each picture in both.
    private(set) var offsets: [(time: Double, offset: Double)] = []
    /// The likeness of each such picture.
    private(set) var likenesses: [Double] = []
    /// Source pictures that were not delivered: how many, and when the first is due.
    private(set) var missing: [(count: Int, time: Double?)] = []
    /// Delivered pictures that the source has not, and when they are due.
    private(set) var extra: [Double?] = []

    private let source: SourcePictures
    private let plan: SegmentPlan
    private var shrinker: PictureShrinker
    private var ahead: SourcePictures.Picture?
    private var offset: Double?
    private var decoder: (decoder: Decoder, segment: Int, unit: Rational)?

    /// How far two times of the same picture may lie apart, in seconds, to be told from its neighbours.
    private static let nearness = 0.002

    init(track: TrackDescription, path: String, plan: SegmentPlan, _ cancellation: Cancellation) throws {
        let size = SmallPicture.size(for: track.width, track.height)
        source = try SourcePictures(of: path, stream: track.sourceStream, size: size, cancellation)
        shrinker = PictureShrinker(width: size.width, height: size.height)
        self.plan = plan
        offset = (plan.timestampOffset - plan.origin).seconds
    }

    /// The unit of the source's times, in seconds.
    var unit: Double { source.unit }
    /// What libav complained about in the source.
    var complaints: [String] { source.complaints }

    /// Takes a packet of a segment, which is decoded from its own start.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) throws {
        if decoder?.segment != segment {
            try endSegment()
            let made = try Decoder(stream: stream, file: "segment \(segment)")
            decoder = (made, segment, stream.timeBase)
            // Behind a jump of the source only the order tells which picture is which.
            let planned = plan.segments.indices.contains(segment) ? plan.segments[segment] : nil
            if segment > 0, planned?.startsDiscontinuity == true { offset = nil }
        }
        try decoder?.decoder.decode(packet, compare)
    }

    /// Ends the comparison.
    func finish() throws {
        try endSegment()
        while let picture = try nextOfSource() { skip(picture) }
    }

    private func endSegment() throws {
        try decoder?.decoder.decode(nil, compare)
        decoder = nil
    }

    private func nextOfSource() throws -> SourcePictures.Picture? {
        if let picture = ahead {
            ahead = nil
            return picture
        }
        return try source.next()
    }

    private func compare(_ frame: Frame) throws {
        let unit = decoder?.unit ?? .zero
        let time = frame.bestEffortTimestamp.map { (Rational($0) * unit).seconds }
        while let picture = try nextOfSource() {
            if let time, let due = picture.time {
                let apart = time - due - (offset ?? time - due)
                // Where the source's own times jump there is no telling; the order has to do.
                let isJump = abs(apart) > 60
                if apart > Self.nearness, !isJump {
                    skip(picture)
                    continue
                }
                if apart < -Self.nearness, !isJump {
                    ahead = picture
                    extra.append(time)
                    return
                }
                if offset == nil { offset = time - due }
                if !isJump { offsets.append((time, time - due)) }
            }
            likenesses.append(try shrinker.shrink(frame).likeness(to: picture.small))
            lastWasMissing = false
            return
        }
        extra.append(time)
    }

    private var lastWasMissing = false

    private func skip(_ picture: SourcePictures.Picture) {
        if lastWasMissing, !missing.isEmpty {
            missing[missing.count - 1].count += 1
        } else {
            missing.append((1, picture.time))
        }
        lastWasMissing = true
    }
}
