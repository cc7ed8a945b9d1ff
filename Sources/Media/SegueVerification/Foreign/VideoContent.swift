internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import SeguePackager

/// Matches each delivered frame with the source frame that it shows, as both stream by.
final class VideoContent {
    /// The matches in delivery order.
    private(set) var matches: [FrameMatch] = []
    /// The presentation times of the source's frames.
    private(set) var sourceTimes: [Double] = []
    private(set) var likenesses: (count: Int, sum: Double, least: Double) = (0, 0, 1)
    private(set) var colours: (count: Int, sum: Double) = (0, 0)
    private(set) var complaints: [String] = []
    /// The displayed aspect ratio of the source and of the delivery.
    private(set) var shapes: (source: Double, delivered: Double?) = (1, nil)
    /// The edits of the video, available at the end.
    private(set) lazy var reading = VideoReading(
        matches,
        sourceTimes: sourceTimes,
        allowance,
        isCoarse: usual > 1.5
    )
    var sourceComplaints: [String] { source.complaints }

    private let allowance: ContentAllowance
    private let reach: Double
    private let size: (width: Int, height: Int)
    private let source: FramesAhead
    private let sourceStream: StreamInfo
    private var deliveredStream: StreamInfo?
    private let interval: Double
    private var kept: [SourceVideo.Picture] = []
    private var keptFirst = 0
    private var isOver = false
    private var decoder: Decoder?
    private var shrinker: FrameShrinker
    private var matrix: [Int32]?
    private var unit = Rational(1, 90000)
    private var section = 0
    private var offset: Double?
    private(set) var usual = 1.0
    private var failures = 0
    private var turn: SmallFrame.Turn?

    /// The maximum number of source frames held.
    private static let most = 3000

    init(
        path: String,
        stream: StreamInfo,
        allowance: ContentAllowance,
        reach: Double,
        _ cores: Cores,
        _ cancellation: Cancellation
    ) throws {
        (self.allowance, self.reach) = (allowance, reach)
        let isOnItsSide = stream.displayMatrix.map { abs(Int($0[1])) > abs(Int($0[0])) } ?? false
        let (width, height) = isOnItsSide ? (stream.height, stream.width) : (stream.width, stream.height)
        size = SmallFrame.size(for: width, height)
        shrinker = FrameShrinker(width: size.width, height: size.height)
        let pictures = try SourceVideo(of: path, stream: stream.index, size: size, cancellation)
        let rate = pictures.frameRate ?? 25
        interval = rate.isFinite && rate > 0.01 ? 1 / rate : 0.04
        source = FramesAhead(pictures, cores)
        sourceStream = stream
    }

    /// The displayed aspect ratio of frames of a size.
    private static func shape(of stream: StreamInfo, _ width: Int, _ height: Int) -> Double {
        let pixel = stream.sampleAspectRatio.map(\.seconds) ?? 1
        let shape = Double(width) * (pixel > 0 ? pixel : 1) / Double(max(1, height))
        let isOnItsSide = stream.displayMatrix.map { abs(Int($0[1])) > abs(Int($0[0])) } ?? false
        return isOnItsSide ? 1 / max(shape, 1e-6) : shape
    }

    /// Starts another section.
    func begin(section: Int) {
        if section != self.section { offset = nil }
        self.section = section
        decoder = nil
    }

    /// Adds a packet.
    func take(_ packet: Packet, of stream: StreamInfo, segment: Int) throws {
        unit = stream.timeBase
        do {
            if decoder == nil {
                decoder = try Decoder(stream: stream, file: "the delivered video")
                matrix = stream.displayMatrix
                let isOnItsSide = matrix.map { abs(Int($0[1])) > abs(Int($0[0])) } ?? false
                shrinker =
                    isOnItsSide
                    ? FrameShrinker(width: size.height, height: size.width)
                    : FrameShrinker(width: size.width, height: size.height)
                deliveredStream = stream
            }
            try decoder?.decode(packet, opaque: Int64(segment)) { frame in try see(frame) }
        } catch {
            if let error = error as? MediaError, error.isCancelled { throw error }
            complaints.append("segment \(segment): \(error)")
        }
    }

    /// Ends a section.
    func end() throws {
        do {
            try decoder?.decode(nil) { frame in try see(frame) }
        } catch {
            if let error = error as? MediaError, error.isCancelled { throw error }
        }
        decoder = nil
    }

    /// Ends the comparison.
    func finish() throws {
        while try load() { trim(before: .infinity) }
    }

    private func see(_ frame: Frame) throws {
        var small = try shrinker.shrink(frame)
        if shapes.delivered == nil, let deliveredStream {
            shapes.delivered = Self.shape(of: deliveredStream, frame.width, frame.height)
        }
        if let matrix { small = small.shown(by: matrix) }
        let last = matches.last { $0.section == section }
        let time = frame.bestEffortTimestamp.map { (Rational($0) * unit).seconds } ?? (last?.time ?? 0) + interval
        var match = try match(small, time: time)
        match.segment = Int(frame.opaque)
        match.section = section
        matches.append(match)
        follow()
        trim(before: time - (offset ?? time))
    }

    // MARK: - Matching

    private func match(_ delivered: SmallFrame, time: Double) throws -> FrameMatch {
        var small = delivered
        var match = FrameMatch(time: time)
        let next = (matches.last { $0.source >= 0 }?.source ?? -1) + 1
        if offset == nil {
            _ = try picture(next)
            offset = time - (due(next) ?? 0)
        }
        let wished = time - (offset ?? 0)
        let expected = try nearest(wished)
        let isBeyond = isOver && wished > (sourceTimes.last ?? 0) + 1.5 * interval
        var best: (source: Int, distance: Double)?
        var isSure = false
        if !isBeyond {
            var own = try distance(small, expected) ?? 1000
            if let turned = try turned(small, expected: expected, own: own) {
                (small, own, match.nature) = (turned.picture, turned.distance, .turned)
            }
            let near = try climb(small, from: expected, own)
            let apart = try between(expected, near.source)
            // Between two nearly equal frames, either may match. Encoders repeat the previous frame if little changed.
            let clear = abs(near.source - expected) <= 2 ? 3 * max(near.distance, usual) : 2 * near.distance
            if near.source != expected, own > clear + 0.5, apart > 1.5 * near.distance + 0.5 {
                (best, isSure) = (near, true)
            } else {
                best = (expected, own)
                let beside = [try distance(small, expected - 1), try distance(small, expected + 1)].compactMap { $0 }
                isSure = beside.allSatisfy { $0 > 1.5 * own + 0.5 }
            }
        }
        if best.map({ $0.distance > 3 * usual + 2 }) ?? true, let other = try elsewhere(small, next, than: best) {
            (best, isSure) = (other, true)
        }
        guard let best, let picture = try picture(best.source) else {
            match.nature = small.isBlank ? .blank : .foreign
            return match
        }
        let (shown, wanted) = toned(small, picture)
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
            if !picture.isHighDynamicRange {
                colours = (colours.count + 1, colours.sum + small.tintDistance(to: picture.small))
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
                if let distance = try distance(small, candidate), distance < best.distance {
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
        if let distance = try distance(small, next), distance < bar { return (next, distance) }
        guard !small.isBlank, failures < 6 || failures.isMultiple(of: 25) else { return nil }
        let end = (sourceTimes.indices.contains(next) ? sourceTimes[next] : sourceTimes.last ?? 0) + reach
        while kept.count < Self.most, sourceTimes.last ?? 0 < end, try load() {}
        var found: (source: Int, distance: Double)?
        for place in kept.indices {
            let distance = toned(small, kept[place]).0.distance(to: toned(small, kept[place]).1)
            if distance < found?.distance ?? bar { found = (keptFirst + place, distance) }
        }
        guard let found, found.distance < 3 * usual + 2 || best == nil else { return nil }
        return found
    }

    /// The upright version of a frame that shows the expected one in a wrong orientation.
    private func turned(
        _ small: SmallFrame,
        expected: Int,
        own: Double
    ) throws -> (picture: SmallFrame, distance: Double)? {
        guard own > 3 * usual + 4, !small.isBlank, failures < 4 || turn != nil else { return nil }
        for candidate in SmallFrame.Turn.allCases {
            let picture = small.turned(candidate)
            if let distance = try distance(picture, expected), distance < (turn == candidate ? own : own / 3) {
                turn = candidate
                return (picture, distance)
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
            high - low < interval / 2, abs(moved[2] - offset) > interval / 2
        else { return }
        self.offset = moved[2]
    }

    // MARK: - The source

    private func toned(_ small: SmallFrame, _ picture: SourceVideo.Picture) -> (SmallFrame, SmallFrame) {
        picture.isHighDynamicRange ? (small.withoutTone, picture.small.withoutTone) : (small, picture.small)
    }

    private func due(_ number: Int) -> Double? { sourceTimes.indices.contains(number) ? sourceTimes[number] : nil }

    private func load() throws -> Bool {
        guard !isOver else { return false }
        guard let picture = try source.next() else {
            isOver = true
            return false
        }
        if sourceTimes.isEmpty { shapes.source = Self.shape(of: sourceStream, picture.width, picture.height) }
        let before = sourceTimes.last
        let time = picture.time ?? before.map { $0 + interval } ?? 0
        sourceTimes.append(before.map { max($0, time) } ?? time)
        kept.append(picture)
        return true
    }

    private func picture(_ number: Int) throws -> SourceVideo.Picture? {
        while number >= keptFirst + kept.count, try load() {}
        return kept.indices.contains(number - keptFirst) ? kept[number - keptFirst] : nil
    }

    private func distance(_ small: SmallFrame, _ number: Int) throws -> Double? {
        guard number >= 0, let picture = try picture(number) else { return nil }
        let (shown, wanted) = toned(small, picture)
        return shown.distance(to: wanted)
    }

    private func between(_ one: Int, _ other: Int) throws -> Double {
        guard let one = try picture(one), let other = try picture(other) else { return 0 }
        return one.small.distance(to: other.small)
    }

    /// The number of the source frame nearest to a time.
    private func nearest(_ time: Double) throws -> Int {
        while (sourceTimes.last ?? -.infinity) < time, try load() {
            if kept.count > 2 * Self.most { trim(before: time) }
        }
        var (low, high) = (0, sourceTimes.count)
        while low < high {
            let middle = (low + high) / 2
            if sourceTimes[middle] < time { low = middle + 1 } else { high = middle }
        }
        if low == sourceTimes.count { return max(0, low - 1) }
        return low > 0 && time - sourceTimes[low - 1] < sourceTimes[low] - time ? low - 1 : low
    }

    /// Drops source frames that are too old to be matched.
    private func trim(before time: Double) {
        var gone = 0
        while gone < kept.count, sourceTimes[keptFirst + gone] < time - reach || kept.count - gone > 2 * Self.most {
            gone += 1
        }
        guard gone > 64 else { return }
        kept.removeFirst(gone)
        keptFirst += gone
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
