internal import SegueBase
internal import SegueFFmpeg
internal import SeguePackager

/// The source's frames around the current position, and the times of all frames so far.
struct SourceFrames {
    /// The presentation times of the frames.
    private(set) var times: [Double] = []
    /// The displayed aspect ratio.
    private(set) var shape = 1.0
    private(set) var isOver = false
    /// The usual time from one frame to the next, in seconds.
    let interval: Double
    var complaints: [String] { source.complaints }

    private let source: FramesAhead
    private let stream: StreamInfo
    private let reach: Double
    private var kept: [SourceVideo.TimedFrame] = []
    private var keptFirst = 0

    /// The maximum number of frames held.
    private static let most = 3000

    /// Creates the frames of a stream, which are matched within `reach` seconds.
    init(_ frames: SourceVideo, of stream: StreamInfo, reach: Double, _ cores: Cores) {
        let rate = frames.frameRate ?? 25
        interval = rate.isFinite && rate > 0.01 ? 1 / rate : 0.04
        (source, self.stream, self.reach) = (FramesAhead(frames, cores), stream, reach)
    }

    func time(of number: Int) -> Double? { times.indices.contains(number) ? times[number] : nil }

    /// Loads the next frame; returns false at the end.
    mutating func load() throws -> Bool {
        guard !isOver else { return false }
        guard let frame = try source.next() else {
            isOver = true
            return false
        }
        if times.isEmpty { shape = stream.shape(frame.width, frame.height) }
        let before = times.last
        let time = frame.time ?? before.map { $0 + interval } ?? 0
        times.append(before.map { max($0, time) } ?? time)
        kept.append(frame)
        return true
    }

    mutating func frame(_ number: Int) throws -> SourceVideo.TimedFrame? {
        while number >= keptFirst + kept.count, try load() {}
        return kept.indices.contains(number - keptFirst) ? kept[number - keptFirst] : nil
    }

    /// The distance of a delivered frame from a source frame; nil if there is none.
    mutating func distance(_ small: SmallFrame, _ number: Int) throws -> Double? {
        guard number >= 0, let frame = try frame(number) else { return nil }
        let (shown, wanted) = frame.toned(with: small)
        return shown.distance(to: wanted)
    }

    /// The distance of two source frames.
    mutating func between(_ one: Int, _ other: Int) throws -> Double {
        guard let one = try frame(one), let other = try frame(other) else { return 0 }
        return one.small.distance(to: other.small)
    }

    /// The closest of all held frames, which reach on from a number, at less than a distance; nil if there is none.
    mutating func closest(
        to small: SmallFrame,
        from number: Int,
        below bar: Double
    ) throws -> (source: Int, distance: Double)? {
        let end = (time(of: number) ?? times.last ?? 0) + reach
        while kept.count < Self.most, times.last ?? 0 < end, try load() {}
        var found: (source: Int, distance: Double)?
        for (place, frame) in kept.enumerated() {
            let (shown, wanted) = frame.toned(with: small)
            let distance = shown.distance(to: wanted)
            if distance < found?.distance ?? bar { found = (keptFirst + place, distance) }
        }
        return found
    }

    /// The number of the frame nearest to a time.
    mutating func nearest(_ time: Double) throws -> Int {
        while (times.last ?? -.infinity) < time, try load() {
            if kept.count > 2 * Self.most { trim(before: time) }
        }
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        if low == times.count { return max(0, low - 1) }
        return low > 0 && time - times[low - 1] < times[low] - time ? low - 1 : low
    }

    /// Drops frames that are too old to be matched.
    mutating func trim(before time: Double) {
        var gone = 0
        while gone < kept.count, times[keptFirst + gone] < time - reach || kept.count - gone > 2 * Self.most {
            gone += 1
        }
        guard gone > 64 else { return }
        kept.removeFirst(gone)
        keptFirst += gone
    }
}

extension SourceVideo.TimedFrame {
    /// A delivered frame and this one, both without tone if this one is HDR.
    func toned(with small: SmallFrame) -> (SmallFrame, SmallFrame) {
        isHighDynamicRange ? (small.withoutTone, self.small.withoutTone) : (small, self.small)
    }
}

extension StreamInfo {
    /// True if the display matrix turns frames by a quarter.
    var isOnItsSide: Bool { displayMatrix.map { abs(Int($0[1])) > abs(Int($0[0])) } ?? false }

    /// The displayed aspect ratio of frames of a size.
    func shape(_ width: Int, _ height: Int) -> Double {
        let pixel = sampleAspectRatio.map(\.seconds) ?? 1
        let shape = Double(width) * (pixel > 0 ? pixel : 1) / Double(max(1, height))
        return isOnItsSide ? 1 / max(shape, 1e-6) : shape
    }
}
