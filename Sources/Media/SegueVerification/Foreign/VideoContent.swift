internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Matches each delivered frame with the source frame that it shows, as both stream by.
final class VideoContent {
    /// The matches in delivery order.
    private(set) var matches: [FrameMatch] = []
    private(set) var likenesses: (count: Int, sum: Double, least: Double) = (0, 0, 1)
    private(set) var colours: (count: Int, sum: Double) = (0, 0)
    private(set) var complaints: [String] = []
    /// The edits of the video, available at the end.
    private(set) lazy var reading = VideoReading(
        matches,
        sourceTimes: sourceTimes,
        allowance,
        isCoarse: usual > 1.5
    )
    var sourceComplaints: [String] { source.complaints }
    /// The presentation times of the source's frames.
    var sourceTimes: [Double] { source.times }
    /// The displayed aspect ratio of the source and of the delivery.
    var shapes: (source: Double, delivered: Double?) { (source.shape, delivered.shape) }

    private let allowance: ContentAllowance
    private var source: SourceFrames
    private let delivered: DeliveredFrames
    private var section = 0
    private var offset: Double?
    private(set) var usual = 1.0
    private var failures = 0
    private var turn: SmallFrame.Turn?

    init(
        path: String,
        stream: StreamInfo,
        allowance: ContentAllowance,
        reach: Double,
        _ cores: Cores,
        _ cancellation: Cancellation
    ) throws {
        self.allowance = allowance
        let (width, height) = stream.isOnItsSide ? (stream.height, stream.width) : (stream.width, stream.height)
        let size = SmallFrame.size(for: width, height)
        let frames = try SourceVideo(of: path, stream: stream.index, size: size, cancellation)
        source = SourceFrames(frames, of: stream, reach: reach, cores)
        delivered = DeliveredFrames(width: size.width, height: size.height)
    }

    /// Starts another section.
    func begin(section: Int) {
        if section != self.section { offset = nil }
        self.section = section
        delivered.reset()
    }

    /// Adds a packet.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) throws {
        do {
            try delivered.decode(packet, of: stream, segment: segment) { frame in try see(frame) }
        } catch {
            if let error = error as? MediaError, error.isCancelled { throw error }
            complaints.append("segment \(segment): \(error)")
        }
    }

    /// Ends a section.
    func end() throws {
        do {
            try delivered.drain { frame in try see(frame) }
        } catch {
            if let error = error as? MediaError, error.isCancelled { throw error }
        }
        delivered.reset()
    }

    /// Ends the comparison.
    func finish() throws {
        while try source.load() { source.trim(before: .infinity) }
    }

    private func see(_ frame: Frame) throws {
        let small = try delivered.upright(frame)
        let last = matches.last { $0.section == section }
        let time = delivered.seconds(of: frame) ?? (last?.time ?? 0) + source.interval
        var match = try match(small, time: time)
        match.segment = Int(frame.opaque)
        match.section = section
        matches.append(match)
        follow()
        source.trim(before: time - (offset ?? time))
    }

    // MARK: - Matching

    private func match(_ delivered: SmallFrame, time: Double) throws -> FrameMatch {
        var small = delivered
        var match = FrameMatch(time: time)
        let next = (matches.last { $0.source >= 0 }?.source ?? -1) + 1
        if offset == nil {
            _ = try source.frame(next)
            offset = time - (source.time(of: next) ?? 0)
        }
        let wished = time - (offset ?? 0)
        let expected = try source.nearest(wished)
        let isBeyond = source.isOver && wished > (sourceTimes.last ?? 0) + 1.5 * source.interval
        var best: (source: Int, distance: Double)?
        var isSure = false
        if !isBeyond {
            var own = try source.distance(small, expected) ?? 1000
            if let turned = try turned(small, expected: expected, own: own) {
                (small, own, match.nature) = (turned.frame, turned.distance, .turned)
            }
            let near = try climb(small, from: expected, own)
            let apart = try source.between(expected, near.source)
            // Between two nearly equal frames, either may match. Encoders repeat the previous frame if little changed.
            let clear = abs(near.source - expected) <= 2 ? 3 * max(near.distance, usual) : 2 * near.distance
            if near.source != expected, own > clear + 0.5, apart > 1.5 * near.distance + 0.5 {
                (best, isSure) = (near, true)
            } else {
                best = (expected, own)
                let beside = [try source.distance(small, expected - 1), try source.distance(small, expected + 1)]
                    .compactMap(\.self)
                isSure = beside.allSatisfy { $0 > 1.5 * own + 0.5 }
            }
        }
        if best.map({ $0.distance > 3 * usual + 2 }) ?? true, let other = try elsewhere(small, next, than: best) {
            (best, isSure) = (other, true)
        }
        guard let best, let frame = try source.frame(best.source) else {
            match.nature = small.isBlank ? .blank : .foreign
            return match
        }
        let (shown, wanted) = frame.toned(with: small)
        let likeness = shown.likeness(to: wanted)
        guard likeness >= allowance.pictureLikeness, best.distance < max(25, 8 * usual + 10) || match.nature == .turned
        else {
            match.nature = small.isBlank ? .blank : .foreign
            failures += 1
            return match
        }
        failures = 0
        if match.nature == .own {
            usual += (min(best.distance, 4 * usual + 1) - usual) / 64
            likenesses = (likenesses.count + 1, likenesses.sum + likeness, min(likenesses.least, likeness))
            if !frame.isHighDynamicRange {
                colours = (colours.count + 1, colours.sum + small.tintDistance(to: frame.small))
            }
        }
        (match.source, match.isSure) = (best.source, isSure)
        return match
    }

    /// The best frame near a start, by hill climbing.
    private func climb(_ small: SmallFrame, from start: Int, _ own: Double) throws -> (source: Int, distance: Double) {
        var best = (source: start, distance: own)
        var (low, high) = (start, start)
        for _ in 0..<200 {
            let candidates = [low - 1, low - 2, low - 3, high + 1, high + 2, high + 3]
            let before = best.source
            for candidate in candidates {
                if let distance = try source.distance(small, candidate), distance < best.distance {
                    best = (candidate, distance)
                }
            }
            guard best.source != before else { break }
            (low, high) = (min(low - 3, best.source), max(high + 3, best.source))
            if best.source < start { high = start } else { low = start }
        }
        return best
    }

    /// The delivered frame's match farther away.
    private func elsewhere(
        _ small: SmallFrame,
        _ next: Int,
        than best: (source: Int, distance: Double)?
    ) throws -> (source: Int, distance: Double)? {
        let bar = min(best.map { $0.distance / 2 } ?? 25, 25)
        if let distance = try source.distance(small, next), distance < bar { return (next, distance) }
        guard !small.isBlank, failures < 6 || failures.isMultiple(of: 25) else { return nil }
        guard let found = try source.closest(to: small, from: next, below: bar),
            found.distance < 3 * usual + 2 || best == nil
        else { return nil }
        return found
    }

    /// The upright version of a frame that shows the expected one in a wrong orientation.
    private func turned(
        _ small: SmallFrame,
        expected: Int,
        own: Double
    ) throws -> (frame: SmallFrame, distance: Double)? {
        guard own > 3 * usual + 4, !small.isBlank, failures < 4 || turn != nil else { return nil }
        for candidate in SmallFrame.Turn.allCases {
            let frame = small.turned(candidate)
            if let distance = try source.distance(frame, expected), distance < (turn == candidate ? own : own / 3) {
                turn = candidate
                return (frame, distance)
            }
        }
        return nil
    }

    /// Assumes a common shift once several frames clearly have it.
    private func follow() {
        let last = matches.suffix(3)
        guard last.count == 3, let offset else { return }
        let moved = last.compactMap { match -> Double? in
            guard match.source >= 0, match.isSure, match.section == section else { return nil }
            return match.time - sourceTimes[match.source]
        }
        guard moved.count == 3, let (low, high) = moved.min().flatMap({ low in moved.max().map { (low, $0) } }),
            high - low < source.interval / 2, abs(moved[2] - offset) > source.interval / 2
        else { return }
        self.offset = moved[2]
    }
}

/// A delivered frame and its match in the source.
struct FrameMatch: Equatable {
    enum Nature: Equatable { case own, blank, foreign, turned }
    /// The presentation time, in seconds.
    var time: Double
    /// The source frame's number; -1 for none.
    var source = -1
    var segment = 0
    var section = 0
    /// True if the neighboring source frames look different.
    var isSure = false
    var nature = Nature.own
}

extension SmallFrame {
    /// The wrong orientations.
    enum Turn: CaseIterable { case upsideDown, mirrored, flipped }

    /// The mean brightness difference to a frame of the same size, in 8-bit steps.
    func distance(to other: SmallFrame) -> Double {
        let count = min(luma.count, other.luma.count)
        guard count > 0 else { return 0 }
        let sum = luma.withUnsafeBufferPointer { here in
            other.luma.withUnsafeBufferPointer { there in
                var sum: Int32 = 0
                for place in 0..<count {
                    sum &+= Int32(Int16(here[place]) &- Int16(there[place])).magnitude32
                }
                return sum
            }
        }
        return Double(sum) / Double(count)
    }

    /// True if the frame is uniform.
    var isBlank: Bool {
        let count = Double(max(1, luma.count))
        let mean = luma.reduce(0.0) { $0 + Double($1) } / count
        return luma.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count < 9
    }

    /// The frame rotated by 180 degrees, mirrored, or flipped vertically.
    func turned(_ turn: Turn) -> SmallFrame {
        var lines = stride(from: 0, to: width * height, by: width).map { Array(luma[$0..<min($0 + width, luma.count)]) }
        if turn != .mirrored { lines.reverse() }
        if turn != .flipped { lines = lines.map { $0.reversed() } }
        return SmallFrame(width: width, height: height, luma: lines.flatMap { $0 })
    }
}

extension Int32 {
    fileprivate var magnitude32: Int32 { self < 0 ? 0 &- self : self }
}
