internal import SegueFFmpeg

/// Reads the video of a recording, frame by frame.
struct VideoReader {
    private(set) var showings: [Recording.Showing] = []
    private(set) var firstChange: Double?
    private(set) var last: Double?

    private var tracker = CodeTracker()
    private var scaler: (from: String, scaler: Scaler)?
    private var look: [Int16]?
    private var distances: [Int: (count: Int, sum: Double)] = [:]

    /// Distances are counted in this many units per second.
    private static let units = 10_000.0

    /// The change of brightness, of 255, that counts as a change of the image.
    private static let change: Int16 = 24

    /// The frame interval: the mean of the distances near the median.
    var interval: Double {
        let sorted = distances.sorted { $0.key < $1.key }
        var rest = sorted.reduce(0) { $0 + $1.value.count } / 2
        guard
            let middle = sorted.first(where: {
                rest -= $0.value.count
                return rest < 0
            })?.key
        else { return 0 }
        let near = sorted.filter { abs($0.key - middle) * 10 <= middle + 10 }
        let (sum, number) = near.reduce((0.0, 0)) { ($0.0 + $1.value.sum, $0.1 + $1.value.count) }
        return sum / Double(number)
    }

    mutating func see(_ frame: Frame, at time: Double?) {
        let time = max(time ?? (last.map { $0 + interval } ?? 0), last ?? 0)
        if let last {
            let distance = Int((min(time - last, 10) * Self.units).rounded())
            if distances.count < 10000 || distances[distance] != nil {
                let before = distances[distance] ?? (0, 0)
                distances[distance] = (before.count + 1, before.sum + time - last)
            }
        }
        defer { last = time }
        let shown =
            readable(frame).flatMap { frame, depth in
                Self.withPlane(of: frame, depth: depth) { look(at: $0, time) }
            } ?? .unreadable
        // A temporarily unreadable mark is assumed to be unchanged.
        let mark = shown == .unreadable ? nil : tracker.mark
        if let index = showings.indices.last, showings[index].look == shown,
            mark == nil || showings[index].mark == nil || showings[index].mark == mark
        {
            showings[index].last = time
            showings[index].count += 1
            showings[index].mark = showings[index].mark ?? mark
        } else {
            showings.append(Recording.Showing(shown, first: time, last: time, count: 1, mark: mark))
        }
    }

    private mutating func look(at plane: LumaPlane, _ time: Double) -> Recording.Look {
        let number = tracker.number(in: plane)
        let now = plane.look
        if let look, firstChange == nil, Self.differ(look, now) { firstChange = time }
        if look == nil { look = now }
        if let number { return .number(number) }
        return tracker.isDark(plane) ? .dark : .unreadable
    }

    private static func differ(_ one: [Int16], _ other: [Int16]) -> Bool {
        one.count != other.count || zip(one, other).contains { abs($0 - $1) > change }
    }

    /// A frame with luma as the first plane, and its bit depth: the frame itself or a grayscale copy.
    private mutating func readable(_ frame: Frame) -> (Frame, depth: Int)? {
        guard let format = frame.pixelFormat, frame.width > 0, frame.height > 0 else { return nil }
        let isPlanar = format.hasPrefix("yuv") || format.hasPrefix("gray") || format.hasPrefix("nv12")
        if isPlanar, !format.hasSuffix("be"), !format.hasPrefix("yuyv") {
            let depth = format.contains("p10") || format.contains("y10") ? 10 : format.contains("p12") ? 12 : 8
            return (frame, depth)
        }
        let size = "\(frame.width)x\(frame.height) \(format)"
        if scaler?.from != size {
            let made = try? Scaler(
                from: .init(width: frame.width, height: frame.height, pixelFormat: format),
                to: .init(width: frame.width, height: frame.height, pixelFormat: "gray")
            )
            scaler = made.map { (size, $0) }
        }
        return (try? scaler?.scaler.convert(frame)).map { ($0, 8) }
    }

    /// Passes the luma plane of a frame to `body`.
    private static func withPlane<Result>(of frame: Frame, depth: Int, _ body: (LumaPlane) -> Result) -> Result? {
        let stride = frame.lineSize(plane: 0)
        guard let memory = frame.plane(0), stride > 0 else { return nil }
        let bytes = stride * (frame.height - 1) + frame.width * (depth > 8 ? 2 : 1)
        let luma = UnsafeBufferPointer(start: memory, count: bytes)
        return LumaPlane(luma: luma, width: frame.width, height: frame.height, stride: stride, depth: depth).map(body)
    }
}
