internal import SegueBase
internal import SegueFFmpeg
internal import SeguePackager

/// Looks at one segment alone, as a player does that begins with it.
struct LoneSegment {
    /// How much of a segment's audio is decoded.
    enum Depth {
        /// All of it.
        case whole
        /// So much that it is known to begin; of a frame, one is enough in any case.
        case beginning
    }

    let number: Int
    private let depth: Depth
    private let description: RenditionDescription
    private var decoders: [Int: Decoder] = [:]
    private var packets: [Int: Int] = [:]
    private var pictures: [Int: Int] = [:]
    private var complaints: [String] = []
    private var earliest: [TrackDescription.Kind: Double] = [:]
    private var firstPictureIsKey: Bool?

    /// Codecs whose first frames need those before them; a decoder's complaint about these is no fault of the segment.
    private static let reservoir: Set<String> = ["mp3", "mp2", "mp1"]

    /// Packets at a segment's start within which such codecs may complain.
    private static let settling = 4

    /// Packets of audio that show that decoding can begin.
    private static let beginning = 8

    init(number: Int, description: RenditionDescription, depth: Depth) {
        self.number = number
        self.depth = depth
        self.description = description
    }

    /// Takes a packet.
    mutating func take(_ packet: Packet, of stream: StreamInfo) {
        let kind: TrackDescription.Kind = stream.kind == .video ? .video : .audio
        if let pts = packet.pts {
            let time = (Rational(pts) * stream.timeBase).seconds
            earliest[kind] = min(earliest[kind] ?? time, time)
        }
        if kind == .video, firstPictureIsKey == nil { firstPictureIsKey = packet.isKey }
        packets[stream.index, default: 0] += 1
        let isPast = depth == .beginning && packets[stream.index, default: 0] > Self.beginning
        // One decoded frame shows that decoding can begin here.
        guard kind == .audio && !isPast || pictures[stream.index, default: 0] == 0 else { return }
        decode(packet, stream)
    }

    private mutating func decode(_ packet: Packet?, _ stream: StreamInfo) {
        var seen = 0
        do {
            if decoders[stream.index] == nil {
                // A frame after an open group is shown even where the decoder is not sure of it.
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
        pictures[stream.index, default: 0] += seen
    }

    /// Ends the segment: gets what the decoders still hold, and lets them go.
    mutating func close(_ streams: [StreamInfo]) {
        for stream in streams where packets[stream.index] ?? 0 > 0 && pictures[stream.index] ?? 0 == 0 {
            decode(nil, stream)
        }
        decoders = [:]
    }

    /// True if something in it could not be decoded.
    var hasComplaint: Bool { !complaints.isEmpty }

    /// Reports, once it is known whether the source is whole.
    func finish(
        streams: [StreamInfo],
        plan: SegmentPlan,
        sourceIsWhole: Bool,
        _ report: inout VerificationReport
    ) {
        let start = plan.segments.indices.contains(number) ? plan.segments[number].start.seconds : nil
        for stream in streams where sourceIsWhole && packets[stream.index] ?? 0 > 0 {
            guard pictures[stream.index] ?? 0 == 0 else { continue }
            report.find(.segmentAlone, "segment \(number): nothing of stream \(stream.index) can be decoded", at: start)
        }
        let kinds = streams.map(\.kind)
        if !description.hasVideo, kinds.contains(.video) {
            report.find(.tracks, "segment \(number) has a video track, the rendition has none", at: start)
        }
        let known = Set<StreamKind>([.audio, .video])
        if let other = kinds.first(where: { !known.contains($0) }) {
            report.find(.tracks, "segment \(number) has a \(other.rawValue) track", at: start)
        }
        if firstPictureIsKey == false {
            report.find(.segmentAlone, "segment \(number) does not begin with a keyframe", at: start)
        }
        if sourceIsWhole, let complaint = complaints.first {
            report.find(.segmentAlone, "segment \(number) alone: \(complaint)", at: start)
        }
        if sourceIsWhole { judgeStart(plan, start: start, into: &report) }
    }

    private func judgeStart(_ plan: SegmentPlan, start: Double?, into report: inout VerificationReport) {
        guard let start else { return }
        // Segment 0 may begin earlier, with what is only decoded for what follows.
        let main: TrackDescription.Kind = description.hasVideo ? .video : .audio
        guard number > 0, let first = earliest[main] else { return }
        let late = first - plan.timestampOffset.seconds - start
        let rate = Double(description.tracks.first { $0.kind == .audio }?.sampleRate ?? 0)
        // Audio begins with the first frame that starts in the segment: up to one frame late.
        let allowed = main == .video ? 0.002 : (rate > 0 ? 2048 / rate : 0.1)
        guard late < -0.002 || late > allowed else { return }
        let milliseconds = (late * 1000).rounded()
        report.find(.segmentStart, "segment \(number) begins \(milliseconds) ms after its place in the plan", at: start)
    }
}
