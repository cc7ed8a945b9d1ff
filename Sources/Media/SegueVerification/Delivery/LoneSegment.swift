internal import SegueBase
internal import SegueFFmpeg
internal import SeguePackager

/// Checks a segment alone, like a player that starts with it.
struct LoneSegment {
    /// The amount of a segment's audio to decode.
    enum Depth {
        case whole
        /// Enough to show that decoding starts; for video, one frame always suffices.
        case beginning
    }

    let number: Int
    private let depth: Depth
    private let description: RenditionDescription
    private var decoders: [Int: Decoder] = [:]
    private var packets: [Int: Int] = [:]
    private var frames: [Int: Int] = [:]
    private var complaints: [String] = []
    private var earliest: [TrackDescription.Kind: Double] = [:]
    private var firstFrameIsKey: Bool?

    /// Codecs whose first frames depend on earlier ones, so that errors there are not the segment's fault.
    private static let reservoir: Set<String> = ["mp3", "mp2", "mp1"]

    /// The number of packets at a segment's start in which such errors are ignored.
    private static let settling = 4

    /// The number of audio packets that prove that decoding starts.
    private static let beginning = 8

    init(number: Int, description: RenditionDescription, depth: Depth) {
        self.number = number
        self.depth = depth
        self.description = description
    }

    /// Adds a packet.
    mutating func take(_ packet: Packet, of stream: StreamInfo) {
        let kind: TrackDescription.Kind = stream.kind == .video ? .video : .audio
        if let pts = packet.pts {
            let time = (Rational(pts) * stream.timeBase).seconds
            earliest[kind] = min(earliest[kind] ?? time, time)
        }
        if kind == .video, firstFrameIsKey == nil { firstFrameIsKey = packet.isKey }
        packets[stream.index, default: 0] += 1
        guard stream.canDecode else {
            frames[stream.index, default: 0] += 1
            return
        }
        let isPast = depth == .beginning && packets[stream.index, default: 0] > Self.beginning
        // One decoded frame proves that decoding starts.
        guard kind == .audio && !isPast || frames[stream.index, default: 0] == 0 else { return }
        decode(packet, stream)
    }

    private mutating func decode(_ packet: Packet?, _ stream: StreamInfo) {
        var seen = 0
        do {
            if decoders[stream.index] == nil {
                // A frame after an open GOP is output even if the decoder considers it corrupt.
                decoders[stream.index] = try Decoder(
                    stream: stream,
                    file: "segment \(number)",
                    options: ["flags": "+output_corrupt"]
                )
            }
            try decoders[stream.index]?.decode(packet) { _ in seen += 1 }
        } catch {
            let count = packets[stream.index, default: 0]
            if !(Self.reservoir.contains(stream.codec) && count <= Self.settling) { complaints.append("\(error)") }
        }
        frames[stream.index, default: 0] += seen
    }

    /// Ends the segment: drains and frees the decoders.
    mutating func close(_ streams: [StreamInfo]) {
        for stream in streams where packets[stream.index] ?? 0 > 0 && frames[stream.index] ?? 0 == 0 {
            decode(nil, stream)
        }
        decoders = [:]
    }

    /// True if anything could not be decoded.
    var hasComplaint: Bool { !complaints.isEmpty }

    /// Reports, once the source's damage is known.
    func finish(
        streams: [StreamInfo],
        plan: SegmentPlan,
        sourceIsWhole: Bool,
        _ report: inout VerificationReport
    ) {
        let start = plan.segments.indices.contains(number) ? plan.segments[number].start.seconds : nil
        for stream in streams where sourceIsWhole && packets[stream.index] ?? 0 > 0 {
            guard frames[stream.index] ?? 0 == 0 else { continue }
            report.find(.segmentAlone, "segment \(number): nothing of stream \(stream.index) can be decoded", at: start)
        }
        let kinds = streams.map(\.kind)
        if !description.hasVideo, kinds.contains(.video) {
            report.find(.tracks, "segment \(number) has a video track that the rendition does not have", at: start)
        }
        let known = Set<StreamKind>([.audio, .video])
        if let other = kinds.first(where: { !known.contains($0) }) {
            report.find(.tracks, "segment \(number) has an unexpected \(other.rawValue) track", at: start)
        }
        if firstFrameIsKey == false {
            report.find(.segmentAlone, "segment \(number) does not begin with a keyframe", at: start)
        }
        if sourceIsWhole, let complaint = complaints.first {
            report.find(.segmentAlone, "segment \(number) alone: \(quoting: complaint)", at: start)
        }
        if sourceIsWhole { judgeStart(plan, start: start, into: &report) }
    }

    private func judgeStart(_ plan: SegmentPlan, start: Double?, into report: inout VerificationReport) {
        guard let start else { return }
        // Segment 0 may begin earlier, with frames needed only for decoding.
        let main: TrackDescription.Kind = description.hasVideo ? .video : .audio
        guard number > 0, let first = earliest[main] else { return }
        let late = first - plan.timestampOffset.seconds - start
        let rate = Double(description.tracks.first { $0.kind == .audio }?.sampleRate ?? 0)
        // Audio begins with the first frame in the segment, up to one frame late.
        let allowed = main == .video ? 0.002 : (rate > 0 ? 2048 / rate : 0.1)
        guard late < -0.002 || late > allowed else { return }
        let milliseconds = (late * 1000).rounded()
        report.find(.segmentStart, "segment \(number) begins \(milliseconds) ms later than planned", at: start)
    }
}
